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

/** Derives `data.json` into a file, run by run, so that the whole never has to be in memory. */
export async function buildCodeData(
  source: DataSource,
  file: string,
  { synthetic }: { readonly synthetic: boolean },
): Promise<BuiltCodeData> {
  const spool = await openLineSpool(file);
  let entries = 0;
  try {
    const { head, runs, findings } = await deriveCode(
      source,
      { synthetic, deliverables: false },
      async (derived) => {
        entries += derived.length;
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
