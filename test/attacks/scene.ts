import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freezeSuite } from "../../src/jobs/suite.ts";
import { documentDigest, resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { suitePath } from "../../src/lib/benchmarks/suite.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { type WithdrawalDocument, withdrawalPath } from "../../src/lib/feed/withdrawal.ts";
import type { Recipe } from "../../src/lib/sheet/recipe-schema.ts";
import { type FileChange, git, makeProject, model, type Project } from "../actions/pull-requests.ts";
import { committedRuns, dataFiles } from "../jobs/data-folder.ts";
import { draft, FROZEN_AT, honestDocument, recipe } from "../jobs/temp-suite.ts";

/** The project that every attack is made against: its main, and the results that stand on its board. */

export const OTHER_SUITE_ID = "temp-2";
/** Its members: one workbook under several names. */
const OTHER_MEMBERS = ["tt-a", "tt-b", "tt-c", "tt-d", "tt-e"];
/** The moment at which every pull request arrives. */
export const ARRIVED = "2026-11-30T13:00:00.000Z";
/** Who sends the honest result that attacks are made from. */
export const SENDER = "openai/gpt-4o";

export interface Scene {
  readonly project: Project;
  /** Tip of main. */
  readonly base: string;
  /** Results on main, as committed. */
  readonly committed: {
    /** google/gemini-2.5-pro: the newest and only one. */
    readonly gemini: ResultDocument;
    /** anthropic/claude-sonnet-4: a result, and the one that replaced it. */
    readonly replaced: ResultDocument;
    readonly replacing: ResultDocument;
    /** deepseek/deepseek-r1: taken off the board by a withdrawal. */
    readonly withdrawn: ResultDocument;
    /** google/gemini-2.5-flash, in the other suite. */
    readonly flash: ResultDocument;
    /** baseline/heuristic. */
    readonly baseline: ResultDocument;
  };
  /** The committed files, by path. */
  readonly files: Readonly<Record<string, FileChange>>;
  /** An honest result of the sender: one member passed, one partial with mismatch rows, one passed of the bank. */
  honest(
    changes?: Partial<ResultDocument>,
    recipes?: Readonly<Record<string, Recipe | null>>,
  ): Promise<ResultDocument>;
  /** The same for the other suite, where every recipe calls its first column so. */
  honestOther(changes?: Partial<ResultDocument>, stateName?: string): Promise<ResultDocument>;
}

/** Tables that nobody else has: the second member's first column is called otherwise. */
export const own = (stateName = "area"): Record<string, Recipe> => ({
  "tt-one": recipe(),
  "tt-two": recipe({ stateName }),
  "tt-bank": recipe(),
});

/** A document as the file that it is committed as. */
export const fileOf = (document: ResultDocument): Record<string, FileChange> => ({
  [resultPath(document)]: { data: canonicalDocument(document) },
});

export const withdrawalFile = (withdrawal: WithdrawalDocument): Record<string, FileChange> => ({
  [withdrawalPath(withdrawal)]: { data: canonicalDocument(withdrawal) },
});

export const withdrawalOf = (
  document: ResultDocument,
  changes: Partial<WithdrawalDocument> = {},
): WithdrawalDocument => ({
  schema_version: 1,
  kind: "withdrawal",
  suite: document.suite,
  model: document.model.id,
  withdraws: { digest: documentDigest(document), reason: "The run saw the reference." },
  withdrawn_at: "2026-11-30T12:30:00.000Z",
  ...changes,
});

/** Every call with an id of its own, as a provider gives it. */
function ownCalls(document: ResultDocument): ResultDocument {
  const own = structuredClone(document);
  for (const { id, attempts } of own.members)
    for (const each of attempts) each.generation_id = `gen-${document.model.id}-${id}`;
  return own;
}

/** No two calls take equally long. */
function unlikeTimes(document: ResultDocument): ResultDocument {
  const own = structuredClone(document);
  for (const [index, { attempts }] of own.members.entries())
    for (const each of attempts) each.duration_ms += 137 * index;
  return own;
}

export async function makeScene(): Promise<Scene> {
  const project = await makeProject();
  const root = project.checkout;
  const member = (id: string): string => join(root, "benchmarks/members", id);
  for (const id of OTHER_MEMBERS) cpSync(member("tt-one"), member(id), { recursive: true });
  const { members, ...others } = JSON.parse(draft()) as { members: { id: string }[] };
  const other = {
    ...others,
    id: OTHER_SUITE_ID,
    members: OTHER_MEMBERS.map((id) => ({ ...members[0], id })),
  };
  const frozen = await freezeSuite({
    root,
    draft: new TextEncoder().encode(JSON.stringify(other)),
    draftPath: "draft.json",
    frozenAt: FROZEN_AT,
  });
  if (!frozen.ok) throw new Error(JSON.stringify(frozen.findings));
  const suiteFile = suitePath(OTHER_SUITE_ID);

  const of = (id: string, stateName: string, more: Partial<ResultDocument> = {}): Promise<ResultDocument> =>
    honestDocument(root, own(stateName), { ...model(id), ...more });
  const gemini = JSON.parse(
    git(project.gitDir, ["cat-file", "blob", `${project.base}:${project.committed}`]),
  ) as ResultDocument;
  const replaced = await of("anthropic/claude-sonnet-4", "province");
  const replacing = ownCalls(
    await of("anthropic/claude-sonnet-4", "county", {
      supersedes: { digest: documentDigest(replaced), reason: "A wrong setting." },
      finished_at: "2026-11-30T11:00:00.000Z",
    }),
  );
  const withdrawn = await of("deepseek/deepseek-r1", "canton");
  const baseline = await of("baseline/heuristic", "row");
  const ofOther = async (changes: Partial<ResultDocument>, stateName: string): Promise<ResultDocument> => {
    const document = await honestDocument(
      root,
      Object.fromEntries(OTHER_MEMBERS.map((id, index) => [id, recipe(index === 0 ? {} : { stateName })])),
      { ...model(SENDER), ...changes },
      OTHER_SUITE_ID,
    );
    return unlikeTimes(document);
  };
  const flash = await ofOther(model("google/gemini-2.5-flash"), "place");
  const files = {
    [suiteFile]: { data: readFileSync(join(root, suiteFile)) },
    ...fileOf(replaced),
    ...fileOf(replacing),
    ...fileOf(withdrawn),
    ...withdrawalFile(withdrawalOf(withdrawn)),
    ...fileOf(baseline),
    ...fileOf(flash),
    // Facts of the code benchmark, which nothing of the other one depends on.
    ...dataFiles({ runs: committedRuns() }),
  };
  const base = project.commit(files);
  git(project.gitDir, ["update-ref", "refs/heads/main", base]);
  const plain = await honestDocument(root, own(), model(SENDER));
  return {
    project,
    base,
    committed: { gemini, replaced, replacing, withdrawn, baseline, flash },
    files,
    honest: async (changes, recipes) =>
      changes === undefined && recipes === undefined
        ? plain
        : honestDocument(root, recipes ?? own(), { ...model(SENDER), ...changes }),
    honestOther: (changes = {}, stateName = "place") => ofOther(changes, stateName),
  };
}
