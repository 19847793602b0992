import { resultSchema } from "../benchmarks/result-schema.ts";
import { segmentSchema } from "../benchmarks/suite-schema.ts";
import type { Finding, Outcome } from "../findings.ts";
import { type AnswerFormat, PROMPT_MODES, type PromptMode } from "./prompt.ts";

/** The command line of a run as typed: text or absent. */
export interface TypedOptions {
  readonly suite?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly maxCalls?: string;
  readonly maxAttempts?: string;
  readonly minIntervalMs?: string;
  readonly timeoutS?: string;
  readonly temperature?: string;
  readonly maxTokens?: string;
  readonly responseFormat?: string;
  /** `auto` means `auto-1`. */
  readonly promptMode?: string;
  readonly fresh?: boolean;
}

export interface RunSettings {
  readonly suite: string;
  readonly model: string;
  /** Null: the built-in baseline server. */
  readonly address: ProviderAddress | null;
  readonly maxCalls: number | null;
  readonly maxAttempts: number;
  readonly minIntervalMs: number;
  readonly timeoutS: number;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly format: AnswerFormat;
  readonly promptMode: PromptMode;
  readonly fresh: boolean;
  /** The command as typed, rebuilt from what it means; it never held a secret. */
  readonly invocation: string;
}

export interface ProviderAddress {
  readonly baseUrl: string;
  /** Reports cost when asked for it. */
  readonly isOpenRouter: boolean;
  readonly isLoopback: boolean;
  readonly isEncrypted: boolean;
  /** The one environment variable whose key goes to this address. */
  readonly keyVariable: "OPENROUTER_API_KEY" | "OPENAI_API_KEY";
}

export const DEFAULT_BASE_URL = "https://openrouter.ai/api/v1";
/** Longest time between the starts of two calls that can be asked for. */
export const MAX_INTERVAL_MS = 3_600_000;
const DEFAULTS = {
  maxAttempts: 3,
  minIntervalMs: 0,
  timeoutS: 240,
  temperature: 0,
  maxTokens: 16_384,
  promptMode: "auto-1",
} as const;
const BASELINE = "baseline/heuristic";
const FORMATS: readonly AnswerFormat[] = ["json_schema", "json_object", "none"];

const problem = (option: string, message: string, actual?: string, hint?: string): Finding => ({
  code: "run-option",
  severity: "error",
  message: `${option}: ${message}`,
  ...(actual === undefined ? {} : { actual }),
  ...(hint === undefined ? {} : { hint }),
});

