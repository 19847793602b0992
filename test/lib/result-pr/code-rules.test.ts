import { describe, expect, it } from "vitest";
import { compareGrowth } from "../../../src/lib/code/append-only/compare.ts";
import { GROWING, type Growing } from "../../../src/lib/code/append-only/shape.ts";
import type { Finding } from "../../../src/lib/findings.ts";
import type { Change } from "../../../src/lib/result-pr/change-set.ts";
import {
  CODE_LIMITS,
  type CodeDocument,
  type CodePrFacts,
  type Deliverable,
} from "../../../src/lib/result-pr/code-facts.ts";
import { dataFileOf, isDataPath, touchesData } from "../../../src/lib/result-pr/code-paths.ts";
import { CODE_RULES, checkCodePullRequest } from "../../../src/lib/result-pr/code-rules/index.ts";
import { parseStrictJson } from "../../../src/lib/strict-json/parse.ts";

const side = (mode = "100644", oid = "1".repeat(40)) => ({ mode, oid });
const added = (path: string, mode?: string): Change => ({
  path,
  status: "added",
  before: null,
  after: side(mode),
});
const modified = (path: string): Change => ({
  path,
  status: "modified",
  before: side("100644", "2".repeat(40)),
  after: side(),
});
const deleted = (path: string): Change => ({ path, status: "deleted", before: side(), after: null });

const facts = (changes: Change[], more: Partial<CodePrFacts> = {}): CodePrFacts => ({
  changes,
  truncated: false,
  basePaths: [],
  taken: [],
  documents: [],
  deliverables: [],
  listings: [],
  attested: new Set(),
  arrivedAt: null,
  ...more,
});
const found = (changes: Change[], more: Partial<CodePrFacts> = {}): Finding[] =>
  checkCodePullRequest(facts(changes, more));
const codes = (changes: Change[], more: Partial<CodePrFacts> = {}): string[] =>
  found(changes, more).map(({ code }) => code);

const RUN = "data/runs/r-1.json";

/** A document as the pull request has it, in a file of many lines; `was`: as the base has it. */
function document(kind: Growing, path: string, now: unknown, was?: unknown): CodeDocument {
  const text = JSON.stringify(now, null, 2);
  const parsed = parseStrictJson(text);
  if (!parsed.ok) throw new Error("not JSON");
  return {
    path,
    kind,
    status: was === undefined ? "added" : "modified",
    bytes: text.length,
    text,
    json: parsed.value,
    growth: was === undefined ? null : compareGrowth(was, now, GROWING[kind]),
  };
}
const edited = (kind: Growing, path: string, was: unknown, now: unknown): Finding[] =>
  found([modified(path)], { documents: [document(kind, path, now, was)] });

describe("paths of facts", () => {
  it.each([
    ["data/runs/r-1.json", true],
    ["data/entries/r-1/a/src/lib.rs", true],
    ["Data/runs/r.json", true],
    ["data", true],
    ["ｄata/runs/r.json", true],
    ["data/hosts.json", false],
    ["database/x.json", false],
    ["src/data/x.json", false],
    ["benchmarks/results/s/m/x.json", false],
  ])("%s: %s", (path, expected) => expect(isDataPath(path)).toBe(expected));

  it("derived documents concern this office, except beside results, whose rule speaks of them", () => {
    expect(touchesData([added("published/data.json")])).toBe(true);
    expect(touchesData([added("published/data.json"), added("benchmarks/results/s/m/x.json")])).toBe(false);
    expect(touchesData([added("docs/x.md"), added("data.json")])).toBe(false);
  });

  it("say what a file is", () => {
    expect(dataFileOf("data/defects/t.json")).toEqual({ kind: "document", document: "defects" });
    expect(dataFileOf("data/entries/r/e/src/a.rs")).toEqual({
      kind: "deliverable",
      run: "r",
      entry: "e",
      file: "src/a.rs",
    });
    expect(dataFileOf("data/runs/deeper/r.json")).toBeNull();
    expect(dataFileOf("data/entries/r/e")).toBeNull();
  });
});

