import { readResult, resultPath } from "../lib/benchmarks/result.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { type Json, mutations } from "../lib/mutate/mutations.ts";
import { type FieldRow, type Tried, tally } from "../lib/mutate/table.ts";
import { planPullRequest } from "./result-pr-plan.ts";
import { openLocal } from "./result-pr-source.ts";
import { type LoadedSuite, loadSuite, recomputeResult } from "./score.ts";

export interface MutateInput {
  /** The working copy with suites and committed results. */
  readonly root: string;
  readonly bytes: Uint8Array;
  /** How findings about the document itself call it. */
  readonly label: string;
  /** At most so many places of each field are changed in each way; all, when it is absent. */
  readonly places?: number;
  /** Hears of every change that was tried. */
  readonly onTried?: (count: number) => void;
}

/**
 * Changes every field of an honest document, one at a time, and judges each as a pull request would be judged: rules,
 * then everything recomputed. A document that is not valid by itself is a finding: nothing could be told from it.
 */
export async function mutateDocument({
  root,
  bytes,
  label,
  places = Number.POSITIVE_INFINITY,
  onTried,
}: MutateInput): Promise<Outcome<FieldRow[]>> {
  const read = readResult(bytes, null, label);
  if (!read.ok) return read;
  const { document } = read.value;
  const loaded = await loadSuite(root, document.suite.id);
  if (!loaded.ok) return loaded;
  const judge = judgeWith(root, loaded.value, resultPath(document), document.finished_at);
  const honest = await judge(canonicalDocument(document));
  if (honest.some(({ severity, code }) => severity === "error" || code === "score-unverified"))
    return {
      ok: false,
      findings: [
        ...honest,
        {
          code: "mutate-not-honest",
          severity: "error",
          message:
            "Changes tell something only about a document that holds by itself, with every workbook here.",
          path: label,
          hint: "npm run bench:validate says what is wrong; npm run bench:bank -- status says what is not staged.",
        },
      ],
    };
  const known = new Set(honest.map(({ code }) => code));
  const tried: Tried[] = [];
  const counts = new Map<string, number>();
  for (const { field, kind, document: changed } of mutations(
    JSON.parse(canonicalDocument(document)) as Json,
  )) {
    const place = `${field} ${kind}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    if (count > places) continue;
    const found = await judge(canonicalDocument(changed));
    const codes = found.filter(({ severity, code }) => severity !== "notice" && !known.has(code));
    tried.push({ field, kind, codes: codes.map(({ code }) => code) });
    onTried?.(tried.length);
  }
  return { ok: true, value: tally(tried), findings: [] };
}

/** Judges a text under the place that its content gives, as a forger would put it; executing only what the rules let through. */
function judgeWith(root: string, suite: LoadedSuite, place: string, arrivedAt: string) {
  return async (text: string): Promise<readonly Finding[]> => {
    const read = readResult(text, null);
    const path = read.ok ? resultPath(read.value.document) : place;
    const file = { path, bytes: new TextEncoder().encode(text) };
    const planned = await planPullRequest(await openLocal(root, [file]), arrivedAt);
    const { findings } = planned.plan;
    if (!read.ok || hasErrors(findings)) return findings;
    const { document } = read.value;
    if (document.suite.id !== suite.suite.id)
      return [...findings, { code: "pr-unknown-suite", severity: "error", message: "Another suite.", path }];
    return [...findings, ...(await recomputeResult(document, suite, { path })).findings];
  };
}
