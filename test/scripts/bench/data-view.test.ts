import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataOf } from "../../lib/code/aggregate/small-data.ts";

const tool = join(import.meta.dirname, "../../../tools/bench");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-view-"));
  const data = dataOf([
    { configuration: "ash@high", lead: "one@high", council: 9, final: 8, usd: 2, seats: { a: 9 } },
    { configuration: "ash@low", lead: "one@high", council: 8, final: 8.5, usd: 1, seats: { a: 8 } },
    { configuration: "ash@high", lead: "two@high", replicate: 2, task: "parser", seats: { a: 7 } },
  ]);
  writeFileSync(join(folder, "data.json"), JSON.stringify(data));
  writeFileSync(join(folder, "broken.json"), JSON.stringify({ ...data, entries: [{ run: 1 }] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

function view(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { INIT_CWD: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawnSync(tool, ["data", "view", ...args], {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
  });
  expect(child.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return child;
}

describe("bench data view", () => {
  it("prints the selection's ranking, picks, leads and judges", () => {
    const { status, stdout } = view("--data-json", "data.json");
    expect(status).toBe(0);
    for (const title of ["Ranking", "Top overall picks", "Leads compared", "Council judges"])
      expect(stdout).toContain(`\n${title}\n`);
    expect(stdout).toContain("all leads, overall, best per model, runs combined, by final score");
  });

  it("takes every part of a selection", () => {
    const { stdout } = view(
      ...["--data-json", "data.json", "--lead", "one@high", "--task", "coder", "--replicate", "1"],
      ...["--efforts", "best-per-lab", "--column", "council", "--json"],
    );
    const { selection, rows, leads, ranks } = JSON.parse(stdout);
    expect(selection).toEqual({
      lead: "one@high",
      task: "coder",
      efforts: "best-per-lab",
      replicate: 1,
      column: "council",
    });
    expect(rows.map(({ configuration }: { configuration: string }) => configuration)).toEqual(["ash@high"]);
    expect(leads).toBeNull();
    expect(ranks.ranks).toHaveLength(1);
  });

  it("gives one entry's numbers, each with the input that its formula takes", () => {
    const { status, stdout, stderr } = view(
      "--data-json",
      "data.json",
      "--entry",
      "coder-one-high-1/ash@high",
      "--json",
    );
    expect(status, stderr).toBe(0);
    const { numbers } = JSON.parse(stdout) as { numbers: { formula: string; value: number }[] };
    expect(numbers.find(({ formula }) => formula === "council-score")?.value).toBe(9);
    expect(view("--data-json", "data.json", "--entry", "coder-one-high-1/nobody").stderr).toMatch(
      /code-view-entry[\s\S]*Its entries are /,
    );
    expect(view("--data-json", "data.json", "--entry", "slip").stderr).toMatch(
      /code-view-entry[\s\S]*Runs are /,
    );
  });

  it("says what could have been selected when nothing was", () => {
    const { status, stderr } = view("--data-json", "data.json", "--task", "chess");
    expect(status).toBe(1);
    expect(stderr).toContain("code-view-empty There is nothing to show: no run of task chess.");
    expect(stderr).toContain("leads: one@high, two@high; tasks: coder, parser.");
  });

  it("gives findings for a file that is missing or has another form, and refuses wrong words", () => {
    expect(view("--data-json", "none.json").stderr).toContain("file-missing");
    expect(view("--data-json", "broken.json").stderr).toContain("code-data-");
    for (const wrong of ["0", "x"])
      expect(view("--data-json", "data.json", `--replicate=${wrong}`).status).toBe(2);
    expect(view("--data-json", "data.json", "--column", "slop").status).toBe(2);
  });
});
