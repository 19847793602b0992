/** A workflow file as the runner understands it, read with GitHub's own parser. */
import {
  convertWorkflowTemplate,
  isMapping,
  isSequence,
  isString,
  NoOperationTraceWriter,
  parseWorkflow as parseTemplate,
} from "@actions/workflow-parser";
import type { Step as ConvertedStep } from "@actions/workflow-parser/model/workflow-template";
import type { MappingToken, TemplateToken } from "@actions/workflow-parser/templates/tokens/index";

export type Level = "read" | "write" | "none";
export type Permissions = Readonly<Record<string, Level>> | "read-all" | "write-all";

export interface Step {
  /** Starts with `__` when the file gives none; such steps do not appear in the `steps` context. */
  readonly id: string;
  readonly name?: TemplateToken;
  /** The condition with `success()` added where no status function is called. */
  readonly if: string;
  readonly env?: TemplateToken;
  readonly continueOnError?: TemplateToken;
  readonly timeoutMinutes?: TemplateToken;
  readonly run?: TemplateToken;
  readonly shell?: TemplateToken;
  readonly workingDirectory?: TemplateToken;
  readonly uses?: string;
  readonly with?: TemplateToken;
}

export interface Job {
  readonly id: string;
  readonly name?: TemplateToken;
  readonly needs: readonly string[];
  readonly if: string;
  readonly runsOn?: TemplateToken;
  readonly permissions?: Permissions;
  readonly env?: TemplateToken;
  readonly defaults?: MappingToken;
  readonly timeoutMinutes?: TemplateToken;
  readonly continueOnError?: TemplateToken;
  readonly strategy?: TemplateToken;
  readonly concurrency?: TemplateToken;
  /** Its environment, or a mapping with its name. */
  readonly environment?: TemplateToken;
  readonly outputs?: TemplateToken;
  readonly steps: readonly Step[];
  /** Why this job cannot run here; it then fails with these messages. */
  readonly unsupported: readonly string[];
}

export interface Workflow {
  readonly path: string;
  readonly name: string;
  /** Event name to its configuration (a mapping, a sequence for `schedule`), `null` without one. */
  readonly events: ReadonlyMap<string, TemplateToken | null>;
  readonly runName?: TemplateToken;
  readonly env?: TemplateToken;
  readonly permissions?: Permissions;
  readonly defaults?: MappingToken;
  readonly concurrency?: TemplateToken;
  readonly jobs: readonly Job[];
  /** Why no job of this file can run here. */
  readonly unsupported: readonly string[];
}

export type ParsedWorkflow =
  | { readonly ok: true; readonly workflow: Workflow }
  | {
      readonly ok: false;
      readonly path: string;
      /** Events the file listens to, as far as they can be read; `null` when they cannot. */
      readonly events: ReadonlySet<string> | null;
      readonly errors: readonly string[];
    };

/** Keys the runner implements; the parser's schema knows more, and each of those is an error, never skipped. */
const WORKFLOW_KEYS = ["on", "name", "run-name", "env", "permissions", "defaults", "concurrency", "jobs"];
const JOB_KEYS = [
  ...[
    "name",
    "needs",
    "if",
    "runs-on",
    "permissions",
    "env",
    "defaults",
    "timeout-minutes",
    "outputs",
    "steps",
  ],
  ...["continue-on-error", "strategy", "concurrency", "environment"],
];
export const STEP_KEYS = [
  ...["id", "name", "if", "env", "continue-on-error", "timeout-minutes"],
  ...["run", "shell", "working-directory", "uses", "with"],
];

/** Reads a workflow file; mistakes come back as the parser's own messages, with line and column. */
export async function parseWorkflow(path: string, text: string): Promise<ParsedWorkflow> {
  const parsed = parseTemplate({ name: path, content: text }, new NoOperationTraceWriter());
  const root = parsed.value !== undefined && isMapping(parsed.value) ? parsed.value : undefined;
  const events = root ? readEvents(root) : null;
  const messages = () => parsed.context.errors.getErrors().map((error) => error.message);
  if (root === undefined || messages().length > 0) {
    return { ok: false, path, events: events && new Set(events.keys()), errors: messages() };
  }
  const template = await convertWorkflowTemplate(parsed.context, root);
  if (messages().length > 0) {
    return { ok: false, path, events: events && new Set(events.keys()), errors: messages() };
  }
  const unsupported = [...unknownKeys(path, root, WORKFLOW_KEYS), ...oidcProblems(path, root)];
  const jobsToken = root.find("jobs");
  const jobs = template.jobs.map((converted): Job => {
    const id = converted.id.value;
    const token = jobsToken && isMapping(jobsToken) ? jobsToken.find(id) : undefined;
    if (token === undefined || !isMapping(token)) {
      throw new Error(`${path}: job ${id} is missing from the parsed template`);
    }
    const convertedSteps = converted.type === "job" ? converted.steps : [];
    return { ...readJob(path, token, convertedSteps), id, if: converted.if.expression };
  });
  const name = root.find("name");
  const defaults = root.find("defaults");
  return {
    ok: true,
    workflow: {
      path,
      name: name && isString(name) && name.value !== "" ? name.value : path,
      events: events ?? new Map(),
      ...defined("runName", root.find("run-name")),
      ...defined("env", root.find("env")),
      ...defined("permissions", readPermissions(root.find("permissions"))),
      ...defined("defaults", defaults && isMapping(defaults) ? defaults : undefined),
      ...defined("concurrency", root.find("concurrency")),
      jobs,
      unsupported,
    },
  };
}

