import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { parseCommands } from "../../../src/lib/bot/command.ts";
import { type Report, reportSchema } from "../../../src/lib/result-pr/report-schema.ts";
import {
  type CommentContext,
  parseStickyTag,
  renderComment,
  renderFailure,
  renderWaiting,
} from "../../../src/lib/result-pr/words.ts";
import { annotationOf, MAX_ANNOTATIONS, renderCheck } from "../../../src/lib/result-pr/words-check.ts";
import { fitBlocks, moreItem } from "../../../src/lib/result-pr/words-fit.ts";
import { findingLink, repositoryUrlOf } from "../../../src/lib/result-pr/words-links.ts";
import { type MergeState, mergeWords } from "../../../src/lib/result-pr/words-merge.ts";
import { type Reply, renderReply } from "../../../src/lib/result-pr/words-replies.ts";
import { cell, clean, code, prose, utf8Length } from "../../../src/lib/result-pr/words-text.ts";
import { hostileReport, member, metrics, NASTY, nasty, report, result, SHA, tampered } from "./reports.ts";
import { raggedTables, surprises } from "./safe.ts";

const context = { head: SHA.head, merge: null, acceptedBy: null };
const HERE = "https://git.example.org/acme/board";

describe("code spans", () => {
  it("come back from a parser as one code span holding the cleaned text", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const shown = clean(text);
        fc.pre(shown.trim() !== "");
        const tree = fromMarkdown(`x ${code(text)} y`);
        const [paragraph] = tree.children;
        expect(tree.children).toHaveLength(1);
        expect(paragraph).toMatchObject({
          children: [{ value: "x " }, { type: "inlineCode" }, { value: " y" }],
        });
        const [, span] = (paragraph as { children: { value: string }[] }).children;
        expect(span?.value).toBe(shown);
      }),
      { numRuns: 500 },
    );
  });

  it("stay inside their table cell", () => {
    fc.assert(
      fc.property(nasty, nasty, (a, b) => {
        const table = `| a | b |\n| :-- | :-- |\n| ${cell(a)} | ${cell(b)} |`;
        expect(raggedTables(table)).toEqual([]);
        const html = new MarkdownIt().render(table);
        expect(html.match(/<td/g)).toHaveLength(2);
      }),
      { numRuns: 500 },
    );
  });

  it("count bytes as encoders do", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
    expect(utf8Length("\ud800a")).toBe(new TextEncoder().encode("\ud800a").length);
  });

  it("cut with an ellipsis, never inside a pair, and never when it fits", () => {
    expect(clean("abcd", 4)).toBe("abcd");
    expect(clean("abcde", 4)).toBe("abc…");
    expect(clean("👍👍👍", 4)).toBe("👍…");
  });
});

describe("prose", () => {
  it("F34: leaves words alone and puts everything else into code spans", () => {
    expect(prose("All 4 members (so far) are fine.")).toBe("All 4 members (so far) are fine.");
    expect(prose("Committed as benchmarks/results/a__b.json.")).toBe(
      "Committed as `benchmarks/results/a__b.json`.",
    );
    expect(prose("ask @octocat about #12 or GH-12, see https://x.example")).toBe(
      "ask `@octocat` about `#12` or `GH-12`, see `https://x.example`",
    );
    expect(prose("commit deadbeef or 1234567")).toBe("commit `deadbeef` or `1234567`");
    expect(prose("1. not a list")).toBe("`1`. not a list");
    expect(prose("  ")).toBe("(empty)");
  });

  it("F34: is one paragraph of words and code, whatever it is given", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const shown = prose(text);
        expect(surprises(shown)).toEqual([]);
        const { children } = fromMarkdown(shown);
        expect(children.map(({ type }) => type)).toEqual(["paragraph"]);
        const [paragraph] = children as { children: { type: string }[] }[];
        for (const { type } of paragraph?.children ?? []) expect(["text", "inlineCode"]).toContain(type);
      }),
      { numRuns: 500 },
    );
  });
});

