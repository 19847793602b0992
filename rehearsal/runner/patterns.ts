/** GitHub's filter patterns for branches and tags, and the globs of the artifact actions. */

/**
 * Whether a name passes a list of filter patterns: the last pattern that matches decides, `!` in front negates.
 * Source: GitHub's workflow syntax, "filter pattern cheat sheet".
 */
export function passesFilter(name: string, patterns: readonly string[]): boolean {
  let passes = false;
  for (const pattern of patterns) {
    const negative = pattern.startsWith("!");
    if (filterExpression(negative ? pattern.slice(1) : pattern).test(name)) passes = !negative;
  }
  return passes;
}

/** `*` stops at `/`, `**` does not, `?` and `+` repeat the character before, `[…]` is one of, `\` escapes. */
function filterExpression(pattern: string): RegExp {
  let source = "";
  for (let index = 0; index < pattern.length; index += 1) {
    const char = pattern.charAt(index);
    if (pattern.startsWith("**/", index) && (index === 0 || pattern[index - 1] === "/")) {
      source += "(?:.*/)?";
      index += 2;
    } else if (pattern.startsWith("**", index)) {
      source += ".*";
      index += 1;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?" || char === "+") source += char;
    else if (char === "[") {
      const end = pattern.indexOf("]", index);
      if (end < 0) throw new Error(`filter pattern '${pattern}' has '[' without ']'`);
      source += `[${pattern.slice(index + 1, end).replaceAll("\\", "\\\\")}]`;
      index = end;
    } else if (char === "\\") {
      index += 1;
      source += literal(pattern.charAt(index));
    } else source += literal(char);
  }
  return new RegExp(`^${source}$`, "s");
}

/**
 * A glob of the artifact actions as an expression over whole paths: `*` and `?` stop at `/`,
 * `**` as a whole segment is any depth, `[…]` is one of.
 */
export function globExpression(glob: string): RegExp {
  let source = "";
  for (let index = 0; index < glob.length; index += 1) {
    const char = glob.charAt(index);
    const wholeSegment = index === 0 || glob[index - 1] === "/";
    if (wholeSegment && glob.startsWith("**/", index)) {
      source += "(?:.*/)?";
      index += 2;
    } else if (wholeSegment && glob.slice(index) === "**") {
      source += ".*";
      index += 1;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "[" && glob.indexOf("]", index + 2) > 0) {
      const end = glob.indexOf("]", index + 2);
      const inner = glob.slice(index + 1, end).replaceAll("\\", "\\\\");
      source += inner.startsWith("!") ? `[^${inner.slice(1)}]` : `[${inner}]`;
      index = end;
    } else source += literal(char);
  }
  return new RegExp(`^${source}$`, "s");
}

/** Whether a path segment has to be matched rather than taken literally. */
export function hasWildcard(segment: string): boolean {
  return /[*?[]/.test(segment);
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