function readEvents(root: MappingToken): Map<string, TemplateToken | null> | null {
  const on = root.find("on");
  if (on === undefined) return null;
  if (isString(on)) return new Map([[on.value, null]]);
  if (isSequence(on)) return new Map([...on].flatMap((item) => (isString(item) ? [[item.value, null]] : [])));
  if (!isMapping(on)) return null;
  return new Map(
    [...on].map((pair) => [
      pair.key.toString(),
      isMapping(pair.value) || isSequence(pair.value) ? pair.value : null,
    ]),
  );
}

function readJob(
  path: string,
  token: MappingToken,
  converted: readonly ConvertedStep[],
): Omit<Job, "id" | "if"> {
  const needs = token.find("needs");
  const defaults = token.find("defaults");
  const stepsToken = token.find("steps");
  const permissions = readPermissions(token.find("permissions"));
  const unsupported = [...unknownKeys(path, token, JOB_KEYS), ...oidcProblems(path, token)];
  return {
    ...defined("name", token.find("name")),
    needs: needs === undefined ? [] : isSequence(needs) ? [...needs].map(String) : [needs.toString()],
    ...defined("runsOn", token.find("runs-on")),
    ...defined("permissions", permissions),
    ...defined("env", token.find("env")),
    ...defined("defaults", defaults && isMapping(defaults) ? defaults : undefined),
    ...defined("timeoutMinutes", token.find("timeout-minutes")),
    ...defined("continueOnError", token.find("continue-on-error")),
    ...defined("strategy", token.find("strategy")),
    ...defined("concurrency", token.find("concurrency")),
    ...defined("environment", token.find("environment")),
    ...defined("outputs", token.find("outputs")),
    steps: readSteps(path, stepsToken, converted, unsupported),
    unsupported,
  };
}

/** Steps of a job or of a composite action; `unsupported` collects keys the runner lacks. */
export function readSteps(
  path: string,
  token: TemplateToken | undefined,
  converted: readonly ConvertedStep[],
  unsupported: string[],
): Step[] {
  if (token === undefined || !isSequence(token)) return [];
  return [...token].flatMap((item, index) => {
    const step = converted[index];
    if (!isMapping(item) || step === undefined) return [];
    unsupported.push(...unknownKeys(path, item, STEP_KEYS));
    const uses = item.find("uses");
    return [
      {
        id: step.id,
        ...defined("name", item.find("name")),
        if: "if" in step && step.if ? step.if.expression : "success()",
        ...defined("env", item.find("env")),
        ...defined("continueOnError", item.find("continue-on-error")),
        ...defined("timeoutMinutes", item.find("timeout-minutes")),
        ...defined("run", item.find("run")),
        ...defined("shell", item.find("shell")),
        ...defined("workingDirectory", item.find("working-directory")),
        ...defined("uses", uses && isString(uses) ? uses.value : undefined),
        ...defined("with", item.find("with")),
      },
    ];
  });
}

function readPermissions(token: TemplateToken | undefined): Permissions | undefined {
  if (token === undefined) return undefined;
  if (isMapping(token)) {
    return Object.fromEntries([...token].map((pair) => [pair.key.toString(), level(pair.value.toString())]));
  }
  return String(token) === "write-all" ? "write-all" : "read-all";
}

function oidcProblems(path: string, token: MappingToken): string[] {
  const permissions = token.find("permissions");
  if (permissions === undefined || !isMapping(permissions)) return [];
  const idToken = permissions.find("id-token");
  return idToken?.toString() === "write"
    ? [unsupportedAt(path, idToken, "an OIDC token (id-token: write)")]
    : [];
}

function level(text: string): Level {
  return text === "read" || text === "write" ? text : "none";
}

/** Messages for the keys of a mapping that the runner does not implement. */
export function unknownKeys(path: string, token: MappingToken, known: readonly string[]): string[] {
  return [...token]
    .filter((pair) => !known.includes(pair.key.toString()))
    .map((pair) => unsupportedAt(path, pair.key, `'${pair.key.toString()}'`));
}

/** The message for something the parser accepts and the runner does not implement. */
export function unsupportedAt(path: string, token: TemplateToken, what: string): string {
  return `${path} (Line: ${token.line ?? 0}, Col: ${token.col ?? 0}): ${what} is not supported by the rehearsal runner`;
}

function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
