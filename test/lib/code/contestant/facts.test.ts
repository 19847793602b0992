import { describe, expect, it } from "vitest";
import { pickDeliverable, type WorkFile } from "../../../../src/lib/code/contestant/deliverable.ts";
import { decideContestantEnd } from "../../../../src/lib/code/contestant/end.ts";
import { addEntry, entryOf, newRun, renderRun } from "../../../../src/lib/code/contestant/facts.ts";
import { entryIdOf, runIdOf } from "../../../../src/lib/code/contestant/plan.ts";
import { runSchema } from "../../../../src/lib/code/schema/run-schema.ts";
import type { Usage } from "../../../../src/lib/code/schema/usage-schema.ts";
import { digestOf } from "../../../../src/lib/digest.ts";
import type { EgressSummary } from "../../../../src/lib/egress/log-schema.ts";

const RULES = { required: ["lib.rs"], allowed: /^src\/[a-z]+\.rs$/, maxFiles: 3, maxBytes: 100 };
const file = (path: string, content = path, bytes = 10): WorkFile => ({
  path,
  sha256: digestOf(content),
  bytes,
});
const plan = {
  ...{ run: "r", entry: "m-high", task: "t", configuration: "m@high", lead: "l@max" },
  ...{ brief: digestOf("brief"), replicate: 1 },
};
const usage = (tier: string): Usage => ({
  harness: "claude-code",
  harness_version: "2.1",
  logs: [],
  first_event_at: "2026-11-30T10:15:00.000Z",
  last_event_at: "2026-11-30T10:16:00.000Z",
  models: ["m"],
  tiers: [tier],
  requests: [[0, 0, 0, 1, 2, 3, 4, 5, 6, 0]],
  per: "request",
  cost_recorded_usd: null,
  assumptions: [],
  skipped_lines: 0,
});

describe("the deliverable among what was left behind", () => {
  it("is what the kit requires and allows, and nothing else", () => {
    const left = [
      "lib.rs",
      "src/a.rs",
      "target/debug/x",
      "BRIEF.md",
      "src/../x.rs",
      "NOTES",
      ".git/config",
    ].map((path) => file(path));
    expect(pickDeliverable(left, [], RULES)).toEqual({ ok: true, files: [file("lib.rs"), file("src/a.rs")] });
    const greedy = { ...RULES, allowed: /.*/, maxFiles: 9 };
    const picked = pickDeliverable(left, [], greedy);
    expect(picked.ok && picked.files.map(({ path }) => path)).toEqual(
      ["NOTES", "lib.rs", "src/a.rs", "target/debug/x"].sort(),
    );
  });

  it.each([
    ["a required file is missing", [file("src/a.rs")], /lib\.rs is missing/],
    ["nothing was changed", [file("lib.rs", "start")], /scaffold is as it was/],
    ["it has too many bytes", [file("lib.rs", "x", 101)], /too large/],
    [
      "it has too many files",
      ["lib.rs", "src/a.rs", "src/b.rs", "src/c.rs"].map((path) => file(path)),
      /too large/,
    ],
  ])("there is none when %s", (_, left, reason) => {
    const picked = pickDeliverable(left, [file("lib.rs", "start")], RULES);
    expect(picked.ok ? "" : picked.reason).toMatch(reason);
  });
});

describe("how a run ended", () => {
  const egress: EgressSummary = { requests: 3, refused: 0, answered: 3, failed: 0, endedFailed: false };
  const collected = { ok: true, files: [file("lib.rs")] } as const;
  const decide = (end: Parameters<typeof decideContestantEnd>[0], more: Partial<EgressSummary> = {}) =>
    decideContestantEnd(end, { ...egress, ...more }, collected, 90);

  it("counts the deliverable only of a harness that came to its end", () => {
    expect(decide({ outcome: "exited", code: 0 })).toMatchObject({ kind: "finished" });
    expect(decide({ outcome: "exited", code: 3 })).toMatchObject({ kind: "dnf" });
    expect(decide({ outcome: "timed-out" })).toEqual({ kind: "dnf", reason: "Not done within 1.5 minutes." });
    expect(decide({ outcome: "over-limit", bound: "memory" })).toMatchObject({ kind: "dnf" });
    expect(decide({ outcome: "signalled", signal: 11 })).toMatchObject({ kind: "dnf" });
  });

  it("F57: tells the host's faults from the contestant's", () => {
    expect(decide({ outcome: "stopped" })).toMatchObject({ kind: "ours" });
    expect(decide({ outcome: "exited", code: 71 }, { requests: 0, answered: 0 })).toMatchObject({
      kind: "ours",
    });
    expect(decide({ outcome: "exited", code: 1 }, { answered: 0, failed: 3 })).toMatchObject({
      kind: "ours",
    });
    expect(decide({ outcome: "exited", code: 1 }, { failed: 1, endedFailed: true })).toMatchObject({
      kind: "ours",
    });
    expect(decide({ outcome: "exited", code: 0 }, { failed: 1, endedFailed: true })).toMatchObject({
      kind: "finished",
    });
    // A harness that was answered before cannot make its failure ours by its exit code.
    expect(decide({ outcome: "exited", code: 71 })).toMatchObject({ kind: "dnf" });
  });
});

describe("the facts of a run", () => {
  const end = { kind: "finished", files: [file("lib.rs")] } as const;
  const entry = entryOf(plan, { name: "codex", version: null }, usage("priority"), end);
  const first = renderRun(newRun(plan, digestOf("spec"), "2026-11-30T10:14:00.000Z", entry));

  it("say which harness it was, and that it ran on a faster tier", () => {
    expect(entry.harness).toEqual({ name: "codex", version: "2.1", fast_mode: true });
    expect(entryOf(plan, { name: "x", version: null }, usage("standard"), end).harness.fast_mode).toBe(false);
    expect(entryOf(plan, { name: "x", version: null }, null, end)).not.toHaveProperty("usage");
    expect(runSchema.safeParse(JSON.parse(first)).success).toBe(true);
    expect(first).toContain("[0, 0, 0, 1, 2, 3, 4, 5, 6, 0]");
  });

  it("take another entry without a change of what is there", () => {
    const other = { ...entry, id: "n-low", configuration: "n@low" };
    const added = addEntry(new TextEncoder().encode(first), other, "data/runs/r.json");
    if (!added.ok) throw new Error("the run takes it");
    const run = runSchema.parse(JSON.parse(added.value));
    expect(run.entries).toEqual([entry, other]);
    const [before = "", after = ""] = [
      first.slice(0, first.indexOf('\n  ],\n  "council"')),
      first.slice(first.indexOf('\n  ],\n  "council"')),
    ];
    expect(added.value.startsWith(before) && added.value.endsWith(after)).toBe(true);
    const compact = JSON.stringify({ ...JSON.parse(first), entries: [{ ...entry, batch: 3 }] });
    const third = addEntry(new TextEncoder().encode(compact), other, "data/runs/r.json");
    expect(third.ok && runSchema.parse(JSON.parse(third.value)).entries[1]).toEqual({ ...other, batch: 3 });
  });

  it("refuse what is no run, and have names of files", () => {
    expect(addEntry(new TextEncoder().encode("{}"), entry, "x").ok).toBe(false);
    expect(entryIdOf("a@b@high")).toBe("a-b-high");
    expect(runIdOf(plan)).toBe("t.l-max.r1");
  });
});
