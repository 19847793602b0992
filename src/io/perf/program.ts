import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fastDigest } from "../git-ids.ts";
import type { Program } from "./measure.ts";

/** First bytes of programs that the system starts by itself: ELF, and Mach-O with one and with several architectures. */
const NATIVE = ["7f454c46", "cffaedfe", "cafebabe"];

/**
 * A command as a program to measure. Two commands have equal digests when they start native programs with the same bytes and give them
 * the same arguments. What a script or an interpreter runs is not in the bytes of the file that is started: such a command has no
 * digest, and neither has one that cannot be found.
 */
export async function readProgram(argv: readonly string[], cwd: string, path: string): Promise<Program> {
  const [word = "", ...rest] = argv;
  const file = await findFile(word, cwd, path);
  const bytes = file === null ? null : await readFile(file).catch(() => null);
  if (bytes === null || !NATIVE.includes(bytes.subarray(0, 4).toString("hex"))) return { argv, digest: null };
  return { argv, digest: fastDigest(Buffer.from(JSON.stringify([fastDigest(bytes), ...rest]))) };
}

/** The file that a command's first word starts, looked up as the system does; null when there is none. */
async function findFile(word: string, cwd: string, path: string): Promise<string | null> {
  const places = word.includes("/")
    ? [resolve(cwd, word)]
    : path.split(":").map((folder) => join(folder, word));
  for (const place of places) {
    const found = await stat(place).catch(() => null);
    if (found?.isFile() === true) return place;
  }
  return null;
}
