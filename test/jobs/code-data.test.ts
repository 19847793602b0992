import { describe, expect, it } from "vitest";
import { folderData } from "../../src/io/code/data-source.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { type Data, dataSchema } from "../../src/lib/code/derive/data-schema.ts";
import { renderData } from "../../src/lib/code/derive/render-data.ts";
import type { CodeRun } from "../../src/lib/code/schema/run-schema.ts";
import type { Finding } from "../../src/lib/findings.ts";
import {
  anchors,
  DIGEST,
  defects,
  entry,
  finding,
  judges,
  models,
  perf,
  pricing,
  review,
  run,
  session,
  task,
  usage,
} from "../lib/code/facts.ts";
import { factFiles, writeFacts } from "../lib/code/write-facts.ts";

const read = (files: ReadonlyMap<string, string>) =>
  readCodeData(folderData(writeFacts(files)), { synthetic: false, deliverables: true });
async function derived(...args: Parameters<typeof factFiles>): Promise<Data> {
  const { data, findings } = await read(factFiles(...args));
  expect(findings).toEqual([]);
  if (data === null) throw new Error("nothing was derived");
  return dataSchema.parse(data);
}
async function found(...args: Parameters<typeof factFiles>): Promise<Finding[]> {
  const { data, findings } = await read(factFiles(...args));
  expect(data).toBeNull();
  return [...findings];
}

const failing = {
  at: "2026-11-06T09:00:00.000Z",
  suite: DIGEST,
  categories: ["h1", "h2", "h3", "h4"].map((id) => ({ id, passed: id !== "h3" })),
};
const judged = (change: Partial<CodeRun> = {}): CodeRun =>
  run({
    entries: [
      entry("e1", "alpha-1@high"),
      entry("e2", "beta-2@high", { hidden: failing }),
      entry("e3", "gamma-3@low", { dnf: { reason: "timeout" }, deliverable: [] }),
    ],
    council: {
      sessions: [
        session("s1", "j-alpha", [9, 7], {
          reviews: [
            review("A", 9, [
              finding("f1", { severity: "low", category: "misleading-docs" }),
              finding("f2", { severity: "high" }),
            ]),
            review("B", 7),
          ],
        }),
        session("s2", "j-beta", [8, 8], {
          reviews: [
            review("A", 8, [
              finding("f1", { severity: "nit", category: "dead-code" }),
              finding("f2", { severity: "critical", status: "false_positive", note: "It holds." }),
            ]),
            review("B", 8),
          ],
        }),
        session("s3", "j-gamma", [8.5], {
          order: [{ letter: "A", entry: "e1" }],
        }),
      ],
      revisions: [],
    },
    ...change,
  });

describe("Methodology: What one result is", () => {
  it("an entry's numbers follow from the facts", async () => {
    const { runs, entries } = await derived([judged()]);
    const [e1, e2, e3] = entries;
    // j-gamma scored one of the two live entries: a seat, and no member of the panel.
    expect(runs[0]?.panel).toEqual(["j-alpha", "j-beta"]);
    expect(e1).toMatchObject({
      council: 8.5,
      cross_vendor: 8,
      slop: (1 + 0.5 + 0) / 3,
      defect_points: (1 + 3 + 0.5 + 0) / 3,
      hidden: { passed: 4, total: 4, failed: [] },
      final: 8.5 - (0.5 * 1.5) / 3,
      seconds: 600,
      // Encode twice as fast, decode half as fast.
      speed: { speedup: 1, metrics: [{ speedup: 2 }, { speedup: 0.5 }] },
    });
    expect(e1?.seats.map(({ judge, score, same_vendor }) => [judge, score, same_vendor])).toEqual([
      ["j-alpha", 9, true],
      ["j-beta", 8, false],
      ["j-gamma", 8.5, false],
    ]);
    expect(e2).toMatchObject({
      council: 7.5,
      cross_vendor: 7,
      hidden: { passed: 3, failed: ["h3"] },
      final: 5.625,
    });
    // Cost and time, but no score.
    expect(e3).toMatchObject({
      dnf: "timeout",
      council: null,
      final: null,
      final_reason: "did not finish",
      slop: null,
      seconds: 600,
      cost: { usd: (3000 * 4 + 20_000 * 0.2 + 21_000 * 8 + 2000 * 20) / 1e6 },
    });
  });

  it("without a judge who scored every entry there is no score, and no fallback", async () => {
    const split = judged({
      council: {
        sessions: [
          session("s1", "j-alpha", [9], { order: [{ letter: "A", entry: "e1" }] }),
          session("s2", "j-beta", [9], { order: [{ letter: "A", entry: "e2" }] }),
        ],
        revisions: [],
      },
    });
    const { entries } = await derived([split]);
    expect(entries[0]).toMatchObject({ council: null, council_reason: expect.stringMatching(/no judge/) });
  });
});

