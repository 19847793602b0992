import { spawn } from "node:child_process";
import { devNull } from "node:os";

/**
 * Starting git safely: no shell, a clean environment, nobody's configuration, hooks, pagers or prompts, and a limit
 * on time and output. What git is asked here only ever reads or fetches objects.
 */

/** Our side failed (git missing, time or size limit, a broken repository): never the submitter's fault. */
export class GitError extends Error {
  override readonly name = "GitError";
}

export interface GitLimits {
  /** Milliseconds until the process is killed. */
  readonly timeoutMs?: number;
  /** Bytes of output after which the process is killed. */
  readonly maxBytes?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Settings that hold for every command, whatever the repository's own configuration says. */
const SAFE_CONFIG: readonly (readonly [string, string])[] = [
  ["safe.directory", "*"],
  ["core.hooksPath", devNull],
  ["core.fsmonitor", "false"],
  ["core.attributesFile", devNull],
  ["core.quotePath", "true"],
  ["core.useReplaceRefs", "false"],
  ["diff.external", ""],
  ["diff.renames", "false"],
  ["credential.helper", ""],
  ["fetch.writeCommitGraph", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["protocol.allow", "never"],
  ["protocol.https.allow", "always"],
  ["protocol.http.allow", "always"],
  ["protocol.file.allow", "always"],
];

/**
 * The whole environment of a git process. Secrets go through `GIT_CONFIG_*` (never the command line, where every
 * process of the machine could read them).
 */
export function gitEnvironment(
  secretConfig: readonly (readonly [string, string])[] = [],
): Record<string, string> {
  const settings = [...SAFE_CONFIG, ...secretConfig];
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_CONFIG_COUNT: String(settings.length),
  };
  // Windows finds neither sockets nor temporary files without these.
  for (const name of ["SYSTEMROOT", "TEMP", "TMP", "TMPDIR"]) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  settings.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return environment;
}

export interface GitRun extends GitLimits {
  /** Bytes for standard input. */
  readonly input?: string | Uint8Array;
  /** An index file of the caller's own, for commands that build trees. */
  readonly index?: string;
  /** Exit codes that are answers rather than failures; 0 always is. */
  readonly accept?: readonly number[];
  readonly secretConfig?: readonly (readonly [string, string])[];
}

export interface GitAnswer {
  readonly code: number;
  readonly output: Buffer;
}

/** Runs one git command to its end. @throws GitError on a start failure, a limit, or an exit code not accepted. */
export function runGit(args: readonly string[], options: GitRun = {}): Promise<GitAnswer> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES, accept = [] } = options;
  const name = `git ${args.find((arg) => /^[a-z][a-z-]+$/.test(arg)) ?? ""}`;
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...args], {
      env: {
        ...gitEnvironment(options.secretConfig),
        ...(options.index === undefined ? {} : { GIT_INDEX_FILE: options.index }),
      },
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let complaint = "";
    let limit: string | null = null;
    const stop = (reason: string) => {
      limit ??= reason;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => stop(`took longer than ${timeoutMs} ms`), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) stop(`wrote more than ${maxBytes} bytes`);
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (complaint.length < 2000) complaint += chunk.toString("utf8");
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new GitError(`${name} could not be started: ${error.message}`, { cause: error }));
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (limit !== null) reject(new GitError(`${name} ${limit}`));
      else if (code === 0 || (code !== null && accept.includes(code)))
        resolve({ code, output: Buffer.concat(chunks) });
      else reject(new GitError(`${name} ended with ${code}: ${complaint.trim().slice(0, 500)}`));
    });
    // A process that ends early closes its input; its exit code tells the story.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
  });
}
