import { describe, expect, it } from "vitest";
import { catalogueOf, type RunContext } from "../../../../src/lib/code/check/catalogue.ts";
import { checkRun } from "../../../../src/lib/code/check/run-rules.ts";
import { effectiveRun } from "../../../../src/lib/code/derive/effective.ts";
import type { Perf } from "../../../../src/lib/code/schema/perf-schema.ts";
import type { CodeRun } from "../../../../src/lib/code/schema/run-schema.ts";
import { runSchema } from "../../../../src/lib/code/schema/run-schema.ts";
import {
  anchors,
  DIGEST,
  entry,
  finding,
  hosts,
  judges,
  models,
  perf,
  review,
  run,
  session,
  task,
  usage,
} from "../facts.ts";

const context: RunContext = {
  catalogue: catalogueOf(models(), judges(), hosts(), [task()]),
  anchors: new Map([
    [
      "coder",
      anchors({
        anchors: [
          { id: "a1", run: "run-0", entry: "e1", level: "low", added_at: "2026-11-01T00:00:00.000Z" },
        ],
      }),
    ],
  ]),
  synthetic: false,
  verifySignature: () => false,
};

/** Codes and pointers that a run comes to; it must have the form of a run, since rules see nothing else. */
const found = (document: CodeRun): string[] => {
  expect(runSchema.safeParse(document).error).toBeUndefined();
  return checkRun(document, "run-1", context).map(({ code, pointer }) => `${code} ${pointer}`);
};

const withEntry = (change: Parameters<typeof entry>[2]): CodeRun =>
  run({ entries: [entry("e1", "alpha-1@high", change), entry("e2", "beta-2@high")] });
const withSession = (change: Parameters<typeof session>[3]): CodeRun =>
  run({ council: { sessions: [session("s1", "j-alpha", [9, 7], change)], revisions: [] } });
const withLog = (...revisions: CodeRun["council"]["revisions"]): CodeRun =>
  run({
    council: {
      sessions: [
        session("s1", "j-alpha", [9, 7], {
          reviews: [review("A", 9, [finding("f1")]), review("B", 7)],
        }),
      ],
      revisions,
    },
  });
const head = { at: "2026-11-08T00:00:00.000Z", by: "owner", session: "s1", reason: "Looked again." };

it("facts that hold give no finding", () => {
  expect(found(run())).toEqual([]);
});

it("F63: a run whose timings are of a host before and after a change is looked at", () => {
  const timed = (fingerprint: string, change: Partial<Perf> = {}) => ({
    perf: perf({ fingerprint, ...change }),
  });
  const [one, two] = [`sha256:${"1".repeat(64)}`, `sha256:${"2".repeat(64)}`];
  const both = (first: Parameters<typeof entry>[2], second: Parameters<typeof entry>[2]): string[] =>
    found(run({ entries: [entry("e1", "alpha-1@high", first), entry("e2", "beta-2@high", second)] })).filter(
      (line) => line.includes("series"),
    );
  expect(both(timed(one), timed(two))).toEqual(["code-perf-series /entries/1"]);
  expect(both(timed(one), timed(one))).toEqual([]);
  // Counts of instructions are of no host.
  expect(both(timed(one), timed(two, { proxy: true, unit: "instructions" }))).toEqual([]);
});

