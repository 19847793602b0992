/** Which workflow answers which trigger, and with what inputs. */
import { isMapping, isSequence } from "@actions/workflow-parser";
import type { MappingToken, TemplateToken } from "@actions/workflow-parser/templates/tokens/index";
import type { Trigger } from "../hub/contract.ts";
import type { Value } from "./expressions.ts";
import { passesFilter } from "./patterns.ts";
import { unsupportedAt, type Workflow } from "./workflow.ts";

export type Match =
  | { readonly kind: "no" }
  | {
      readonly kind: "yes";
      /** The `inputs` context: booleans stay booleans. */
      readonly inputs: Readonly<Record<string, Value>>;
      /** `github.event.inputs`: texts only. */
      readonly eventInputs?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "error"; readonly messages: readonly string[] };

const NO: Match = { kind: "no" };
const PULL_REQUEST_TYPES = ["opened", "synchronize", "reopened"];
/** Activity types an event reacts to when the file names none; every other event reacts to all of its own. */
const DEFAULT_TYPES: Readonly<Record<string, readonly string[]>> = {
  pull_request: PULL_REQUEST_TYPES,
  pull_request_target: PULL_REQUEST_TYPES,
};
const CONFIG_KEYS = ["types", "branches", "branches-ignore", "tags", "tags-ignore", "workflows", "inputs"];

/** Decides whether a workflow reacts to a trigger. Filters the runner lacks come back as an error, not as a guess. */
export function matchTrigger(workflow: Workflow, trigger: Trigger): Match {
  const { event, workflowPath } = trigger;
  if (event === "workflow_dispatch" && workflowPath !== workflow.path) return NO;
  const config = workflow.events.get(event);
  if (config === undefined) {
    if (event !== "workflow_dispatch") return NO;
    return { kind: "error", messages: [`${workflow.path} has no 'workflow_dispatch' trigger`] };
  }
  if (event === "schedule") return matchSchedule(config, trigger);
  if (config === null || !isMapping(config)) {
    if (!passesTypes(undefined, trigger)) return NO;
    return event === "workflow_dispatch" ? dispatchInputs(undefined, trigger) : { kind: "yes", inputs: {} };
  }
  if (!passesTypes(texts(config, "types"), trigger)) return NO;
  if (!passesWorkflows(texts(config, "workflows"), trigger)) return NO;
  const messages = conflicts(workflow.path, config);
  if (messages.length === 0 && !passesRefs(config, trigger)) return NO;
  for (const pair of config) {
    const key = pair.key.toString();
    if (!CONFIG_KEYS.includes(key)) {
      messages.push(unsupportedAt(workflow.path, pair.key, `'${key}' of event '${event}'`));
    }
  }
  if (messages.length > 0) return { kind: "error", messages };
  return event === "workflow_dispatch" ? dispatchInputs(config, trigger) : { kind: "yes", inputs: {} };
}

function matchSchedule(config: TemplateToken | null, trigger: Trigger): Match {
  const asked = trigger.payload.schedule;
  const crons =
    config !== null && isSequence(config)
      ? [...config].map((item) => (isMapping(item) ? item.find("cron")?.toString() : undefined))
      : [];
  return asked === undefined || crons.includes(String(asked)) ? { kind: "yes", inputs: {} } : NO;
}

function passesTypes(types: readonly string[] | undefined, trigger: Trigger): boolean {
  const wanted = types ?? DEFAULT_TYPES[trigger.event];
  return wanted === undefined || wanted.includes(String(trigger.payload.action));
}

function passesWorkflows(workflows: readonly string[] | undefined, trigger: Trigger): boolean {
  if (workflows === undefined) return true;
  const name = at(trigger.payload, "workflow_run", "name") ?? at(trigger.payload, "workflow", "name");
  return typeof name === "string" && workflows.includes(name);
}

function conflicts(path: string, config: MappingToken): string[] {
  return ["branches", "tags", "paths"].flatMap((key) => {
    const ignore = config.find(`${key}-ignore`);
    return config.find(key) !== undefined && ignore !== undefined
      ? [`${path} (Line: ${ignore.line ?? 0}): '${key}' and '${key}-ignore' cannot be used together`]
      : [];
  });
}