describe("Methodology: Speed", () => {
  it.each([
    ["wrong output", perf({ output_ok: false }), "the perf workload's output was wrong"],
    ["a metric that is missing", perf({ metrics: perf().metrics.slice(0, 1) }), "not measured: decode"],
  ])("%s scores no speed", async (_, measured, reason) => {
    const { entries } = await derived([
      run({
        entries: [entry("e1", "alpha-1@high", { perf: measured }), entry("e2", "beta-2@high")],
      }),
    ]);
    expect(entries[0]?.speed).toMatchObject({ speedup: null, reason });
  });

  it("expert baselines are geometric means, and say when they do not meet the contract", async () => {
    const { tasks } = await derived();
    expect(tasks[0]?.baselines).toEqual([{ id: "expert", title: "Expert", speedup: 2, note: null }]);
  });
});

describe("Methodology: Speed (odd facts)", () => {
  it("a baseline by the name of what every object has gets no note from there", async () => {
    const coder = task({
      perf: {
        ...task().perf,
        baselines: [{ id: "constructor", title: "Expert", speedups: { encode: 4, decode: 1 } }],
      },
    });
    const { tasks } = await derived([run()], { "tasks/coder/task.json": coder });
    expect(tasks[0]?.baselines).toEqual([{ id: "constructor", title: "Expert", speedup: 2, note: null }]);
  });

  it("times that no number can compare give no speed, and data.json that can be read", async () => {
    const metrics = ["encode", "decode"].map((id) => ({ id, candidate: [5e-324], reference: [1e15] }));
    const { entries } = await derived([
      judged({
        entries: [entry("e1", "alpha-1@high", { perf: perf({ metrics }) }), entry("e2", "beta-2@high")],
      }),
    ]);
    expect(entries[0]?.speed).toMatchObject({ speedup: null, reason: "not measured: encode, decode" });
  });
});

describe("Methodology: Time and fast mode", () => {
  it("a measured ratio of one configuration on both tiers replaces the assumed factor", async () => {
    const fast = entry("e1", "alpha-1@high", {
      harness: { name: "codex", version: null, fast_mode: true },
      usage: usage({ last_event_at: "2026-11-05T09:04:00.000Z" }),
    });
    const { fast_factors } = await derived([
      run(),
      run({ id: "run-2", replicate: 2, entries: [fast, entry("e2", "beta-2@high")] }),
    ]);
    expect(fast_factors).toEqual([{ configuration: "alpha-1@high", factor: 2.5, pairs: 1 }]);
  });
});

describe("Methodology: Council (calibration)", () => {
  it("anchors are set against the latest earlier panel, with and without the judge", async () => {
    const list = anchors({
      anchors: [{ id: "a1", run: "run-1", entry: "e1", level: "high", added_at: "2026-11-10T00:00:00.000Z" }],
    });
    const anchored = (id: string, judge: string, score: number) =>
      session(id, judge, [8, 8], {
        order: [
          { letter: "A", entry: "e1" },
          { letter: "B", entry: "e2" },
          { letter: "C", anchor: "a1" },
        ],
        reviews: [review("A", 8), review("B", 8), review("C", score)],
      });
    const later = run({
      id: "run-2",
      replicate: 2,
      started_at: "2026-11-04T09:00:00.000Z",
      council: { sessions: [anchored("s1", "j-alpha", 7), anchored("s2", "j-beta", 9)], revisions: [] },
    });
    const last = { ...later, id: "run-3", replicate: 3, started_at: "2026-11-05T09:00:00.000Z" };
    const first = run({ started_at: "2026-11-03T09:00:00.000Z" });
    const { runs } = await derived([first, later, last], { "data/anchors/coder.json": list });
    // Of run-1 the panel gave 9, 8 and 8.5.
    expect(runs[1]?.sessions[0]?.anchors).toEqual([
      { anchor: "a1", score: 7, panel_run: "run-1", panel: 8.5, panel_without: 8.25 },
    ]);
    expect(runs[2]?.sessions[1]?.anchors).toEqual([
      { anchor: "a1", score: 9, panel_run: "run-2", panel: 8, panel_without: 7 },
    ]);
    expect(runs[1]?.sessions[0]?.scored).toBe(2);
  });

  it("an anchor is never set against the panel of an excluded run, its own or a later one", async () => {
    const list = anchors({
      anchors: [{ id: "a1", run: "run-1", entry: "e1", level: "high", added_at: "2026-11-10T00:00:00.000Z" }],
    });
    const anchored = (replicate: number, score: number, excluded?: { reason: string }) =>
      run({
        id: `run-${replicate}`,
        replicate,
        started_at: `2026-11-0${replicate + 2}T09:00:00.000Z`,
        council: {
          sessions: [
            session("s1", "j-alpha", [8, 8], {
              order: [
                { letter: "A", entry: "e1" },
                { letter: "B", entry: "e2" },
                { letter: "C", anchor: "a1" },
              ],
              reviews: [review("A", 8), review("B", 8), review("C", score)],
            }),
          ],
          revisions: [],
        },
        ...(excluded === undefined ? {} : { excluded }),
      });
    const pilot = { reason: "The pilot." };
    const began = { started_at: "2026-11-03T09:00:00.000Z" };
    const panelOf = async (first: CodeRun, second: CodeRun) =>
      (await derived([first, second, anchored(3, 6)], { "data/anchors/coder.json": list })).runs[2]
        ?.sessions[0]?.anchors;
    expect(await panelOf(run(began), anchored(2, 3, pilot))).toMatchObject([
      { panel_run: "run-1", panel: 8.5 },
    ]);
    expect(await panelOf(run({ ...began, excluded: pilot }), anchored(2, 3))).toMatchObject([
      { panel_run: "run-2", panel: 3 },
    ]);
    expect(await panelOf(run({ ...began, excluded: pilot }), anchored(2, 3, pilot))).toEqual([
      { anchor: "a1", score: 6, panel_run: null, panel: null, panel_without: null },
    ]);
  });
});

