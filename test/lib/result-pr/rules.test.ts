import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BASELINE_MODEL } from "../../../src/lib/baseline/contestant.ts";
import {
  type ResultDocument,
  type ResultMember,
  resultSchema,
} from "../../../src/lib/benchmarks/result-schema.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import type { Change } from "../../../src/lib/result-pr/change-set.ts";
import { OWN_CONTESTANTS } from "../../../src/lib/result-pr/contestants.ts";
import { callsOf, committedResult, evidenceDigest } from "../../../src/lib/result-pr/evidence.ts";
import type { ResultPrFacts, Submission } from "../../../src/lib/result-pr/facts.ts";
import { checkPullRequest, RULES, touchesResults } from "../../../src/lib/result-pr/rules/index.ts";
import { attempt, passedMember, resultDocument } from "../benchmarks/documents.ts";

const side = (mode = "100644", oid = "1".repeat(40)) => ({ mode, oid });
const added = (path: string, mode?: string): Change => ({
  path,
  status: "added",
  before: null,
  after: side(mode),
});
const facts = (changes: Change[], more: Partial<ResultPrFacts> = {}): ResultPrFacts => ({
  changes,
  truncated: false,
  resultsSeen: true,
  basePaths: [],
  submissions: [],
  committed: [],
  arrivedAt: null,
  ...more,
});
const place = "benchmarks/results/s-1/p__m-00000000";
const codes = (input: ResultPrFacts): string[] => checkPullRequest(input).map(({ code }) => code);

const submission = (document: ResultDocument | null, more: Partial<Submission> = {}): Submission => ({
  path: `${place}/a.json`,
  oid: "1".repeat(40),
  bytes: 10,
  text: "{}",
  document,
  findings: [],
  digest: digestOf("{}"),
  evidence: document === null ? null : evidenceDigest(document),
  ...more,
});
const judged = (document: ResultDocument, more: Partial<ResultPrFacts> = {}): string[] =>
  codes(facts([added(`${place}/a.json`)], { submissions: [submission(document)], ...more }));

describe("rules", () => {
  it("have ids and titles of their own, and find nothing in one plain document", () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    for (const { title } of RULES) expect(title).toMatch(/^[A-Z].*\.$/);
    expect(codes(facts([added(`${place}/a.json`)], { basePaths: [`${place}/b.json`] }))).toEqual([]);
  });

  it("leave other pull requests alone, even ones that break every rule", () => {
    const other = facts([added("src/Ünïcode\n.xlsx", "120000")]);
    expect(touchesResults(other)).toBe(false);
    expect(codes(other)).toEqual([]);
  });

  it.each<[string, Change[], Partial<ResultPrFacts>, string[]]>([
    ["another file", [added(`${place}/a.json`), added("x")], {}, ["pr-other-files"]],
    [
      "an edit",
      [{ path: `${place}/a.json`, status: "modified", before: side(), after: side() }],
      {},
      ["pr-result-edited"],
    ],
    [
      "a deletion",
      [{ path: `${place}/a.json`, status: "deleted", before: side(), after: null }],
      {},
      ["pr-result-deleted"],
    ],
    [
      "a name that is taken",
      [added(`${place}/a.json`)],
      { basePaths: [`${place}/a.json`] },
      ["pr-path-taken"],
    ],
    ["two results", [added(`${place}/a.json`), added(`${place}/b.json`)], {}, ["pr-many-submissions"]],
    ["a readme", [added("benchmarks/results/s-1/readme.md")], {}, ["pr-not-a-result"]],
    ["a dot at the end", [added(`${place}/a..json`)], {}, ["pr-name-characters"]],
    ["a leading dash", [added("benchmarks/results/s-1/-rf/a.json")], {}, ["pr-name-characters"]],
    ["a device", [added("benchmarks/results/s-1/com1.x/a.json")], {}, ["pr-name-device"]],
    ["no more than can be listed", [added(`${place}/a.json`)], { truncated: true }, ["pr-too-many-files"]],
    [
      "results that nobody could look for",
      [added("x")],
      { truncated: true, resultsSeen: false },
      ["pr-other-files", "pr-too-many-files"],
    ],
    ["any number of other files, without results", [added("x")], { truncated: true }, []],
    [
      "one result among many files",
      [added(`${place}/a.json`), ...Array.from({ length: 10_000 }, (_, index) => added(`src/${index}.ts`))],
      {},
      [...Array.from({ length: 20 }, () => "pr-other-files"), "pr-mixed"],
    ],
  ])("%s", (_, changes, more, expected) => expect(codes(facts(changes, more))).toEqual(expected));

  it("see names that differ only in case, against the base and among themselves", () => {
    const upper = added("benchmarks/results/S-1/p__m-00000000/a.json");
    expect(codes(facts([upper], { basePaths: [`${place}/b.json`] }))).toEqual([
      "pr-name-characters",
      "pr-name-case",
    ]);
    expect(codes(facts([added(`${place}/a.json`), upper]))).toContain("pr-name-case");
    const odd = "benchmarks/results/README.md";
    expect(codes(facts([added("benchmarks/results/readme.md/x/y.json")], { basePaths: [odd] }))).toContain(
      "pr-name-case",
    );
    // What the pull request itself removes cannot clash.
    const gone: Change = { path: odd, status: "deleted", before: side(), after: null };
    expect(
      codes(facts([gone, added("benchmarks/results/readme.md/x/y.json")], { basePaths: [odd] })),
    ).not.toContain("pr-name-case");
  });
});

