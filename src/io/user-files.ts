import { constants, mkdir, open, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Finding, Outcome } from "../lib/findings.ts";

/**
 * A path a person typed, made absolute against the folder they typed it in: npm runs scripts in the
 * package's folder and leaves the caller's in `INIT_CWD`.
 */
export function userPath(
  path: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const base = env.INIT_CWD !== undefined && env.INIT_CWD !== "" ? env.INIT_CWD : process.cwd();
  return resolve(base, path);
}

/** How findings name what came through a pipe. */
export const STANDARD_INPUT = "standard input";

const failure = (
  code: string,
  path: string,
  message: string,
  hint: string,
): { ok: false; findings: Finding[] } => ({
  ok: false,
  findings: [{ code, severity: "error", path, message, hint }],
});

/** The system's word for what went wrong (`ENOENT`), or the empty string. */
const systemCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/**
 * Reads a file that a person named on the command line. A missing file, a folder, one that may not
 * be read or is larger than `maxBytes` is a `file-…` finding under the path as it was typed.
 */
export async function readUserFile(path: string, maxBytes = 256 * 1024 * 1024): Promise<Outcome<Uint8Array>> {
  try {
    // Without waiting: a named pipe that nobody writes to would keep us for ever.
    const handle = await open(userPath(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await handle.stat();
      if (stat.isDirectory()) {
        return failure("file-is-directory", path, "This is a folder, not a file.", "Name a file inside it.");
      }
      if (!stat.isFile()) {
        return failure("file-not-regular", path, "This is not a regular file.", "Name a plain file.");
      }
      if (stat.size > maxBytes) {
        return failure(
          "file-too-large",
          path,
          `The file has ${stat.size} bytes; the limit is ${maxBytes}.`,
          "Check that this is the file you mean.",
        );
      }
      return { ok: true, value: new Uint8Array(await handle.readFile()), findings: [] };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return failure(...describe(error, path, "read"));
  }
}

/** Reads standard input to its end; what is larger than `maxBytes` is a `file-too-large` finding. */
export async function readStandardInput(
  maxBytes: number,
  input: AsyncIterable<Uint8Array> = process.stdin,
): Promise<Outcome<Uint8Array>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    if (size > maxBytes)
      return failure(
        "file-too-large",
        STANDARD_INPUT,
        `There are more than ${maxBytes} bytes.`,
        "Check that this is the input you mean.",
      );
    chunks.push(chunk);
  }
  return { ok: true, value: new Uint8Array(Buffer.concat(chunks)), findings: [] };
}

/** Writes text to a file a person named, making its folder; `file-…` findings when that fails. */
export async function writeUserFile(path: string, text: string): Promise<Finding[]> {
  const target = userPath(path);
  return whenWritten(path, async () => {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  });
}

/**
 * Runs what writes at `path`; `file-…` findings when the disk refuses: no permission, a file where a folder has to be, no
 * space. What is not the disk's refusal is thrown on.
 */
export async function whenWritten(path: string, write: () => Promise<void>): Promise<Finding[]> {
  try {
    await write();
    return [];
  } catch (error) {
    if (systemCode(error) === "") throw error;
    return failure(...describe(error, path, "written")).findings;
  }
}

function describe(error: unknown, path: string, verb: string): [string, string, string, string] {
  switch (systemCode(error)) {
    case "ENOENT":
      return ["file-missing", path, "There is no such file.", `Looked for it at ${userPath(path)}.`];
    case "EISDIR":
      return ["file-is-directory", path, "This is a folder, not a file.", "Name a file inside it."];
    case "ENOTDIR":
    case "EEXIST":
      return ["file-missing", path, "A part of this path is a file, not a folder.", "Check the path."];
    case "EACCES":
    case "EPERM":
      return ["file-not-permitted", path, `The file may not be ${verb}.`, "Check its permissions."];
    default:
      return [
        "file-unreadable",
        path,
        `The file cannot be ${verb}: ${error instanceof Error ? error.message : String(error)}.`,
        "Check the path and the disk.",
      ];
  }
}