describe("Methodology: Verified defects", () => {
  it("a defect knows who reported it; a false positive reports nothing", async () => {
    const list = defects({
      defects: [
        {
          id: "D-10",
          title: "Overflow.",
          category: "correctness",
          severity: "high",
          method: "probe",
          probe: "overflow.rs",
          added_at: "2026-11-10T00:00:00.000Z",
          entries: [{ run: "run-1", entry: "e1" }],
          findings: [
            { run: "run-1", session: "s1", finding: "f2" },
            { run: "run-1", session: "s2", finding: "f2" },
          ],
        },
      ],
    });
    const { defects: stand, entries } = await derived([judged()], { "data/defects/coder.json": list });
    expect(stand[0]?.reports).toEqual([{ run: "run-1", entry: "e1", judge: "j-alpha", finding: "s1/f2" }]);
    expect(entries[0]?.findings.map(({ defect }) => defect)).toEqual([null, "D-10", null, null]);

    const withdrawn = {
      ...list,
      revisions: [
        {
          kind: "withdraw" as const,
          id: "r1",
          at: "2026-11-11T00:00:00.000Z",
          by: "owner",
          reason: "The probe was wrong.",
          defect: "D-10",
        },
      ],
    };
    expect((await derived([judged()], { "data/defects/coder.json": withdrawn })).defects).toEqual([]);
  });
});

