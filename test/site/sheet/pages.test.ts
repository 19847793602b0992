import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { METRIC_LIST } from "../../../src/lib/benchmarks/metrics.ts";
import { documentDigest } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument, ResultMember } from "../../../src/lib/benchmarks/result-schema.ts";
import { sheetData, sheetPages } from "../../../src/site/sheet/pages.ts";
import { LOCAL_SITE } from "../../../src/site/site-info.ts";
import { NO_FRAME, type Page, renderDocument } from "../../../src/site/ui/document.tsx";
import { byTag, type Element, findAll, parseHtml, tableOf, textOf } from "./html.ts";
import { failed, readFixture, readSuite, type Staged, solved, stage, unstage, variant } from "./stage.ts";

const honest = readFixture("honest-result.json");
const gold = readFixture("gold-baseline-result.json");
const suite = readSuite("rehearsal-1");
const costing = (member: ResultMember, cost: number | null): ResultMember => ({
  ...member,
  attempts: member.attempts.map((attempt) => ({ ...attempt, cost_usd: cost })),
});
const LONG = `acme/${"very-long-model-name-".repeat(10)}`.slice(0, 199);
const withdrawn = variant(honest, "qwen/qwen-2.5-72b-instruct");
const REASON = "The wrong prompt\u202e was sent <b>twice</b>.";
const results: ResultDocument[] = [
  honest,
  gold,
  variant(honest, "anthropic/claude-sonnet-4", (member) => costing(solved(member, suite), 0.0123)),
  variant(honest, "openai/gpt-4o", (member, index) => costing(index === 2 ? failed(member) : member, null)),
  variant(honest, "openai/gpt-4o-mini", (member, index) =>
    index < 3 ? costing(member, null) : costing(member, 0.5),
  ),
  variant(honest, "deepseek/deepseek-r1"),
  variant(honest, LONG),
  withdrawn,
];

let staged: Staged;
let pages: Map<string, Element>;
const read = (input: Staged["input"]): Map<string, Element> =>
  new Map(
    sheetPages(input).map((page) => [page.path, parseHtml(renderDocument(page, input.site, NO_FRAME))]),
  );
const page = (path: string): Element => {
  const found = pages.get(path);
  if (found === undefined) throw new Error(`no page ${path}: ${[...pages.keys()].join(" ")}`);
  return found;
};
const resultOf = (model: string, of = suite.id): Element => {
  const document = results.find((found) => found.model.id === model && found.suite.id === of);
  if (document === undefined) throw new Error(`no result of ${model}`);
  const digits = documentDigest(document).slice("sha256:".length, "sha256:".length + 12);
  const path = [...pages.keys()].find((name) => name.endsWith(`-${digits}.html`));
  return page(path ?? "");
};

beforeAll(async () => {
  staged = await stage(results, [{ of: withdrawn, reason: REASON, at: "2026-12-01T11:00:00.000Z" }]);
  pages = read(staged.input);
});
afterAll(() => unstage(staged));

/** Where a relative link of a page leads, without its fragment. */
const resolve = (from: string, link: string): [path: string, fragment: string | null] => {
  const [path = "", fragment = null] = link.split("#");
  if (path === "") return [from, fragment];
  const parts = from.split("/").slice(0, -1);
  for (const part of path.split("/")) part === ".." ? parts.pop() : parts.push(part);
  return [parts.join("/"), fragment];
};

