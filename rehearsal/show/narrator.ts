import { styleText } from "node:util";
import type { Effect } from "../hub/index.ts";
import { commentText } from "./comment-text.ts";

export interface NarratorOptions {
  readonly colour: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const COMMENT_LINES = 48;

/** Tells, as it happens, what a person would see on GitHub. */
export class Narrator {
  readonly #options: NarratorOptions;
  readonly #started: number;
  /** Lines of each comment as last shown. */
  readonly #shown = new Map<number, ReadonlySet<string>>();

  constructor(options: NarratorOptions) {
    this.#options = options;
    this.#started = options.now();
  }

  heading(text: string): void {
    this.#options.write("");
    this.#options.write(this.#style("bold", text));
  }

  /** One line: who, what. */
  say(who: string, text: string): void {
    const seconds = ((this.#options.now() - this.#started) / 1000).toFixed(1).padStart(6);
    this.#options.write(
      `${this.#style("dim", `${seconds} s`)}  ${this.#style("cyan", who.padEnd(12))} ${text}`,
    );
  }

  show(effect: Effect): void {
    switch (effect.kind) {
      case "comment-created":
      case "comment-edited":
        this.say(
          effect.by,
          `${effect.kind === "comment-created" ? "comments" : "updates the comment"} on #${effect.number}`,
        );
        this.#quote(effect.commentId, effect.body);
        return;
      case "check-run-created":
      case "check-run-updated": {
        const outcome = effect.conclusion ?? effect.status;
        const annotations = effect.annotations > 0 ? `, ${effect.annotations} annotations` : "";
        this.say(
          effect.by,
          `check ${effect.name} on ${short(effect.sha)}: ${this.#outcome(outcome)}${effect.title ? ` (${effect.title})` : ""}${annotations}`,
        );
        return;
      }
      case "pull-opened":
        this.say(effect.by, `opens pull request #${effect.number}: ${effect.title}`);
        return;
      case "pull-merged":
        this.say(
          effect.by,
          `#${effect.number} is ${this.#outcome("merged")} as ${short(effect.mergeCommitSha ?? "")}`,
        );
        return;
      case "pull-closed":
      case "pull-reopened":
      case "pull-updated":
        this.say(
          effect.by,
          `#${effect.number} is ${effect.kind.slice("pull-".length)} at ${short(effect.headSha)}`,
        );
        return;
      case "reaction-added":
        this.say(effect.by, `reacts with ${effect.content}`);
        return;
      case "ref-updated":
        // Branches of forks are the submitters' own affair; theirs show as pull requests.
        if (/^refs\/heads\/(main|published|assay\/)/.test(effect.ref))
          this.say(effect.by, refLine(effect.ref, effect.before, effect.after));
        return;
      case "run-queued":
        return;
      case "run-started":
        this.say("workflow", `${effect.workflow} starts (${effect.event})`);
        return;
      case "run-completed":
        this.say("workflow", `${effect.workflow} ends: ${this.#outcome(effect.conclusion ?? "?")}`);
        return;
      case "comment-deleted":
      case "labels-changed":
        this.say(effect.by, `${effect.kind} on #${effect.number}`);
        return;
    }
  }

  /** A new comment whole; an edited one by its new lines, as nobody reads the same table three times. */
  #quote(id: number, body: string): void {
    const lines = commentText(body, { width: this.#options.width - 13, colour: this.#options.colour });
    const known = this.#shown.get(id);
    this.#shown.set(id, new Set(lines));
    const news = known === undefined ? lines : lines.filter((line) => line !== "" && !known.has(line));
    const bar = `${" ".repeat(10)}${this.#style("dim", "│")}`;
    for (const line of news.slice(0, COMMENT_LINES)) this.#options.write(`${bar} ${line}`);
    if (news.length > COMMENT_LINES)
      this.#options.write(`${bar} … ${news.length - COMMENT_LINES} more lines`);
  }

  #outcome(word: string): string {
    if (["success", "merged"].includes(word)) return this.#style("green", word);
    if (["failure", "action_required", "cancelled", "timed_out"].includes(word))
      return this.#style("red", word);
    return word;
  }

  #style(style: "bold" | "dim" | "cyan" | "green" | "red", text: string): string {
    return this.#options.colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

const short = (sha: string): string => sha.slice(0, 7);

function refLine(ref: string, before: string | null, after: string | null): string {
  const name = ref.replace("refs/heads/", "");
  if (before === null) return `creates the branch ${name} at ${short(after ?? "")}`;
  if (after === null) return `deletes the branch ${name}`;
  return `moves ${name} from ${short(before)} to ${short(after)}`;
}

/** A narrator for the terminal that this process has. */
export function terminalNarrator(): Narrator {
  const { stdout } = process;
  return new Narrator({
    colour: stdout.isTTY === true && !process.env.NO_COLOR,
    width: Math.min(Math.max(stdout.columns ?? 120, 60), 140),
    write: (line) => void stdout.write(`${line}\n`),
    now: Date.now,
  });
}
