import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeCgroup } from "../../../src/io/sandbox/cgroup.ts";
import { selfTestOrder } from "../../../src/lib/sandbox/self-test.ts";

/* Against a folder that looks like a cgroup: that the kernel keeps the bounds can only be seen where it has the hierarchy. */

const parent = mkdtempSync(join(tmpdir(), "assay-cgroup-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

it("a group gets the bounds of its order, reports what the kernel counted, and is removed", async () => {
  const cgroup = makeCgroup(selfTestOrder, "run", [parent]);
  const path = join(parent, "run");
  expect(cgroup?.path).toBe(path);
  expect(readFileSync(join(path, "memory.max"), "utf8")).toBe(String(129 * 1024 * 1024));
  expect(readFileSync(join(path, "pids.max"), "utf8")).toBe("20");
  // A plain folder has no file that the kernel did not make, so optional settings are left out.
  expect(existsSync(join(path, "memory.swap.max"))).toBe(false);
  writeFileSync(join(path, "memory.peak"), "4096\n");
  writeFileSync(join(path, "memory.events"), "oom 1\noom_kill 1\n");
  expect(cgroup?.count()).toEqual({ memoryBytes: 4096, outOfMemory: true });
  // The kernel removes a group's files with it.
  for (const file of ["memory.max", "pids.max", "memory.peak", "memory.events"]) rmSync(join(path, file));
  await cgroup?.close();
  expect(existsSync(path)).toBe(false);
});

it("where no group can be made there is none, and no trace of the attempt", () => {
  expect(makeCgroup(selfTestOrder, "run", [])).toBeNull();
  expect(makeCgroup(selfTestOrder, "run", [join(parent, "nowhere")])).toBeNull();
  mkdirSync(join(parent, "taken"));
  expect(makeCgroup(selfTestOrder, "taken", [parent])).toBeNull();
});
