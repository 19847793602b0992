import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { findTools } from "../../../src/io/task/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

const need = {
  program: "node",
  hint: "what `npm ci` installs",
  mount: { to: "/opt/node_modules", rootOf: "node-modules" },
} as const;

it("packages are those of the repository, or of the folder that a host names; where there are none it says so", () => {
  vi.stubEnv("ASSAY_NODE_MODULES", "");
  expect(findTools([need], folder)).toMatchObject({ ok: false, findings: [{ code: "task-tool-missing" }] });
  const own = join(folder, "node_modules");
  mkdirSync(own);
  expect(findTools([need], folder)).toEqual({ ok: true, inputs: [{ from: own, to: "/opt/node_modules" }] });
  const host = join(folder, "host");
  mkdirSync(host);
  vi.stubEnv("ASSAY_NODE_MODULES", host);
  expect(findTools([need], folder)).toEqual({ ok: true, inputs: [{ from: host, to: "/opt/node_modules" }] });
  vi.stubEnv("ASSAY_NODE_MODULES", join(folder, "nowhere"));
  expect(findTools([need], folder)).toMatchObject({ ok: false });
});
