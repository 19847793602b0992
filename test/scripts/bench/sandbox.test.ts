import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findObstacle } from "../../io/sandbox/field.ts";

const tool = join(import.meta.dirname, "../../../tools/bench");
const folder = mkdtempSync(join(tmpdir(), "assay-sandbox-check-"));
afterAll(() => rmSync(folder, { recursive: true }));

function bench(
  args: readonly string[],
  through: readonly string[] = [],
): { status: number | null; stdout: string; stderr: string } {
  const { INIT_CWD: _, FORCE_COLOR: __, ...env } = process.env;
  const [program = "", ...rest] = [...through, tool, "sandbox", ...args];
  return spawnSync(program, rest, { env: { ...env, NO_COLOR: "1" }, encoding: "utf8" });
}

/** Runs what follows where a program of ours stands in the place of bubblewrap. */
function insteadOfBubblewrap(name: string, script: string): string[] {
  const file = join(folder, name);
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  chmodSync(folder, 0o755);
  const place = 'mount --bind "$0" "$(command -v bwrap)" && exec "$@"';
  return ["unshare", "--mount", "--propagation", "private", "bash", "-c", place, file];
}

describe.skipIf(findObstacle() !== null)("bench sandbox check", () => {
  it("says by what each thing is isolated, and exits 0 where the self-test finds no hole", () => {
    const { status, stdout } = bench(["check"]);
    expect(stdout).toMatch(/^network +an empty network namespace$/m);
    expect(stdout).toMatch(/^The self-test found no hole\.$/m);
    expect(status).toBe(0);
    expect(JSON.parse(bench(["check", "--json"]).stdout)).toMatchObject({ isolates: true });
  });

  describe.runIf(process.geteuid?.() === 0)("where bubblewrap is something else", () => {
    it("finds the holes of one that isolates nothing", () => {
      const sham = `#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift
"$@"
code=$?
echo "{ \\"exit-code\\": $code }" >&3
exit $code
`;
      const { status, stdout, stderr } = bench(["check"], insteadOfBubblewrap("sham", sham));
      expect(status).toBe(1);
      expect(stdout).toContain("Nothing hostile may be run on this host.");
      for (const hole of [
        "not the throw-away user",
        "no filter of system calls",
        "processes of the host can be seen",
      ])
        expect(stderr).toContain(hole);
      expect(stderr).toContain("sandbox-hole");
    });

    it("refuses with what the tool said when it fails", () => {
      const broken = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n";
      const { status, stderr } = bench(["check"], insteadOfBubblewrap("broken", broken));
      expect(status).toBe(1);
      expect(stderr).toContain("sandbox-setup");
      expect(stderr).toContain("No permissions to create new namespace");
    });
  });
});

describe("bench sandbox profile", () => {
  it("prints the profile, and takes no path that is none", () => {
    const { status, stdout } = bench(["profile", "--work", "/private/work", "--input", "/private/in"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\(version 1\)\n\(deny default\)\n/);
    const refused = bench(["profile", "--work", "work"]);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("sandbox-order");
    expect(refused.stdout).toBe("");
  });
});
