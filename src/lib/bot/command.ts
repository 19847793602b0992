import type { PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** Commands in comments (field lessons F37 to F39). Pure. */

export const VERBS = ["help", "validate", "accept", "merge"] as const;
export type Verb = (typeof VERBS)[number];

export interface Command {
  /** `too-long`: the comment may hold a command, but is longer than is parsed. */
  readonly verb: Verb | "unknown" | "too-long";
  /** What stood after `/assay`, as typed. */
  readonly text: string;
  /** The head it names, in full or abbreviated (7 hex digits or more); null when it names none. */
  readonly sha: string | null;
}

const PREFIX = "/assay";
/** Longer comments are not parsed: Markdown parsers take time quadratic in the length of some texts. UTF-16 units. */
export const MAX_BODY = 8_000;
/** More commands in one comment than this are left alone. */
const MAX_COMMANDS = 5;

/** The lines of a paragraph that consist of nothing but literal text; null for lines with anything else in them. */
function linesOf(children: readonly PhrasingContent[], source: string): (string | null)[] {
  const lines: (string | null)[] = [""];
  const append = (part: string): void => {
    const last = lines[lines.length - 1];
    if (last !== null && last !== undefined) lines[lines.length - 1] = last + part;
  };
  for (const child of children) {
    if (child.type === "break") {
      lines.push("");
    } else if (child.type === "text") {
      const parts = child.value.split("\n");
      for (const [index, part] of parts.entries()) {
        if (index > 0) lines.push("");
        append(part);
      }
      // `\/assay` and `&#47;assay` show as a command without being one.
      const start = child.position?.start.offset;
      const first = parts[0] ?? "";
      if (start !== undefined && first !== "" && !source.startsWith(first.slice(0, PREFIX.length), start)) {
        lines[lines.length - parts.length] = null;
      }
    } else {
      lines[lines.length - 1] = null;
    }
  }
  return lines;
}

function parseLine(line: string): Command | null {
  const words = line.trim().split(/[ \t]+/);
  if (words[0] !== PREFIX) return null;
  const [, verb = "", argument] = words;
  const text = words.slice(1).join(" ");
  const known = VERBS.find((candidate) => candidate === verb);
  if (known === undefined) return { verb: verb === "" ? "help" : "unknown", text, sha: null };
  if (argument === undefined) return { verb: known, text, sha: null };
  // An argument that is not a sha is not guessed at.
  if (words.length > 3 || known === "help" || !/^[0-9a-f]{7,40}$/.test(argument)) {
    return { verb: "unknown", text, sha: null };
  }
  return { verb: known, text, sha: argument };
}

/**
 * The commands of a newly written comment, in order, without repetitions: lines of top-level paragraphs that begin
 * with `/assay`. Quotes, lists, code, tables, HTML and escaped text hold none.
 */
export function parseCommands(body: string): Command[] {
  if (!body.includes(PREFIX)) return [];
  if (body.length > MAX_BODY) {
    return /^ {0,3}\/assay(?:[ \t]|$)/m.test(body) ? [{ verb: "too-long", text: "", sha: null }] : [];
  }
  const commands: Command[] = [];
  for (const node of fromMarkdown(body).children) {
    if (node.type !== "paragraph") continue;
    for (const line of linesOf(node.children, body)) {
      const command = line === null ? null : parseLine(line);
      if (command === null || commands.some(({ text }) => text === command.text)) continue;
      commands.push(command);
    }
  }
  return commands.slice(0, MAX_COMMANDS);
}