describe("Methodology: What one result is", () => {
  it.each<[string, CodeRun, string]>([
    ["is stored under its own id", run({ id: "run-2" }), "code-data-id /id"],
    ["is of a task that exists", run({ task: "decoder" }), "code-data-unknown-task /task"],
    ["has a lead that is listed", run({ lead: "delta@high" }), "code-data-unknown-model /lead"],
    ["has a lead at a known effort", run({ lead: "alpha-1@max" }), "code-data-unknown-effort /lead"],
    [
      "has each entry once",
      run({ entries: [entry("e1", "alpha-1@high"), entry("e2", "beta-2@high"), entry("e2", "beta-2@low")] }),
      "code-data-repeated /entries/2/id",
    ],
    [
      "has each configuration once a replicate",
      run({ entries: [entry("e1", "alpha-1@high"), entry("e2", "alpha-1@high")] }),
      "code-data-repeated /entries/1/configuration",
    ],
    [
      "has a deliverable if it finished",
      withEntry({ deliverable: [] }),
      "code-entry-empty /entries/0/deliverable",
    ],
    [
      "is no synthetic run",
      run({ synthetic: { seed: 1, generator: "round-1" } }),
      "code-data-synthetic /synthetic",
    ],
    ["started at a moment", run({ started_at: "2026-02-30T00:00:00.000Z" }), "code-data-time /started_at"],
  ])("a run %s", (_, document, expected) => {
    expect(found(document)).toContain(expected);
  });

  it("files that differ only in letter case are one file to some systems", () => {
    const deliverable = ["src/lib.rs", "src/LIB.rs"].map((path) => ({ path, sha256: DIGEST, bytes: 1 }));
    expect(found(withEntry({ deliverable }))).toEqual(["code-data-repeated /entries/0/deliverable/1/path"]);
  });

  it("a hidden suite names all its categories: leaving a failing one out would raise the share", () => {
    const hidden = {
      at: "2026-11-06T09:00:00.000Z",
      suite: DIGEST,
      categories: ["h1", "h2", "h3"].map((id) => ({ id, passed: true })),
    };
    expect(found(withEntry({ hidden }))).toEqual(["code-hidden-categories /entries/0/hidden/categories"]);
  });
});

describe("Methodology: Speed", () => {
  it.each<[string, ReturnType<typeof perf>, string]>([
    ["is timed on the task's host", perf({ host: "other" }), "code-data-unknown-host /entries/0/perf/host"],
    [
      "never comes from a rehearsal host",
      perf({ host: "here" }),
      "code-data-rehearsal-host /entries/0/perf/host",
    ],
    [
      "is a proxy when it counts instructions",
      perf({ unit: "instructions" }),
      "code-perf-unit /entries/0/perf/unit",
    ],
    [
      "has its samples in pairs",
      perf({ metrics: [{ id: "encode", candidate: [1, 2], reference: [1, 2, 3] }] }),
      "code-perf-pairs /entries/0/perf/metrics/0",
    ],
    [
      "is of the task's metrics",
      perf({ metrics: [{ id: "seek", candidate: [1], reference: [1] }] }),
      "code-data-unknown-metric /entries/0/perf/metrics/0/id",
    ],
    [
      "that leaves it open is nobody's gain unseen (F64)",
      perf({ flags: ["inconclusive", "noisy"] }),
      "code-perf-inconclusive /entries/0/perf/flags",
    ],
    [
      "of a host that changed meanwhile is looked at",
      perf({ flags: ["disturbed"] }),
      "code-perf-disturbed /entries/0/perf/flags",
    ],
  ])("a measurement %s", (_, measured, expected) => {
    expect(found(withEntry({ perf: measured }))).toContain(expected);
  });

  it("is not measured before the run began", () => {
    const old = perf({ at: "2026-11-04T09:00:00.000Z" });
    expect(found(withEntry({ perf: old }))).toEqual(["code-data-time-order /entries/0/perf/at"]);
  });

  it("wrong output needs no samples", () => {
    expect(found(withEntry({ perf: perf({ output_ok: false, metrics: [] }) }))).toEqual([]);
  });
});

describe("Methodology: Code metrics", () => {
  it("are of the files that were delivered, as they were delivered", () => {
    const quality = (sha256: string, at = "2026-11-06T09:00:00.000Z") => ({
      at,
      tool: { name: "tree" as const, version: "1" },
      files: [{ path: "src/lib.rs", sha256 }],
      lines: { implementation: 10, comment: 1, significant: 9, duplicated: 0 },
      complexity: { unsupported: "cannot parse" },
    });
    expect(found(withEntry({ quality: quality(DIGEST) }))).toEqual([]);
    expect(found(withEntry({ quality: quality(DIGEST, "2026-02-30T09:00:00.000Z") }))).toEqual([
      "code-data-time /entries/0/quality/at",
    ]);
    expect(found(withEntry({ quality: quality(DIGEST, "2026-11-04T09:00:00.000Z") }))).toEqual([
      "code-data-time-order /entries/0/quality/at",
    ]);
    expect(found(withEntry({ quality: quality(`sha256:${"0".repeat(64)}`) }))).toEqual([
      "code-quality-other-file /entries/0/quality/files/0",
    ]);
  });
});

