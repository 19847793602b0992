import { type FileSource, folderSource, listFiles } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { modelFolder, parseResult, RESULTS_FOLDER } from "../lib/benchmarks/result.ts";
import { hiddenEvidence, type MemberEvidence, memberEvidence } from "../lib/explain/member-evidence.ts";
import type { BoardSuite } from "../lib/feed/board-schema.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import type { Execution } from "../lib/sheet/output.ts";
import type { SheetResult, SheetSuite, Standing } from "../site/sheet/input.ts";
import { executeProduced } from "./explain.ts";
import { type LoadedSuite, loadSuite } from "./load-suite.ts";

/** Bounds of what is drawn of a member: its page has to stay one that a phone can open. */
const LIMITS = { maxRows: 30, maxColumns: 14, maxSheets: 3, maxProduced: 6, rows: 8 } as const;
/** Results of a board, best first, whose recipes are executed again so that their cells can be drawn. */
const DRAWN_RESULTS = 24;

/**
 * Reads what the sheet benchmark's pages are made from: for each published board its suite, the documents of its rows,
 * of the results before them and of withdrawn ones, and the sheets of members that may be shown.
 * @param root a checkout of the tree that the boards were made from
 */
export async function readSheetSuites(
  root: string,
  boards: readonly BoardSuite[],
): Promise<Outcome<SheetSuite[]>> {
  const source = folderSource(root);
  const suites: SheetSuite[] = [];
  const findings: Finding[] = [];
  for (const board of boards) {
    const loaded = await loadSuite(source, board.suite.id);
    if (!loaded.ok) return loaded;
    if (loaded.value.suite.digest !== board.suite.digest) {
      findings.push(otherSuite(board, loaded.value));
      continue;
    }
    const results = await readResults(root, source, board);
    if (!results.ok) return results;
    suites.push({
      board,
      suite: loaded.value.suite,
      vocabulary: loaded.value.vocabulary,
      results: results.value,
      evidence: await readEvidence(board, loaded.value, results.value),
    });
  }
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: suites, findings };
}

const otherSuite = (board: BoardSuite, { suite }: LoadedSuite): Finding => ({
  code: "site-other-suite",
  severity: "error",
  path: `board/${board.suite.id}.json`,
  pointer: "/suite/digest",
  message: "The board is about another version of the suite than the one in this tree.",
  expected: suite.digest,
  actual: board.suite.digest,
  hint: "Make the boards from this tree: npm run bench:feed.",
});

/** A document that gets a page: where it is, and how it stands. */
interface Wanted {
  readonly path: string;
  readonly digest: string;
  readonly standing: Standing;
}

async function readResults(
  root: string,
  source: FileSource,
  board: BoardSuite,
): Promise<Outcome<SheetResult[]>> {
  const wanted: Wanted[] = board.rows.flatMap((row): Wanted[] => [
    { path: row.result.path, digest: row.result.digest, standing: { kind: "standing" } },
    ...(row.previous === null
      ? []
      : [
          {
            path: row.previous.path,
            digest: row.previous.digest,
            standing: { kind: "replaced" as const, by: row.result.digest },
          },
        ]),
  ]);
  for (const entry of board.withdrawn) {
    const path = await withdrawnPath(root, board.suite.id, entry);
    if (path !== null)
      wanted.push({
        path,
        digest: entry.result,
        standing: {
          kind: "withdrawn",
          reason: entry.reason,
          withdrawn_at: entry.withdrawn_at,
          path: entry.withdrawal.path,
        },
      });
  }
  const results: SheetResult[] = [];
  for (const { path, digest, standing } of wanted) {
    const bytes = await source(path);
    if (bytes === null || fastDigest(bytes) !== digest)
      return { ok: false, findings: [notTheDocument(path, digest, bytes)] };
    const parsed = parseResult(bytes, path);
    if (!parsed.ok) return parsed;
    results.push({ document: parsed.value, digest, path, standing });
  }
  return { ok: true, value: results, findings: [] };
}

const notTheDocument = (path: string, digest: string, bytes: Uint8Array | null): Finding => ({
  code: "site-document",
  severity: "error",
  path,
  message:
    bytes === null
      ? "The board names a document that this tree does not have."
      : "The document is not the one that the board names.",
  expected: digest,
  ...(bytes === null ? {} : { actual: fastDigest(bytes) }),
  hint: "Make the boards from this tree: npm run bench:feed.",
});

/** Withdrawals name a digest; the document's name ends with its first digits. */
async function withdrawnPath(
  root: string,
  suite: string,
  { model, result }: BoardSuite["withdrawn"][number],
): Promise<string | null> {
  const files = await listFiles(root, `${RESULTS_FOLDER}/${suite}/${modelFolder(model)}`);
  const digits = result.slice("sha256:".length, "sha256:".length + 8);
  return files.find((path) => path.endsWith(`-${digits}.json`)) ?? null;
}

/** The sheets of every member that may be shown, with what the best results made of them. */
async function readEvidence(
  board: BoardSuite,
  loaded: LoadedSuite,
  results: readonly SheetResult[],
): Promise<MemberEvidence[]> {
  const drawn = results.filter(({ standing }) => standing.kind === "standing").slice(0, DRAWN_RESULTS);
  const evidence: MemberEvidence[] = [];
  for (const member of loaded.suite.members) {
    // A private member's sheets are not even looked at.
    if (board.members.find(({ id }) => id === member.id)?.private !== false) continue;
    const ready = await loaded.member(member.id);
    if (!ready.available) {
      evidence.push(hiddenEvidence(member.id, ready.reason));
      continue;
    }
    evidence.push(
      memberEvidence(
        {
          member,
          members: loaded.suite.members.length,
          workbook: ready.workbook,
          reference: ready.reference,
          results: drawn.flatMap(({ document, digest }) => {
            const claimed = document.members.find(({ id }) => id === member.id);
            if (claimed === undefined || claimed.recipe === null) return [];
            const produced: Outcome<Execution> = executeProduced(claimed.recipe, ready);
            return produced.ok ? [{ digest, claimed, produced: produced.value }] : [];
          }),
        },
        { ...LIMITS, openBank: loaded.openBank },
      ),
    );
  }
  return evidence;
}
