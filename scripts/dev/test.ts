// npm test                       every check, in the order that fails fastest
// npm test -- test/lib/sheet     only the tests named, without the other checks
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const only = process.argv.slice(2);

interface Check {
  readonly name: string;
  readonly command: readonly string[];
  /** What to do when it fails. */
  readonly mend: string;
}

const CHECKS: readonly Check[] = [
  { name: "format, lint, boundaries", command: ["biome", "check"], mend: "npm run format" },
  { name: "types", command: ["tsc"], mend: "npm run typecheck" },
  {
    name: "JSON Schemas are current",
    command: ["tsx", "scripts/dev/schemas.ts", "--check"],
    mend: "npm run schemas",
  },
  {
    name: "action READMEs are current",
    command: ["tsx", "scripts/dev/action-readmes.ts", "--check"],
    mend: "npm run action-readmes",
  },
  {
    name: "generated parts of the docs are current",
    command: ["tsx", "scripts/dev/docs.ts", "--check"],
    mend: "npm run docs",
  },
  {
    name: "conformance members are current",
    command: ["tsx", "scripts/suites/build.ts", "--check"],
    mend: "npm run suite:build",
  },
  {
    name: "action bundles are current",
    command: ["tsx", "scripts/dev/check-dist.ts"],
    mend: "npm run build",
  },
];

function run(
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): { ok: boolean; seconds: string } {
  const started = Date.now();
  const [program = "", ...rest] = command;
  const { status } = spawnSync(program, rest, { cwd: root, stdio: "inherit", env });
  return { ok: status === 0, seconds: ((Date.now() - started) / 1000).toFixed(1) };
}

let failed = false;
if (only.length === 0) {
  for (const check of CHECKS) {
    const { ok, seconds } = run(check.command);
    console.log(
      `${ok ? "ok  " : "FAIL"} ${check.name} (${seconds} s)${ok ? "" : `: ${check.mend} mends or explains it`}`,
    );
    if (!ok) failed = true;
  }
}

const scratch = mkdtempSync(join(tmpdir(), "assay-test-"));
// Guests of the sandbox are other users, and must get through to what is theirs.
chmodSync(scratch, 0o711);
const report = join(scratch, "report.json");
const tests = run(
  ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...only],
  // What the tests leave behind lies in one folder, and goes with it.
  { ...process.env, TMPDIR: scratch },
);
if (!tests.ok) failed = true;
try {
  const counts = JSON.parse(readFileSync(report, "utf8")) as Record<string, number>;
  console.log(
    `${counts.numPassedTests ?? 0} passed, ${counts.numFailedTests ?? 0} failed, ${counts.numPendingTests ?? 0} skipped`,
  );
} catch {
  console.log("The test runner left no report: see above.");
  failed = true;
}
rmSync(scratch, { recursive: true, force: true });
if (failed) process.exitCode = 1;
