/** The files that `path` of `actions/upload-artifact` means, and the folder their names are relative to. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { globExpression, hasWildcard } from "../patterns.ts";

export interface FoundFiles {
  /** Absolute paths, sorted. */
  readonly files: readonly string[];
  readonly root: string;
}

interface Pattern {
  readonly negative: boolean;
  readonly expression: RegExp;
  /** The longest start of the pattern without a wildcard. */
  readonly start: string;
}

/**
 * Follows the action's documented rules: one pattern per line, `!` excludes, `#` comments, a folder means all in it,
 * symbolic links are followed, hidden files and folders count only on request, and with several
 * patterns the root is their least common ancestor.
 */
export async function findFiles(
  text: string,
  options: { readonly workspace: string; readonly home: string; readonly hidden: boolean },
): Promise<FoundFiles> {
  const patterns = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => readPattern(line, options));
  const positive = patterns.filter((pattern) => !pattern.negative);
  if (positive.length === 0) throw new Error("input 'path' names no file");
  const starts = minimal(positive.map((pattern) => pattern.start));
  const found = new Set<string>();
  for (const start of starts) {
    await walk(start, options.hidden, new Set(), (path) => {
      if (selected(path, start, patterns)) found.add(path);
    });
  }
  const files = [...found].sort();
  const [first = options.workspace] = starts;
  if (starts.length > 1) return { files, root: commonAncestor(starts) };
  return { files, root: files.length === 1 && files[0] === first ? dirname(first) : first };
}

function readPattern(line: string, options: { readonly workspace: string; readonly home: string }): Pattern {
  const negative = line.startsWith("!");
  let path = (negative ? line.slice(1) : line).trim();
  if (path === "~" || path.startsWith("~/")) path = join(options.home, path.slice(1));
  const full = resolve(options.workspace, path);
  const segments = full.split(sep);
  const wild = segments.findIndex(hasWildcard);
  return {
    negative,
    expression: globExpression(full),
    start: wild < 0 ? full : segments.slice(0, wild).join(sep) || sep,
  };
}

/** Search paths without those that lie inside another. */
function minimal(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter(
    (path) => !unique.some((other) => other !== path && path.startsWith(other.replace(/\/?$/, "/"))),
  );
}

/** A file counts when the last pattern that matches it or a folder above it (from the search path down) is positive. */
function selected(path: string, start: string, patterns: readonly Pattern[]): boolean {
  let result = false;
  for (const { negative, expression } of patterns) {
    for (let current = path; ; current = dirname(current)) {
      if (expression.test(current)) {
        result = !negative;
        break;
      }
      if (current === start || current === dirname(current)) break;
    }
  }
  return result;
}

async function walk(
  path: string,
  hidden: boolean,
  above: ReadonlySet<string>,
  onFile: (path: string) => void,
): Promise<void> {
  if (!hidden && basename(path).startsWith(".")) return;
  const found = await stat(path).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) return onFile(path);
  const real = await realpath(path);
  if (above.has(real)) return;
  for (const entry of (await readdir(path)).sort()) {
    await walk(join(path, entry), hidden, new Set([...above, real]), onFile);
  }
}

function commonAncestor(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split(sep));
  let length = 0;
  while (length < first.length && others.every((other) => other[length] === first[length])) length += 1;
  return first.slice(0, length).join(sep) || sep;
}
