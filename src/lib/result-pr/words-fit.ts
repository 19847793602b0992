import { utf8Length } from "./words-text.ts";

/** Keeping a comment within GitHub's limits without ever cutting inside a row, table, fence or fold (F27). Pure. */

/** GitHub refuses comments above 65,536, and nobody says of what; we stay below 60,000 UTF-16 units and UTF-8 bytes. */
export const COMMENT_BUDGET: Budget = { units: 59_999, bytes: 59_999 };

export interface Budget {
  /** UTF-16 code units. */
  readonly units: number;
  /** UTF-8 bytes. */
  readonly bytes: number;
}

/** A piece of a comment that stands or falls as a whole. Without `priority` it always stays. */
export interface TextBlock {
  readonly kind: "text";
  readonly text: string;
  readonly priority?: number;
}

/** A list or table, cut at row boundaries; lower `priority` gets room first. */
export interface RowsBlock {
  readonly kind: "rows";
  readonly open: string;
  readonly rows: readonly string[];
  readonly close: string;
  readonly priority: number;
  /** The row that says how many rows are not shown (in the shape of a row). */
  more(hidden: number): string;
  /** Rows hidden before the cut because a limit of its own applies. */
  readonly alreadyHidden?: number;
}

export type Block = TextBlock | RowsBlock;

interface Size {
  units: number;
  bytes: number;
}

const sizeOf = (text: string): Size => ({ units: text.length, bytes: utf8Length(text) });

/** Longest `more` row that can be needed, so that room for it is kept. */
const moreSize = (block: RowsBlock): Size =>
  sizeOf(`\n${block.more(block.rows.length + (block.alreadyHidden ?? 0))}`);

const LEFT_OUT = (count: number): string =>
  `_${count} more ${count === 1 ? "section" : "sections"} did not fit here; the report holds everything._`;

function renderRows(block: RowsBlock, shown: number): string {
  const hidden = block.rows.length - shown + (block.alreadyHidden ?? 0);
  const lines = block.rows.slice(0, shown);
  if (hidden > 0) lines.push(block.more(hidden));
  return [block.open, ...lines, block.close].filter((part) => part !== "").join("\n");
}

/**
 * Joins blocks with blank lines, in order, within the budget: blocks without priority first, then the frames of the
 * others by priority, then rows by priority. What is left out is counted in the text.
 * @throws RangeError when the blocks that must stay do not fit (they are bounded by whoever makes them).
 */
export function fitBlocks(blocks: readonly Block[], budget: Budget = COMMENT_BUDGET): string {
  const used = sizeOf(`\n\n${LEFT_OUT(9999)}`);
  const fits = (size: Size): boolean =>
    used.units + size.units <= budget.units && used.bytes + size.bytes <= budget.bytes;
  const take = (size: Size): void => {
    used.units += size.units;
    used.bytes += size.bytes;
  };
  const shown = new Map<Block, number>();
  for (const block of blocks) {
    if (block.kind !== "text" || block.priority !== undefined) continue;
    const size = sizeOf(`${block.text}\n\n`);
    if (!fits(size)) throw new RangeError("the parts of a comment that must stay exceed its budget");
    take(size);
    shown.set(block, 0);
  }
  const optional = blocks
    .filter((block) => !shown.has(block))
    .sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  for (const block of optional) {
    const frame =
      block.kind === "text" ? sizeOf(`${block.text}\n\n`) : sizeOf(`${block.open}\n${block.close}\n\n`);
    if (block.kind === "rows") {
      const more = moreSize(block);
      frame.units += more.units;
      frame.bytes += more.bytes;
    }
    if (!fits(frame)) continue;
    take(frame);
    shown.set(block, 0);
  }
  for (const block of optional) {
    if (block.kind !== "rows" || !shown.has(block)) continue;
    let count = 0;
    for (const line of block.rows) {
      const size = sizeOf(`\n${line}`);
      if (!fits(size)) break;
      take(size);
      count += 1;
    }
    shown.set(block, count);
  }
  const parts: string[] = [];
  for (const block of blocks) {
    const count = shown.get(block);
    if (count === undefined) continue;
    parts.push(block.kind === "text" ? block.text : renderRows(block, count));
  }
  const leftOut = blocks.length - shown.size;
  if (leftOut > 0) parts.push(LEFT_OUT(leftOut));
  return parts.join("\n\n");
}

/** A folded block: `rows` inside `<details>`. The summary must be safe text. */
export function folded(
  summary: string,
  head: string,
  rows: readonly string[],
  options: { priority: number; more(hidden: number): string; alreadyHidden?: number },
): RowsBlock {
  return {
    kind: "rows",
    open: `<details><summary>${summary}</summary>\n${head === "" ? "" : `\n${head}`}`,
    rows,
    close: "\n</details>",
    ...options,
  };
}

/** `12 more rows` as a table row over `columns` columns. */
export const moreRow =
  (columns: number, what = "row") =>
  (hidden: number): string =>
    `| … ${hidden} more ${what}${hidden === 1 ? "" : "s"} |${" |".repeat(columns - 1)}`;

/** `12 more findings` as a list item. */
export const moreItem =
  (what: string, several = `${what}s`) =>
  (hidden: number): string =>
    `- … ${hidden} more ${hidden === 1 ? what : several}`;