describe("Methodology: Cost", () => {
  it.each<[string, ReturnType<typeof usage>, string]>([
    [
      "refers to listed models",
      usage({ requests: [[0, 1, 0, 1, 0, 0, 0, 0, 1, 0]] }),
      "code-usage-reference /entries/0/usage/requests/0",
    ],
    [
      "counts reasoning within the output",
      usage({ requests: [[0, 0, 0, 1, 0, 0, 0, 0, 10, 11]] }),
      "code-usage-reasoning /entries/0/usage/requests/0",
    ],
    [
      "lies between first and last event",
      usage({ requests: [[600_001, 0, 0, 1, 0, 0, 0, 0, 1, 0]] }),
      "code-usage-outside /entries/0/usage/requests/0",
    ],
    [
      "ends after it began",
      usage({ last_event_at: "2026-11-05T08:00:00.000Z", requests: [] }),
      "code-data-time-order /entries/0/usage/last_event_at",
    ],
    [
      "is of the time of its run",
      usage({ first_event_at: "2026-11-05T08:59:59.999Z" }),
      "code-data-time-order /entries/0/usage/first_event_at",
    ],
    [
      "of a cheaper model is not the entry's",
      usage({ models: ["beta-2-log"] }),
      "code-usage-other-model /entries/0/usage/models",
    ],
    [
      "at a faster tier is flagged as fast",
      usage({ tiers: ["priority"] }),
      "code-usage-fast-mode /entries/0/usage/tiers",
    ],
  ])("usage %s", (_, used, expected) => {
    expect(found(withEntry({ usage: used }))).toEqual([expected]);
    const revisions = [
      { kind: "usage" as const, id: "r1", at: head.at, by: "owner", entry: "e1", reason: "Again.", to: used },
    ];
    expect(found(run({ revisions }))).toEqual([expected.replace("/entries/0/usage", "/revisions/0/to")]);
  });

  it("helpers of other models and names that nobody knows are welcome", () => {
    for (const models of [["beta-2-log", "alpha-1"], ["beta-2-log", "unheard-of"], ["unheard-of"]])
      expect(found(withEntry({ usage: usage({ models }) }))).toEqual([]);
  });

  it("judges and leads are priced by their own logs as well", () => {
    const other = usage({ models: ["beta-2-log"] });
    expect(found(withSession({ usage: other }))).toEqual([
      "code-usage-other-model /council/sessions/0/usage/models",
    ]);
    expect(found(run({ brief: { sha256: DIGEST, usage: other } }))).toEqual([
      "code-usage-other-model /brief/usage/models",
    ]);
  });

  it("a row holds so few tokens that sums are exact", () => {
    const most = 10_000_000_000;
    const rows = (count: number) => usage({ requests: [[0, 0, 0, count, 0, 0, 0, 0, 1, 0]] });
    expect(runSchema.safeParse(withEntry({ usage: rows(most) })).success).toBe(true);
    expect(runSchema.safeParse(withEntry({ usage: rows(most + 1) })).success).toBe(false);
    expect(Number.isSafeInteger(most * 100_000)).toBe(true);
  });
});

