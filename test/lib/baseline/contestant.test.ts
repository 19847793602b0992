import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerConversation, countTokens } from "../../../src/lib/baseline/contestant.ts";
import { layOutPrompt } from "../../../src/lib/run/member-prompt.ts";
import { type EarlierAnswer, type PromptMode, promptMessages } from "../../../src/lib/run/prompt.ts";
import { parseRecipe } from "../../../src/lib/sheet/check.ts";
import { canonicalCsv } from "../../../src/lib/sheet/csv.ts";
import { executeRecipe } from "../../../src/lib/sheet/execute.ts";
import type { Workbook } from "../../../src/lib/sheet/model.ts";
import { sheetOf, workbookOf } from "../run/sheets.ts";

/** What the baseline answers when it is asked about a workbook, as a runner would ask it. */
function answer(
  workbook: Workbook,
  task: string,
  earlier: EarlierAnswer | null = null,
  mode: PromptMode = "listing-1",
): string {
  const laid = layOutPrompt(workbook, task, mode);
  if (!laid.ok) throw new Error(laid.message);
  return answerConversation(promptMessages(laid.prompt, "json_schema", earlier));
}

/** The CSV its recipe gives. */
function csv(workbook: Workbook, task: string): string[] {
  const recipe = parseRecipe(answer(workbook, task));
  if (!recipe.ok) throw new Error(JSON.stringify(recipe.findings));
  const execution = executeRecipe(workbook, recipe.value);
  if (!execution.ok) throw new Error(JSON.stringify(execution.findings));
  return canonicalCsv(execution.value.table).trimEnd().split("\n");
}

