import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { computeFeed } from "../../../src/jobs/feed.ts";
import { readSheetSuites } from "../../../src/jobs/sheet-site.ts";
import { componentsOf, compositeOf } from "../../../src/lib/benchmarks/composite.ts";
import { documentDigest, resultPath } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument, ResultMember } from "../../../src/lib/benchmarks/result-schema.ts";
import type { Suite } from "../../../src/lib/benchmarks/suite-schema.ts";
import { costOf, totalsOf } from "../../../src/lib/benchmarks/totals.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import type { BoardSuite } from "../../../src/lib/feed/board-schema.ts";
import { type WithdrawalDocument, withdrawalPath } from "../../../src/lib/feed/withdrawal.ts";
import type { SheetInput, SheetSuite } from "../../../src/site/sheet/input.ts";
import { LOCAL_SITE } from "../../../src/site/site-info.ts";
import { failedMember, perfectMetrics, skippedMember } from "../../lib/benchmarks/documents.ts";

/** A repository of its own with this one's suites and whatever results a test commits, and the pages' input from it. */

const ROOT = join(import.meta.dirname, "../../..");

export const VENDORS: SheetInput["vendors"] = [
  { id: "anthropic", name: "Anthropic", marker: "circle", mark: "A" },
  { id: "openai", name: "OpenAI", marker: "cross", mark: "O" },
];

export const readFixture = (name: string): ResultDocument =>
  JSON.parse(readFileSync(join(ROOT, "rehearsal/fixtures", name), "utf8"));

export const readSuite = (id: string): Suite =>
  JSON.parse(readFileSync(join(ROOT, "benchmarks/suites", `${id}.json`), "utf8"));

/** The document with other members or another head; every derived number follows. */
export function variant(
  base: ResultDocument,
  model: string,
  change: (member: ResultMember, index: number) => ResultMember = (member) => member,
  more: Partial<ResultDocument> = {},
): ResultDocument {
  const members = base.members.map(change);
  return {
    ...base,
    model: { ...base.model, id: model },
    members,
    totals: totalsOf(members),
    components: componentsOf(members),
    composite: compositeOf(members),
    cost: costOf(members),
    ...more,
  };
}

/** As if the model had written the reference recipe. */
export function solved(member: ResultMember, suite: Suite): ResultMember {
  const known = suite.members.find(({ id }) => id === member.id);
  if (known === undefined) throw new Error(`no member ${member.id}`);
  const { rows, columns, sha256 } = known.reference;
  const recipe = readFileSync(join(ROOT, "benchmarks/members", member.id, "recipe.json"), "utf8");
  return {
    ...member,
    status: "passed",
    reason: null,
    recipe: JSON.parse(recipe),
    output: { sha256, rows, columns },
    metrics: perfectMetrics(rows, columns),
    mismatches: [],
  };
}

/** As if its only answer had not been a recipe. */
export const failed = (member: ResultMember): ResultMember => ({
  ...failedMember(member.id),
  attempts: member.attempts.map((attempt) => ({ ...attempt, outcome: "invalid_recipe" })),
});
export const skipped = (member: ResultMember): ResultMember => skippedMember(member.id);

export interface Staged {
  readonly root: string;
  readonly boards: readonly BoardSuite[];
  readonly suites: readonly SheetSuite[];
  readonly input: SheetInput;
}

/** Commits the results and withdrawals to a copy of the benchmarks, and reads what the pages are made from. */
export async function stage(
  results: readonly ResultDocument[],
  withdrawals: readonly { readonly of: ResultDocument; readonly reason: string; readonly at: string }[] = [],
  registry?: readonly { readonly id: string; readonly name: string }[],
): Promise<Staged> {
  const root = mkdtempSync(join(tmpdir(), "assay-sheet-site-"));
  cpSync(join(ROOT, "benchmarks"), join(root, "benchmarks"), { recursive: true });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const document of results) write(resultPath(document), canonicalDocument(document));
  for (const { of, reason, at } of withdrawals) {
    const document: WithdrawalDocument = {
      schema_version: 1,
      kind: "withdrawal",
      suite: of.suite,
      model: of.model.id,
      withdraws: { digest: documentDigest(of), reason },
      withdrawn_at: at,
    };
    write(withdrawalPath(document), canonicalDocument(document));
  }
  if (registry !== undefined)
    write("benchmarks/registry/openrouter.json", JSON.stringify({ schema_version: 1, models: registry }));
  const feed = await computeFeed({ root, sourceTree: null, recompute: false });
  if (!feed.ok) throw new Error(JSON.stringify(feed.findings.slice(0, 3), null, 1));
  const read = await readSheetSuites(root, feed.value.boards);
  if (!read.ok) throw new Error(JSON.stringify(read.findings.slice(0, 3), null, 1));
  return {
    root,
    boards: feed.value.boards,
    suites: read.value,
    input: { site: LOCAL_SITE, vendors: VENDORS, suites: read.value },
  };
}

export const unstage = ({ root }: Pick<Staged, "root">): void =>
  rmSync(root, { recursive: true, force: true });