describe("every page of the set", () => {
  it("links only to pages, parts of pages and data that exist", () => {
    // What the frame of every page links to is made by others.
    const others = /^(index|history|methodology\/code)\.html$|^atom\.xml$|^assets\//;
    const data = new Set(sheetData(staged.input).map(({ path }) => path));
    let checked = 0;
    for (const [path, html] of pages)
      for (const { attributes } of byTag(html, "a")) {
        const [target, fragment] = resolve(path, attributes.href ?? "");
        if (others.test(target) || data.has(target)) continue;
        expect([...pages.keys()], `${path} → ${attributes.href}`).toContain(target);
        if (fragment !== null)
          expect(
            findAll(page(target), (element) => element.attributes.id === fragment),
            `${path} → ${attributes.href}`,
          ).toHaveLength(1);
        checked += 1;
      }
    expect(checked).toBeGreaterThan(500);
  });

  it("has one h1, headings in order, ids once, and tables with captions and scopes", () => {
    for (const [path, html] of pages) {
      const levels = byTag(html, "h1", "h2", "h3", "h4").map(({ tag }) => Number(tag.slice(1)));
      expect(
        levels.filter((level) => level === 1),
        path,
      ).toHaveLength(1);
      for (const [index, level] of levels.entries())
        expect(level - (levels[index - 1] ?? 0), `${path}: heading ${index}`).toBeLessThanOrEqual(1);
      const ids = findAll(html, ({ attributes }) => attributes.id !== undefined).map(
        ({ attributes }) => attributes.id,
      );
      expect(new Set(ids).size, path).toBe(ids.length);
      const captions = byTag(html, "table").map((table) => byTag(table, "caption").map(textOf).join());
      expect(new Set(captions).size, path).toBe(captions.length);
      for (const caption of captions) expect(caption, path).not.toBe("");
      for (const { attributes } of byTag(html, "th"))
        expect(["col", "row"], path).toContain(attributes.scope);
    }
  });

  it("turns no text around and lets none become markup", () => {
    for (const [path, html] of pages) {
      expect(textOf(html), path).not.toContain("\u202e");
      expect(byTag(html, "b"), path).toEqual([]);
    }
  });
});

describe("a board", () => {
  const board = (): Element => page("sheet/rehearsal-1/index.html");
  const ranking = (): string[][] => tableOf(board(), "Curated models");

  it("ranks by composite with its version, ties by model id and said to be ties", () => {
    const [head, ...rows] = ranking();
    expect(head?.[1]).toContain("Composite (provisional-1)");
    expect(rows.map(([model]) => model)).toEqual([
      expect.stringMatching(/^1 .*Claude Sonnet 4/),
      expect.stringMatching(/^2 .*baseline\/heuristic/),
      expect.stringMatching(/^3 .*deepseek\/deepseek-r1/),
      expect.stringMatching(/^4 .*openai\/gpt-4o-mini/),
      expect.stringMatching(/^5 .*openai\/gpt-4o$/),
    ]);
    expect(rows[0]?.[1]).toMatch(/^1\.000000/);
    for (const [index, row] of rows.entries())
      expect(row[1]?.includes("tied: by model id"), row[0]).toBe(index > 0 && index < 4);
    expect(textOf(board())).toContain("they are ordered by model id");
  });

  it("says why a cost per solved sheet is unknown, and never shows it as nothing", () => {
    const of = (model: string): string => ranking().find(([name]) => name?.endsWith(model))?.[4] ?? "";
    expect(of("anthropic/claude-sonnet-4")).toContain("$0.0123");
    expect(of("openai/gpt-4o")).toBe("unknown: no cost was reported");
    expect(of("openai/gpt-4o-mini")).toBe("unknown: the cost of some calls was not reported");
  });

  it("shows intervals over the members, and which neighbours are not clearly different", () => {
    const [, , baseline] = ranking();
    // 7 of 10 exact: Wilson's interval of 95%.
    expect(baseline?.[6]).toContain("0.397 to 0.892");
    expect(ranking()[1]?.[2]).toContain("not clearly different 3 against 0, p = 0.250");
    expect(textOf(board())).toContain(
      "Not clearly different from each other, compared over the same members: ranks 1 and 2; 2 and 3; 3 and 4; 4 and 5.",
    );
  });

  it("keeps models that are not curated apart and without a rank", () => {
    const rows = tableOf(board(), "Models without a rank");
    expect(rows.slice(1).map(([model]) => model)).toEqual([LONG]);
  });

  it("shows solved of all by difficulty and by tag", () => {
    const [, first] = tableOf(board(), "Solved of all members of a difficulty");
    expect(first?.slice(1).map((cell) => cell.split(" cells")[0])).toEqual(["2/2", "6/6", "2/2"]);
    const [tags, , baseline] = tableOf(board(), "Solved of all members that carry a tag");
    const at = tags?.findIndex((title) => title.startsWith("filled spans")) ?? -1;
    expect(baseline?.[at]).toBe("2/3");
  });

  it("draws composite against cost, with every result in the table behind it", () => {
    const html = board();
    const marks = findAll(html, ({ attributes }) => (attributes.class ?? "").startsWith("chart-mark "));
    expect(marks.length).toBeGreaterThanOrEqual(6);
    const rows = tableOf(html, "Composite and cost per solved sheet").slice(1);
    expect(rows).toHaveLength(6);
    expect(rows.find(([model]) => model === "Anthropic: Claude Sonnet 4")?.slice(1)).toEqual([
      "Anthropic",
      "1.000",
      "$0.0123",
      "yes",
    ]);
    expect(textOf(html)).toContain("2 of 6 have no cost per solved sheet; the ranking says why of each.");
  });

  it("lists what was withdrawn with its reason, and leads to its page, which says so first", () => {
    const [, row] = tableOf(board(), "Withdrawn results");
    expect(row?.[1]).toBe("The wrong prompt\ufffd was sent <b>twice</b>.");
    const text = textOf(resultOf("qwen/qwen-2.5-72b-instruct"));
    expect(text).toContain("Withdrawn on 2026-12-01 11:00 UTC: The wrong prompt");
    expect(text).not.toContain("npm run bench -- verify");
  });

  it("says the limits of a public suite", () => {
    const text = textOf(page("sheet/gold-2026.07/index.html"));
    expect(text).toContain("14 of 30 members are marked as published in the Data Bank.");
    expect(text).toContain("there is no held-out slice");
  });
});