describe("links", () => {
  const web = { repositoryUrl: HERE, docs: SHA.base };
  it("lead from a code to what docs/findings.md of the judged base says of it", () => {
    expect(findingLink("pr-secret", web)).toBe(
      `[\`pr-secret\`](${HERE}/blob/${SHA.base}/docs/findings.md#pr-secret)`,
    );
    expect(findingLink("pr-secret", { ...web, docs: null })).toContain(
      "/blob/HEAD/docs/findings.md#pr-secret)",
    );
    expect(renderComment(tampered(), { ...context, repositoryUrl: HERE })).toContain(
      `](${HERE}/blob/${SHA.base}/docs/findings.md#`,
    );
  });
  it.each([
    "javascript:alert(1)",
    "https://x.example",
    "https://x.example/a/b)c",
    "https://u:p@x.example/a/b",
    "",
  ])("are left out when the repository's address is %s", (repositoryUrl) =>
    expect(findingLink("pr-secret", { ...web, repositoryUrl })).toBe("`pr-secret`"),
  );
  it("come from the address of a run, and of nothing else", () => {
    expect(repositoryUrlOf(`${HERE}/actions/runs/17`)).toBe(HERE);
    expect(repositoryUrlOf("http://127.0.0.1:4000/acme/board/actions/runs/17/attempts/2")).toBe(
      "http://127.0.0.1:4000/acme/board",
    );
    for (const other of [
      "",
      HERE,
      `${HERE}/pull/17`,
      "ftp://x.example/a/b/actions/runs/1",
      "x/actions/runs/1",
    ])
      expect(repositoryUrlOf(other)).toBeNull();
  });
});

