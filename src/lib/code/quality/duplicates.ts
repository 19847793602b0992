/** A block is this many consecutive significant lines, or more. */
export const BLOCK_LINES = 6;

/**
 * Counts the lines that lie in a block of six or more consecutive significant lines that appears more than once
 * (methodology, "Code metrics"). All copies count, overlapping ones too; they may lie in different files, but no block goes
 * from one file into the next. A window of exactly six finds the lines of all longer blocks as well: each six lines of a
 * block that appears twice appear twice. Linear in the number of lines.
 * @param files each file's significant lines in order, white space normalised
 */
export function countDuplicatedLines(files: readonly (readonly string[])[]): number {
  const numbers = new Map<string, number>();
  const numbered = files.map((lines) =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    }),
  );
  const seen = new Map<string, number>();
  for (const lines of numbered) {
    for (let at = 0; at + BLOCK_LINES <= lines.length; at++) {
      const key = windowKey(lines, at);
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  let duplicated = 0;
  for (const lines of numbered) {
    // Lines before this one are counted already.
    let counted = 0;
    for (let at = 0; at + BLOCK_LINES <= lines.length; at++) {
      if ((seen.get(windowKey(lines, at)) ?? 0) < 2) continue;
      const end = at + BLOCK_LINES;
      duplicated += end - Math.max(at, counted);
      counted = end;
    }
  }
  return duplicated;
}

const windowKey = (lines: readonly number[], at: number): string =>
  `${lines[at]},${lines[at + 1]},${lines[at + 2]},${lines[at + 3]},${lines[at + 4]},${lines[at + 5]}`;
