import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Defect } from "../../../src/lib/code/schema/defects-schema.ts";
import type { Entry } from "../../../src/lib/code/schema/run-schema.ts";
import { defectsReportSchema } from "../../../src/lib/defects/report-schema.ts";
import { findObstacle } from "../../io/sandbox/field.ts";
import * as facts from "../../lib/code/facts.ts";
import { factFiles, writeFacts } from "../../lib/code/write-facts.ts";
import { runScript } from "../run-script.ts";

const repository = join(import.meta.dirname, "../../..");
const task = join(repository, "tasks/lease-server");
const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const noElixir = spawnSync("elixirc", ["--version"]).status === 0 ? null : "missing: elixir";
const obstacle = findObstacle() ?? noElixir;

const place = { run: "run-1", entry: "e1" };
const defect = (id: string, change: Partial<Defect>): Defect => ({
  id,
  title: "Anybody ends a lease",
  category: "robustness",
  severity: "high",
  method: "probe",
  added_at: "2026-11-20T09:00:00.000Z",
  entries: [place],
  findings: [],
  ...change,
});

const entry = (id: string, configuration: string): Entry => {
  const { perf: _, ...rest } = facts.entry(id, configuration, {
    deliverable: [{ path: "lease_server.ex", sha256: facts.DIGEST, bytes: 8 }],
    hidden: {
      at: "2026-11-06T09:00:00.000Z",
      suite: facts.DIGEST,
      categories: (JSON.parse(read("tasks/lease-server/task.json")).hidden.categories as string[]).map(
        (category) => ({ id: category, passed: true }),
      ),
    },
  });
  return rest;
};

/** Facts of a run whose first entry is a flawed lease server; judge j-alpha reports the flaw. */
let folder = "";
beforeAll(() => {
  const run = facts.run({
    task: "lease-server",
    entries: [entry("e1", "alpha-1@high"), entry("e2", "beta-2@high")],
    council: {
      sessions: [
        facts.session("s1", "j-alpha", [9, 7], {
          reviews: [facts.review("A", 9, [facts.finding("f1")]), facts.review("B", 7)],
        }),
        facts.session("s2", "j-beta", [8, 8]),
      ],
      revisions: [],
    },
  });
  folder = writeFacts(
    factFiles([run], {
      "tasks/coder/task.json": null,
      "tasks/lease-server/task.json": read("tasks/lease-server/task.json"),
      "data/hosts.json": read("data/hosts.json"),
      "data/defects/lease-server.json": facts.defects({
        task: "lease-server",
        defects: [
          defect("D-1", {
            probe: "believes-strangers.ts",
            findings: [{ run: "run-1", session: "s1", finding: "f1" }],
          }),
          defect("D-2", { method: "inspection", category: "docs" }),
        ],
      }),
    }),
  );
  cpSync(join(task, "flawed/believes-strangers"), join(folder, "data/entries/run-1/e1"), {
    recursive: true,
    filter: (path) => !path.endsWith(".json"),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verify = (...args: string[]) =>
  runScript("../bench/main", ["defects", "verify", ...args, "--data", folder], folder);

describe("bench defects verify", () => {
  it("says plainly that what was found by reading cannot be run", async () => {
    const { code, out, err } = await verify("lease-server/D-2");
    expect(code).toBe(1);
    expect(out).toContain("Not looked at.");
    expect(err).toContain("defect-inspection");
  });

  it("does not take what is not there, or two targets, for nothing to do", async () => {
    expect(await verify("lease-server/D-9")).toMatchObject({ code: 3 });
    expect((await verify("lease-server", "--all")).err).toContain("defect-target");
  });
});

describe.skipIf(obstacle !== null)(
  `with a sandbox${obstacle === null ? "" : ` (skipped: ${obstacle})`}`,
  () => {
    it("finds the flaw in the entry and not in the reference, and moves judge recall as the board would", async () => {
      const { code, out, err } = await verify("lease-server", "--json", "out.json");
      expect(code, err).toBe(0);
      expect(out).toContain("Confirmed: the entry listed shows the defect, and the control does not.");
      const report = defectsReportSchema.parse(JSON.parse(readFileSync(join(folder, "out.json"), "utf8")));
      expect(report.verifications.map(({ verification }) => verification)).toEqual(["confirmed", null]);
      expect(report.verifications[0]?.results).toEqual([
        { ...place, role: "judged", probe: "present" },
        { run: "lease-server", entry: "reference", role: "control", probe: "absent" },
      ]);
      expect(report.verifications[0]?.recall?.task).toEqual([
        { judge: "j-alpha", name: "j-alpha", before: { found: 0, of: 1 }, after: { found: 1, of: 2 } },
        { judge: "j-beta", name: "j-beta", before: { found: 0, of: 1 }, after: { found: 0, of: 2 } },
      ]);
    });
  },
);
