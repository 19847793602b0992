import { matchBrackets } from "./brackets.ts";
import type { Token } from "./token.ts";

export interface RustTestCode {
  /** The modules under `#[cfg(test)]`, with their attributes. Positions in the text; the whole text for `#![cfg(test)]`. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
  /** Modules under `#[cfg(test)]` that lie in files of their own: `mod tests;`, and the path that an attribute gives. */
  readonly files: readonly { readonly name: string; readonly path: string | null }[];
}

/**
 * Finds a Rust file's test modules by its tokens: `#[cfg(test)] mod name { … }` and `#[cfg(test)] mod name;`, with any other
 * attributes and any visibility. The condition must need `test`: `all(test, unix)` does, `any(test, fuzzing)` and
 * `not(test)` do not. Other items under `#[cfg(test)]` stay: the methodology leaves out the module.
 */
export function findRustTestCode(text: string, tokens: readonly Token[]): RustTestCode {
  const code = tokens.filter(({ kind }) => kind !== "comment");
  const matches = matchBrackets(text, code);
  const word = (index: number): string => {
    const token = code[index];
    return token === undefined ? "" : text.slice(token.start, token.end);
  };
  const ranges: { start: number; end: number }[] = [];
  const files: { name: string; path: string | null }[] = [];
  for (let index = 0; index < code.length; index++) {
    if (word(index) !== "#") continue;
    const first = index;
    if (word(index + 1) === "!") {
      const close = matches[index + 2] ?? -1;
      if (first === 0 && close > 0 && needsTest(word, matches, index + 3)) {
        return { ranges: [{ start: 0, end: text.length }], files: [] };
      }
      continue;
    }
    let test = false;
    let path: string | null = null;
    while (word(index) === "#" && word(index + 1) === "[" && (matches[index + 1] ?? -1) > index) {
      test ||= needsTest(word, matches, index + 2);
      if (word(index + 2) === "path" && word(index + 3) === "=") path = word(index + 4).slice(1, -1);
      index = (matches[index + 1] as number) + 1;
    }
    if (index === first) continue;
    const item = afterVisibility(word, matches, index);
    // The loop goes on with the token after the attributes.
    index--;
    if (!test || word(item) !== "mod") continue;
    const name = word(item + 1);
    const body = word(item + 2) === "{" ? (matches[item + 2] ?? -1) : -1;
    const last = body > 0 ? body : item + 2;
    if (word(item + 2) === ";") files.push({ name, path });
    else if (body < 0) continue;
    ranges.push({ start: (code[first] as Token).start, end: (code[last] as Token).end });
    index = last;
  }
  return { ranges, files };
}

function afterVisibility(word: (index: number) => string, matches: Int32Array, from: number): number {
  let at = from;
  if (word(at) === "pub") {
    at++;
    if (word(at) === "(" && (matches[at] ?? -1) > at) at = (matches[at] as number) + 1;
  }
  return word(at) === "unsafe" ? at + 1 : at;
}

/** True when the attribute whose first word is at `at` is `cfg(…)` with a condition that cannot hold without `test`. */
function needsTest(word: (index: number) => string, matches: Int32Array, at: number): boolean {
  return word(at) === "cfg" && word(at + 1) === "(" && predicateNeedsTest(word, matches, at + 2, 0).needs;
}

/** Conditions nested deeper than this are taken for ones that do not need it. */
const MAX_DEPTH = 20;

function predicateNeedsTest(
  word: (index: number) => string,
  matches: Int32Array,
  at: number,
  depth: number,
): { needs: boolean; end: number } {
  if (word(at + 1) !== "(") {
    // A name, or `name = "value"`.
    const valued = word(at + 1) === "=";
    return { needs: word(at) === "test" && !valued, end: valued ? at + 3 : at + 1 };
  }
  const close = matches[at + 1] ?? -1;
  if (close < 0 || depth > MAX_DEPTH) return { needs: false, end: Math.max(close, at + 1) + 1 };
  const needs: boolean[] = [];
  for (let part = at + 2; part < close; ) {
    const inner = predicateNeedsTest(word, matches, part, depth + 1);
    needs.push(inner.needs);
    part = Math.max(inner.end, part + 1);
    if (word(part) === ",") part++;
  }
  const all = word(at) === "all" && needs.some(Boolean);
  const any = word(at) === "any" && needs.length > 0 && needs.every(Boolean);
  return { needs: all || any, end: close + 1 };
}

/**
 * The files in which a module declared by `mod name;` may lie.
 * @param file the path of the file that declares it
 */
export function moduleFiles(file: string, module: { name: string; path: string | null }): string[] {
  const slash = file.lastIndexOf("/");
  const folder = file.slice(0, slash + 1);
  const base = file.slice(slash + 1);
  if (module.path !== null) return [resolve(folder + module.path)];
  const root = ["lib.rs", "main.rs", "mod.rs"].includes(base)
    ? folder
    : `${folder}${base.replace(/\.rs$/, "")}/`;
  return [`${root}${module.name}.rs`, `${root}${module.name}/mod.rs`];
}

function resolve(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