describe("a result's page", () => {
  it("shows everything the document records of its run", () => {
    const text = textOf(resultOf("baseline/heuristic"));
    const { suite: about, model, prompt, runner, caps } = honest;
    for (const said of [
      about.id,
      about.digest,
      model.id,
      `temperature ${model.parameters.temperature}`,
      `maximum tokens ${model.parameters.max_tokens}`,
      model.parameters.response_format,
      prompt.mode,
      prompt.sha256,
      honest.started_at,
      honest.finished_at,
      `${caps.calls} calls for the run, ${caps.attempts_per_member} attempts a member`,
      "at least 0 ms between calls",
      runner.name,
      runner.environment,
      runner.transport,
      runner.invocation,
      runner.deterministic_components.join(", "),
      "declared not to be deterministic",
      documentDigest(honest),
      `npm run bench -- verify ${documentDigest(honest)}`,
      `npm run bench:run -- --suite ${about.id} --model ${model.id}`,
    ])
      expect(text).toContain(said);
  });

  it("shows components that add up to the composite", () => {
    const rows = tableOf(resultOf("baseline/heuristic"), "Components, their weights");
    const brought = rows.slice(1, 6).reduce((sum, row) => sum + Number(row[4]), 0);
    expect(brought).toBeCloseTo(honest.composite, 5);
    expect(rows[6]?.[1]).toBe(honest.composite.toFixed(6));
  });

  it("sorts members by what they cost, and shows at most twenty mismatch rows of each", () => {
    const html = resultOf("openai/gpt-4o");
    const lost = tableOf(html, "Members by what they cost").slice(1);
    expect(lost[0]).toEqual(["r3-merged-bands", "failed", "0.100000", ...Array(5).fill("0.000")]);
    const values = lost.map((row) => Number(row[2]));
    expect(values).toEqual([...values].sort((a, b) => b - a));
    const shown = tableOf(html, "Some of what differs in r8-two-tables").slice(1);
    const known = honest.members.find(({ id }) => id === "r8-two-tables")?.mismatches ?? [];
    expect(shown).toHaveLength(known.length);
    expect(known.length).toBeGreaterThan(0);
  });

  it("names what it replaces and why; the one before it says that another counts, and leads there", async () => {
    const [first, second, third] = ["01", "02", "03"].map((hour) =>
      variant(honest, "openai/gpt-4o", undefined, { finished_at: `2026-12-01T${hour}:00:00.000Z` }),
    ) as [ResultDocument, ResultDocument, ResultDocument];
    const wrong = { digest: documentDigest(second), reason: "A cap was too low." };
    const newest = { ...third, supersedes: wrong };
    const other = await stage([first, second, newest]);
    try {
      const made = [...read(other.input)].filter(([path]) => path.includes("/results/"));
      const [before, after] = [first, newest].map((document) =>
        made.find(([path]) => path.includes(documentDigest(document).slice(7, 19))),
      );
      expect(textOf(after?.[1] as Element)).toContain(`${wrong.digest}: A cap was too low.`);
      expect(textOf(before?.[1] as Element)).toContain("Another result of this model counts instead");
      const links = byTag(before?.[1] as Element, "a").map(
        ({ attributes }) => resolve(before?.[0] ?? "", attributes.href ?? "")[0],
      );
      expect(links).toContain(after?.[0]);
    } finally {
      unstage(other);
    }
  });
});

