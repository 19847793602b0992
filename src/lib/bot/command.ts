import type { PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";

/** Commands in comments (field lessons F37 to F39). Pure. */

export const VERBS = ["help", "validate", "accept", "supersede", "merge", "hold", "release"] as const;
export type Verb = (typeof VERBS)[number];
/** Commands of the design that this office does not have: known, but not available here. */
const ELSEWHERE = ["perf", "run", "verify"] as const;

export interface Command {
  /** `elsewhere`: not available here. `too-long`: the comment may hold a command, but is longer than is parsed. */
  readonly verb: Verb | "elsewhere" | "unknown" | "too-long";
  /** What stood after `/assay`, as typed. */
  readonly text: string;
  /** The head it names, in full or abbreviated (7 hex digits or more); null when it names none. */
  readonly sha: string | null;
  /** What `supersede` names: a digest (`sha256:` and 64 hex digits) or a path; null otherwise. */
  readonly target: string | null;
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

const SHA = /^[0-9a-f]{7,40}$/;
const DIGEST = /^(?:sha256:)?[0-9a-f]{64}$/;
const PATH = /^benchmarks\/results\/[a-z0-9._/-]{1,300}\.json$/;

/** `supersede <digest or path> [head]`; null when it names nothing that could be meant. */
function parseTarget([target = "", sha, ...rest]: readonly string[], text: string): Command | null {
  if (rest.length > 0 || (sha !== undefined && !SHA.test(sha))) return null;
  if (!DIGEST.test(target) && !PATH.test(target)) return null;
  const named = PATH.test(target) || target.startsWith("sha256:") ? target : `sha256:${target}`;
  return { verb: "supersede", text, sha: sha ?? null, target: named };
}

function parseLine(line: string): Command | null {
  const words = line.trim().split(/[ \t]+/);
  if (words[0] !== PREFIX) return null;
  const [, verb = "", argument] = words;
  const text = words.slice(1).join(" ");
  const plain = { text, sha: null, target: null };
  const known = VERBS.find((candidate) => candidate === verb);
  if (known === undefined) {
    if (ELSEWHERE.some((name) => name === verb)) return { verb: "elsewhere", ...plain };
    return { verb: verb === "" ? "help" : "unknown", ...plain };
  }
  if (known === "supersede") return parseTarget(words.slice(2), text) ?? { verb: "unknown", ...plain };
  // Whatever is said with it, a hold holds: it stops things, and people give their reason.
  if (argument === undefined || known === "hold") return { verb: known, ...plain };
  // An argument that is not a sha is not guessed at.
  if (words.length > 3 || known === "help" || known === "release" || !SHA.test(argument)) {
    return { verb: "unknown", ...plain };
  }
  return { verb: known, ...plain, sha: argument };
}

/**
 * The commands of a newly written comment, in order, without repetitions: lines of top-level paragraphs that begin
 * with `/assay`. Quotes, lists, code, tables, HTML and escaped text hold none.
 */
export function parseCommands(body: string): Command[] {
  if (!body.includes(PREFIX)) return [];
  if (body.length > MAX_BODY) {
    return /^ {0,3}\/assay(?:[ \t]|$)/m.test(body)
      ? [{ verb: "too-long", text: "", sha: null, target: null }]
      : [];
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
