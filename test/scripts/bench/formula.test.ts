import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const tool = join(import.meta.dirname, "../../../tools/bench");
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-formula-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function formula(
  args: readonly string[],
  input = "",
): { status: number | null; stdout: string; stderr: string } {
  const { INIT_CWD: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawnSync(tool, ["formula", ...args], {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
    input,
  });
  expect(child.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return child;
}

describe("bench formula", () => {
  it("lists every formula with its section", () => {
    const { status, stdout } = formula(["list"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^final-score +Final score \(Final score\)$/m);
    expect(stdout).toMatch(/^icc +.*\(Council judges\)$/m);
  });

  it("works a formula from a file: steps with the numbers put in, and the result", () => {
    writeFileSync(
      join(folder, "x.json"),
      '{"council": 9, "hidden": {"passed": 11, "total": 12}, "slop": 0.625}',
    );
    const { status, stdout } = formula(["final-score", "--input", "x.json"]);
    expect(status).toBe(0);
    expect(stdout).toBe('final = 9 × 11 ÷ 12 − 0.5 × 0.625 = 7.9375\nresult: {"value":7.9375}\n');
  });

  it("works one from standard input, as JSON if wanted", () => {
    const { status, stdout } = formula(["replicates", "--input", "-", "--json"], '{"runs": [8.1, 8.5, 8.4]}');
    expect(status).toBe(0);
    const { result, steps } = JSON.parse(stdout);
    expect(result.sd).toBeCloseTo(0.208167, 6);
    expect(steps).toHaveLength(3);
  });

  it("works the documented example, and without an input says what it takes", () => {
    expect(formula(["slop", "--example"]).stdout).toContain("slop = (1 + 1 + 0.5 + 0) ÷ 4 = 0.625\n");
    const { status, stdout } = formula(["value"]);
    expect(status).toBe(0);
    expect(stdout).toContain("value = score − 0.2 × log2(cost in USD) − 0.5 × defect points");
    expect(stdout).toContain("score: number 0 … 10 or null");
  });

  it("answers a wrong input with findings at their place, and exit code 1", () => {
    const { status, stderr, stdout } = formula(
      ["replicates", "--input", "-"],
      '{\n"runs": [8.1, "x"],\n"rns": 1}',
    );
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("standard input:2:15 code-formula-wrong-type");
    expect(stderr).toContain("standard input:3:8 code-formula-unknown-key");
    expect(formula(["replicates", "--input", "-"], "{").stderr).toContain("standard input:1:2 json-syntax");
    expect(formula(["replicates", "--input", "none.json"]).stderr).toContain("none.json file-missing");
  });

  it("prints no control characters of an input", () => {
    const input = JSON.stringify({ seats: [{ judge: "a\u001b[2J", score: 8 }], panel: [] });
    const { stdout } = formula(["council-score", "--input", "-"], input);
    expect(stdout).toContain("a\\u001b[2J");
    expect(stdout).not.toContain("\u001b");
  });

  it("names the formula that was meant, and refuses two inputs as wrong usage", () => {
    const wrong = formula(["slopp"]);
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toContain(
      'code-formula-unknown There is no formula of this name.\n    actual: slopp\n    hint: Did you mean "slop"?',
    );
    expect(formula(["slop", "--example", "--input", "x.json"]).status).toBe(2);
    expect(formula([]).status).toBe(2);
  });
});