describe("a member's page", () => {
  it("shows what is asked, and how each model did", () => {
    const html = page("sheet/rehearsal-1/members/r8-two-tables.html");
    const member = suite.members.find(({ id }) => id === "r8-two-tables");
    const text = textOf(html);
    for (const said of [
      member?.task ?? "no task",
      member?.workbook.sha256 ?? "",
      member?.recipe.sha256 ?? "",
      member?.reference.sha256 ?? "",
      "Solved by 1 of 6 models.",
    ])
      expect(text).toContain(said.replace(/\s+/g, " "));
    const rows = tableOf(html, "Results on this member");
    expect(rows.slice(1).map((row) => row[1])).toEqual([
      "passed",
      "partial",
      "partial",
      "partial",
      "partial",
      "partial",
    ]);
  });

  it("draws the sheet with its cells marked by sign and word, and says the same in a table", () => {
    const html = page("sheet/rehearsal-1/members/r8-two-tables.html");
    const reference = tableOf(html, "Reference: sheet Table 10.1");
    expect(reference.flat()).toContain("735.5");
    const produced = tableOf(html, "Reading 1: sheet Table 10.1").flat();
    expect(produced).toContain("≠wrong: 735.5");
    const words = tableOf(html, "Reading 1: some differences");
    expect(words[1]).toEqual([
      "Table 10.1!R7C2",
      "≠ other cells",
      "735.5",
      "table = estimate",
      "no column table",
    ]);
    expect(textOf(html)).toContain("Columns that are missing: table");
  });

  it("says of each result what it made of the sheet, and leads to where that is drawn", () => {
    const html = page("sheet/rehearsal-1/members/r8-two-tables.html");
    expect(tableOf(html, "Results on this member").map((row) => row.at(-1))).toEqual([
      "What it made of the sheet",
      "as the reference",
      ...Array(5).fill("reading 1"),
    ]);
    const failedOn = page("sheet/rehearsal-1/members/r3-merged-bands.html");
    expect(tableOf(failedOn, "Results on this member").map((row) => row.at(-1))).toContain("nothing");
  });

  it("says when a sheet is too large to be drawn whole", () => {
    const cut = [...pages].filter(
      ([path, html]) => path.includes("/gold-2026.07/members/") && textOf(html).includes("are cut off."),
    );
    expect(cut.length).toBeGreaterThan(0);
    expect(cut.every(([, html]) => textOf(html).includes("too large to be drawn whole"))).toBe(true);
  });
});

describe("a suite's page and the methodology", () => {
  it("counts members as the suite has them", () => {
    const html = page("sheet/gold-2026.07/suite.html");
    expect(tableOf(html, "Members by source kind")).toEqual([
      ["Source kind", "Members"],
      ["bank_asset", "12"],
      ["conformance", "18"],
    ]);
    expect(tableOf(html, "Members in the suite's order")).toHaveLength(31);
  });

  it("defines every metric with its weight, and says formula, provenance, policy, caveat and command", () => {
    const html = page("methodology/sheet.html");
    const rows = tableOf(html, "Metrics, their definitions").slice(1);
    expect(rows.map(([, definition]) => definition)).toEqual(METRIC_LIST.map(({ definition }) => definition));
    expect(rows.reduce((sum, row) => sum + Number(row[2]), 0)).toBeCloseTo(1, 12);
    const text = textOf(html);
    for (const said of [
      'composite_version: "provisional-1"',
      "0.30 × deterministic pass rate + 0.30 × exact output match",
      "provisional until",
      "a declaration that model output is not deterministic",
      "A committed result never changes and is never deleted",
      "there is no held-out slice",
      "npm run bench:run -- --suite gold-2026.07 --model <provider/model>",
      "exact sign test",
    ])
      expect(text).toContain(said);
  });
});

it("the same input gives the same bytes", () => {
  const bytes = (made: readonly Page[]): string =>
    made.map((one) => renderDocument(one, LOCAL_SITE, NO_FRAME)).join("\n");
  expect(bytes(sheetPages(staged.input))).toBe(bytes(sheetPages(staged.input)));
});