describe("Methodology: Council", () => {
  it.each<[string, CodeRun, string]>([
    [
      "is of a listed judge",
      run({ council: { sessions: [session("s1", "j-delta", [9, 7])], revisions: [] } }),
      "code-data-unknown-judge /council/sessions/0/judge",
    ],
    [
      "was held while the judge was on the council",
      withSession({ started_at: "2026-10-01T00:00:00.000Z" }),
      "code-council-retired /council/sessions/0/started_at",
    ],
    [
      "shows each letter once",
      withSession({
        order: [
          { letter: "A", entry: "e1" },
          { letter: "A", entry: "e2" },
        ],
      }),
      "code-data-repeated /council/sessions/0/order/1/letter",
    ],
    [
      "shows entries of this run",
      withSession({
        order: [
          { letter: "A", entry: "e1" },
          { letter: "B", entry: "e9" },
        ],
      }),
      "code-data-unknown-entry /council/sessions/0/order/1/entry",
    ],
    [
      "shows anchors of the task",
      withSession({
        order: [
          { letter: "A", entry: "e1" },
          { letter: "B", anchor: "a9" },
        ],
      }),
      "code-council-unknown-anchor /council/sessions/0/order/1/anchor",
    ],
    [
      "reviews what it shows",
      withSession({ reviews: [review("A", 9), review("C", 9)] }),
      "code-council-letter /council/sessions/0/reviews/1/letter",
    ],
    [
      "says why a letter has no review",
      withSession({ reviews: [review("A", 9)] }),
      "code-council-missing /council/sessions/0/reviews",
    ],
    [
      "is not held twice by one judge",
      run({
        council: {
          sessions: [session("s1", "j-alpha", [9, 7]), session("s2", "j-alpha", [10, 7])],
          revisions: [],
        },
      }),
      "code-council-twice /council/sessions/1/reviews/0",
    ],
    [
      "began after the run",
      withSession({ started_at: "2026-11-04T09:00:00.000Z" }),
      "code-data-time-order /council/sessions/0/started_at",
    ],
    [
      "explains its false positives",
      withSession({
        reviews: [review("A", 9, [finding("f1", { status: "false_positive" })]), review("B", 7)],
      }),
      "code-council-note /council/sessions/0/reviews/0/findings/0",
    ],
    [
      "names files that the deliverable has",
      withSession({ reviews: [review("A", 9, [finding("f1", { file: "main.c" })]), review("B", 7)] }),
      "code-council-file /council/sessions/0/reviews/0/findings/0/file",
    ],
  ])("a session %s", (_, document, expected) => {
    expect(found(document)).toContain(expected);
  });

  it("a pack holds ten entries, anchors on top", () => {
    const entries = Array.from({ length: 11 }, (_, index) =>
      entry(`e${index + 1}`, index % 2 === 0 ? `alpha-1@e${index}` : `beta-2@e${index}`),
    );
    const scores = entries.map(() => 8);
    const withAnchor = (count: number): CodeRun => {
      const plain = session("s1", "j-alpha", scores.slice(0, count));
      return run({
        entries,
        council: {
          sessions: [
            {
              ...plain,
              order: [...plain.order, { letter: "Z", anchor: "a1" }],
              reviews: [...plain.reviews, review("Z", 7)],
            },
          ],
          revisions: [],
        },
      });
    };
    const sizes = (document: CodeRun): string[] =>
      found(document).filter((text) => text.includes("pack-size"));
    expect(sizes(withAnchor(10))).toEqual([]);
    expect(sizes(withAnchor(11))).toEqual(["code-council-pack-size /council/sessions/0/order"]);
  });

  it("an anchor is an entry of another run", () => {
    const plain = session("s1", "j-alpha", [9, 7]);
    const document = run({
      id: "run-0",
      council: {
        sessions: [
          {
            ...plain,
            order: [...plain.order, { letter: "Z", anchor: "a1" }],
            reviews: [...plain.reviews, review("Z", 7)],
          },
        ],
        revisions: [],
      },
    });
    expect(checkRun(document, "run-0", context).map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      "code-council-own-anchor /council/sessions/0/order/2/anchor",
    ]);
  });

  it("a revision is younger than its session, and the log of facts is in the order of time", () => {
    const early = {
      kind: "score" as const,
      id: "r1",
      ...head,
      at: "2026-11-07T09:29:59.999Z",
      letter: "A",
      from: 9,
      to: 8,
    };
    expect(found(withLog(early))).toEqual(["code-data-time-order /council/revisions/0/at"]);
    const fact = (id: string, at: string) => ({
      kind: "perf" as const,
      id,
      at,
      by: "owner",
      entry: "e1",
      reason: "Again.",
      to: perf(),
    });
    const revisions = [fact("r1", "2026-11-09T00:00:00.000Z"), fact("r2", "2026-11-08T00:00:00.000Z")];
    expect(found(run({ revisions }))).toEqual(["code-data-time-order /revisions/1/at"]);
    expect(found(run({ revisions: revisions.toReversed() }))).toEqual([]);
  });

  it("an entry that did not finish is not judged", () => {
    const document = withEntry({ dnf: { reason: "timeout" } });
    expect(found(document)).toContain("code-council-dnf /council/sessions/0/order/0/entry");
  });

  it("an entry that turned out to have finished may be judged", () => {
    const document = withEntry({ dnf: { reason: "timeout" } });
    const revisions = [
      { kind: "dnf" as const, id: "r1", at: head.at, by: "owner", entry: "e1", reason: "It did.", to: null },
    ];
    expect(found({ ...document, revisions })).toEqual([]);
  });

  it("a long log costs what its lines cost, not lines times sessions", () => {
    const sessions = Array.from({ length: 400 }, (_, index) =>
      session(`s${index}`, "j-alpha", [9, 7], {
        reviews: [
          review(
            "A",
            9,
            Array.from({ length: 100 }, (_, each) => finding(`f${each}`)),
          ),
          review("B", 7),
        ],
      }),
    );
    const revisions = Array.from({ length: 5000 }, (_, index) => ({
      kind: "score" as const,
      id: `r${index}`,
      ...head,
      session: "s0",
      letter: "A",
      from: index % 2 === 0 ? 9 : 8,
      to: index % 2 === 0 ? 8 : 9,
    }));
    const facts = Array.from({ length: 5000 }, (_, index) => ({
      kind: "dnf" as const,
      id: `d${index}`,
      at: head.at,
      by: "owner",
      entry: "e1",
      reason: "It did.",
      to: null,
    }));
    const document = run({ council: { sessions, revisions }, revisions: facts });
    const begin = performance.now();
    const codes = new Set(checkRun(document, "run-1", context).map(({ code }) => code));
    const outcome = effectiveRun(document).council.sessions[0]?.reviews[0]?.score;
    expect(performance.now() - begin).toBeLessThan(1500);
    expect([...codes]).toEqual(["code-council-twice"]);
    expect(outcome).toBe(9);
  });

  it("the log of revisions starts each change from what is in force", () => {
    const first = { kind: "score" as const, id: "r1", ...head, letter: "A", from: 9, to: 8 };
    const second = { ...first, id: "r2", from: 8, to: 7.5 };
    expect(found(withLog(first, second))).toEqual([]);
    expect(found(withLog(first, { ...second, from: 9 }))).toEqual([
      "code-council-revision-from /council/revisions/1/from",
    ]);
    expect(found(withLog({ ...first, letter: "Q" }))).toEqual([
      "code-council-revision-target /council/revisions/0",
    ]);
    expect(found(withLog({ ...first, to: 9 }))).toEqual([
      "code-council-revision-same /council/revisions/0/to",
    ]);
  });

  it("a finding's status, category and severity each have a log of their own", () => {
    const status = {
      kind: "status" as const,
      id: "r1",
      ...head,
      finding: "f1",
      from: "valid" as const,
      to: "false_positive" as const,
    };
    const category = {
      kind: "category" as const,
      id: "r2",
      ...head,
      finding: "f1",
      from: "correctness" as const,
      to: "robustness" as const,
    };
    expect(found(withLog(status, category))).toEqual([]);
    expect(found(withLog({ ...status, from: "false_positive", to: "valid" }))).toEqual([
      "code-council-revision-from /council/revisions/0/from",
    ]);
  });
});