function passesRefs(config: MappingToken, trigger: Trigger): boolean {
  const lists = {
    branches: texts(config, "branches"),
    branchesIgnore: texts(config, "branches-ignore"),
    tags: texts(config, "tags"),
    tagsIgnore: texts(config, "tags-ignore"),
  };
  const anyBranch = lists.branches !== undefined || lists.branchesIgnore !== undefined;
  const anyTag = lists.tags !== undefined || lists.tagsIgnore !== undefined;
  if (!anyBranch && !anyTag) return true;
  const ref = filteredRef(trigger);
  if (ref.startsWith("refs/tags/")) {
    return anyTag && passesLists(ref.slice("refs/tags/".length), lists.tags, lists.tagsIgnore);
  }
  const branch = ref.replace(/^refs\/heads\//, "");
  return anyBranch && passesLists(branch, lists.branches, lists.branchesIgnore);
}

function passesLists(
  name: string,
  include: readonly string[] | undefined,
  ignore: readonly string[] | undefined,
): boolean {
  return include ? passesFilter(name, include) : !passesFilter(name, ignore ?? []);
}

/** The ref that `branches` and `tags` are compared with: the base for pull requests, the head for `workflow_run`. */
function filteredRef({ event, payload, ref }: Trigger): string {
  if (event === "pull_request" || event === "pull_request_target") {
    return String(at(payload, "pull_request", "base", "ref") ?? "");
  }
  if (event === "workflow_run") return String(at(payload, "workflow_run", "head_branch") ?? "");
  if (event === "merge_group") return String(at(payload, "merge_group", "base_ref") ?? "");
  return ref;
}

const INPUT_KEYS = ["description", "required", "default", "type", "options"];

function dispatchInputs(config: MappingToken | undefined, trigger: Trigger): Match {
  const given = new Map(Object.entries(trigger.inputs ?? {}));
  const definitions = config?.find("inputs");
  const inputs: Record<string, Value> = {};
  const eventInputs: Record<string, string> = {};
  const messages: string[] = [];
  for (const pair of definitions && isMapping(definitions) ? definitions : []) {
    const name = pair.key.toString();
    const definition = isMapping(pair.value) ? pair.value : undefined;
    const text = given.get(name);
    given.delete(name);
    const read = readInput(name, definition, text);
    if ("message" in read) messages.push(read.message);
    else {
      inputs[name] = read.value;
      eventInputs[name] = String(read.value);
    }
  }
  for (const name of given.keys()) messages.push(`Unexpected input '${name}' for workflow_dispatch`);
  return messages.length > 0 ? { kind: "error", messages } : { kind: "yes", inputs, eventInputs };
}

function readInput(
  name: string,
  definition: MappingToken | undefined,
  given: string | undefined,
): { readonly value: string | boolean } | { readonly message: string } {
  for (const pair of definition ?? []) {
    if (!INPUT_KEYS.includes(pair.key.toString())) {
      return { message: `input '${name}': key '${pair.key.toString()}' is not supported` };
    }
  }
  const type = definition?.find("type")?.toString() ?? "string";
  const options = definition ? texts(definition, "options") : undefined;
  const fallback = definition?.find("default")?.toString();
  if (given === undefined && fallback === undefined && definition?.find("required")?.toString() === "true") {
    return { message: `Required input '${name}' not provided` };
  }
  const text = given ?? fallback;
  switch (type) {
    case "string":
      return { value: text ?? "" };
    case "boolean":
      if (text !== undefined && text !== "true" && text !== "false") {
        return { message: `input '${name}' must be true or false, not '${text}'` };
      }
      return { value: text === "true" };
    case "choice": {
      const value = text ?? options?.[0] ?? "";
      return options?.includes(value)
        ? { value }
        : { message: `input '${name}' must be one of ${(options ?? []).join(", ")}, not '${value}'` };
    }
    case "number":
      // Only booleans change their type on the way to the `inputs` context; a number stays the text that was sent.
      return text === undefined || text === "" || Number.isFinite(Number(text))
        ? { value: text ?? "" }
        : { message: `input '${name}' must be a number, not '${text}'` };
    default:
      return { message: `input '${name}': type '${type}' is not supported by the rehearsal runner` };
  }
}

function texts(config: MappingToken, key: string): string[] | undefined {
  const token = config.find(key);
  if (token === undefined) return undefined;
  return isSequence(token) ? [...token].map(String) : [String(token)];
}

/** A member of the payload, `undefined` when any step of the way is missing. */
export function at(payload: unknown, ...path: readonly string[]): unknown {
  let value: unknown = payload;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value;
}
