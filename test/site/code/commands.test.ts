import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FIRST_SELECTION } from "../../../src/lib/code/aggregate/selection.ts";
import type { Data } from "../../../src/lib/code/derive/data-schema.ts";
import { FORMULAS } from "../../../src/lib/code/formula/registry.ts";
import { syntheticFiles } from "../../../src/lib/code/synthetic/round.ts";
import { entryChecks, formulaCommand, qualityCommand } from "../../../src/site/code/commands.ts";
import { shellWord, viewCommand } from "../../../src/site/code/view-command.ts";
import { writeFacts } from "../../lib/code/write-facts.ts";
import { syntheticData } from "./synthetic-data.ts";

const ROOT = join(import.meta.dirname, "../../..");
const sh = (command: string): string =>
  execFileSync("sh", ["-c", command], { cwd: ROOT, encoding: "utf8", timeout: 60_000 });

let data: Data;
beforeAll(async () => {
  data = await syntheticData();
});

const runOf = (id: string) => data.runs.find((run) => run.id === id)!;
/** The value of a printed command's formula, worked in this process. */
function workedValue(command: string): number | null {
  const [, text = "", name = ""] =
    /^printf '%s' '(.*)' \| .* formula ([a-z-]+) --input -$/s.exec(command) ?? [];
  const worked = FORMULAS.find((formula) => formula.name === name)?.compute(
    text.replaceAll("'\\''", "'"),
    "-",
  );
  if (worked?.ok !== true) throw new Error(`${command}: ${JSON.stringify(worked)}`);
  return worked.value.result.value as number | null;
}

describe("commands that check an entry's numbers", () => {
  it("print, in a shell, the number that is shown", () => {
    const entry = data.entries.find(
      ({ final, speed, findings, hidden }) =>
        final !== null &&
        speed?.speedup != null &&
        (hidden?.failed.length ?? 0) > 0 &&
        findings.some(({ false_positive }) => false_positive),
    )!;
    const checks = entryChecks(entry, runOf(entry.run), entry.findings);
    expect(checks.map(({ of }) => of)).toEqual(
      expect.arrayContaining([
        "final score",
        "council score",
        "cross-vendor score",
        "slop",
        "defect points",
        "speed",
      ]),
    );
    for (const { of, command, gives } of checks) {
      const [, printed = ""] = /^result: (.*)$/m.exec(sh(command)) ?? [];
      expect((JSON.parse(printed) as { value: number }).value, of).toBeCloseTo(gives!, 9);
    }
  }, 120_000);

  it("give the derived number for every entry of a full-size round, unknown ones too", () => {
    let worked = 0;
    for (const entry of data.entries)
      for (const { of, command, gives } of entryChecks(entry, runOf(entry.run), entry.findings)) {
        const value = workedValue(command);
        if (gives === null) expect(value, `${entry.run}/${entry.id} ${of}`).toBeNull();
        else expect(value, `${entry.run}/${entry.id} ${of}`).toBeCloseTo(gives, 9);
        worked += 1;
      }
    expect(worked).toBeGreaterThan(3000);
  });

  it("leave out slop and defect points until the findings are loaded", () => {
    const entry = data.entries.find(({ slop }) => slop !== null)!;
    const names = entryChecks(entry, runOf(entry.run), null).map(({ of }) => of);
    expect(names).toContain("final score");
    expect(names).not.toContain("slop");
    expect(names).not.toContain("defect points");
  });

  it("give no command for a score that an unfinished entry cannot have", () => {
    const entry = data.entries.find(({ dnf }) => dnf !== null)!;
    expect(entryChecks(entry, runOf(entry.run), entry.findings)).toEqual([]);
  });
});

describe("the command that measures code again", () => {
  it("finds the lines that the drawer shows", () => {
    const plan = { seed: 5, start: "2026-11-02T09:00:00.000Z", rounds: 1, deliverables: true };
    const entry = data.entries.find(({ quality }) => quality?.complexity != null)!;
    const files = [...syntheticFiles(plan)].filter(
      ({ path }) =>
        /^data\/[a-z]+\.json$|^tasks\//.test(path) ||
        path === `data/runs/${entry.run}.json` ||
        path.startsWith(`data/entries/${entry.run}/${entry.id}/`),
    );
    const root = writeFacts(new Map(files.map(({ path, text }) => [path, text])));
    const printed = sh(`${qualityCommand(entry.run, entry.id)} --root ${shellWord(root)} 2>&1`);
    const [, lines] = new RegExp(`^${entry.id} \\S+ +(\\d+) `, "m").exec(printed) ?? [];
    expect(Number(lines), printed).toBe(entry.quality?.implementation_lines);
  }, 120_000);
});

describe("what is pasted into a shell", () => {
  it.each(["it's", "a b", "$(id)", "`id`", "back\\slash", 'quo"te', "líne\nbreak", "%s%n", "", "-n"])(
    "keeps %j as it is",
    (text) => expect(sh(`printf '%s' ${shellWord(text)}`)).toBe(text),
  );

  it("carries any text through JSON", () => {
    const input = { judge: "it's $(x) \\ \" %d" };
    const [before = ""] = formulaCommand("slop", input).split(" | ");
    expect(JSON.parse(sh(before))).toEqual(input);
  });

  it("names the whole selection, and only what is selected", () => {
    expect(viewCommand(FIRST_SELECTION)).toBe("npm run -s bench -- data view");
    expect(
      viewCommand({ lead: "ash@high", task: "coder", efforts: "all", replicate: 2, column: "council" }),
    ).toBe(
      "npm run -s bench -- data view --task coder --lead ash@high --efforts all --replicate 2 --column council",
    );
  });
});
