import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, type TestContext } from "vitest";
import { deriveSpeed } from "../../../src/lib/code/derive/speed.ts";
import { perfSchema } from "../../../src/lib/code/schema/perf-schema.ts";
import { perfReportSchema } from "../../../src/lib/perf/report-schema.ts";
import { compileShims, type Shims } from "../../io/perf/shim.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const shims = compileShims();
afterAll(() => shims !== null && rmSync(shims.folder, { recursive: true, force: true }));

function need(ctx: TestContext): Shims {
  if (shims === null) {
    if (process.env.CI) expect.fail("gcc belongs to the CI image");
    ctx.skip("there is no gcc here");
    throw new Error("skipped");
  }
  return shims;
}

function bench(cwd: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { INIT_CWD: _, FORCE_COLOR: __, ...env } = process.env;
  const options = { cwd, env: { ...env, NO_COLOR: "1" }, encoding: "utf8" } as const;
  const child = spawnSync(join(root, "tools/bench"), args, options);
  expect(child.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return child;
}

const reportIn = (folder: string) =>
  perfReportSchema.parse(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")));

const SIDES = ["--candidate", "./shim-a", "--reference", "./shim-a", "--json", "report.json"];

describe("bench perf compare", () => {
  it("of a program with itself is 1.00 by digest, and its report holds the reference's samples", (ctx) => {
    const { folder } = need(ctx);
    const { status, stdout, stderr } = bench(folder, "perf", "compare", ...SIDES, "--cases", "s");
    expect(stderr.replace(/^not pinned.*\n/m, "")).toBe("");
    expect(stdout).toContain("speed-up 1.0000 [1.0000, 1.0000] (98.33% interval, 15 pairs)");
    expect(status).toBe(0);
    const report = reportIn(folder);
    expect(report).toMatchObject({ seed: "s", failure: null, perf: { output_ok: true, unit: "ns" } });
    expect(report.candidate.digest).toBe(report.reference.digest);
    // A batch is what the protocol promises, however fast this machine is.
    const { samples = [] } = report.attempts.at(-1) ?? {};
    const reference = samples.filter(({ role }) => role === "reference").map(({ ns }) => ns);
    expect(reference.toSorted((a, b) => a - b)[Math.floor(reference.length / 2)]).toBeGreaterThan(
      150_000_000,
    );
    // What is committed is this, with when and where: it must fit, and give the speed that the report gives.
    const perf = perfSchema.parse({
      ...report.perf,
      at: "2026-12-01T00:00:00.000Z",
      host: "some-host",
      fingerprint: `sha256:${"0".repeat(64)}`,
    });
    expect(deriveSpeed(perf, undefined, "declared").metrics).toMatchObject([{ id: "time", speedup: 1 }]);
  }, 120_000);

  it("with wrong output ends with 2, says so, and reports that it has no speed", (ctx) => {
    const { folder } = need(ctx);
    const given = ["--candidate", "./shim-a wrong", ...SIDES.slice(2)];
    const { status, stdout, stderr } = bench(folder, "perf", "compare", ...given);
    expect(status).toBe(2);
    expect(stderr).toContain("perf-candidate-output");
    expect(stdout).toBe("");
    expect(reportIn(folder)).toMatchObject({
      failure: { whose: "candidate", kind: "output" },
      perf: { output_ok: false },
    });
  }, 60_000);

  it("with a reference that fails ends with 3", (ctx) => {
    const { folder } = need(ctx);
    const given = ["--candidate", "./shim-b", "--reference", "./shim-a crash"];
    const { status, stderr } = bench(folder, "perf", "compare", ...given);
    expect(status).toBe(3);
    expect(stderr).toContain("perf-ours");
  }, 60_000);

  it("refuses a command that cannot be read", () => {
    const { status, stderr } = bench(root, "perf", "compare", "--candidate", "'a", "--reference", "b");
    expect(status).toBe(2);
    expect(stderr).toContain("every quote closed");
  });
});

describe("bench perf simulate", () => {
  it("prints a line for each host and true speed-up", () => {
    const { status, stdout } = bench(root, "perf", "simulate", "--runs", "1", "--change", "5");
    expect(status).toBe(0);
    const rows = stdout.trim().split("\n");
    expect(rows[0]).toMatch(/^\| Host \| True speed-up \|/);
    expect(rows.slice(2, 5).map((row) => row.split(" | ")[1])).toEqual(["1.00", "1.05", "0.95"]);
    expect(rows.length % 3).toBe(2);
  }, 60_000);
});
