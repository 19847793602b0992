import type { DataSource } from "../io/code/data-source.ts";
import { openLineSpool } from "../io/code/line-spool.ts";
import { renderEntry, renderFrame } from "../lib/code/derive/render-data.ts";
import type { Finding } from "../lib/findings.ts";
import { deriveCode } from "./code-data.ts";

export interface BuiltCodeData {
  /** Entries written; null when nothing was. */
  readonly entries: number | null;
  readonly runs: number;
  readonly findings: readonly Finding[];
}

/** Runs after which memory is given back: what they left is small beside what stays. */
const RUNS_BETWEEN = 250;

/**
 * Derives `data.json` into a file, run by run, so that the whole never has to be in memory.
 * @param giveBack collects garbage now: left to itself, a process with much memory at hand lets it grow
 */
export async function buildCodeData(
  source: DataSource,
  file: string,
  { synthetic, giveBack }: { readonly synthetic: boolean; readonly giveBack?: () => void },
): Promise<BuiltCodeData> {
  const spool = await openLineSpool(file);
  let entries = 0;
  let derivedRuns = 0;
  try {
    const { head, runs, findings } = await deriveCode(
      source,
      { synthetic, deliverables: false },
      async (derived) => {
        entries += derived.length;
        derivedRuns += 1;
        if (derivedRuns % RUNS_BETWEEN === 0) giveBack?.();
        for (const entry of derived) await spool.add(renderEntry(entry));
      },
    );
    if (head === null) return { entries: null, runs, findings };
    await spool.finish(renderFrame(head));
    return { entries, runs, findings };
  } finally {
    await spool.close();
  }
}
