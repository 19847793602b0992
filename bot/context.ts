import type { Outbox } from "../src/io/github/outbox.ts";
import type { Repository } from "../src/io/github/repository.ts";
import type { OpenEvidence } from "../src/lib/bot/open-duplicates.ts";
import type { BoardSuite } from "../src/lib/feed/board-schema.ts";
import type { Report } from "../src/lib/result-pr/report-schema.ts";
import type { RunFailure } from "../src/lib/result-pr/words.ts";

/** Just what the bot needs of a logger (pino has it). */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The board as published, remembered until something is published anew. */
export interface PublishedBoard {
  /** Commit on `published`. */
  readonly tip: string;
  /** Commit of the base that it was made from. */
  readonly source: string;
  /** ISO 8601, by GitHub's clock. */
  readonly at: string;
  readonly suites: Map<string, BoardSuite | null>;
}

/** What is remembered to save requests. Losing all of it changes nothing: GitHub holds the state. */
export interface Memory {
  /** Reports by run and attempt. */
  readonly reports: Map<string, Report | RunFailure>;
  /** The one comment as last written, by pull request. */
  readonly sticky: Map<number, { id: number; body: string }>;
  /** The comment about jobs as last written, by pull request; null: there was none. */
  readonly jobComments: Map<number, { id: number; body: string } | null>;
  /** Pull requests with jobs that are not over. */
  readonly jobs: Set<number>;
  /** Heads whose merge was asked for and is not over, by pull request. */
  readonly merging: Map<number, string>;
  /** Evidence of open pull requests, by number. */
  readonly evidence: Map<number, OpenEvidence>;
  /** Null: nothing is published. Undefined: not looked at. */
  board: PublishedBoard | null | undefined;
  /** Pull requests that were not on hold when they were last touched (ISO 8601), by number. */
  readonly released: Map<number, string>;
  /** In which pass each open pull request was looked at in full, by number. */
  readonly looked: Map<number, number>;
  /** Dispatched runs, with attempt, that were taken. */
  readonly taken: Set<string>;
  passes: number;
  /** When the last pass began, milliseconds since 1970. */
  lastPass: number | null;
}

export const emptyMemory = (): Memory => ({
  reports: new Map(),
  sticky: new Map(),
  jobComments: new Map(),
  jobs: new Set(),
  merging: new Map(),
  evidence: new Map(),
  board: undefined,
  released: new Map(),
  looked: new Map(),
  taken: new Set(),
  passes: 0,
  lastPass: null,
});

/** One repository, its memory, and the ways in and out. */
export interface BotContext {
  readonly repository: Repository;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly log: Log;
  /** Milliseconds since 1970. */
  now(): number;
  /** Has the repository's name, ids and default branch looked up again before the next piece of work. */
  forget(): void;
  /** Counts work that failed without stopping the rest. */
  failed(): void;
  /** Puts work into this repository's queue; work that waits under the same key is replaced. */
  queue(key: string, work: (context: BotContext) => Promise<void>): void;
}

/** What a webhook asks for: nothing is believed but which thing to look at. */
export interface Job {
  readonly key: string;
  run(context: BotContext): Promise<void>;
}
