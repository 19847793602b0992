import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Outcome } from "../../lib/findings.ts";
import { encodeJournalLine, type JournalRecord, recoverJournal } from "../../lib/run/journal.ts";

/** A run's journal on disk. */
export interface JournalFile {
  /** Everything recorded so far, what `append` added included. */
  readonly records: readonly JournalRecord[];
  /** True when opening it cut off a half-written last line. */
  readonly torn: boolean;
  /** Returns once the record is on the disk: nothing may act on it before. */
  append(record: JournalRecord): Promise<void>;
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
export async function openJournal(path: string, label: string): Promise<Outcome<JournalFile>> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const handle = await open(path, "a+");
  const recovered = recoverJournal(new Uint8Array(await handle.readFile()), label);
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
  const journal: JournalFile = {
    records,
    torn,
    async append(record) {
      await handle.appendFile(encodeJournalLine(records.length + 1, record));
      await handle.sync();
      records.push(record);
    },
    close: () => handle.close(),
  };
  return { ok: true, value: journal, findings: [] };
}
