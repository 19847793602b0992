import { stripVTControlCharacters, styleText } from "node:util";

/**
 * A Markdown comment as a person would read it in a terminal: tables aligned, folded parts folded, markup quiet, text
 * wrapped at `width` columns. Tables and code blocks keep their lines.
 */
export function commentText(markdown: string, options: { width: number; colour: boolean }): string[] {
  const lines: string[] = [];
  let table: string[][] = [];
  let folded = 0;
  let fence = "";
  const flush = (): void => {
    if (table.length > 0) lines.push(...alignTable(table));
    table = [];
  };
  for (const raw of markdown.replaceAll(/<!--[\s\S]*?-->/g, "").split("\n")) {
    const line = stripVTControlCharacters(raw).trimEnd();
    const mark = /^ *(`{3,}|~{3,})/.exec(line)?.[1];
    if (folded === 0 && mark !== undefined && (fence === "" || mark.startsWith(fence))) {
      flush();
      fence = fence === "" ? mark : "";
      continue;
    }
    if (fence !== "") {
      lines.push(`    ${line}`);
      continue;
    }
    if (/^<details/.test(line.trim())) folded++;
    const summary = /<summary>(.*?)<\/summary>/.exec(line)?.[1];
    if (summary !== undefined && folded === 1) {
      flush();
      lines.push(`▸ ${plain(summary)}`);
    }
    if (/<\/details>/.test(line)) {
      folded--;
      continue;
    }
    if (folded > 0) continue;
    if (line.startsWith("|")) {
      const cells = splitRow(line).map(plain);
      if (!cells.every((cell) => /^:?-+:?$/.test(cell))) table.push(cells);
      continue;
    }
    flush();
    const heading = /^#{1,6} (.*)/.exec(line)?.[1];
    if (heading !== undefined)
      lines.push(options.colour ? styleText("bold", plain(heading)) : plain(heading));
    else lines.push(...wrap(plain(line), options.width));
  }
  flush();
  return squeeze(lines);
}

/** Cells of one table row; `\|` stays inside its cell. */
function splitRow(line: string): string[] {
  return line
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function alignTable(rows: readonly string[][]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, c) =>
    Math.max(...rows.map((row) => [...(row[c] ?? "")].length)),
  );
  return rows.map((row) =>
    widths
      .map((width, c) => (row[c] ?? "") + " ".repeat(width - [...(row[c] ?? "")].length))
      .join("  ")
      .trimEnd(),
  );
}

/** Inline markup taken off; code spans keep their text as it is. */
function plain(text: string): string {
  return text
    .split(/(`+(?:(?!`).|`(?!`))*?`+)/)
    .map((part, at) => (at % 2 === 1 ? part.replace(/^(`+) ?(.*?) ?\1$/, "$2") : plainWords(part)))
    .join("");
}

/** The HTML that the bot's comments use. */
const TAGS = /<\/?(?:details|summary|sub|sup|b|i|em|strong|br|code|kbd)\b[^<>]{0,200}>/g;

const plainWords = (text: string): string =>
  text
    .replaceAll(TAGS, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/(\*\*|__)(.*?)\1/g, "$2")
    .replaceAll(/\\([\\`*_{}[\]()#+.!|<>~-])/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const indent = /^\s*(?:[-*] )?/.exec(text)?.[0].length ?? 0;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = " ".repeat(indent) + word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

/** No blank lines at the ends and never two in a row. */
function squeeze(lines: readonly string[]): string[] {
  const kept = lines.filter((line, at) => line.trim() !== "" || (lines[at - 1] ?? "").trim() !== "");
  while (kept.length > 0 && kept[0]?.trim() === "") kept.shift();
  while (kept.length > 0 && kept.at(-1)?.trim() === "") kept.pop();
  return kept;
}
