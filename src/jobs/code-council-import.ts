import { join } from "node:path";
import { COUNCIL_FOLDER } from "../io/code/council-files.ts";
import { type DataSource, folderData } from "../io/code/data-source.ts";
import { writeFilesWhole } from "../io/files.ts";
import { acquireRunLock, type LockWorld } from "../io/run/lock.ts";
import { readUserFile } from "../io/user-files.ts";
import { importedSession } from "../lib/code/council/import.ts";
import { packName } from "../lib/code/council/pack.ts";
import { lettersSchema } from "../lib/code/council/pack-schema.ts";
import { sessionFileSchema } from "../lib/code/council/session-file.ts";
import { appendToList } from "../lib/code/council/splice.ts";
import type { Session } from "../lib/code/schema/council-schema.ts";
import { type CodeRun, runSchema } from "../lib/code/schema/run-schema.ts";
import { hasErrors, type Outcome } from "../lib/findings.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import { readCodeData } from "./code-data.ts";
import { DocumentReader } from "./code-data-files.ts";

export interface ImportOptions {
  /** Folder that holds `data/` and `tasks/`. */
  readonly root: string;
  readonly run: string;
  /** The session file, as typed. */
  readonly file: string;
  /** The letters map, as typed; null for its usual place. */
  readonly letters: string | null;
}

/** Puts a session into its run. Nothing is written unless all facts hold with it. */
export async function importSession(options: ImportOptions, world: LockWorld): Promise<Outcome<Session>> {
  const bytes = await readUserFile(options.file);
  if (!bytes.ok) return bytes;
  const file = parseWithSchema(bytes.value, sessionFileSchema, { path: options.file, code: "code-data" });
  if (!file.ok) return file;
  const map =
    options.letters ?? join(options.root, COUNCIL_FOLDER, "letters", `${packName(file.value.pack)}.json`);
  const mapped = await readUserFile(map);
  if (!mapped.ok)
    return {
      ...mapped,
      findings: mapped.findings.map((finding) => ({
        ...finding,
        hint: `${finding.hint ?? ""} It is the pack's letters map: --letters names another place.`.trim(),
      })),
    };
  const letters = parseWithSchema(mapped.value, lettersSchema, { path: map, code: "code-data" });
  if (!letters.ok) return letters;
  return await changeRun(options.root, options.run, world, (run) => {
    const session = importedSession(file.value, letters.value, run);
    return session.ok ? { ...session, value: [session.value] } : session;
  }).then((added) => (added.ok ? { ...added, value: added.value[0] as Session } : added));
}

/**
 * Appends sessions to a run's file: one writer at a time, every other character of the file as it was, and only when all
 * facts hold with them.
 */
export async function changeRun(
  root: string,
  id: string,
  world: LockWorld,
  make: (run: CodeRun) => Outcome<Session[]>,
): Promise<Outcome<Session[]>> {
  const council = join(root, COUNCIL_FOLDER);
  const lock = await acquireRunLock(council, `import-${id.replaceAll(/[^a-z0-9._-]/g, "_")}`, world, council);
  if (!lock.ok) return lock;
  try {
    const source = folderData(root);
    const path = `data/runs/${id}.json`;
    const reader = new DocumentReader(source);
    const run = await reader.read(path, runSchema, () => []);
    const bytes = await source.read(path);
    if (run === null || bytes === null) return { ok: false, findings: reader.findings };
    const made = make(run);
    if (!made.ok) return made;
    const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const after = made.value.reduce(
      (text, session) => appendToList(text, "/council/sessions", session),
      before,
    );
    const data = new TextEncoder().encode(after);
    const { findings } = await readCodeData(replacing(source, path, data), {
      synthetic: true,
      deliverables: false,
    });
    const all = [...made.findings, ...findings];
    if (hasErrors(findings)) return { ok: false, findings: all };
    await writeFilesWhole(root, [{ path, data }]);
    return { ok: true, value: made.value, findings: all };
  } finally {
    await lock.value.release();
  }
}

/** A source with one file as it would be. */
const replacing = (source: DataSource, path: string, data: Uint8Array): DataSource => ({
  list: () => source.list(),
  read: async (each) => (each === path ? data : await source.read(each)),
});