/** Reads the options of `bench:run`; everything that is wrong with them is reported at once. */
export function readSettings(typed: TypedOptions): Outcome<RunSettings> {
  const findings: Finding[] = [];
  const number = (
    option: string,
    text: string | undefined,
    fallback: number,
    [min, max]: readonly [number, number],
    whole = true,
  ): number => {
    if (text === undefined) return fallback;
    const value = /^\d{1,9}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
    findings.push(
      problem(option, `expected a ${whole ? "whole number" : "number"} from ${min} to ${max}.`, text),
    );
    return fallback;
  };
  const suite = typed.suite ?? "";
  if (!segmentSchema.safeParse(suite).success)
    findings.push(
      problem(
        "--suite",
        "expected a suite's id.",
        typed.suite,
        "Suites are the files in benchmarks/suites/.",
      ),
    );
  const model = typed.model ?? "";
  if (!resultSchema.shape.model.shape.id.safeParse(model).success)
    findings.push(
      problem("--model", "expected <provider>/<model>.", typed.model, `For example ${BASELINE}.`),
    );
  const format = FORMATS.find((each) => each === (typed.responseFormat ?? "json_schema"));
  if (format === undefined)
    findings.push(problem("--response-format", `expected ${FORMATS.join(", ")}.`, typed.responseFormat));
  // `auto` is the name that people type; documents name the rule.
  const modeName = typed.promptMode === "auto" ? "auto-1" : (typed.promptMode ?? DEFAULTS.promptMode);
  const promptMode = PROMPT_MODES.find((each) => each === modeName);
  if (promptMode === undefined)
    findings.push(problem("--prompt-mode", `expected ${PROMPT_MODES.join(", ")}.`, typed.promptMode));
  const builtIn = model === BASELINE && typed.baseUrl === undefined;
  const address = builtIn ? null : readAddress(typed.baseUrl ?? DEFAULT_BASE_URL);
  if (address !== null && !address.ok) findings.push(...address.findings);
  const settings = {
    suite,
    model,
    address: address?.ok ? address.value : null,
    maxCalls: typed.maxCalls === undefined ? null : number("--max-calls", typed.maxCalls, 1, [1, 100_000]),
    maxAttempts: number("--max-attempts", typed.maxAttempts, DEFAULTS.maxAttempts, [1, 3]),
    minIntervalMs: number("--min-interval-ms", typed.minIntervalMs, DEFAULTS.minIntervalMs, [
      0,
      MAX_INTERVAL_MS,
    ]),
    // Node's fetch gives up on a silent server after 300 s whatever it is told.
    timeoutS: number("--timeout-s", typed.timeoutS, DEFAULTS.timeoutS, [0.1, 290], false),
    temperature:
      typed.temperature === "none"
        ? null
        : number("--temperature", typed.temperature, DEFAULTS.temperature, [0, 2], false),
    maxTokens:
      typed.maxTokens === "none"
        ? null
        : number("--max-tokens", typed.maxTokens, DEFAULTS.maxTokens, [1, 1_000_000]),
    format: format ?? "json_schema",
    promptMode: promptMode ?? DEFAULTS.promptMode,
    fresh: typed.fresh === true,
    invocation: invocationOf(typed),
  };
  return findings.length > 0 ? { ok: false, findings } : { ok: true, value: settings, findings: [] };
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An OpenAI-compatible address as typed with `--base-url`. */
export function readAddress(text: string): Outcome<ProviderAddress> {
  const fail = (message: string, hint?: string): Outcome<ProviderAddress> => ({
    ok: false,
    // The address is not quoted: what makes it wrong may be the secret in it.
    findings: [problem("--base-url", message, undefined, hint)],
  });
  // A URL's parser drops white space; the result would record what nobody asked.
  if (!URL.canParse(text) || /\s/.test(text))
    return fail("this is no URL.", `For example ${DEFAULT_BASE_URL}.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return fail("expected an http or https URL.");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return fail(
      "the URL is recorded in the result, so it holds no user, password, query or fragment.",
      "The key comes from the environment: OPENROUTER_API_KEY, or OPENAI_API_KEY for other addresses.",
    );
  if (text.length > 120) return fail("expected at most 120 characters.");
  const isOpenRouter = url.hostname === "openrouter.ai" || url.hostname.endsWith(".openrouter.ai");
  return {
    ok: true,
    findings: [],
    value: {
      // As the URL was understood, not as typed: an empty query is no part of an address.
      baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
      isOpenRouter,
      isLoopback: LOOPBACK.test(url.hostname),
      isEncrypted: url.protocol === "https:",
      keyVariable: isOpenRouter ? "OPENROUTER_API_KEY" : "OPENAI_API_KEY",
    },
  };
}

/** The key for an address out of the environment; it goes nowhere else. Null: none is needed. */
export function readKey(
  address: ProviderAddress | null,
  environment: Readonly<Record<string, string | undefined>>,
): Outcome<string | null> {
  if (address === null) return { ok: true, value: null, findings: [] };
  const { keyVariable } = address;
  const key = environment[keyVariable]?.trim() ?? "";
  const fail = (code: string, message: string, hint: string): Outcome<string | null> => ({
    ok: false,
    findings: [{ code, severity: "error", message, hint }],
  });
  if (key === "")
    return address.isOpenRouter
      ? fail(
          "run-key-missing",
          `${keyVariable} is not set.`,
          "Give the key in the environment of this one command; or try --model baseline/heuristic, which needs none.",
        )
      : { ok: true, value: null, findings: [] };
  if (/[^\x21-\x7e]/.test(key))
    return fail("run-key-malformed", `${keyVariable} holds characters that no key has.`, "Set it anew.");
  if (!address.isEncrypted && !address.isLoopback)
    return fail(
      "run-address-insecure",
      "The key would travel unencrypted to another machine.",
      `Use an https address, or unset ${keyVariable}.`,
    );
  return { ok: true, value: key, findings: [] };
}

/** How the result document names the way to the model. */
export const transportOf = (address: ProviderAddress | null): string =>
  address === null
    ? "openai client over HTTP to the built-in baseline server on loopback"
    : `openai client over ${address.isEncrypted ? "HTTPS" : "HTTP"} to ${address.baseUrl}`;

function invocationOf(typed: TypedOptions): string {
  const options: [string, string | undefined][] = [
    ["--suite", typed.suite],
    ["--model", typed.model],
    ["--base-url", typed.baseUrl],
    ["--max-calls", typed.maxCalls],
    ["--max-attempts", typed.maxAttempts],
    ["--min-interval-ms", typed.minIntervalMs],
    ["--timeout-s", typed.timeoutS],
    ["--temperature", typed.temperature],
    ["--max-tokens", typed.maxTokens],
    ["--response-format", typed.responseFormat],
    ["--prompt-mode", typed.promptMode],
  ];
  const given = options.flatMap(([option, value]) => (value === undefined ? [] : [`${option} ${value}`]));
  return ["npm run bench:run --", ...given].join(" ").slice(0, 500);
}
