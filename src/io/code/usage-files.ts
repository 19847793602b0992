import { lstat } from "node:fs/promises";
import { basename, relative } from "node:path";
import type { LogFile } from "../../lib/code/usage/log-file.ts";
import type { Finding, Outcome } from "../../lib/findings.ts";
import { filesBelow } from "../files.ts";
import { readUserFile, userPath } from "../user-files.ts";
import { isDatabase, readOpenCodeDatabase } from "./usage-database.ts";

/** Larger files are not read as logs. */
const MAX_FILE = 1024 * 1024 * 1024;
/** What harnesses keep their logs in. */
const LOG_NAME = /\.(?:jsonl|json|db)$/;

/** Stands beside the logs of some harnesses, and is nobody's business. */
const SECRET_NAME = /(?:^|[\\/])(?:auth|\.?credentials|oauth_creds)\.json$/i;

/**
 * Reads log files and whole folders of them. Names are relative to the folder that was named, so that no document tells how
 * a machine's folders are called; only `archived_sessions`, which decides something, is kept.
 */
export async function readLogFiles(paths: readonly string[]): Promise<Outcome<LogFile[]>> {
  const files: LogFile[] = [];
  const findings: Finding[] = [];
  const names = new Set<string>();
  for (const [index, path] of paths.entries())
    for (const { place, name } of await placesOf(path)) {
      const unique = names.has(name) ? `${index + 1}/${name}` : name;
      names.add(unique);
      const read = await readLog(place, unique);
      if (read.ok) files.push(read.value);
      findings.push(...read.findings);
    }
  if (findings.some(({ severity }) => severity === "error")) return { ok: false, findings };
  return { ok: true, value: files, findings };
}

async function placesOf(path: string): Promise<{ place: string; name: string }[]> {
  const absolute = userPath(path);
  const isFolder = await lstat(absolute).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [{ place: path, name: nameOf(path, basename(absolute)) }];
  const below = (await filesBelow(absolute)) ?? [];
  return below
    .filter((file) => LOG_NAME.test(file.path) && !SECRET_NAME.test(file.path))
    .map((file) => ({
      place: file.path,
      name: nameOf(file.path, relative(absolute, file.path).replaceAll("\\", "/")),
    }));
}

function nameOf(place: string, name: string): string {
  const isArchived = /(?:^|[\\/])archived_sessions[\\/]/.test(userPath(place));
  return isArchived && !name.startsWith("archived_sessions/") ? `archived_sessions/${name}` : name;
}

async function readLog(place: string, name: string): Promise<Outcome<LogFile>> {
  const read = await readUserFile(place, MAX_FILE);
  if (!read.ok) return read;
  if (!isDatabase(read.value)) return { ok: true, value: { name, bytes: read.value }, findings: [] };
  return readOpenCodeDatabase(userPath(place), name);
}
