/**
 * What a contestant may ask of the one API that it reaches. The proxy in `src/io/egress/` lets through what this allows and nothing else: it
 * refuses by default, never repairs a request, and builds the outgoing one anew from the parts that are listed here.
 */

/** How an API wants its key: in which header, and what stands before the key. */
export interface KeyPlace {
  readonly header: string;
  readonly prefix: string;
}

/** The one API of a run. */
export interface EgressApi {
  /** `https://api.example.com`, without a path. `http:` for a server of the host's own. */
  readonly origin: string;
  /** What may be asked: method and exact path (a query may follow). */
  readonly routes: readonly { readonly method: "GET" | "POST"; readonly path: string }[];
  readonly key: KeyPlace;
}

/** Bounds of one run. Sizes in bytes. */
export interface EgressLimits {
  readonly requests: number;
  /** Requests under way at one time. */
  readonly concurrent: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** Without a byte of the answer. */
  readonly silentSeconds: number;
}

export const EGRESS_LIMITS: EgressLimits = {
  requests: 5000,
  concurrent: 16,
  requestBytes: 32 * 1024 * 1024,
  responseBytes: 64 * 1024 * 1024,
  silentSeconds: 600,
};

/** A request as it arrived: header names and values in turn, as they were written. */
export interface EgressRequest {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
}

/** How far the run has come. */
export interface EgressCounts {
  readonly requests: number;
  readonly underWay: number;
}

/** Why a request went nowhere. */
export const EGRESS_REFUSALS = [
  "method",
  "target",
  "path",
  "host",
  "header",
  "too-many",
  "too-many-at-once",
  "request-too-large",
] as const;
export type EgressRefusal = (typeof EGRESS_REFUSALS)[number];

export type EgressDecision =
  | {
      readonly allowed: true;
      readonly method: string;
      readonly path: string;
      readonly query: string;
      /** Headers of the outgoing request, without the key and the host. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly allowed: false; readonly status: number; readonly refusal: EgressRefusal };

/** Longest target that is read. */
const MAX_TARGET = 2000;
/** Origin form without escapes, dots that lead up, or anything that two readers could read in two ways. */
const TARGET = /^(\/[A-Za-z0-9_.~:@-]+(?:\/[A-Za-z0-9_.~:@-]+)*)(?:\?([A-Za-z0-9_.~:@=&%,+-]*))?$/;
/** Where the forwarder inside listens; a client that was pointed anywhere else is not ours. */
const HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/;

/** Request headers that are passed on. Credentials of any kind are none of them. */
const PASSED = [
  /^accept$/,
  /^content-type$/,
  /^user-agent$/,
  /^anthropic-(?:version|beta|dangerous-direct-browser-access)$/,
  /^openai-(?:beta|organization|project)$/,
  /^x-stainless-[a-z-]+$/,
  /^x-app$/,
  /^(?:originator|session_id|session-id|conversation_id|version)$/,
  /^(?:http-referer|x-title)$/,
];
/** Headers that lead astray whoever passes requests on. */
const FORBIDDEN =
  /^(?:upgrade|proxy-.*|forwarded|x-forwarded-.*|x-http-method(?:-override)?|x-original-url|x-rewrite-url|te|trailer)$/;
/** Visible characters, blanks and tabs. */
const VALUE = /^[\t\x20-\x7e]{0,4000}$/;

/** Answer headers that are passed back; a `Location` or a cookie is none of them. */
const RETURNED =
  /^(?:content-type|retry-after(?:-ms)?|request-id|x-request-id|anthropic-ratelimit-[a-z-]+|x-ratelimit-[a-z-]+|openai-(?:model|processing-ms|version)|x-should-retry|cf-ray)$/;

const no = (status: number, refusal: EgressRefusal): EgressDecision => ({ allowed: false, status, refusal });

/** Whether a request goes on to the API, and as what. */
export function decideEgress(
  request: EgressRequest,
  api: EgressApi,
  counts: EgressCounts,
  limits: EgressLimits,
): EgressDecision {
  if (counts.requests >= limits.requests) return no(429, "too-many");
  if (counts.underWay >= limits.concurrent) return no(503, "too-many-at-once");
  const method = api.routes.some((route) => route.method === request.method) ? request.method : null;
  if (method === null) return no(405, "method");
  const [, path, query = ""] = request.target.length > MAX_TARGET ? [] : (TARGET.exec(request.target) ?? []);
  if (path === undefined || path.split("/").some((part) => part === "." || part === ".."))
    return no(400, "target");
  if (!api.routes.some((route) => route.method === method && route.path === path)) return no(403, "path");
  const named = pairsOf(request.rawHeaders);
  const hosts = named.filter(([name]) => name === "host");
  if (hosts.length !== 1 || !HOST.test(hosts[0]?.[1] ?? "")) return no(421, "host");
  if (named.some(([name, value]) => FORBIDDEN.test(name) || !VALUE.test(value))) return no(400, "header");
  const lengths = named.filter(([name]) => name === "content-length");
  if (lengths.length > 1) return no(400, "header");
  if (Number(lengths[0]?.[1] ?? 0) > limits.requestBytes) return no(413, "request-too-large");
  const passed = named.filter(([name]) => PASSED.some((pattern) => pattern.test(name)));
  // The answer is looked through for the key, so nobody may pack it.
  const headers = { ...Object.fromEntries(passed), "accept-encoding": "identity" };
  return { allowed: true, method, path, query, headers };
}

function pairsOf(raw: readonly string[]): (readonly [name: string, value: string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    pairs.push([(raw[at] ?? "").toLowerCase(), raw[at + 1] ?? ""]);
  return pairs;
}

/** What of an answer's headers the contestant gets. */
export const returnedHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && RETURNED.test(name) ? [[name, value]] : [],
    ),
  );

/** An answer that sends the client elsewhere, or changes the protocol, is not passed back. */
export const isPlainAnswer = (status: number): boolean =>
  (status >= 200 && status < 300 && status !== 226) || (status >= 400 && status < 600);

/** What is wrong with an origin, in words; null when it is one. Plain `http:` only to this machine. */
export function whyNoOrigin(text: string): string | null {
  const [, scheme, host] = /^(https?):\/\/([a-z0-9.-]+)(?::\d{1,5})?$/.exec(text) ?? [];
  if (scheme === undefined || host === undefined) return "an origin is a scheme, a host and perhaps a port";
  const local = host === "127.0.0.1" || host === "localhost";
  return scheme === "https" || local ? null : "only a server of this machine is asked without TLS";
}
