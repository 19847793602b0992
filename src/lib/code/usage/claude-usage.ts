import type { LogPlace } from "./log-file.ts";
import type { Reading, ReadRequest } from "./reading.ts";
import { has, type Json, listAt, objectAt, objectOf, textAt } from "./values.ts";

/** The one line kept of a response. */
export interface Response {
  /** `message.id`; null where a line has none. */
  readonly id: string | null;
  readonly request: string;
  /** Written by a sub-agent. */
  readonly sidechain: boolean;
  readonly output: number;
  readonly ms: number | null;
  readonly model: string | null;
  /** `message.usage`. */
  readonly usage: Json;
  /** `stop_reason` is null: the response had not ended when this was written. */
  readonly isOpen: boolean;
  readonly place: LogPlace;
}

type Tokens = Required<Omit<ReadRequest, "at" | "model" | "tier">>;

/** How a log without the split is read: five minutes is the vendor's default. */
export const CACHE_LIFETIME_ASSUMED = "cache-write-lifetime-5m";

/**
 * Adds what a response used. Its top level covers the `message` iterations of `iterations[]`; where they sum up to it, each is
 * a request of its own, since each is billed by its own prompt. An advisor has its own model and stands beside the top level.
 */
export function claudeRequests({ usage, model, ms, place }: Response, reading: Reading): void {
  const total = tokensOf(usage, reading, place);
  if (total === null) return;
  const iterations = iterationsOf(usage, reading, place);
  if (iterations === null) return;
  if (isEmpty(total) && iterations.length === 0) return;
  if (model === null) {
    reading.noModel(place);
    return;
  }
  if (
    Object.values(objectAt(usage, "server_tool_use") ?? {}).some(
      (calls) => typeof calls === "number" && calls > 0,
    )
  )
    reading.assume("server-tool-calls-not-priced");
  const tier = tierOf(usage);
  const add = (tokens: Tokens, of: string): void => {
    if (isEmpty(tokens)) return;
    if (tokens.cache_write > 0) reading.assume(CACHE_LIFETIME_ASSUMED);
    reading.addRequest({ at: ms, model: of, tier, ...tokens });
  };
  const own = iterations.filter(({ type }) => type === "message");
  const compactions = iterations.filter(({ type }) => type === "compaction");
  const requests = requestsOf(total, own, compactions);
  for (const tokens of requests ?? []) add(tokens, model);
  if (requests === null)
    reading.sumError(
      place,
      "a top level that is the sum of its `message` iterations, with or without compactions",
      `top level ${describe(total)}`,
    );
  for (const advisor of iterations.filter(({ type }) => type === "advisor_message"))
    if (advisor.model === null) reading.noModel(place);
    else add(advisor.tokens, advisor.model);
}

/** The requests that a top level stands for; null when it cannot be told whether it holds the compactions. */
function requestsOf(
  total: Tokens,
  own: readonly Iteration[],
  compactions: readonly Iteration[],
): Tokens[] | null {
  const tokensOfAll = (parts: readonly Iteration[]): Tokens[] => parts.map(({ tokens }) => tokens);
  const inside = [...own, ...compactions];
  if (own.length > 0 && isSum(own, total, COARSE))
    return [...(isSum(own, total, FINE) ? tokensOfAll(own) : [total]), ...tokensOfAll(compactions)];
  if (own.length > 0 && compactions.length > 0) {
    if (!isSum(inside, total, COARSE)) return null;
    return isSum(inside, total, FINE) ? tokensOfAll(inside) : [total];
  }
  return [total, ...tokensOfAll(compactions)];
}

interface Iteration {
  readonly type: string;
  readonly model: string | null;
  readonly tokens: Tokens;
}

/** Null when one of them cannot be read. */
function iterationsOf(usage: Json, reading: Reading, place: LogPlace): Iteration[] | null {
  const iterations: Iteration[] = [];
  for (const entry of listAt(usage, "iterations")) {
    const object = objectOf(entry);
    const type = textAt(object, "type");
    if (object === null || type === null) continue;
    const tokens = tokensOf(object, reading, place);
    if (tokens === null) return null;
    iterations.push({ type, model: textAt(object, "model"), tokens });
  }
  return iterations;
}

/** Buckets of a usage object; null when it cannot be read, which is a finding. */
function tokensOf(usage: Json, reading: Reading, place: LogPlace): Tokens | null {
  const flat = reading.counts(
    usage,
    ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"],
    place,
  );
  const split = objectAt(usage, "cache_creation");
  const lifetimes = reading.counts(split, ["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"], place);
  const details = reading.counts(objectAt(usage, "output_tokens_details"), ["thinking_tokens"], place);
  if (flat === null || lifetimes === null || details === null) return null;
  const [short, long] = [lifetimes.ephemeral_5m_input_tokens, lifetimes.ephemeral_1h_input_tokens];
  const total = has(usage, "cache_creation_input_tokens") ? flat.cache_creation_input_tokens : short + long;
  if (details.thinking_tokens > flat.output_tokens)
    return refuse(
      reading,
      place,
      `thinking within the output, ${flat.output_tokens}`,
      details.thinking_tokens,
    );
  const isSplit = short + long > 0 || total === 0;
  if (isSplit && short + long !== total)
    return refuse(reading, place, `cache writes by lifetime that sum up to ${total}`, short + long);
  return {
    uncached_input: flat.input_tokens,
    cache_read: flat.cache_read_input_tokens,
    cache_write_5m: short,
    cache_write_1h: long,
    cache_write: isSplit ? 0 : total,
    output: flat.output_tokens,
    reasoning: details.thinking_tokens,
  };
}

function refuse(reading: Reading, place: LogPlace, expected: string, actual: number): null {
  reading.sumError(place, expected, String(actual));
  return null;
}

/** `speed` says whether it ran fast; else the service tier of the reply. */
function tierOf(usage: Json): string {
  if (textAt(usage, "speed") === "fast") return "fast";
  return textAt(usage, "service_tier") ?? "standard";
}

type Figure = (tokens: Tokens) => number;
const written: Figure = (tokens) => tokens.cache_write_5m + tokens.cache_write_1h + tokens.cache_write;
/** What every iteration tells, and what only some versions tell of it. */
const COARSE: readonly Figure[] = [(t) => t.uncached_input, (t) => t.cache_read, written, (t) => t.output];
const FINE: readonly Figure[] = [(t) => t.cache_write_5m, (t) => t.cache_write_1h, (t) => t.reasoning];

const isSum = (parts: readonly Iteration[], total: Tokens, figures: readonly Figure[]): boolean =>
  figures.every((figure) => parts.reduce((sum, { tokens }) => sum + figure(tokens), 0) === figure(total));

const isEmpty = (tokens: Tokens): boolean => Object.values(tokens).every((count) => count === 0);

const describe = (tokens: Tokens): string =>
  `input ${tokens.uncached_input}, reads ${tokens.cache_read}, writes ${written(tokens)}, output ${tokens.output}`;
