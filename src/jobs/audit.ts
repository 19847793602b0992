import { join } from "node:path";
import { z } from "zod";
import { readEngine } from "../io/engine.ts";
import { folderSource, listFiles } from "../io/files.ts";
import { type GitRepository, gitTreeSource, openRepository, readCheckout, readCommit } from "../io/git.ts";
import { readArrival } from "../io/git-history.ts";
import { openPastScorer, type PastScorer, PastScorerError } from "../io/past-scorer.ts";
import { type AuditRow, auditFindings, auditRow, isAnnounced, type Scored } from "../lib/audit/compare.ts";
import { RESULTS_FOLDER, readResult, resultPath } from "../lib/benchmarks/result.ts";
import { componentsSchema, type ResultDocument, STATUSES } from "../lib/benchmarks/result-schema.ts";
import { isWithdrawalPath } from "../lib/feed/withdrawal.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { type LoadedSuite, loadSuite, recomputeResult } from "./score.ts";
import { vaultFolder } from "./vault.ts";

export interface AuditInput {
  /** The checkout whose code this is. */
  readonly root: string;
  /** Documents outside the board's record; by default every committed result. */
  readonly files?: readonly { readonly label: string; readonly bytes: Uint8Array }[];
  /** Commit whose scorer is the one to compare with; by default that of each committed document's own time. */
  readonly against?: string;
  /** Hears of each document that is done. */
  readonly onRow?: (row: AuditRow) => void;
}

interface Entry {
  readonly label: string;
  readonly bytes: Uint8Array;
  readonly document: ResultDocument;
  /** Commit whose scorer judged it; null when nobody can say. */
  readonly scorer: string | null;
}

const CHANGELOG = "CHANGELOG.md";

/**
 * Replays documents under the scorer of now and under the one that judged them, by that one's own committed bundles,
 * and says which numbers moved. A number that moves is an error unless CHANGELOG.md has a new dated entry since. The
 * other scorer is not replayed where its sources are those of now: the same sources give the same numbers.
 */
export async function audit(input: AuditInput): Promise<Outcome<AuditRow[]>> {
  const { root } = input;
  const repository = await openRepository(root);
  if (input.against !== undefined && (await readCommit(repository, input.against)) === null)
    return {
      ok: false,
      findings: [
        {
          code: "audit-commit",
          severity: "error",
          message: "The history here has no such commit.",
          actual: input.against,
          hint: "git fetch --unshallow, and name a full commit id.",
        },
      ],
    };
  const entries = await readEntries(input, repository);
  if (!entries.ok) return entries;
  const scorers = new Scorers(root, repository);
  const suites = new Map<string, Promise<Outcome<LoadedSuite>>>();
  const rows: AuditRow[] = [];
  const findings: Finding[] = [];
  try {
    for (const entry of entries.value) {
      const { id } = entry.document.suite;
      const loading = suites.get(id) ?? loadSuite(root, id);
      suites.set(id, loading);
      const loaded = await loading;
      if (!loaded.ok) return loaded;
      const current: Scored = withMetrics(await recomputeResult(entry.document, loaded.value));
      const past = entry.scorer === null ? null : await scorers.replay(entry.scorer, entry);
      const row = auditRow({ path: entry.label, document: entry.document, past, current });
      rows.push(row);
      input.onRow?.(row);
      findings.push(...auditFindings(row, row.moved.length > 0 && (await scorers.announced(entry.scorer))));
    }
  } catch (error) {
    if (!(error instanceof PastScorerError)) throw error;
    return { ok: false, findings: [...findings, scorerFinding(error)] };
  } finally {
    await scorers.close();
  }
  return { ok: true, value: rows, findings };
}

const scorerFinding = (error: PastScorerError): Finding => ({
  code: "audit-scorer",
  severity: "error",
  message: "The scorer to compare with could not be replayed.",
  actual: error.message,
  hint: "Name another commit with --against.",
});

