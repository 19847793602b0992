/** Actions of the repository itself: `uses: ./actions/…`, read from the job's checkout. */
import { access, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { isMapping, NoOperationTraceWriter } from "@actions/workflow-parser";
import {
  type ActionTemplate,
  convertActionTemplate,
  parseAction,
} from "@actions/workflow-parser/actions/index";
import type { MappingToken } from "@actions/workflow-parser/templates/tokens/index";
import { asText, evaluateToken } from "./expressions.ts";
import type { JobState, StepScope } from "./job-state.ts";
import { LiveStep } from "./live-step.ts";
import { readSteps, type Step, unknownKeys } from "./workflow.ts";

type RunSteps = (
  job: JobState,
  steps: readonly Step[],
  scope: StepScope,
  defaults: Readonly<Record<string, never>>,
) => Promise<void>;

const DEEPEST = 9;
const ACTION_KEYS = ["name", "description", "author", "inputs", "outputs", "runs", "branding"];
const INPUT_KEYS = ["description", "required", "default", "deprecationMessage"];
const RUNS_KEYS: Readonly<Record<string, readonly string[]>> = {
  node20: ["using", "main", "pre", "pre-if", "post", "post-if"],
  node24: ["using", "main", "pre", "pre-if", "post", "post-if"],
  composite: ["using", "steps"],
};

interface LocalAction {
  readonly folder: string;
  readonly path: string;
  readonly template: ActionTemplate;
  readonly root: MappingToken;
}

/**
 * Runs an action of the checked-out repository.
 * @returns whether it succeeded.
 * @throws Error saying what is missing or not supported.
 */
export async function runLocalAction(
  live: LiveStep,
  uses: string,
  given: ReadonlyMap<string, string>,
  runSteps: RunSteps,
): Promise<boolean> {
  const action = await readAction(live.job.workspace, uses);
  const inputs = resolveInputs(live, action, given);
  const { runs } = action.template;
  switch (runs.using) {
    case "composite":
      return runComposite(live, action, inputs, runSteps);
    case "node20":
    case "node24":
      return runNode(live, action, uses, inputs);
    default:
      throw new Error(`cannot run here: ${uses} uses '${runs.using}'`);
  }
}

async function readAction(workspace: string, uses: string): Promise<LocalAction> {
  const folder = resolve(workspace, uses);
  const inside = relative(workspace, folder);
  if (inside === ".." || inside.startsWith("../"))
    throw new Error(`cannot run here: ${uses} is outside the workspace`);
  for (const name of ["action.yml", "action.yaml"]) {
    const text = await readFile(join(folder, name), "utf8").catch(() => null);
    if (text === null) continue;
    const path = join(inside, name);
    const parsed = parseAction({ name: path, content: text }, new NoOperationTraceWriter());
    const template = parsed.value && convertActionTemplate(parsed.context, parsed.value);
    const errors = parsed.context.errors.getErrors().map((error) => error.message);
    const root = parsed.value;
    if (errors.length > 0 || !template || !root || !isMapping(root)) throw new Error(errors.join("\n"));
    const unsupported = actionProblems(path, root, template);
    if (unsupported.length > 0) throw new Error(unsupported.join("\n"));
    return { folder, path, template, root };
  }
  throw new Error(
    `Can't find 'action.yml' or 'action.yaml' under '${inside}'. Did you forget to run actions/checkout before running your local action?`,
  );
}

function actionProblems(path: string, root: MappingToken, template: ActionTemplate): string[] {
  const problems = unknownKeys(path, root, ACTION_KEYS);
  const known = RUNS_KEYS[template.runs.using];
  if (known === undefined) return [`${path}: actions that use '${template.runs.using}' cannot run here`];
  const runs = root.find("runs");
  if (runs && isMapping(runs)) problems.push(...unknownKeys(path, runs, known));
  const inputs = root.find("inputs");
  for (const pair of inputs && isMapping(inputs) ? inputs : []) {
    if (isMapping(pair.value)) problems.push(...unknownKeys(path, pair.value, INPUT_KEYS));
  }
  return problems;
}

function resolveInputs(
  live: LiveStep,
  { template }: LocalAction,
  given: ReadonlyMap<string, string>,
): Map<string, string> {
  const inputs = new Map<string, string>();
  const rest = new Map([...given].map(([name, value]) => [name.toLowerCase(), { name, value }]));
  for (const definition of template.inputs ?? []) {
    const key = definition.id.toLowerCase();
    const value = rest.get(key)?.value;
    rest.delete(key);
    if (value !== undefined && definition.deprecationMessage !== undefined) {
      live.annotate({
        level: "warning",
        message: `Input '${definition.id}' has been deprecated with message: ${definition.deprecationMessage}`,
      });
    }
    const fallback =
      definition.default === undefined ? "" : asText(evaluateToken(definition.default, live.scope()), key);
    inputs.set(definition.id, value ?? fallback);
  }
  if (rest.size > 0) {
    const names = [...rest.values()].map(({ name }) => `'${name}'`).join(", ");
    const valid = [...inputs.keys()].map((name) => `'${name}'`).join(", ");
    live.annotate({ level: "warning", message: `Unexpected input(s) ${names}, valid inputs are [${valid}]` });
    for (const { name, value } of rest.values()) inputs.set(name, value);
  }
  return inputs;
}

async function runNode(
  live: LiveStep,
  { folder, template }: LocalAction,
  uses: string,
  inputs: ReadonlyMap<string, string>,
): Promise<boolean> {
  const { runs } = template;
  if (!("main" in runs)) throw new Error(`${uses} has no 'main'`);
  const { job } = live;
  const { host } = job.request;
  const node = runs.using === "node20" && host.node.version.startsWith("20.") ? host.node : host.node24;
  if (runs.using === "node24" && host.node24Note !== null) job.log.warning(host.node24Note);
  else if (!node.version.startsWith(runs.using.slice("node".length))) {
    job.log.warning(`${uses} asks for ${runs.using} and runs on Node ${node.version}`);
  }
  if (runs.pre !== undefined) {
    job.log.warning(`'pre' execution is not supported for local action from '${uses}'`);
  }
  const env: Record<string, string> = {};
  for (const [name, value] of inputs) env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] = value;
  const { post } = runs;
  if (post !== undefined) {
    await mustExist(folder, post, uses);
    job.posts.push({
      name: `Post ${live.identity.name}`,
      condition: runs.postIf ?? "always()",
      async run() {
        const late = new LiveStep(job, live.steps, live.identity, live.env, job.end);
        const state = Object.entries(live.state).map(([name, value]) => [`STATE_${name}`, value]);
        const good = await late.exec(node.path, [join(folder, post)], {
          cwd: job.workspace,
          env: { ...env, ...Object.fromEntries(state) },
        });
        return good ? "success" : "failure";
      },
    });
  }
  await mustExist(folder, runs.main, uses);
  return live.exec(node.path, [join(folder, runs.main)], { cwd: job.workspace, env });
}

