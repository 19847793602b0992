import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";
import type { Outcome } from "../../lib/findings.ts";
import type { JournalRecord } from "../../lib/run/journal.ts";
import { encodeLine, recoverLines } from "../../lib/run/journal-lines.ts";

/** A run's journal on disk. */
export interface JournalFile<T = JournalRecord> {
  /** Everything recorded so far, what `append` added included. */
  readonly records: readonly T[];
  /** True when opening it cut off a half-written last line. */
  readonly torn: boolean;
  /** Returns once the record is on the disk: nothing may act on it before. */
  append(record: T): Promise<void>;
  close(): Promise<void>;
}

/** Makes a folder's entries durable; systems that cannot open a folder for that need no such step. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  if (handle === null) return;
  try {
    await handle.sync();
  } catch {
    // Windows and some network file systems refuse it.
  } finally {
    await handle.close();
  }
}

/**
 * Opens or creates a journal, cutting off a half-written last line. The caller holds the lock of its run. A damaged
 * journal is a finding; `label` is the path that it names.
 */
export async function openJournal<T>(
  path: string,
  label: string,
  schema: z.ZodType<T>,
): Promise<Outcome<JournalFile<T>>> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const handle = await open(path, "a+");
  const recovered = recoverLines(new Uint8Array(await handle.readFile()), label, schema);
  if (!recovered.ok) {
    await handle.close();
    return recovered;
  }
  const { soundBytes, torn } = recovered.value;
  const records = [...recovered.value.records];
  if (torn) await handle.truncate(soundBytes);
  await handle.sync();
  await syncFolder(folder);
  await syncFolder(dirname(folder));
  const journal: JournalFile<T> = {
    records,
    torn,
    async append(record) {
      await handle.appendFile(encodeLine(records.length + 1, record));
      await handle.sync();
      records.push(record);
    },
    close: () => handle.close(),
  };
  return { ok: true, value: journal, findings: [] };
}
