/** One running step: its processes, commands, files and outputs. */
import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Annotation, type CommandEffects, CommandReader } from "./commands.ts";
import { parseEnvFile, parsePathFile, refusedVariable } from "./env-files.ts";
import type { Scope } from "./expressions.ts";
import type { JobState, StepScope } from "./job-state.ts";
import { runProcess } from "./process.ts";

const SUMMARY_LIMIT = 1024 * 1024;
const FILES = {
  GITHUB_ENV: "set_env",
  GITHUB_PATH: "add_path",
  GITHUB_OUTPUT: "set_output",
  GITHUB_STATE: "save_state",
  GITHUB_STEP_SUMMARY: "step_summary",
} as const;

type FileName = keyof typeof FILES;

export interface StepIdentity {
  readonly id: string;
  readonly name: string;
}

export class LiveStep implements CommandEffects {
  readonly job: JobState;
  readonly steps: StepScope;
  readonly identity: StepIdentity;
  /** The step's own `env`, on top of what its scope and job set. */
  readonly env: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly outputs: Record<string, string> = {};
  /** What `post` finds again as `STATE_…`. */
  readonly state: Record<string, string> = {};
  #refused = false;

  constructor(
    job: JobState,
    steps: StepScope,
    identity: StepIdentity,
    env: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ) {
    this.job = job;
    this.steps = steps;
    this.identity = identity;
    this.env = env;
    this.signal = signal;
  }

  /** What expressions of this step see. */
  scope(): Scope {
    return this.job.scope(this.steps, this.identity, this.env);
  }

  write(line: string): void {
    this.job.log.write(line);
  }

  annotate(annotation: Annotation): void {
    this.job.log.write(`##[${annotation.level}]${annotation.message}`);
    this.job.request.report.annotation({
      ...annotation,
      message: this.job.masks.apply(annotation.message),
    });
  }

  mask(secret: string): void {
    this.job.masks.add(secret);
  }

  setOutput(name: string, value: string): void {
    this.outputs[name] = value;
  }

  saveState(name: string, value: string): void {
    this.state[name] = value;
  }

  refuse(message: string): void {
    this.#refused = true;
    this.annotate({ level: "error", message });
  }

  /**
   * Runs a program as (part of) this step and takes over what it wrote to its files.
   * @returns whether it succeeded; an exit code other than 0 is logged.
   */
  async exec(
    command: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<boolean> {
    const files = await this.#makeFiles();
    const { actionPath } = this.steps;
    const own = new Map([
      ...this.job.env,
      ...this.steps.env,
      ...this.env,
      ...Object.entries(options.env ?? {}),
    ]);
    const github = this.job.github({
      id: this.identity.id,
      ...(actionPath !== undefined && { actionPath }),
    });
    const reader = new CommandReader(this);
    const result = await runProcess({
      command,
      args,
      cwd: options.cwd,
      env: this.job.processEnv(own, github, files),
      onLine: (line) => reader.read(line),
      signal: this.signal,
    });
    if (result.aborted) return false;
    const filesGood = await this.#takeFiles(files);
    if (result.exitCode !== 0) {
      const end =
        result.exitCode === null ? "was ended by a signal" : `completed with exit code ${result.exitCode}`;
      this.annotate({ level: "error", message: `Process ${end}.` });
      return false;
    }
    return filesGood && !this.#refused;
  }

  async #makeFiles(): Promise<Record<FileName, string>> {
    const id = randomUUID();
    const path = (name: FileName) => join(this.job.commandFiles, `${FILES[name]}_${id}`);
    const files = {
      GITHUB_ENV: path("GITHUB_ENV"),
      GITHUB_PATH: path("GITHUB_PATH"),
      GITHUB_OUTPUT: path("GITHUB_OUTPUT"),
      GITHUB_STATE: path("GITHUB_STATE"),
      GITHUB_STEP_SUMMARY: path("GITHUB_STEP_SUMMARY"),
    };
    for (const file of Object.values(files)) await writeFile(file, "");
    return files;
  }

  async #takeFiles(files: Readonly<Record<FileName, string>>): Promise<boolean> {
    let good = true;
    for (const [name, path] of Object.entries(files)) {
      // A step may remove its own file; then it said nothing.
      const text = await readFile(path, "utf8").catch(() => "");
      await rm(path, { force: true });
      try {
        this.#take(name, text);
      } catch (error) {
        good = false;
        this.annotate({
          level: "error",
          message: `Unable to process file command '${name}' successfully: ${error instanceof Error ? error.message : error}`,
        });
      }
    }
    return good;
  }

  #take(name: string, text: string): void {
    if (text === "") return;
    if (name === "GITHUB_PATH") this.job.path.unshift(...parsePathFile(text).reverse());
    else if (name === "GITHUB_STEP_SUMMARY") this.#takeSummary(text);
    else {
      for (const [key, value] of parseEnvFile(text)) {
        if (name === "GITHUB_OUTPUT") this.outputs[key] = value;
        else if (name === "GITHUB_STATE") this.state[key] = value;
        else {
          const refusal = refusedVariable(key);
          if (refusal !== null) throw new Error(refusal);
          this.job.env.set(key, value);
        }
      }
    }
  }

  #takeSummary(text: string): void {
    if (Buffer.byteLength(text) > SUMMARY_LIMIT) {
      throw new Error("$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k");
    }
    this.job.request.report.summary(this.identity.name, this.job.masks.apply(text));
  }
}