describe("rules of pull requests with facts", () => {
  it("have ids and titles of their own, and find nothing in a plain one", () => {
    expect(new Set(CODE_RULES.map(({ id }) => id)).size).toBe(CODE_RULES.length);
    for (const { title } of CODE_RULES) expect(title).toMatch(/^[A-Z].*\.$/);
    expect(codes([added("data/anchors/t.json")])).toEqual([]);
  });

  it("F53: nothing else comes along; what does is named, or counted", () => {
    expect(codes([added(RUN), added("src/x.ts"), added("data/hosts.json")])).toEqual([
      "code-pr-other-files",
      "code-pr-other-files",
    ]);
    const many = Array.from({ length: 40 }, (_, index) => added(`docs/${index}.md`));
    expect(codes([added(RUN), ...many])).toHaveLength(21);
    const mixed = found([added(RUN), added("benchmarks/results/s/m/x.json")]);
    expect(mixed).toMatchObject([{ code: "code-pr-mixed", hint: expect.stringContaining("Split it") }]);
  });

  it("F19: derived documents are refused, wherever they would be believed", () => {
    for (const path of ["published/data.json", "Published/x", "data.json", "pricing.json", "data/data.json"])
      expect(codes([added(RUN), added(path)])).toContain("code-pr-derived");
    expect(codes([added(RUN), deleted("published/data.json")])).toEqual([]);
  });

  it("F47, F48: plain files under names that every file system takes", () => {
    expect(codes([added(RUN, "120000")])).toEqual(["code-pr-file-mode"]);
    expect(codes([added("data/entries/r/e/run.sh", "100755")])).toEqual(["code-pr-file-mode"]);
    for (const path of [
      "data/notes.md",
      "data/runs/R-1.json",
      "data/runs/con.json",
      "data/entries/r/e/a b.rs",
      "data/entries/r/e/../../x",
      "data/entries/r/e/nul.c",
      "Data/runs/r.json",
      `data/runs/${"x".repeat(500)}.json`,
    ])
      expect(codes([added(path)]), path).toContain("code-pr-name");
    expect(codes([added("data/entries/r/e/.gitattributes")])).toEqual(["pr-git-file"]);
    expect(codes([added("data/entries/r/e/A.rs"), added("data/entries/r/e/a.rs")])).toEqual(["pr-name-case"]);
    expect(codes([added("data/entries/r/e/A.rs")], { basePaths: ["data/entries/r/e/a.rs"] })).toEqual([
      "pr-name-case",
    ]);
  });

  it("F22, F46: committed files stay", () => {
    expect(codes([deleted(RUN)])).toEqual(["code-pr-deleted"]);
    expect(codes([deleted("data/entries/r/e/a.rs")])).toEqual(["code-pr-deleted"]);
    expect(codes([modified("data/entries/r/e/a.rs")])).toEqual(["code-pr-deliverable-edited"]);
    expect(codes([added(RUN)], { taken: [RUN] })).toEqual(["code-pr-path-taken"]);
  });

  it("F45, F51: what is too large or too much is not read", () => {
    const large = {
      ...document("runs", RUN, {}),
      bytes: CODE_LIMITS.documentBytes + 1,
      text: null,
      json: null,
    };
    expect(codes([added(RUN)], { documents: [large] })).toEqual(["code-pr-too-large"]);
    const many = Array.from({ length: CODE_LIMITS.documents + 1 }, (_, index) =>
      added(`data/runs/r${index}.json`),
    );
    expect(codes(many)).toEqual(["code-pr-too-many"]);
    expect(codes([added(RUN)], { truncated: true })).toEqual(["code-pr-too-many"]);
    const half = { ...document("runs", RUN, {}), bytes: CODE_LIMITS.documentBytes };
    expect(codes([added(RUN)], { documents: [half, half, half] })).toEqual(["code-pr-too-many"]);
  });
});