describe("paths of thousands of folders", () => {
  it("cost what they are long, not that squared", () => {
    const deep = `${place}/${"a/".repeat(1900)}`;
    const changes = Array.from({ length: 4000 }, (_, index) => added(`${deep}${index}.json`));
    const started = performance.now();
    const found = codes(facts(changes));
    expect(found.filter((code) => code === "pr-name-length")).toHaveLength(4000);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

const documentOf = (members: ResultMember[], changes: Partial<ResultDocument> = {}): ResultDocument =>
  resultDocument(members, { id: "s-1", digest: digestOf("suite") }, changes);
const document = (changes: Partial<ResultDocument> = {}): ResultDocument =>
  documentOf([passedMember("a"), passedMember("b")], changes);

describe("rules about documents", () => {
  it("compare finish and arrival", () => {
    const { finished_at } = document();
    expect(judged(document(), { arrivedAt: finished_at })).toEqual([]);
    expect(judged(document(), { arrivedAt: "2020-01-01T00:00:00.000Z" })).toEqual(["pr-finished-later"]);
    expect(judged(document(), { arrivedAt: null })).toEqual([]);
  });

  it("keep a folder to one model, however an id was made to land in it", () => {
    const original = document({ model: { ...document().model, id: "x/original" } });
    const sent = document({ model: { ...document().model, id: "x/forged" } });
    const committed = [committedResult(`${place}/o.json`, digestOf("o"), original)];
    expect(judged(sent, { committed })).toContain("pr-other-model");
    expect(judged(original, { committed })).not.toContain("pr-other-model");
  });

  it("name the original of copied evidence, and tell a rerun from a copy", () => {
    const original = document({ model: { ...document().model, id: "x/original" } });
    const committed = [committedResult("benchmarks/results/test-1/original/o.json", digestOf("o"), original)];
    expect(judged(document({ model: { ...document().model, id: "x/copy" } }), { committed })).toEqual([
      "pr-duplicate-evidence",
    ]);
    const [finding] = checkPullRequest(
      facts([added(`${place}/a.json`)], { submissions: [submission(original)], committed }),
    );
    expect(finding).toMatchObject({ code: "pr-same-evidence", severity: "notice" });
    expect(finding!.message).toContain("original/o.json");
  });

  it("F24: find a copy with a few recipes changed, and leave chance alone", () => {
    const recipes = (count: number, own = 0) =>
      Array.from({ length: 10 }, (_, index) =>
        passedMember(`m${index}`, {
          attempts: [attempt({ duration_ms: 1000 + index })],
          recipe: { version: 1, tables: [{ sheet: index < count ? `S${index}` : `own ${own} ${index}` }] },
        }),
      );
    const model = (id: string) => ({ ...document().model, id });
    const committed = [
      committedResult(
        "benchmarks/results/s-1/x/o.json",
        digestOf("o"),
        documentOf(recipes(10), { model: model("x/original") }),
      ),
    ];
    const sent = (count: number, id = "x/copy") => documentOf(recipes(count, 1), { model: model(id) });
    expect(judged(sent(9), { committed })).toEqual(["pr-similar-evidence"]);
    expect(judged(sent(8), { committed })).toEqual([]);
    expect(judged(sent(10), { committed })).toEqual(["pr-duplicate-evidence"]);
    // A model resembles itself.
    expect(judged(sent(9, "x/original"), { committed })).toEqual([]);
  });

  it("F24: find calls that another result is made of, but for corrections and contestants that repeat themselves", () => {
    const run = (id: string, first: string, recipe: number) =>
      documentOf(
        ["a", "b"].map((name, index) => {
          const member = passedMember(name, { recipe: { version: recipe } });
          return {
            ...member,
            attempts: member.attempts.map((each) => ({ ...each, generation_id: `${first}-${index}` })),
          };
        }),
        { model: { ...document().model, id } },
      );
    const committed = (id = "x/m") => [committedResult(`${place}/o.json`, digestOf("o"), run(id, "gen", 1))];
    expect(judged(run("x/m", "gen", 1), { committed: committed() })).toEqual([
      "pr-same-evidence",
      "pr-calls-reused",
    ]);
    expect(judged(run("x/m", "new", 1), { committed: committed() })).toEqual(["pr-same-evidence"]);
    expect(judged(run("x/m", "gen", 2), { committed: committed() })).toEqual(["pr-calls-reused"]);
    const correction = {
      ...run("x/m", "gen", 2),
      supersedes: { digest: digestOf("o"), reason: "wrong setting" },
    };
    expect(judged(correction, { committed: committed() })).toEqual(["pr-supersedes"]);
    expect(judged(run(BASELINE_MODEL, "gen", 1), { committed: committed(BASELINE_MODEL) })).toEqual([
      "pr-same-evidence",
    ]);
    // A server that gives every call the same id tells nothing.
    expect(callsOf(document())).toEqual([]);
    expect(OWN_CONTESTANTS).toEqual([BASELINE_MODEL]);
  });

  it("judge evidence by recipes and suite alone", () => {
    const other = document({
      finished_at: "2026-11-30T11:11:11.000Z",
      runner: { ...document().runner, name: "x" },
    });
    expect(evidenceDigest(other)).toBe(evidenceDigest(document()));
    expect(evidenceDigest(documentOf([passedMember("b"), passedMember("a")]))).toBe(
      evidenceDigest(document()),
    );
    const elsewhere = { ...document(), suite: { id: "s-2", digest: digestOf("other suite") } };
    expect(evidenceDigest(elsewhere)).not.toBe(evidenceDigest(document()));
    const changed = documentOf([passedMember("a", { recipe: { version: 2 } }), passedMember("b")]);
    expect(evidenceDigest(changed)).not.toBe(evidenceDigest(document()));
    expect(evidenceDigest(documentOf([passedMember("a", { recipe: null })]))).toBeNull();
  });

  it("let only the newest document of a chain be replaced", () => {
    const first = committedResult("f.json", digestOf("first"), document());
    const second = {
      ...committedResult("s.json", digestOf("second"), document()),
      supersedes: digestOf("first"),
      evidence: null,
    };
    const replaces = (digest: string) => document({ supersedes: { digest, reason: "wrong setting" } });
    const committed = [{ ...first, evidence: null }, second];
    expect(judged(replaces(digestOf("first")), { committed })).toEqual(["pr-supersedes-replaced"]);
    expect(judged(replaces(digestOf("second")), { committed })).toEqual(["pr-supersedes"]);
  });

  it("never let a failure of the machinery pass as the model's", () => {
    const failed = passedMember("b", {
      status: "failed",
      reason: { fault: "transport", code: "transport-error", message: "no answer" },
    });
    expect(judged(documentOf([passedMember("a"), failed]))).toEqual(["pr-fault-not-models"]);
    const own = passedMember("b", {
      status: "failed",
      reason: { fault: "model", code: "refusal", message: "no" },
    });
    expect(judged(documentOf([passedMember("a"), own]))).toEqual([]);
  });

  it("send what is hard to believe to a person", () => {
    const partial = (id: string, numerator: number) =>
      passedMember(id, {
        status: "partial",
        metrics: {
          ...passedMember(id).metrics,
          cell_match_rate: { numerator, denominator: 8, matched: numerator, union: 8 },
        },
      });
    const equal = ["a", "b", "c", "d"].map((id) => partial(id, 5));
    expect(judged(documentOf(equal))).toEqual(["pr-equal-scores"]);
    expect(judged(documentOf([...equal.slice(1), partial("a", 6)]))).toEqual([]);
    const [{ attempts: [attempt] = [] }] = [passedMember("a")];
    const long = passedMember("a", { attempts: [{ ...attempt!, duration_ms: 10 ** 9 }] });
    expect(judged(documentOf([long]))).toEqual(["pr-impossible-time"]);
  });

  describe("F55, F58, F60: what cannot be goes to a person", () => {
    type Attempts = ResultMember["attempts"][number];
    const run = (
      count: number,
      changes: (index: number) => Partial<Attempts>,
      more: Partial<ResultDocument> = {},
    ) => {
      const members = Array.from({ length: count }, (_, index) => {
        const member = passedMember(`m${index}`, { recipe: { version: 1, note: "x".repeat(300) } });
        return {
          ...member,
          attempts: member.attempts.map((each) => ({
            ...each,
            duration_ms: 1000 + index,
            ...changes(index),
          })),
        };
      });
      return documentOf(members, {
        started_at: "2026-11-30T10:00:00.000Z",
        finished_at: "2026-11-30T10:10:00.000Z",
        ...more,
      });
    };
    const usage = (prompt_tokens: number, completion_tokens: number) => ({
      usage: { prompt_tokens, completion_tokens },
    });
    const measured = (total_tokens: number, prompts: number) => ({
      prompt: {
        ...document().prompt,
        measured: { tokenizer: "o200k_base", prompts, total_tokens, largest_tokens: 9 },
      },
    });

    it.each<[string, ResultDocument, string[]]>([
      ["nothing strange", run(10, () => usage(900, 200)), []],
      ["calls that lasted all the same", run(10, () => ({ duration_ms: 1200 })), ["pr-equal-times"]],
      ["few such calls", run(7, () => ({ duration_ms: 1200 })), []],
      ["quick ones from one's own machine", run(10, () => ({ duration_ms: 2 })), []],
      [
        "more time than there was",
        run(10, (index) => ({ duration_ms: 90_000 + index })),
        ["pr-impossible-time"],
      ],
      ["all the time there was", run(10, (index) => ({ duration_ms: 59_990 + index })), []],
      [
        "answers faster than light",
        run(10, (index) => ({ duration_ms: 1 + index, ...usage(900, 9000) })),
        ["pr-impossible-speed"],
      ],
      ["fast answers", run(10, (index) => ({ duration_ms: 400 + index, ...usage(900, 2000) })), []],
      [
        "fewer tokens than the recipe",
        run(4, (index) => usage(900, index === 2 ? 3 : 200)),
        ["pr-token-gap"],
      ],
      ["no usage at all", run(4, () => ({ usage: null })), []],
      ["prompts of another order", run(6, () => usage(10, 200), measured(6000, 6)), ["pr-token-gap"]],
      ["another tokenizer", run(6, () => usage(400, 200), measured(6000, 6)), []],
      ["cents for dollars", run(4, () => ({ ...usage(900, 200), cost_usd: 40 })), ["pr-cost-gap"]],
      ["a dear model", run(4, () => ({ ...usage(900, 200), cost_usd: 0.5 })), []],
      ["calls for nothing", run(4, () => ({ ...usage(900, 200), cost_usd: 0 })), ["pr-cost-zero"]],
    ])("%s", (_, given, expected) => expect(judged(given)).toEqual(expected));

    it("but the baseline is free, and as fast as one's own machine", () => {
      const free = run(10, (index) => ({ duration_ms: 1 + index, ...usage(900, 9000), cost_usd: 0 }), {
        model: { ...document().model, id: BASELINE_MODEL },
      });
      expect(judged(free)).toEqual([]);
    });

    it("calls that were made and made again", () => {
      const of = (calls: number) => {
        const given = run(10, () => usage(900, 200));
        return judged({ ...given, totals: { ...given.totals, calls } });
      };
      expect(of(13)).toEqual([]);
      expect(of(14)).toEqual(["pr-calls-missing"]);
    });

    it.each(["gold-baseline-result", "honest-result"])(
      "nothing in the committed honest result %s",
      (name) => {
        const path = join(import.meta.dirname, `../../../rehearsal/fixtures/${name}.json`);
        expect(judged(resultSchema.parse(JSON.parse(readFileSync(path, "utf8"))))).toEqual([]);
      },
    );
  });

  it.each([
    `sk-or-v1-${"0f".repeat(30)}`,
    `ghp_${"A".repeat(36)}`,
    `AKIA${"B".repeat(16)}`,
    "-----BEGIN RSA PRIVATE KEY-----",
    `Bearer ${"abcDEF0123".repeat(4)}`,
  ])("find a credential without repeating it (%#)", (secret) => {
    const text = `{\n  "a": "${secret}"}`;
    const [finding, ...rest] = checkPullRequest(
      facts([added(`${place}/a.json`)], { submissions: [submission(null, { text })] }),
    );
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ code: "pr-secret", line: 2, column: 9 });
    expect(JSON.stringify(finding)).not.toContain(secret.slice(0, 12));
  });
});
