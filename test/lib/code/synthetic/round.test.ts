import { beforeAll, describe, expect, it } from "vitest";
import { folderData } from "../../../../src/io/code/data-source.ts";
import { readCodeData } from "../../../../src/jobs/code-data.ts";
import type { Data } from "../../../../src/lib/code/derive/data-schema.ts";
import type { CodeRun } from "../../../../src/lib/code/schema/run-schema.ts";
import { CONTESTANTS } from "../../../../src/lib/code/synthetic/roster.ts";
import { type SyntheticPlan, syntheticFiles } from "../../../../src/lib/code/synthetic/round.ts";
import { digestOf } from "../../../../src/lib/digest.ts";
import { writeFacts } from "../write-facts.ts";

const plan: SyntheticPlan = { seed: 1, start: "2026-11-02T09:00:00.000Z", rounds: 1, deliverables: true };
const filesOf = (change: Partial<SyntheticPlan> = {}): Map<string, string> =>
  new Map([...syntheticFiles({ ...plan, ...change })].map(({ path, text }) => [path, text]));

let runs: CodeRun[];
let data: Data;
beforeAll(async () => {
  const files = filesOf();
  runs = [...files].filter(([path]) => path.startsWith("data/runs/")).map(([, text]) => JSON.parse(text));
  const read = await readCodeData(folderData(writeFacts(files)), { synthetic: true, deliverables: true });
  // Hosts of the round were noisy now and then: that is said, and stops nothing.
  expect(new Set(read.findings.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
    new Set(["warning code-perf-inconclusive"]),
  );
  if (read.data === null) throw new Error("nothing was derived");
  data = read.data;
});

describe("a synthetic round", () => {
  it("is marked in every run and refused among committed facts", async () => {
    expect(runs.every(({ synthetic }) => synthetic?.seed === 1)).toBe(true);
    expect(data.synthetic).toBe(true);
    const { data: nothing, findings } = await readCodeData(
      folderData(writeFacts(filesOf({ deliverables: false }))),
      {
        synthetic: false,
        deliverables: false,
      },
    );
    expect(nothing).toBeNull();
    const errors = findings.filter(({ severity }) => severity === "error");
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["code-data-synthetic"]));
  });

  it("names nobody real", () => {
    const text = JSON.stringify([data.vendors, data.models, data.judges]);
    expect(text).not.toMatch(
      /anthropic|claude|openai|gpt|gemini|google|qwen|grok|xai|deepseek|meta|kimi|glm/i,
    );
  });

  it("the same plan gives the same bytes, another seed others", () => {
    expect(filesOf()).toEqual(filesOf());
    expect(filesOf({ seed: 2 })).not.toEqual(filesOf());
  });

  it("has 23 configurations, five leads and five tasks, each cell filled", () => {
    const counted = data.runs.filter(({ excluded }) => excluded === null);
    const cells = new Set(
      data.entries.flatMap((entry) => {
        const run = counted.find(({ id }) => id === entry.run);
        return run?.replicate === 1 ? [`${run.task} ${run.lead} ${entry.configuration}`] : [];
      }),
    );
    expect(CONTESTANTS).toHaveLength(23);
    expect(cells.size).toBe(23 * 5 * 5);
    expect(data.judges).toHaveLength(4);
    expect(Math.max(...counted.map(({ replicate }) => replicate))).toBe(3);
  });

  it.each<[string, () => boolean]>([
    ["entries that did not finish", () => data.entries.some(({ dnf }) => dnf !== null)],
    [
      "fast mode, and a measured factor",
      () => data.entries.some((e) => e.fast_mode) && data.fast_factors.length > 0,
    ],
    ["proxies", () => data.entries.some(({ speed }) => speed?.proxy === true)],
    ["wrong output", () => data.entries.some(({ speed }) => speed?.reason?.includes("wrong") === true)],
    ["a cost that is unknown", () => data.entries.some(({ cost }) => cost !== null && cost.usd === null)],
    [
      "a cost that the harness recorded",
      () => data.entries.some(({ cost }) => (cost?.recorded_usd ?? 0) > 0),
    ],
    ["false positives", () => data.entries.some((e) => e.findings.some((f) => f.false_positive))],
    ["revisions", () => data.runs.some(({ revisions }) => revisions > 0)],
    ["missing seats", () => data.runs.some(({ panel }) => panel.length === 3)],
    [
      "an excluded run judged against its brief",
      () => data.runs.some((r) => r.excluded !== null && r.basis === "brief"),
    ],
    [
      "legacy findings",
      () => data.entries.some((e) => e.findings.some((f) => f.classified_by === "keywords")),
    ],
    ["a second batch of a run", () => runs.some(({ entries }) => entries.some(({ batch }) => batch === 2))],
    [
      "anchors set against a panel",
      () => data.runs.some((r) => r.sessions.some((s) => s.anchors.some((a) => a.panel !== null))),
    ],
    ["one-hour cache writes", () => data.entries.some(({ cost }) => (cost?.tokens.cache_write_1h ?? 0) > 0)],
    ["peak hours", () => data.entries.some(({ cost }) => (cost?.breakdown?.peak ?? 0) > 0)],
    [
      "complexity that cannot be had",
      () => data.entries.some((e) => e.quality?.complexity_reason === "cannot parse elixir"),
    ],
    ["defects by each method", () => new Set(data.defects.map(({ method }) => method)).size === 3],
    [
      "defects that judges missed",
      () =>
        data.defects.some(
          (d) => new Set(d.reports.map((r) => `${r.run} ${r.entry}`)).size < d.entries.length,
        ),
    ],
  ])("has %s", (_, has) => {
    expect(has()).toBe(true);
  });

  it("has the contract that its runs were made for, so that packs for judges can be made of it", () => {
    const files = filesOf();
    for (const { id, task, spec } of runs)
      expect(spec.sha256, id).toBe(digestOf(files.get(`tasks/${task}/SPEC.md`) ?? ""));
  });

  it("further rounds have tasks of their own, and the runs of the first stay as they were", () => {
    const [one, two] = [filesOf({ deliverables: false }), filesOf({ deliverables: false, rounds: 2 })];
    for (const [path, text] of one) expect(two.get(path)).toBe(text);
    expect(two.has("tasks/synthetic-parser-2/task.json")).toBe(true);
  });
});
