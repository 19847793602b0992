import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportSchema } from "../../../src/lib/result-pr/report-schema.ts";
import { renderComment } from "../../../src/lib/result-pr/words.ts";
import { renderCheck } from "../../../src/lib/result-pr/words-check.ts";
import {
  difference,
  duration,
  moveWords,
  points,
  rankWords,
  usd,
} from "../../../src/lib/result-pr/words-code-numbers.ts";
import { utf8Length } from "../../../src/lib/result-pr/words-text.ts";
import { codePart, codeReport, editedScore, hostileCode, manyMoves, movement } from "./code-reports.ts";
import { SHA } from "./reports.ts";
import { raggedTables, surprises } from "./safe.ts";

const context = { head: SHA.head, merge: null, acceptedBy: null, run: 4711 };
const HERE = "https://git.example.org/acme/board";
const rowOf = (text: string, name: string): string =>
  text.split("\n").find((line) => line.startsWith("| ") && line.includes(name)) ?? "";

describe("the comment about facts of the code benchmark", () => {
  const comment = renderComment(codeReport(), context);

  it("is a report of its schema, and the same report gives the same bytes", () => {
    expect(reportSchema.parse(codeReport())).toEqual(codeReport());
    expect(renderComment(codeReport(), context)).toBe(comment);
  });

  it("F26: says the verdict first, whose move it is, then what comes and what moves, then findings, then tables", () => {
    const order = [
      "## 🔎 Needs review",
      "**Next: a maintainer**",
      "Brings 1 run (1 entry), 1 review session, 1 defect, 1 configuration that is new and 1 revision to the code benchmark.",
      "#### Findings: 1 warning",
      "#### Ranks overall, all leads (of 4, now 5)",
      "#### Picks overall, all leads",
      "#### Scores of entries",
      "#### Leads: median final score",
      "#### Judges",
      "#### Defects",
      "#### Revisions",
      "npm run bench -- data check --base origin/main",
    ].map((words) => comment.indexOf(words));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(comment).toContain(
      "**It moves 1 committed entry, 3 ranks overall, picks, leads and 1 row of the judge table.**",
    );
    expect(comment).toContain("Compared with base `2222222`.");
  });

  it("shows numbers before and after, and what was unknown as unknown", () => {
    expect(rowOf(comment, "range-coder-sol-1/quill-high")).toBe(
      "| `range-coder-sol-1/quill-high` `quill-2@high` | 7.53 → **7.61** | 8.25 → **8.40** | 11/12 → **12/12** | slop 0.50 → **0.63**, cost **$0.0423** |",
    );
    expect(rowOf(comment, "| `quill-2@high` | 3")).toContain("3 → **1** ▲ | 7.53 → **7.61** | +0.08 |");
    expect(rowOf(comment, "| `ink-1@max` | 1")).toContain("1 → **2** ▼ | 7.60 |");
    expect(rowOf(comment, "| `nib@low` | ")).toContain("**5** (new) | **3.13** |");
    expect(rowOf(comment, "| `j-ink`")).toContain(
      "8 → **16**, mean 7.10 → **7.15** | −0.20 → **−0.15** | 0.81 → **0.84** | **50%** |",
    );
    expect(comment).toContain("ICC(2,1) 0.61 → **0.64**, ICC(2,k) 0.86 → **0.88**");
  });

  it("says where an old score was edited, and derives nothing", () => {
    const text = renderComment(editedScore(), context);
    expect(text).toMatch(/^<!-- assay:result head=1{40} kind=verdict -->\n## ❌ Invalid: 1 problem to fix/);
    expect(text).toContain("/council/sessions/0/reviews/1/score");
    expect(text).toContain("expected `6`, found `9.5`");
    expect(text).toContain("range-coder-sol-1.json:412:20");
    expect(text).toContain("**Nothing was derived from it.**");
    expect(text).not.toContain("#### Ranks");
    const check = renderCheck(editedScore());
    expect(check.conclusion).toBe("failure");
    expect(check.annotations[0]).toMatchObject({ start_line: 412, start_column: 20 });
  });

  it("says that nothing moves when nothing does", () => {
    const still = movement({
      added: { ...movement().added, configurations: { rows: [], total: 0 } },
      entries: { rows: [], total: 0 },
      views: [],
      judges: { rows: [], total: 0 },
      agreement: null,
    });
    const report = codeReport({
      verdict: "valid",
      findings: [],
      findings_total: 0,
      code: codePart({ movement: still }),
    });
    expect(renderComment(report, context)).toContain("**No committed number moves.**");
    expect(renderCheck(report)).toMatchObject({
      conclusion: "success",
      title: "Valid: the facts hold, and no number moves",
    });
  });

  it("stays readable when five hundred entries move: the largest first, the rest counted", () => {
    const text = renderComment(manyMoves(), context);
    expect(text).toContain("512 committed entries");
    expect(text).toContain("<details><summary>504 further entries</summary>");
    expect(text).toContain("| … 312 more entries |");
    expect(
      text
        .split("#### Scores of entries")[1]
        ?.split("<details>")[0]
        ?.split("\n")
        .filter((line) => line.startsWith("| `")),
    ).toHaveLength(8);
    expect(raggedTables(text)).toEqual([]);
    expect(renderCheck(manyMoves()).title).toBe(
      "Valid: the facts hold; they move 512 committed entries, 22 ranks overall, picks, leads and 1 row of the judge table",
    );
  });

  it("F27, F34: hostile strings of the data stay strings, in comments of any size", () => {
    fc.assert(
      fc.property(hostileCode(30), fc.boolean(), (report, accepted) => {
        const text = renderComment(report, {
          ...context,
          acceptedBy: accepted ? "walt" : null,
          repositoryUrl: HERE,
        });
        expect(surprises(text, HERE)).toEqual([]);
        expect(raggedTables(text)).toEqual([]);
        expect(text.length).toBeLessThan(60_000);
        expect(utf8Length(text)).toBeLessThan(60_000);
        const check = renderCheck(report, accepted, HERE);
        expect(surprises(check.summary, HERE)).toEqual([]);
        expect(raggedTables(check.summary)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("numbers of the code benchmark", () => {
  it("are rounded once, and say what is unknown", () => {
    expect([points(0.625), points(-0.004), points(null), usd(null), usd(0.0423), usd(5.744), usd(0)]).toEqual(
      ["0.63", "0.00", "–", "unknown", "$0.0423", "$5.74", "$0.00"],
    );
    expect([duration(59.4), duration(60), duration(725), duration(null)]).toEqual([
      "59 s",
      "1 min",
      "12 min 5 s",
      "–",
    ]);
  });

  it("say that they moved even where rounding hides it", () => {
    expect(moveWords({ before: 7.531, after: 7.534 }, points)).toBe("7.53 (barely)");
    expect(moveWords({ before: 7.53, after: null }, points)).toBe("7.53 → **–**");
    expect(difference({ before: 8, after: 7.5 })).toBe("−0.50");
    expect(difference({ before: 8, after: 8.004 })).toBe("");
    expect([rankWords({ before: 2, after: null }), rankWords({ before: null, after: null })]).toEqual([
      "2 → not ranked",
      "–",
    ]);
  });
});