describe("the comment", () => {
  it("F34: keeps other people's strings harmless, whatever they hold", () => {
    fc.assert(
      fc.property(hostileReport({ members: 4, findings: 4, results: 2 }), (hostile) => {
        const body = renderComment(hostile, {
          ...context,
          acceptedBy: NASTY[0] ?? "",
          repositoryUrl: HERE,
          run: 17,
          openDuplicates: NASTY.map((model, index) => ({ pull: index + 1, model })),
        });
        expect(surprises(body, HERE)).toEqual([]);
        expect(raggedTables(body)).toEqual([]);
        expect(parseCommands(body)).toEqual([]);
        expect(parseStickyTag(body)).toEqual({ head: SHA.head, kind: "verdict" });
        const check = renderCheck(hostile, false, HERE);
        expect(surprises(check.summary, HERE)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("F27, F33: stays within its budget at any size, with nothing left open", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...NASTY,
          "漢".repeat(400),
          "👩‍👩‍👧‍👦".repeat(90),
          "مرحبا بالعالم ".repeat(60),
          "word ".repeat(200),
        ),
        fc.integer({ min: 1, max: 40 }),
        (text, results) => {
          const big = report({
            verdict: "invalid",
            findings: Array.from({ length: 500 }, () => ({
              code: "score-metric",
              severity: "error" as const,
              message: text,
              path: text,
              pointer: text,
              expected: text,
              actual: text,
              hint: text,
            })),
            findings_total: 7000,
            results: Array.from({ length: results }, () =>
              result({
                model: text,
                path: text,
                members: Array.from({ length: 60 }, (_, index) =>
                  member(`${text}${index}`, {
                    recomputed: metrics(1, 3),
                    mismatches: Array.from({ length: 20 }, () => ({
                      kind: "cell" as const,
                      address: text,
                      row: 1,
                      column: text,
                      expected: text,
                      actual: text,
                    })),
                  }),
                ),
              }),
            ),
          });
          const body = renderComment(big, { ...context, repositoryUrl: HERE });
          expect(body.length).toBeLessThan(60_000);
          expect(utf8Length(body)).toBeLessThan(60_000);
          expect(body.length).toBeGreaterThan(5_000);
          expect(surprises(body, HERE)).toEqual([]);
          expect(body).toMatch(/more finding|did not fit/);
          const check = renderCheck(big);
          expect(check.summary.length).toBeLessThan(65_535);
          expect(check.annotations).toHaveLength(MAX_ANNOTATIONS);
          expect(check.summary).toContain("7000 findings in all; 50 annotations shown");
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is a report's comment: the fixtures obey the schema", () => {
    expect(reportSchema.safeParse(report()).error).toBeUndefined();
    expect(reportSchema.safeParse(tampered()).error).toBeUndefined();
  });

  it("never calls a member that was not recomputed a wrong claim, nor the others not recomputed", () => {
    const away = { recomputed_status: "unverified" as const, recomputed: null };
    const body = (members: ReturnType<typeof member>[]): string =>
      renderComment(
        report({ verdict: "incomplete", results: [result({ recomputed: null, members })] }),
        context,
      );
    const some = body([member("conf-a"), member("conf-b"), member("bank-c", away)]);
    expect(some).toContain("2 of 3 members were recomputed here; without the others there is no score.");
    expect(some).toContain("3 members, 1 not recomputed here");
    expect(some).not.toMatch(/claims? off|Nothing of it/);
    const none = body([member("bank-c", away)]);
    expect(none).toContain("Nothing of it could be recomputed here.");
    const both = body([member("conf-a", { claimed_status: "partial" }), member("bank-c", away)]);
    expect(both).toContain("2 members, 1 claim off, 1 not recomputed here");
  });

  it("F21: shows the verdict, the move, both numbers with their level, the change, the rank and the base", () => {
    const body = renderComment(report(), context);
    expect(body).toContain("## ✅ Valid: composite 0.912500 recomputed, rank 2 of 4");
    expect(body).toContain("**Next: a maintainer**");
    expect(body).toMatch(/\| \*\*Composite\*\* \| 0\.912500 \| 0\.912500 \| \+0\.087500 \|/);
    expect(body).toContain("Level `recomputed`");
    expect(body).toContain("✅ automatic screen → 👉 **maintainer** → ▫️ merge");
    expect(body).toContain("**2 of 4** (▲ from 3), as of base `2222222`");
    expect(body).toContain("| 2 | **`acme/quill`** ← | 0.912500 |");
    expect(body).toContain("▼ `conf-stacked`: passed → partial");
    expect(body).toContain("▲ `conf-units`: failed → passed");
    expect(body).toMatch(
      /- 1 member: \*\*the way to the model\*\* failed .*not the model's fault.*: `[a-z-]+`/,
    );
    expect(body).toContain("$0.1834, $0.0917 per passed member (declared; record only)");
    expect(body).toContain(
      "- `conf-stacked` `Table 1!R7C3` row 4 `state`: cell differs; reference `NSW`, produced (blank)",
    );
    expect(body).toContain(`npm run bench:validate -- ${result().path}`);
    expect(body.match(/^npm run /gm)).toHaveLength(1);
  });

  it("of a raised score names both numbers in its headline and the members that differ", () => {
    const body = renderComment(tampered(), context);
    expect(body).toContain("## ❌ Invalid: claims 1.000000, evidence gives 0.912500");
    expect(body).toContain("| 1.000000 | **0.912500** ≠ |");
    expect(body).toContain("| `conf-stacked` | passed → **partial** | 1.000 → **0.750** |");
    expect(body.indexOf("conf-stacked")).toBeLessThan(body.indexOf("conf-fills"));
    expect(body).toContain("No command can merge this");
  });

  it("shows of private members nothing but status and rounded components", () => {
    const secret = "Sheet9!R3C3 s3cret";
    const body = renderComment(
      report({
        results: [
          result({
            members: [
              member("bank-1", {
                private: true,
                recomputed: metrics(6543, 9999),
                mismatches: [
                  {
                    kind: "cell",
                    address: secret,
                    row: 77,
                    column: secret,
                    expected: secret,
                    actual: secret,
                  },
                ],
              }),
            ],
          }),
        ],
      }),
      context,
    );
    expect(body).not.toContain("s3cret");
    expect(body).not.toContain("6543");
    expect(body).not.toContain("0.654");
    expect(body).toContain("0.65");
  });

  it("never prints a file name into a command that a shell would take apart", () => {
    for (const path of ["a; rm -rf ~", "$(id)", "-x", "a\nb", "`id`", "../x y"]) {
      const body = renderComment(report({ results: [result({ path })] }), context);
      expect(body).toContain("npm run bench:validate -- <file>");
    }
  });

  it("says unknown, not zero, for a cost that nobody reported", () => {
    const unknown = result({ cost: { total_usd: null, complete: false, per_solved_usd: null } });
    expect(renderComment(report({ results: [unknown] }), context)).toContain("**Cost:** unknown");
    const partly = result({ cost: { total_usd: 0.5, complete: false, per_solved_usd: null } });
    expect(renderComment(report({ results: [partly] }), context)).toContain("at least $0.5000");
  });

  it("F60: takes no provider's zero for a price, but for a contestant that nobody is paid for", () => {
    const free = { total_usd: 0, complete: true, per_solved_usd: 0 };
    const words = (model: string) =>
      renderComment(report({ results: [result({ model, cost: free })] }), context);
    expect(words("acme/quill")).toContain("**Cost:** unknown, every call was reported as $0");
    expect(words("baseline/heuristic")).toContain("**Cost:** none");
  });

  it("F26: says in one line where it stands and whose move it is", () => {
    const line = (verdict: Report["verdict"], more: Partial<CommentContext> = {}) =>
      renderComment(report({ verdict }), { ...context, ...more }).split("\n\n")[1];
    expect(line("invalid")).toBe("❌ automatic screen → 👉 **submitter mends it** → ▫️ maintainer → ▫️ merge");
    expect(line("needs-review")).toContain("👉 **maintainer reviews**");
    expect(line("needs-review", { acceptedBy: "walt" })).toContain("✅ reviewed → 👉 **maintainer merges**");
    expect(line("incomplete")).toContain("👉 **maintainer completes it**");
    expect(line("error")).toContain("👉 **maintainer mends our failure**");
    const merge = (phase: MergeState["phase"]) => ({
      merge: { words: "x", merged: phase === "merged", phase },
    });
    expect(line("valid", merge("recomputing"))).toBe("✅ automatic screen → ✅ maintainer → ⏳ **merge**");
    expect(line("valid", merge("merged"))).toBe("✅ automatic screen → ✅ maintainer → 🟣 merged");
    expect(line("valid", merge("refused"))).toContain("👉 **maintainer**");
    expect(renderComment(report(), { ...context, ...merge("recomputing") })).not.toContain("**Next:");
  });

  it("F24: names other open pull requests with the same evidence", () => {
    const body = renderComment(report(), {
      ...context,
      repositoryUrl: HERE,
      openDuplicates: [{ pull: 41, model: "zenith/original" }],
    });
    expect(body).toContain(`- [pull request 41](${HERE}/pull/41): model \`zenith/original\``);
    expect(body).toContain("Look at them together");
    const own = renderComment(report({ results: [result({ model: "baseline/heuristic" })] }), {
      ...context,
      openDuplicates: [{ pull: 41, model: "baseline/heuristic" }],
    });
    expect(own).toContain("answers the same each time");
    expect(own).not.toContain("Look at them together");
  });

  it("says which structure features changed", () => {
    const tag = (name: string, passed: number, previous_passed: number | null) => ({
      tag: name,
      passed,
      total: 5,
      previous_passed,
    });
    const body = renderComment(
      report({
        results: [result({ tags: [tag("merged_cells", 4, 3), tag("pivot", 1, 2), tag("plain", 5, 5)] })],
      }),
      context,
    );
    expect(body).toContain("- ▲ `merged_cells`: 3 → 4 of 5\n- ▼ `pivot`: 2 → 1 of 5\n");
    expect(body).not.toContain("▲ `plain`");
  });

  it("gives the same bytes for the same report", () => {
    expect(renderComment(report(), context)).toBe(renderComment(report(), context));
  });
});

describe("states", () => {
  const states: MergeState[] = [
    { phase: "queued", place: { position: 1, behind: null, first: null } },
    {
      phase: "queued",
      place: { position: 3, behind: 13, first: { pull: 12, since: "2026-12-01T03:14:00.000Z" } },
    },
    { phase: "building", base: SHA.base },
    { phase: "recomputing", base: SHA.base, commit: SHA.tree, tries: 2 },
    { phase: "moving-again", base: SHA.base, tries: 2 },
    { phase: "merged", commit: SHA.tree },
    { phase: "refused", refusal: { why: "not-valid", verdict: "`@x`" } },
  ];
  it.each(states)("$phase stands in the comment", (merge) => {
    const line = { words: mergeWords(merge), merged: merge.phase === "merged" };
    const body = renderComment(report(), { ...context, merge: line });
    expect(body).toContain(mergeWords(merge));
    expect(body.includes("**Next: a maintainer**")).toBe(merge.phase !== "merged");
    expect(surprises(body)).toEqual([]);
    expect(parseStickyTag(body)).not.toBeNull();
  });
  it("waiting and failure say whose move it is", () => {
    expect(renderWaiting(SHA.head)).toContain("**Next: nobody.**");
    expect(renderFailure(SHA.head, "no-report", 7)).toContain("Nothing to do for the submitter");
    expect(parseStickyTag(renderWaiting(SHA.head))).toEqual({ head: SHA.head, kind: "waiting" });
  });
});

describe("annotations", () => {
  it("F32: put the most severe first and keep positions", () => {
    const findings = [
      ...Array.from({ length: 60 }, (_, line) => ({
        code: "a-notice",
        severity: "notice" as const,
        message: "m",
        path: "x.json",
        line: line + 1,
      })),
      {
        code: "an-error",
        severity: "error" as const,
        message: "@boss",
        path: "x.json",
        line: 9,
        column: 4,
        hint: "h",
      },
    ];
    const check = renderCheck(report({ verdict: "invalid", findings, findings_total: 61 }));
    expect(check.annotations).toHaveLength(50);
    expect(check.annotations[0]).toMatchObject({
      annotation_level: "failure",
      start_line: 9,
      start_column: 4,
      title: "an-error",
      message: "＠boss\nfix: h",
    });
    expect(check.conclusion).toBe("failure");
  });
  it("need a file", () => {
    expect(annotationOf({ code: "x", severity: "error", message: "m" })).toBeNull();
  });
  it("an untouched board still concludes", () => {
    expect(renderCheck(report({ results: [], changed_files: 3 })).conclusion).toBe("neutral");
  });
});

describe("replies", () => {
  const replies: Reply[] = [
    { kind: "help" },
    { kind: "unknown", command: "@octocat <b> /assay merge" },
    { kind: "edited" },
    { kind: "too-long", limit: 8000 },
    { kind: "denied", command: "merge", role: "read", needs: "write" },
    { kind: "denied", command: "merge", role: null, needs: "write" },
    { kind: "head-moved", asked: SHA.head, now: SHA.base },
    { kind: "wrong-sha", asked: "abcdef1", now: SHA.base },
    { kind: "not-open" },
    { kind: "wrong-base", base: "dev", expected: "main" },
    { kind: "draft" },
    { kind: "no-results" },
    { kind: "no-verdict", head: SHA.head },
    { kind: "validating", head: SHA.head },
    { kind: "accepted", head: SHA.head, again: false },
    { kind: "accept-not-needed", verdict: "valid" },
    { kind: "merge-queued", head: SHA.head, position: 2 },
    { kind: "merged-older", head: SHA.head, commit: SHA.tree },
    { kind: "merge-already", head: SHA.head },
    { kind: "merge-refused", report: tampered(), accepted: false },
    { kind: "merge-failed", refusal: { why: "base-keeps-moving", tries: 5 } },
    { kind: "failed", what: "GitHub did not answer." },
  ];
  it.each(replies)("$kind is harmless, tagged, and no command itself", (reply) => {
    const body = renderReply(99, [reply]);
    expect(body.startsWith("<!-- assay:reply comment=99 -->")).toBe(true);
    expect(surprises(body)).toEqual([]);
    expect(parseCommands(body)).toEqual([]);
    expect(parseCommands(body.replaceAll(/^> ?/gm, ""))).toEqual([]);
    expect(body).not.toMatch(/^\s*\/assay/m);
  });
  it("a refused merge shows claimed and recomputed numbers", () => {
    const body = renderReply(99, [{ kind: "merge-refused", report: tampered(), accepted: false }]);
    expect(body).toContain("composite claimed 1.000000, recomputed **0.912500**");
    expect(body).toContain("`score-composite`");
  });
});

describe("fitBlocks", () => {
  it("drops the least wanted first and says how much is missing", () => {
    const rows = Array.from({ length: 100 }, (_, index) => `- row ${index}`);
    const text = fitBlocks(
      [
        { kind: "text", text: "head" },
        { kind: "rows", open: "open", rows, close: "close", priority: 2, more: moreItem("row") },
        { kind: "text", text: "x".repeat(200), priority: 9 },
      ],
      { units: 400, bytes: 400 },
    );
    expect(text.length).toBeLessThanOrEqual(400);
    expect(text).toMatch(/- … \d+ more rows\nclose/);
    const shown = [...text.matchAll(/- row \d+/g)].length;
    const hidden = Number(/(\d+) more rows/.exec(text)?.[1]);
    expect(shown + hidden).toBe(100);
  });
});
