import type { PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { JOB_KINDS, type JobKind } from "../job/order-schema.ts";

/** Commands in comments (field lessons F37 to F39). Pure. */

export const VERBS = [
  "help",
  "validate",
  "accept",
  "supersede",
  "merge",
  "hold",
  "release",
  ...JOB_KINDS,
  "cancel",
  "status",
] as const;
export type Verb = (typeof VERBS)[number];

export interface Command {
  /** `too-long`: the comment may hold a command, but is longer than is parsed. */
  readonly verb: Verb | "unknown" | "too-long";
  /** What stood after `/assay`, as typed. */
  readonly text: string;
  /** The head it names, in full or abbreviated (7 hex digits or more); null when it names none. */
  readonly sha: string | null;
  /**
   * What `supersede` names: a digest (`sha256:` and 64 hex digits) or a path. What a job is about: `<run>/<entry>`, `<task>/D-7`, `D-7`.
   * Null otherwise, and where it is left out.
   */
  readonly target: string | null;
  /** The host that a job is asked for on; absent where it is left out. */
  readonly host?: string;
  /** Jobs of which kind `cancel` is about; absent for any. */
  readonly kind?: JobKind;
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

const bare = (text: string): Omit<Command, "verb"> => ({ text, sha: null, target: null });

/** `supersede <digest or path> [head]`; null when it names nothing that could be meant. */
function parseTarget([target = "", sha, ...rest]: readonly string[], text: string): Command | null {
  if (rest.length > 0 || (sha !== undefined && !SHA.test(sha))) return null;
  if (!DIGEST.test(target) && !PATH.test(target)) return null;
  const named = PATH.test(target) || target.startsWith("sha256:") ? target : `sha256:${target}`;
  return { verb: "supersede", ...bare(text), sha: sha ?? null, target: named };
}

const SEGMENT = "[a-z0-9][a-z0-9._-]{0,99}";
const ENTRY = new RegExp(`^${SEGMENT}/${SEGMENT}$`);
const DEFECT = new RegExp(`^(?:${SEGMENT}/)?D-[1-9][0-9]{0,5}$`);
const HOST = new RegExp(`^${SEGMENT}$`);

/** Takes the next word when it has the form that is asked for. */
function taker(words: readonly string[]): { take(form: RegExp): string | null; readonly left: number } {
  const rest = [...words];
  return {
    take: (form) => (form.test(rest[0] ?? "") ? (rest.shift() ?? null) : null),
    get left() {
      return rest.length;
    },
  };
}

/** `perf [<run>/<entry>] [host] [head]`, `run` and `verify` likewise: each word is told by its form. */
function parseJob(kind: JobKind, words: readonly string[], text: string): Command | null {
  const rest = taker(words);
  const target = rest.take(kind === "verify" ? DEFECT : ENTRY);
  const host = SHA.test(words.at(target === null ? 0 : 1) ?? "") ? null : rest.take(HOST);
  const sha = rest.take(SHA);
  if (rest.left > 0) return null;
  return { verb: kind, ...bare(text), target, sha, ...(host === null ? {} : { host }) };
}

/** `cancel [perf | run | verify] [target]`. */
function parseCancel(words: readonly string[], text: string): Command | null {
  const rest = taker(words);
  const named = rest.take(/^(?:perf|run|verify)$/);
  const target = rest.take(ENTRY) ?? rest.take(DEFECT);
  if (rest.left > 0) return null;
  const kind = JOB_KINDS.find((known) => known === named);
  return { verb: "cancel", ...bare(text), target, ...(kind === undefined ? {} : { kind }) };
}

/** Commands with arguments of their own; null when those are none, undefined for other commands. */
function parseOwn(verb: Verb, words: readonly string[], text: string): Command | null | undefined {
  if (verb === "supersede") return parseTarget(words, text);
  if (verb === "cancel") return parseCancel(words, text);
  const kind = JOB_KINDS.find((candidate) => candidate === verb);
  return kind === undefined ? undefined : parseJob(kind, words, text);
}

function parseLine(line: string): Command | null {
  const words = line.trim().split(/[ \t]+/);
  if (words[0] !== PREFIX) return null;
  const [, verb = "", argument] = words;
  const text = words.slice(1).join(" ");
  const plain = bare(text);
  const known = VERBS.find((candidate) => candidate === verb);
  if (known === undefined) return { verb: verb === "" ? "help" : "unknown", ...plain };
  const parsed = parseOwn(known, words.slice(2), text);
  if (parsed !== undefined) return parsed ?? { verb: "unknown", ...plain };
  // Whatever is said with it, a hold holds: it stops things, and people give their reason.
  if (argument === undefined || known === "hold") return { verb: known, ...plain };
  // An argument that is not a sha is not guessed at.
  if (
    words.length > 3 ||
    known === "help" ||
    known === "release" ||
    known === "status" ||
    !SHA.test(argument)
  ) {
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
    return /^ {0,3}\/assay(?:[ \t]|$)/m.test(body) ? [{ verb: "too-long", ...bare("") }] : [];
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
