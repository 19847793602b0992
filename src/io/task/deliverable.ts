import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { digestOf } from "../../lib/digest.ts";
import type { Finding, Outcome } from "../../lib/findings.ts";
import { type FoundFile, findDeliverableFaults } from "../../lib/task/deliverable.ts";
import type { TaskKit } from "../../lib/task/kit.ts";

/** A deliverable that was read and copied: nothing that happens to the original afterwards matters. */
export interface Deliverable {
  /** The copy: plain files only, readable by all, written by nobody. */
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
  /** SHA-256 of the canonical JSON of `files`, which are in the order of their paths. */
  readonly digest: string;
}

/** How many files are looked at before the rest no longer matters. */
const MOST_FILES = 10_000;

/** Reads the deliverable in `from` and copies it to the new folder `to`, or says what is wrong with it. */
export async function readDeliverable(
  from: string,
  rules: TaskKit["deliverable"],
  to: string,
): Promise<Outcome<Deliverable>> {
  const found = await listPlainly(from);
  if (found === null) return { ok: false, findings: [NO_FOLDER] };
  const faults = findDeliverableFaults(found, rules);
  if (faults.length > 0) return { ok: false, findings: faults };
  const files: { path: string; sha256: string; bytes: number }[] = [];
  for (const { path } of found) {
    const bytes = await readPlainly(join(from, path), rules.maxBytes);
    const target = join(to, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    const file = await open(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
    await file.writeFile(bytes);
    await file.close();
    files.push({ path, sha256: digestOf(bytes), bytes: bytes.length });
  }
  await chmod(to, 0o755);
  return {
    ok: true,
    value: { folder: to, files, digest: digestOf(canonicalJson(files)) },
    findings: [],
  };
}

const NO_FOLDER: Finding = {
  code: "task-entry-missing",
  severity: "error",
  message: "There is no folder to read the deliverable from.",
  hint: "Name the folder that holds the deliverable's files.",
};

/** What lies below a folder, by path; no link is followed. Null when it is no folder. */
async function listPlainly(root: string): Promise<FoundFile[] | null> {
  if (!(await isFolder(root))) return null;
  const found: FoundFile[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      if (found.length >= MOST_FILES) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else found.push({ path, bytes: (await lstat(join(root, path))).size, plain: entry.isFile() });
    }
  };
  await walk("");
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** @throws Error when the file became a link, or larger than anything that is taken. */
async function readPlainly(path: string, maxBytes: number): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if ((await file.stat()).size > maxBytes) throw new Error("the deliverable changed while it was read");
    return new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}