describe("F22: documents only grow", () => {
  const was = {
    entries: [{ id: "a", deliverable: [] }],
    council: { sessions: [{ id: "s", reviews: [{ letter: "A", score: 6 }] }], revisions: [] },
    revisions: [],
  };
  const now = (change: (run: typeof was) => void): unknown => {
    const run = structuredClone(was);
    change(run);
    return run;
  };

  it("an old score edited: where, what it was, what it is, and what to do instead", () => {
    const findings = edited(
      "runs",
      RUN,
      was,
      now((run) => Object.assign(run.council.sessions[0]?.reviews[0] ?? {}, { score: 9 })),
    );
    expect(findings).toMatchObject([
      {
        code: "code-pr-edited",
        severity: "error",
        path: RUN,
        pointer: "/council/sessions/0/reviews/0/score",
        line: 15,
        column: 22,
        expected: "6",
        actual: "9",
        message: expect.stringContaining("/council/sessions/[id=s]/reviews/[letter=A]/score"),
        hint: expect.stringContaining("council.revisions"),
      },
    ]);
  });

  it.each<[string, (run: typeof was) => void, string]>([
    ["removed", (run) => run.entries.pop(), "code-pr-removed"],
    [
      "a key too late",
      (run) => Object.assign(run.entries[0] ?? {}, { dnf: { reason: "x" } }),
      "code-pr-added-later",
    ],
  ])("%s", (_, change, code) =>
    expect(edited("runs", RUN, was, now(change)).map((finding) => finding.code)).toEqual([code]),
  );

  it("an item put in front of a log", () => {
    const log = (ids: string[]) => ({ ...was, revisions: ids.map((id) => ({ id })) });
    expect(edited("runs", RUN, log(["a"]), log(["b", "a"])).map(({ code }) => code)).toEqual([
      "code-pr-log-order",
      "code-pr-revision",
    ]);
  });

  it("counts what it does not list", () => {
    const scores = (score: number) => ({
      ...was,
      council: {
        ...was.council,
        sessions: [
          { id: "s", reviews: Array.from({ length: 99 }, (_, letter) => ({ letter: `${letter}`, score })) },
        ],
      },
    });
    const findings = edited("runs", RUN, scores(1), scores(2));
    expect(findings).toHaveLength(51);
    expect(findings.at(-1)?.message).toContain("99 committed values");
  });

  it("models are corrected in place, under a maintainer's eyes; what is gone is an error", () => {
    const models = { vendors: [], models: [{ id: "m", name: "M", efforts: ["low"], log_names: [] }] };
    const path = "data/models.json";
    const renamed = { ...models, models: [{ ...models.models[0], name: "N" }] };
    expect(edited("models", path, models, renamed)).toMatchObject([
      { code: "code-pr-edited", severity: "warning" },
    ]);
    expect(edited("models", path, models, { ...models, models: [] })).toMatchObject([
      { code: "code-pr-removed", severity: "error" },
    ]);
    const more = { ...models, models: [{ ...models.models[0], efforts: ["high", "low"] }] };
    expect(edited("models", path, models, more)).toEqual([]);
  });

  it("a price that was recorded stays; a later record asks for a look", () => {
    const card = (...history: object[]) => ({ cards: [{ id: "v/m", history }] });
    const first = { valid_from: "a", recorded_at: "b", input: 1 };
    const path = "data/pricing.json";
    expect(
      edited("pricing", path, card(first), card({ ...first, input: 2 })).map(({ code }) => code),
    ).toEqual(["code-pr-edited"]);
    expect(edited("pricing", path, card(first), card(first, { ...first, recorded_at: "c" }))).toMatchObject([
      { code: "code-pr-declared", message: expect.stringContaining("prices") },
    ]);
  });
});

describe("F06: deliverables by digest", () => {
  const file = (path: string, sha256 = "sha256:1", bytes = 3) => ({ path, sha256, bytes });
  const brought = (path: string, more: Partial<Deliverable> = {}): Deliverable => ({
    path: `data/entries/r-1/a/${path}`,
    run: "r-1",
    entry: "a",
    file: path,
    bytes: 3,
    sha256: "sha256:1",
    secret: null,
    ...more,
  });
  const judged = (
    listed: ReturnType<typeof file>[],
    files: Deliverable[],
    there: string[] = [],
    fresh = true,
  ): Finding[] =>
    found([], {
      deliverables: files,
      listings: [{ run: "r-1", entries: [{ id: "a", fresh, files: listed }], there: new Set(there) }],
    });

  it("what is listed is there, byte for byte, and nothing else is", () => {
    expect(judged([file("x.rs")], [brought("x.rs")])).toEqual([]);
    expect(judged([file("x.rs")], [], ["a/x.rs"])).toEqual([]);
    expect(judged([file("x.rs")], [])).toMatchObject([
      { code: "code-entry-digest", path: RUN, pointer: "/entries/0/deliverable/0", actual: "no such file" },
    ]);
    expect(judged([file("x.rs", "sha256:2")], [brought("x.rs")])).toMatchObject([
      { code: "code-entry-digest", expected: "sha256:2, 3 bytes", actual: "sha256:1, 3 bytes" },
    ]);
    expect(judged([file("x.rs", "sha256:1", 4)], [brought("x.rs")])).toHaveLength(1);
    // For what was committed before, the base answers; what is brought is compared all the same.
    expect(judged([file("x.rs")], [], [], false)).toEqual([]);
    expect(judged([file("x.rs", "sha256:2")], [brought("x.rs")], [], false)).toHaveLength(1);
    expect(judged([file("x.rs")], [brought("x.rs"), brought("y.rs")])).toMatchObject([
      { code: "code-entry-unlisted", path: "data/entries/r-1/a/y.rs" },
    ]);
  });
});

