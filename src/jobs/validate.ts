import { folderSource, listFiles, pathInside } from "../io/files.ts";
import { placeFindings } from "../lib/benchmarks/place-findings.ts";
import { RESULTS_FOLDER, readResult, resultPath } from "../lib/benchmarks/result.ts";
import type { Components, ResultDocument } from "../lib/benchmarks/result-schema.ts";
import { supersedesFindings } from "../lib/feed/rank.ts";
import { entryOf } from "../lib/feed/schema.ts";
import {
  isWithdrawalPath,
  parseWithdrawal,
  type Withdrawal,
  withdrawalFindings,
  withdrawalOf,
  withdrawalPath,
} from "../lib/feed/withdrawal.ts";
import { type Finding, hasErrors } from "../lib/findings.ts";
import { type LoadedSuite, type LoadOptions, loadSuite } from "./load-suite.ts";
import { recomputeResult } from "./score.ts";

/**
 * Repository path under which a file would be committed: its own when it lies in the results folder of `root`, else the
 * one its content gives. A file that cannot be read as a result gets a path that no result has, so that the judgement
 * says what is wrong with it.
 */
export async function intendedPath(root: string, file: string, bytes: Uint8Array): Promise<string> {
  const inside = await pathInside(root, file);
  if (inside?.startsWith(`${RESULTS_FOLDER}/`) === true) return inside;
  const withdrawal = parseWithdrawal(bytes, null);
  if (withdrawal.ok) return withdrawalPath(withdrawal.value);
  const read = readResult(bytes, null);
  return read.ok ? resultPath(read.value.document) : `${RESULTS_FOLDER}/unread/unread/document.json`;
}

export interface CommittedCheck {
  readonly path: string;
  /** `incomplete`: nothing is wrong, but a member's workbook is not here. */
  readonly state: "valid" | "invalid" | "incomplete";
  readonly document: ResultDocument | null;
  readonly recomputed: { readonly components: Components; readonly composite: number } | null;
  readonly findings: readonly Finding[];
}

/**
 * Judges every committed result by itself: its rules, its suite, and every number recomputed. Rules of pull requests
 * (one submission, arrival times) do not apply to what is already there.
 */
export async function checkCommitted(
  root: string,
  options: Pick<LoadOptions, "openBank"> = {},
): Promise<CommittedCheck[]> {
  const source = folderSource(root);
  const suites = new Map<string, ReturnType<typeof loadSuite>>();
  const checks: CommittedCheck[] = [];
  const withdrawals: Withdrawal[] = [];
  for (const path of await listFiles(root, RESULTS_FOLDER)) {
    const bytes = path.endsWith(".json") ? await source(path) : null;
    if (bytes === null) continue;
    if (isWithdrawalPath(path)) {
      const parsed = parseWithdrawal(bytes, path);
      if (parsed.ok) withdrawals.push(withdrawalOf(parsed.value, path));
      const state = parsed.ok ? "valid" : "invalid";
      checks.push({ path, state, document: null, recomputed: null, findings: parsed.findings });
      continue;
    }
    const read = readResult(bytes, path);
    if (!read.ok) {
      checks.push({ path, state: "invalid", document: null, recomputed: null, findings: read.findings });
      continue;
    }
    const { document } = read.value;
    const loading = suites.get(document.suite.id) ?? loadSuite(root, document.suite.id, options);
    suites.set(document.suite.id, loading);
    const loaded = await loading;
    checks.push(
      loaded.ok
        ? await checkOne(path, bytes, document, read.findings, loaded.value)
        : {
            path,
            state: "invalid",
            document,
            recomputed: null,
            findings: [...read.findings, ...loaded.findings],
          },
    );
  }
  return withCorrections(checks, withdrawals);
}

async function checkOne(
  path: string,
  bytes: Uint8Array,
  document: ResultDocument,
  found: readonly Finding[],
  suite: LoadedSuite,
): Promise<CommittedCheck> {
  const { components, composite, findings } = await recomputeResult(document, suite, { path });
  const all = [...found, ...placeFindings(findings, bytes, path)];
  const recomputed = components === null || composite === null ? null : { components, composite };
  const state = hasErrors(all) ? "invalid" : recomputed === null ? "incomplete" : "valid";
  return { path, state, document, recomputed, findings: all };
}

/** What a document replaces or withdraws exists, and is of the same model and suite. */
function withCorrections(
  checks: readonly CommittedCheck[],
  withdrawals: readonly Withdrawal[],
): CommittedCheck[] {
  const entries = checks.flatMap(({ path, document }) =>
    document === null ? [] : [entryOf(document, path)],
  );
  const findings = [...supersedesFindings(entries), ...withdrawalFindings(entries, withdrawals)];
  return checks.map((check) => {
    const own = findings.filter(({ path }) => path === check.path);
    return own.length === 0 ? check : { ...check, state: "invalid", findings: [...check.findings, ...own] };
  });
}
