import { execFileSync, spawnSync } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPOSITORY } from "../../jobs/temp-suite.ts";

/** A clone of this project in which somebody changes the scorer; the scorer of its HEAD is the one that ships. */
let folder: string;
let root: string;
const FIXTURE = join(REPOSITORY, "rehearsal/fixtures/honest-result.json");

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    encoding: "utf8",
  }).trim();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-audit-"));
  root = join(folder, "project");
  execFileSync("git", ["clone", "--quiet", "--shared", "--depth=1", `file://${REPOSITORY}`, root], {
    stdio: "ignore",
  });
  await symlink(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function audit(...args: string[]): { code: number | null; out: string; err: string } {
  const tsx = join(REPOSITORY, "node_modules/tsx/dist/loader.mjs");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", tsx, join(root, "scripts/bench/main.ts"), "audit", ...args],
    { cwd: root, encoding: "utf8", env: { PATH: process.env.PATH ?? "", HOME: folder } },
  );
  return { code: status, out: stdout, err: stderr };
}

describe("bench audit", () => {
  it("has nothing to replay before a result is committed", () => {
    expect(audit()).toMatchObject({ code: 0, out: expect.stringContaining("No result is committed") });
  });

  it("does not replay the scorer that is the one of now", () => {
    const { code, out, err } = audit(FIXTURE, "--against", git("rev-parse", "HEAD"));
    expect(code, err).toBe(0);
    expect(out).toMatch(/0\.859646\s+same\s+0\.859646\s+0 /);
  });

  it("says which commit it does not know", () => {
    expect(audit(FIXTURE, "--against", "0".repeat(40))).toMatchObject({
      code: 1,
      err: expect.stringContaining("audit-commit"),
    });
    expect(audit(FIXTURE, "--against", "main")).toMatchObject({
      code: 1,
      err: expect.stringContaining("audit-checkout"),
    });
  });

  it("F23: shows old and new side by side when a scorer moves, and wants a dated entry in the changelog", async () => {
    const base = git("rev-parse", "HEAD");
    const path = join(root, "src/lib/benchmarks/cell-match-rate.ts");
    const source = await readFile(path, "utf8");
    await writeFile(path, source.replace("numerator: 15,", "numerator: 10,"));
    const other = join(root, "src/lib/benchmarks/header-accuracy.ts");
    const second = await readFile(other, "utf8");
    await writeFile(other, second.replace("weight: { numerator: 10,", "weight: { numerator: 15,"));
    const silent = audit(FIXTURE, "--against", base);
    expect(silent.code).toBe(1);
    expect(silent.err).toContain("audit-unannounced");
    // Recorded, then, now.
    const numbers = /(0\.\d{6})\s+(0\.\d{6})\s+(0\.\d{6})\s+1 /.exec(silent.out);
    expect(numbers?.[1]).toBe("0.859646");
    expect(numbers?.[2]).toBe("0.859646");
    // 0.05 of weight moved from 0.889308 to 0.7.
    expect(Number(numbers?.[3])).toBeCloseTo(0.859646 - 0.05 * (0.889308 - 0.7), 5);
    await appendFile(join(root, "CHANGELOG.md"), "\n## 2026-11-29\n\n- Weights were changed for a test.\n");
    const announced = audit(FIXTURE, "--against", base);
    expect(announced.code, announced.err).toBe(0);
    expect(announced.err).toContain("audit-moved");
  });
});
