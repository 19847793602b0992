import type { Data, EntryData } from "../code/derive/data-schema.ts";
import type { Finding } from "../findings.ts";
import { MAX_EVIDENCE } from "./code-report-schema.ts";

/** Copies that are named one by one. */
const NAMED = 20;

/** F24: new entries whose deliverable is, byte for byte, that of another configuration. */
export function copiedDeliverables(before: Data | null, after: Data): Finding[] {
  const known = new Set(before?.entries.map(keyOf));
  const first = new Map<string, EntryData>();
  // Those that were there before are the originals.
  const inOrder = [...after.entries].sort(
    (a, b) => Number(known.has(keyOf(b))) - Number(known.has(keyOf(a))),
  );
  const findings: Finding[] = [];
  for (const entry of inOrder) {
    const original = first.get(entry.deliverable);
    if (original === undefined) first.set(entry.deliverable, entry);
    else if (!known.has(keyOf(entry)) && original.configuration !== entry.configuration && entry.dnf === null)
      findings.push({
        code: "code-pr-copied-deliverable",
        severity: "warning",
        message: `What entry ${entry.id} delivers is, byte for byte, what entry ${original.id} of run ${original.run} does.`,
        path: `data/runs/${entry.run}.json`,
        expected: original.configuration,
        actual: entry.configuration,
        hint: "Explain in the pull request how two configurations came to the very same files; a maintainer decides.",
      });
  }
  return findings.slice(0, NAMED);
}

/** Digests of what new entries deliver, each once, sorted. */
export const newEvidence = (before: Data | null, after: Data): string[] => {
  const known = new Set(before?.entries.map(keyOf));
  const fresh = after.entries.filter((entry) => !known.has(keyOf(entry)) && entry.dnf === null);
  return [...new Set(fresh.map(({ deliverable }) => deliverable))].sort().slice(0, MAX_EVIDENCE);
};

const keyOf = ({ run, id }: EntryData): string => `${run}\0${id}`;