describe("the baseline", () => {
  it("reads a plain table: title above, footnotes below, years across", () => {
    const workbook = workbookOf(
      sheetOf("T", [
        ["Dwellings by region, 2021 to 2022"],
        [],
        ["Region", 2021, 2022],
        ["North(a)", 10, 11],
        ["South", "n.p.", 13],
        [],
        ["(a) Revised in 2023."],
      ]),
    );
    expect(csv(workbook, "Sheet 'T'. Outputs in this order: region, year, dwellings.")).toEqual([
      "region,year,dwellings",
      "North,2021,10",
      "North,2022,11",
      "South,2021,n.p.",
      "South,2022,13",
    ]);
  });

  it("expands merged headers, fills sparse labels, and finds headings over blocks", () => {
    const workbook = workbookOf(
      sheetOf(
        "T",
        [
          ["Title"],
          [null, null, "Males", null, "Females"],
          ["State", "Age", "2021-22", "2022-23", "2021-22", "2022-23"],
          ["Employed"],
          ["NSW", "15-24", 1, 2, 3, 4],
          [null, "25-34", 5, 6, 7, 8],
          ["Unemployed"],
          ["NSW", "15-24", 9, 10, 11, 12],
        ],
        {
          merges: [
            { top: 2, left: 3, bottom: 2, right: 4 },
            { top: 2, left: 5, bottom: 2, right: 6 },
          ],
        },
      ),
    );
    const rows = csv(workbook, "Sheet 'T'. Outputs in this order: status, state, age, sex, year, persons.");
    expect(rows).toHaveLength(13);
    expect(rows[1]).toBe("Employed,NSW,15-24,Males,2021-22,1");
    expect(rows[8]).toBe("Employed,NSW,25-34,Females,2022-23,8");
    expect(rows[12]).toBe("Unemployed,NSW,15-24,Females,2022-23,12");
  });

  it("names outputs itself when the task does not", () => {
    const workbook = workbookOf(
      sheetOf("T", [
        ["Region", "Income", "Wages"],
        ["North", 1, 2],
        ["South", 3, 4],
      ]),
    );
    expect(csv(workbook, "Everything.")[0]).toBe("region,header_2,value");
  });

  it("says in words that there is no table, which is no recipe", () => {
    const text = answer(workbookOf(sheetOf("T", [["Only"], ["words"]])), "Sheet 'T'.");
    expect(text).toBe("No block of numbers was found on the listed sheets.");
    expect(parseRecipe(text).ok).toBe(false);
  });

  it("tries a simpler recipe at each revision", () => {
    const workbook = workbookOf(
      sheetOf("T", [
        ["Region", "a", null, "b"],
        ["North", 1, 2, 3],
        [null, 4, 5, 6],
      ]),
    );
    const task = "Sheet 'T'. Outputs in this order: region, kind, n.";
    const first = answer(workbook, task);
    const second = answer(workbook, task, { text: first, findings: [] });
    const third = answer(workbook, task, { text: second, findings: [] });
    const directions = (text: string): unknown =>
      JSON.parse(text).tables[0].headers.map((header: { direction: string }) => header.direction);
    expect([first, second, third].map(directions)).toEqual([["left-up", "up-left"], ["left", "up"], []]);
  });

  it("tells two label columns of one title apart", () => {
    const sheet = [
      ["Region(a)", "Region(a)", 1990, 1991],
      ["North", "Town", 10.5, 20],
      ["South", "Coast", 30, 40.5],
    ];
    const recipe = JSON.parse(answer(workbookOf(sheetOf("T", sheet)), "All."));
    const names = recipe.tables[0].headers.map((header: { name: string }) => header.name);
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(3);
  });

  it("answers any sheet with a recipe that the language accepts, and always the same one", () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.integer({ min: 1990, max: 2030 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }),
      fc.constantFrom("Total", "np", "..", "2022-23", "Region(a)", "Series ID", "%", 'it\'s "T"'),
    );
    const grid = fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 });
    const ofTask = fc.constantFrom("All.", "Outputs in this order: a, year, unit, b.", "Outputs: x.");
    fc.assert(
      fc.property(grid, grid, ofTask, (one, two, task) => {
        const workbook = workbookOf(sheetOf("It's", one), sheetOf("B", two));
        const text = answer(workbook, task);
        expect(answer(workbook, task)).toBe(text);
        if (!text.startsWith("{")) return;
        const recipe = parseRecipe(text);
        if (!recipe.ok) throw new Error(JSON.stringify(recipe.findings));
        const execution = executeRecipe(workbook, recipe.value);
        if (!execution.ok) throw new Error(text + JSON.stringify(execution.findings));
      }),
      {
        numRuns: 300,
        examples: [
          [
            [
              [1990, null, "Region(a)", 1990],
              [null, "Region(a)", null, 0],
              ["Series ID"],
              ["Total", 1990, 0, 0],
              ["Total", null, null, 0],
            ],
            [],
            "All.",
          ],
        ],
      },
    );
  });

  it("reads a digest as it reads a listing", () => {
    const months = Array.from({ length: 40 }, (_, at) => ({
      value: `20${String(10 + Math.floor(at / 12))}-${String((at % 12) + 1).padStart(2, "0")}-01`,
      type: "date" as const,
      format: "mmm-yyyy",
    }));
    const workbook = workbookOf(
      sheetOf("T", [
        [null, "North ;  Males ;", "North ;  Females ;", "South ;  Males ;"],
        ["Unit", "000", "000", "000"],
        ["Series ID", "A100001A", "A100002B", "A100003C"],
        ...months.map((month, at) => [month, at + 0.5, at % 7 === 3 ? "n.p." : at * 2, at - 7.25]),
        ["(a) Revised."],
      ]),
    );
    const task = "Sheet 'T'. Outputs in this order: date, series, unit, series_id, persons.";
    const digest = layOutPrompt(workbook, task, "digest-1");
    expect(digest.ok && digest.prompt.listing).toContain("numbers: C2");
    const text = answer(workbook, task, null, "digest-1");
    expect(text).toBe(answer(workbook, task));
    expect(text).toContain("R4C2:R43C4");
  });

  it("counts tokens by its stated rule", () => {
    expect(["", "abcd", "abcde", "ü"].map(countTokens)).toEqual([0, 1, 2, 1]);
  });
});