const withMetrics = ({
  composite,
  components,
  members,
}: Awaited<ReturnType<typeof recomputeResult>>): Scored => ({
  composite,
  components,
  members: members.map(({ id, status, metrics }) => ({
    id,
    status,
    ...(metrics === null ? {} : { metrics }),
  })),
});

async function readEntries(input: AuditInput, repository: GitRepository): Promise<Outcome<Entry[]>> {
  const { root, against } = input;
  const source = folderSource(root);
  const given = input.files ?? [];
  const paths = input.files === undefined ? await listFiles(root, RESULTS_FOLDER) : [];
  const committed = await Promise.all(
    paths
      .filter((path) => path.endsWith(".json") && !isWithdrawalPath(path))
      .map(async (label) => ({ label, bytes: (await source(label)) ?? new Uint8Array() })),
  );
  const head =
    input.files === undefined && committed.length > 0 ? (await readCheckout(root)).commit.sha : null;
  const entries: Entry[] = [];
  const findings: Finding[] = [];
  for (const { label, bytes } of [...given, ...committed]) {
    const read = readResult(bytes, null, label);
    if (!read.ok) {
      findings.push(...read.findings);
      continue;
    }
    const arrival =
      against === undefined && head !== null ? await readArrival(repository, head, label) : null;
    const scorer = against ?? arrival?.parents[0] ?? null;
    entries.push({ label, bytes, document: read.value.document, scorer });
  }
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: entries, findings: [] };
}

/** Of a report, whatever its version, what an audit compares. */
const pastSchema = z.object({
  results: z
    .array(
      z.object({
        recomputed: z.object({ composite: z.number(), components: componentsSchema }).nullable(),
        members: z.array(
          z.object({ id: z.string(), recomputed_status: z.enum([...STATUSES, "unverified"]) }),
        ),
      }),
    )
    .length(1),
});

/** Scorers of past commits, each unpacked once. */
class Scorers {
  readonly #root: string;
  readonly #repository: GitRepository;
  readonly #open = new Map<string, Promise<PastScorer>>();
  readonly #announced = new Map<string, Promise<boolean>>();

  constructor(root: string, repository: GitRepository) {
    this.#root = root;
    this.#repository = repository;
  }

  /** What the scorer of that commit gives; `same` when its sources are those of now. @throws PastScorerError */
  async replay(commit: string, { document, bytes }: Entry): Promise<Scored | "same"> {
    const bank = vaultFolder() ?? join(this.#root, "benchmarks");
    const opening = this.#open.get(commit) ?? openPastScorer(this.#repository, commit, bank);
    this.#open.set(commit, opening);
    const scorer = await opening;
    if (scorer.engine === (await readEngine(this.#root)).digest) return "same";
    const text = await scorer.judge(resultPath(document), bytes, document.finished_at);
    const parsed = pastSchema.safeParse(JSON.parse(text));
    if (!parsed.success) throw new PastScorerError(`the report of ${commit.slice(0, 12)} has another form`);
    const [result] = parsed.data.results;
    return {
      composite: result?.recomputed?.composite ?? null,
      components: result?.recomputed?.components ?? null,
      members: (result?.members ?? []).map(({ id, recomputed_status }) => ({
        id,
        status: recomputed_status,
      })),
    };
  }

  /** Whether CHANGELOG.md has a dated entry that it had not at that commit. */
  announced(commit: string | null): Promise<boolean> {
    if (commit === null) return Promise.resolve(false);
    const known = this.#announced.get(commit) ?? this.#readAnnounced(commit);
    this.#announced.set(commit, known);
    return known;
  }

  async #readAnnounced(commit: string): Promise<boolean> {
    const then = gitTreeSource(this.#repository, commit);
    try {
      const [before, now] = await Promise.all([then(CHANGELOG), folderSource(this.#root)(CHANGELOG)]);
      const text = (bytes: Uint8Array | null): string =>
        bytes === null ? "" : new TextDecoder().decode(bytes);
      return isAnnounced(text(before), text(now));
    } finally {
      then.close();
    }
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values())
      await opening.then((scorer) => scorer.close()).catch(() => undefined);
  }
}
