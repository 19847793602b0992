import type { IncomingHttpHeaders } from "node:http";
import type { Need } from "./permissions.ts";
import type { RepositoryState } from "./state.ts";
import type { Identity } from "./tokens.ts";

export type Json = Record<string, unknown>;

/** One request, as a route sees it. */
export interface Call {
  readonly method: string;
  /** Path without query, still percent-encoded, without the `/api/v3` prefix. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly identity: Identity;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer in GitHub's error shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly unknown[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    extra: { errors?: readonly unknown[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

export const notFound = (message = "Not Found"): ApiError => new ApiError(404, message);

/** Something that GitHub has and the hub has not: said plainly, and recorded. 404, because clients retry a 501. */
export class NotHeldError extends ApiError {
  constructor(what: string) {
    super(404, `The local hub does not hold this: ${what}`);
    this.name = "NotHeldError";
  }
}

/** 422 in the form GitHub uses for a bad field. */
export const invalid = (message: string, errors?: readonly unknown[]): ApiError =>
  new ApiError(422, message, errors === undefined ? {} : { errors });

export function reply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}

export const noContent: Reply = { status: 204 };

/** The JSON object in the body. @throws ApiError 400 when it is not one. */
export function jsonBody(call: Call): Json {
  if (call.body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(call.body.toString("utf8"));
  } catch {
    throw new ApiError(400, "Problems parsing JSON");
  }
  if (!isObject(value)) throw new ApiError(400, "Body should be a JSON object");
  return value;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A required string field. @throws ApiError 422 when it is absent. */
export function required(body: Json, field: string): string {
  const value = body[field];
  if (typeof value !== "string" || value === "") {
    throw invalid(`Invalid request.\n\n"${field}" wasn't supplied.`, [{ field, code: "missing_field" }]);
  }
  return value;
}

/** Page number and size as GitHub reads them: 30 by default, never above 100; some lists have one fixed size. */
export function paging(query: URLSearchParams, fixed?: number): { page: number; perPage: number } {
  const number = (name: string, fallback: number): number => {
    const value = Number.parseInt(query.get(name) ?? "", 10);
    return Number.isFinite(value) && value > 0 ? value : fallback;
  };
  return { page: number("page", 1), perPage: fixed ?? Math.min(100, number("per_page", 30)) };
}

/** One page of a list with GitHub's `Link` header; `wrap` makes the body from the page. */
export function paged<T>(
  hubUrl: string,
  call: Call,
  items: readonly T[],
  wrap: (page: readonly T[], total: number) => unknown = (page) => page,
  fixed?: number,
): Reply {
  const { page, perPage } = paging(call.query, fixed);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const link = (target: number, rel: string): string => {
    const query = new URLSearchParams(call.query);
    query.set("page", String(target));
    query.set("per_page", String(perPage));
    return `<${hubUrl}${call.path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
    ...(page > 1 ? [link(1, "first")] : []),
  ];
  const slice = items.slice((page - 1) * perPage, page * perPage);
  return reply(200, wrap(slice, items.length), links.length > 0 ? { link: links.join(", ") } : {});
}

/** True when the client asked for this media type (`raw`, `diff`, `sha`), with or without `+json`. */
export const wants = (call: Call, kind: string): boolean =>
  new RegExp(`application/vnd\\.github\\.(?:v3\\.)?${kind}(?:\\+json)?\\b`).test(
    String(call.headers.accept ?? ""),
  );

export type Handler = (call: Call) => Promise<Reply> | Reply;
export type RepositoryHandler = (call: Call, repository: RepositoryState) => Promise<Reply> | Reply;

/** A route: `:name` takes one path segment, `*name` takes the rest of the path or several segments. */
export interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly need: Need | null;
  readonly handle: Handler | RepositoryHandler;
}

function compile(template: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  const source = template
    .replace(/[.]/g, "\\.")
    .replace(/([:*])([a-z_]+)/g, (_all, kind: string, name: string) => {
      names.push(name);
      return kind === ":" ? "([^/]+)" : "(.+?)";
    });
  return { pattern: new RegExp(`^${source}/?$`), names };
}

/** A route outside a repository; it decides about access itself. */
export const route = (method: string, template: string, handle: Handler): Route => ({
  method,
  ...compile(template),
  need: null,
  handle,
});

/** A route under `/repos/:owner/:repo`, open to whoever has `need`. */
export const repositoryRoute = (
  method: string,
  template: string,
  need: Need,
  handle: RepositoryHandler,
): Route => ({ method, ...compile(`/repos/:owner/:repo${template}`), need, handle });
