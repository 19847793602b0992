import { randomBytes } from "node:crypto";
import {
  ApiError,
  invalid,
  isObject,
  type Json,
  notFound,
  type Reply,
  type Route,
  reply,
  route,
} from "../http.ts";
import { generateKey } from "../setup.ts";
import type { HubState } from "../state.ts";

/** A code works once, and for so long. */
const CODE_MS = 3_600_000;

/**
 * Making an App from a manifest: the form on GitHub's pages that the browser is sent to, which here asks nobody and goes
 * on at once, and the exchange of its code. The Apps that come of it exist on paper only: nothing can be installed, and
 * their keys open nothing here.
 */
export function manifestRoutes(state: HubState): Route[] {
  const codes = new Map<string, { readonly app: Json; readonly until: number }>();
  const create = (owner: string, body: Buffer, appState: string | null): Reply => {
    const account = state.account(owner);
    if (account === undefined) throw notFound();
    const manifest = parseManifest(new URLSearchParams(body.toString("utf8")).get("manifest"));
    const slug = manifest.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    const code = randomBytes(20).toString("hex");
    const { hook, permissions, events } = manifest;
    const app: Json = {
      id: state.id(),
      slug,
      node_id: `A_${slug}`,
      client_id: `Iv23${randomBytes(8).toString("hex")}`,
      owner: { login: account.login, id: account.id, type: account.type },
      name: manifest.name,
      description: "",
      external_url: manifest.url,
      html_url: `${state.url}/apps/${slug}`,
      created_at: state.timestamp(),
      updated_at: state.timestamp(),
      permissions: { metadata: "read", ...permissions },
      events,
      client_secret: randomBytes(20).toString("hex"),
      webhook_secret: hook === null ? null : randomBytes(20).toString("hex"),
      pem: generateKey(),
    };
    codes.set(code, { app, until: state.now() + CODE_MS });
    const back = new URL(manifest.redirect_url);
    back.searchParams.set("code", code);
    if (appState !== null) back.searchParams.set("state", appState);
    return { status: 302, headers: { location: back.href }, body: "" };
  };
  return [
    // The person who is signed in; here the first one that the hub knows.
    route("POST", "/settings/apps/new", (call) => {
      const person = [...state.accounts.values()].find(({ type }) => type === "User");
      return create(person?.login ?? "", call.body, call.query.get("state"));
    }),
    route("POST", "/organizations/:org/settings/apps/new", (call) =>
      create(call.params.org ?? "", call.body, call.query.get("state")),
    ),
    route("POST", "/app-manifests/:code/conversions", (call) => {
      const code = call.params.code ?? "";
      const known = codes.get(code);
      codes.delete(code);
      if (known === undefined || known.until <= state.now()) throw notFound();
      return reply(201, known.app);
    }),
  ];
}

interface Manifest {
  readonly name: string;
  readonly url: string;
  readonly redirect_url: string;
  readonly hook: Json | null;
  readonly permissions: Json;
  readonly events: readonly unknown[];
}

/** @throws ApiError 422 as GitHub's page says no. */
function parseManifest(text: string | null): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "");
  } catch {
    throw new ApiError(422, "Invalid GitHub App configuration");
  }
  if (!isObject(value)) throw new ApiError(422, "Invalid GitHub App configuration");
  const { name, url, redirect_url: redirect, hook_attributes: hook } = value;
  for (const [field, given] of Object.entries({ name, url, redirect_url: redirect }))
    if (typeof given !== "string" || given === "") throw invalid(`Error "${field}" wasn't supplied.`);
  // The webhook's address is needed as soon as its settings are given, also when they switch it off.
  if (hook !== undefined && (!isObject(hook) || typeof hook.url !== "string" || !URL.canParse(hook.url)))
    throw invalid('Error "url" wasn\'t supplied.');
  return {
    name: String(name),
    url: String(url),
    redirect_url: String(redirect),
    hook: isObject(hook) && hook.active !== false ? hook : null,
    permissions: isObject(value.default_permissions) ? value.default_permissions : {},
    events: Array.isArray(value.default_events) ? value.default_events : [],
  };
}