async function mustExist(folder: string, file: string, uses: string): Promise<void> {
  await access(join(folder, file)).catch(() => {
    throw new Error(`File not found: '${file}' of action ${uses}`);
  });
}

async function runComposite(
  live: LiveStep,
  { folder, path, template, root }: LocalAction,
  inputs: ReadonlyMap<string, string>,
  runSteps: RunSteps,
): Promise<boolean> {
  if (live.steps.depth >= DEEPEST) throw new Error(`composite actions nest deeper than ${DEEPEST}`);
  const { runs } = template;
  if (!("steps" in runs)) throw new Error(`${path} has no steps`);
  const unsupported: string[] = [];
  const runsToken = root.find("runs");
  const stepsToken = runsToken && isMapping(runsToken) ? runsToken.find("steps") : undefined;
  const steps = readSteps(path, stepsToken, runs.steps, unsupported);
  if (unsupported.length > 0) throw new Error(unsupported.join("\n"));
  const scope: StepScope = {
    records: new Map(),
    status: "success",
    inputs: Object.fromEntries(inputs),
    env: new Map([...live.steps.env, ...live.env]),
    actionPath: folder,
    depth: live.steps.depth + 1,
    signal: live.signal,
  };
  await runSteps(live.job, steps, scope, {});
  for (const output of template.outputs ?? []) {
    if (output.value === undefined) continue;
    const value = evaluateToken(output.value, live.job.scope(scope, live.identity));
    live.setOutput(output.id, asText(value, `output ${output.id}`));
  }
  return scope.status === "success";
}