describe("what a person looks at", () => {
  const instant = "2026-11-30T10:00:00.000Z";
  const run = (more: object = {}, session: object = {}) => ({
    started_at: instant,
    entries: [{ id: "a", ...more }],
    council: { sessions: [{ id: "s", finished_at: instant, ...session }], revisions: [] },
    revisions: [],
  });
  const kindsOf = (findings: Finding[]): string =>
    findings.find(({ code }) => code === "code-pr-declared")?.message.split(": ")[1] ?? "";

  it("is every number that no job of ours measured, in one warning a document", () => {
    const whole = document("runs", RUN, run({ hidden: {}, perf: {}, usage: {}, quality: {} }));
    expect(kindsOf(found([added(RUN)], { documents: [whole] }))).toBe(
      "reviews, results of the hidden suite, timings, tokens and times, code metrics.",
    );
    // Of what was committed before only what is new.
    expect(kindsOf(edited("runs", RUN, run(), run({ hidden: {} })))).toBe("results of the hidden suite.");
    expect(edited("runs", RUN, run(), run())).toEqual([]);
    const brief = (usage: object) => ({ ...run(), brief: { sha256: "x", ...usage } });
    expect(kindsOf(edited("runs", RUN, brief({}), brief({ usage: {} })))).toBe("tokens and times.");
    const models = (more: object) => ({
      vendors: [],
      models: [{ id: "m", efforts: [], log_names: [], ...more }],
    });
    expect(kindsOf(edited("models", "data/models.json", models({}), models({ priced_as: {} })))).toBe(
      "prices.",
    );
  });

  it("is no measurement that a host of ours signed", () => {
    const signed = (...places: string[]) => new Set(places.map((place) => `${RUN}#${place}`));
    const both = document("runs", RUN, run({ hidden: {}, perf: {} }), run());
    const kinds = (attested: ReadonlySet<string>): string =>
      kindsOf(found([modified(RUN)], { documents: [both], attested }));
    expect(kinds(signed())).toBe("results of the hidden suite, timings.");
    expect(kinds(signed("/entries/0/perf"))).toBe("results of the hidden suite.");
    expect(kinds(signed("/entries/0/perf", "/entries/0/hidden"))).toBe("");
    expect(kinds(signed("/entries/1/perf", "/entries/1/hidden"))).toBe(
      "results of the hidden suite, timings.",
    );
    const whole = document("runs", RUN, run({ hidden: {}, perf: {} }));
    const attested = signed("/entries/0/perf", "/entries/0/hidden");
    expect(kindsOf(found([added(RUN)], { documents: [whole], attested }))).toBe("reviews.");
  });

  it("F25: nothing new is later than its pull request; what was there before is not asked again", () => {
    const late = (was: unknown, now: unknown): Finding[] =>
      found([modified(RUN)], {
        documents: [document("runs", RUN, now, was)],
        arrivedAt: "2026-11-30T09:00:00.000Z",
      }).filter(({ code }) => code === "code-pr-later");
    expect(late(undefined, run()).map(({ pointer }) => pointer)).toEqual([
      "/started_at",
      "/council/sessions/0/finished_at",
    ]);
    expect(late(run(), run())).toEqual([]);
    expect(late(run(), run({ hidden: { at: instant } })).map(({ pointer }) => pointer)).toEqual([
      "/entries/0/hidden/at",
    ]);
  });

  it("is a run that is taken out, and each log of corrections that grows", () => {
    expect(
      edited("runs", RUN, run(), { ...run(), excluded: { reason: "x" } }).map(({ code }) => code),
    ).toEqual(["code-pr-excluded"]);
    expect(edited("runs", RUN, run(), { ...run(), revisions: [{ id: "v" }, { id: "w" }] })).toMatchObject([
      { code: "code-pr-revision", severity: "warning", message: expect.stringContaining("2 revisions") },
    ]);
  });

  it("F52: a credential is named by its place, in documents and deliverables", () => {
    const key = `sk-or-v1-${"a".repeat(40)}`;
    const whole = document("anchors", "data/anchors/t.json", { note: key });
    const [finding] = found([], { documents: [whole] });
    expect(finding).toMatchObject({ code: "pr-secret", line: 2 });
    expect(JSON.stringify(finding)).not.toContain(key);
  });
});
