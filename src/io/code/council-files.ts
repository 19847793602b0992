import { lstat, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFilesWhole } from "../files.ts";

/** Where packs, letters maps, logs of scrubbing and reviews lie, below the root; ignored by git. */
export const COUNCIL_FOLDER = ".council";

/** The text of a file, or its bytes when they are no UTF-8 text. */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  if (bytes.includes(0)) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

/** Writes files below a folder, each whole or not at all. */
export async function writeBelow(
  folder: string,
  files: readonly { readonly path: string; readonly data: string | Uint8Array }[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFilesWhole(folder, files);
}

/** All plain files below a folder by path, links and what lies behind them left out; null when it is no folder. */
export async function readBelow(folder: string): Promise<Map<string, Uint8Array> | null> {
  const files = new Map<string, Uint8Array>();
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) files.set(path, new Uint8Array(await readFile(join(folder, path))));
    }
  };
  const found = await lstat(folder).catch(() => null);
  if (found === null || !found.isDirectory()) return null;
  await walk("");
  return files;
}