describe("a data folder that does not hold", () => {
  it("gives each problem its file, line and column, and derives nothing", async () => {
    const wrong = run({ task: "decoder" });
    const text = factFiles([wrong]).get("data/runs/run-1.json") ?? "";
    expect(await found([wrong])).toMatchObject([
      {
        code: "code-data-unknown-task",
        path: "data/runs/run-1.json",
        line: text.slice(0, text.indexOf('"decoder"')).split("\n").length,
        column: 11,
      },
    ]);
  });

  it("does not blame the deliverables of a run that cannot be read", async () => {
    const files = factFiles([run()], { "data/runs/run-1.json": "{" });
    expect((await read(files)).findings.map(({ code, path }) => [code, path])).toEqual([
      ["json-syntax", "data/runs/run-1.json"],
    ]);
  });

  it("a run that cannot be read is one finding: what refers to it is not called unknown", async () => {
    const list = anchors({
      anchors: [{ id: "a1", run: "run-1", entry: "e1", level: "high", added_at: "2026-11-10T00:00:00.000Z" }],
    });
    const stand = defects({
      defects: [
        {
          id: "D-1",
          title: "It fails.",
          category: "correctness",
          severity: "high",
          method: "hidden-suite",
          hidden_category: "h3",
          added_at: "2026-11-10T00:00:00.000Z",
          entries: [{ run: "run-1", entry: "e2" }],
          findings: [{ run: "run-1", session: "s1", finding: "f2" }],
        },
      ],
    });
    const broken = await found([{ ...judged(), basis: "guess" } as unknown as CodeRun], {
      "data/anchors/coder.json": list,
      "data/defects/coder.json": stand,
    });
    expect(broken.map(({ path, pointer }) => [path, pointer])).toEqual([["data/runs/run-1.json", "/basis"]]);
    const absent = await found([judged({ id: "run-2" })], { "data/anchors/coder.json": list });
    expect(absent.map(({ code }) => code)).toContain("code-data-unknown-run");
  });

  it("defects and anchors are of a task that there is", async () => {
    const change = {
      "data/defects/decoder.json": defects({ task: "decoder" }),
      "data/anchors/decoder.json": anchors({ task: "decoder" }),
    };
    const { findings } = await read(factFiles([run()], change));
    expect(findings.map(({ code, path, line }) => [code, path, line])).toEqual([
      ["code-data-unknown-task", "data/anchors/decoder.json", 3],
      ["code-data-unknown-task", "data/defects/decoder.json", 3],
    ]);
  });

  it("the standard tier costs the list price: a card gives no multiple of it", async () => {
    const cards = pricing();
    Object.assign(cards.cards[0]?.history[0]?.tiers ?? {}, { standard: 50 });
    const { findings, data } = await read(factFiles([run()], { "data/pricing.json": cards }));
    expect(findings[0]).toMatchObject({
      code: "code-data-invalid-value",
      path: "data/pricing.json",
      pointer: "/cards/0/history/0/tiers/standard",
    });
    expect(data).toBeNull();
  });

  it("a price of 0 in a band and a name in logs that is another model's id are refused", async () => {
    const cards = pricing();
    cards.cards[0]?.history[0]?.bands.push({ above: 1, input: 0, output: 1 });
    const listed = models();
    listed.models[0]?.log_names.push("beta-2");
    const { findings } = await read(
      factFiles([run()], { "data/pricing.json": cards, "data/models.json": listed }),
    );
    expect(findings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["code-price-free", "/cards/0/history/0/bands/0/input"],
      ["code-data-repeated", "/models/0/log_names/1"],
    ]);
  });

  it("names what only two files together show, in the later one", async () => {
    const findings = await found([run(), run({ id: "run-2" })]);
    expect(findings.map(({ code, path, line }) => [code, path, line !== undefined])).toEqual([
      ["code-data-replicate", "data/runs/run-2.json", true],
      ["code-data-replicate", "data/runs/run-2.json", true],
    ]);
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ["a file that is missing", { "data/pricing.json": null }, "code-data-missing-file", "data/pricing.json"],
    ["a file nobody knows", { "data/notes.txt": "x" }, "code-data-unknown-file", "data/notes.txt"],
    ["text that is no JSON", { "data/judges.json": "{" }, "json-syntax", "data/judges.json"],
    [
      "a key nobody knows",
      { "data/judges.json": { ...judges(), x: 1 } },
      "code-data-unknown-key",
      "data/judges.json",
    ],
    [
      "a deliverable that was changed",
      { "data/entries/run-1/e1/src/lib.rs": "fn g() {}\n" },
      "code-entry-digest",
      "data/entries/run-1/e1/src/lib.rs",
    ],
    [
      "a deliverable that is missing",
      { "data/entries/run-1/e1/src/lib.rs": null },
      "code-entry-digest",
      "data/entries/run-1/e1/src/lib.rs",
    ],
    [
      "a file that no run lists",
      { "data/entries/run-1/e1/notes.md": "x" },
      "code-entry-unlisted",
      "data/entries/run-1/e1/notes.md",
    ],
    [
      "a model of no vendor",
      { "data/models.json": { ...models(), vendors: models().vendors.slice(1) } },
      "code-data-unknown-vendor",
      "data/models.json",
    ],
  ])("says so of %s", async (_, change, code, path) => {
    expect(await found([run()], change)).toContainEqual(expect.objectContaining({ code, path }));
  });

  it("a repository without the code benchmark has nothing to say", async () => {
    expect(await read(new Map())).toEqual({ data: null, runs: 0, findings: [] });
  });
});

describe("data.json", () => {
  const text = async (...args: Parameters<typeof factFiles>): Promise<string> =>
    renderData(await derived(...args));

  it("is JSON of its schema, whose bytes depend on the facts alone", async () => {
    const once = await text([judged(), run({ id: "run-0", replicate: 2 })]);
    expect(dataSchema.safeParse(JSON.parse(once)).error).toBeUndefined();
    expect(await text([run({ id: "run-0", replicate: 2 }), judged()])).toBe(once);
    expect(await text([judged()])).not.toBe(once);
  });
});
