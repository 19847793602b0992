import type { SandboxLimits } from "../sandbox/order.ts";

/**
 * What a task says of itself in code: how its deliverable is built and started, and what it is asked. A kit is data and pure functions;
 * who builds, runs, asks and compares is `src/jobs/task-*.ts`. `docs/tasks.md` says how a task is made.
 */

/** Where things lie inside the sandbox. `/job` is the writable folder of a run. */
export const PLACES = {
  /** The deliverable, read-only. */
  entry: "/in/entry",
  /** The task's `driver/`, read-only. */
  driver: "/in/driver",
  /** What the build left in `/job/out`, read-only, where the driver is run. */
  built: "/opt/built",
} as const;

/** A program of the host that a kit needs. */
export interface ToolNeed {
  /** As it is looked up in the PATH: `gcc`, `cargo`, `elixir`. */
  readonly program: string;
  /** What to install where there is none, in words for people: "the Debian package gcc". */
  readonly hint: string;
  /** Where its installation is found inside the sandbox, when the system's folders do not hold it: below `/opt`. */
  readonly mount?: { readonly to: string; readonly rootOf: "rustc" | "node-modules" };
}

/** One command of a build; all of them run one after another in one sandbox, in `/job`. */
export interface KitStep {
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment?: Readonly<Record<string, string>>;
}

/** How a deliverable is built and its driver started on one kind of host. */
export interface KitBuild {
  readonly tools: readonly ToolNeed[];
  /** Leaves what is needed in `/job/out`. */
  readonly steps: readonly KitStep[];
  /** Starts the driver, which speaks the protocol of docs/perf.md. Runs in `/job`; what was built lies in `/opt/built`. */
  readonly start: readonly [program: string, ...args: string[]];
  readonly environment?: Readonly<Record<string, string>>;
  readonly limits?: { readonly build?: Partial<SandboxLimits>; readonly run?: Partial<SandboxLimits> };
}

/** What a driver did with a case. */
export type Answer =
  | { readonly kind: "answer"; readonly bytes: Uint8Array }
  /** Died, hung, used too much, or did not speak the protocol. */
  | { readonly kind: "fault"; readonly what: string };

/** One question to a deliverable. The driver gets `content`; the judgement stays outside. */
export interface Case {
  readonly content: Uint8Array;
  /** Whether this answer is right. Must be total: an answer is whatever a hostile program wrote. */
  readonly accepts: (answer: Answer) => boolean;
  /** For the answer. */
  readonly seconds?: number;
}

/** How long a driver may take for a case that does not say, in seconds. */
export const DEFAULT_SECONDS = 10;

/** Random choices of a suite, from a seed that no contestant sees. */
export interface SuiteRandom {
  /** A whole number, 0 … bound − 1. */
  below(bound: number): number;
  /** From 0 (included) to 1 (excluded). */
  float(): number;
  bytes(length: number): Uint8Array;
  shuffled<T>(items: readonly T[]): T[];
}

/** One category of a suite: passed when every case is accepted, else failed. */
export interface SuiteCategory {
  /** Opaque outside: as in `task.json`. */
  readonly id: string;
  /** What it is about, in words. Private. */
  readonly title: string;
  /** Cases; each is asked of a fresh process. */
  readonly cases: (random: SuiteRandom) => Iterable<Case>;
}

/**
 * `hidden/suite.ts` exports one as `suite`. It may lie in the vault, far from this repository: so it imports nothing but types (and its
 * own neighbours), which are gone when it runs.
 */
export interface Suite {
  readonly categories: readonly SuiteCategory[];
}

export interface TaskKit {
  /** The folder's name under `tasks/`. */
  readonly task: string;
  /** Files of the deliverable: those it must have, and a pattern for others that it may have. */
  readonly deliverable: {
    readonly required: readonly string[];
    readonly allowed: RegExp;
    readonly maxFiles: number;
    readonly maxBytes: number;
  };
  /** By platform; `proxy` counts instructions of an emulator where the real platform is not there. */
  readonly builds: {
    readonly "linux-x64"?: KitBuild;
    readonly "macos-arm64"?: KitBuild;
    readonly proxy?: KitBuild;
  };
  /** Warnings of the language's own linter over the deliverable; absent where there is none. */
  readonly lint?: {
    readonly steps: readonly KitStep[];
    readonly tools: readonly ToolNeed[];
    /** How many warnings the linter's output holds. */
    readonly count: (output: string) => number;
  };
  /** The examples of SPEC.md as cases: what `bin/check` asks, and contestants may know. */
  readonly examples: readonly SuiteCategory[];
  readonly perf: {
    /** As in `task.json`, in its order. `caseOf` makes the case of a round from its seed: work of one size for every seed. */
    readonly metrics: readonly { readonly id: string; readonly caseOf: (seed: string) => Uint8Array }[];
  };
}
