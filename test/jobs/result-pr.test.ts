import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readParts, writePart } from "../../src/jobs/result-pr-evidence.ts";
import { type PlannedEvidence, planPullRequest } from "../../src/jobs/result-pr-plan.ts";
import { joinParts, recomputePart } from "../../src/jobs/result-pr-recompute.ts";
import { openLocal } from "../../src/jobs/result-pr-source.ts";
import { resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import type { Part } from "../../src/lib/result-pr/plan-schema.ts";
import type { Report } from "../../src/lib/result-pr/report-schema.ts";
import { honestDocument, recipe, type TempRepository, tempRepository } from "./temp-suite.ts";

let repository: TempRepository;
beforeAll(async () => {
  repository = await tempRepository();
});
afterAll(() => repository.remove());

const ENGINE = { version: "0.0.0", digest: digestOf("engine") };
const WHOLE = { index: 1, of: 1 };

const honest = (): Promise<ResultDocument> =>
  honestDocument(repository.root, { "tt-one": recipe(), "tt-two": recipe(), "tt-bank": recipe() });

async function planned(document: ResultDocument): Promise<PlannedEvidence> {
  const file = {
    path: resultPath(document),
    bytes: new TextEncoder().encode(canonicalDocument(document)),
  };
  return planPullRequest(await openLocal(repository.root, [file]), null);
}
const grader = () => ({ suites: repository.root });
const join1 = (evidence: PlannedEvidence, parts: readonly Part[]): Promise<Report> =>
  joinParts(evidence, parts, grader(), ENGINE);
const codes = ({ findings }: Report): string[] => findings.map(({ code }) => code);

describe("parts of a recomputation", () => {
  it("count only when they belong to this very plan, whatever else lies beside them", async () => {
    const evidence = await planned(await honest());
    const own = await recomputePart(evidence, grader(), WHOLE);
    const foreign: Part = {
      ...own,
      shard: 2,
      plan: digestOf("another plan"),
      submissions: own.submissions.map((submission) => ({
        ...submission,
        members: submission.members.map((member) => ({ ...member, status: "failed" as const })),
      })),
    };
    const report = await join1(evidence, [own, foreign]);
    expect(report).toEqual(await join1(evidence, [own]));
    expect(report.results[0]?.members.map(({ recomputed_status }) => recomputed_status)).toEqual([
      "passed",
      "passed",
      "passed",
    ]);
  });

  it("that leave out a member are our failure: nothing unrecomputed is ever valid", async () => {
    const evidence = await planned(await honest());
    const own = await recomputePart(evidence, grader(), WHOLE);
    for (const submissions of [
      [],
      own.submissions.map((submission) => ({ ...submission, members: submission.members.slice(1) })),
    ]) {
      const report = await join1(evidence, [{ ...own, submissions }]);
      expect(report.verdict).toBe("error");
      expect(codes(report)).toEqual(["grader-part-incomplete"]);
      expect(report.results[0]?.rank.after).toBeNull();
    }
  });

  it("can be read back, whatever a recipe's words are cut to", async () => {
    const document = await honest();
    // A quotation cut to its first characters ends in half a pair; a key may be as long as the document.
    Object.assign(document.members[0] ?? {}, {
      recipe: { version: 1, tables: "\u{1f600}".repeat(100), ["k".repeat(100_000)]: "\u{1f600}".repeat(100) },
    });
    const evidence = await planned(document);
    const folder = await mkdtemp(join(tmpdir(), "assay-parts-"));
    const part = await recomputePart(evidence, grader(), WHOLE);
    await writePart(folder, part);
    const read = await readParts(folder);
    await rm(folder, { recursive: true });
    expect(read).toEqual([part]);
    const report = await join1(evidence, read);
    expect(report.verdict).toBe("invalid");
    expect(codes(report)).toContain("recipe-wrong-type");
  });
});
