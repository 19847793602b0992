import { eventIds, permissionLevels } from "./app-rights.ts";

/**
 * A GitHub App's manifest: what GitHub fills its form for a new App with. The person sees and confirms it there; GitHub
 * then sends the browser back with a code, and the code is exchanged for the App's id and key. Pure.
 */

/** `actions`: the bot is a job in Actions and hears no webhooks. `server`: it runs somewhere and hears them. */
export type Hosting = "actions" | "server";

export interface ManifestRequest {
  readonly name: string;
  /** The repository's page, or any other page about the App. */
  readonly homepage: string;
  /** Where GitHub sends the browser with the code. */
  readonly redirectUrl: string;
  readonly hosting: Hosting;
  /** For `server`. */
  readonly webhookUrl: string | null;
}

export interface AppManifest {
  readonly name: string;
  readonly url: string;
  readonly description: string;
  readonly redirect_url: string;
  readonly public: boolean;
  readonly hook_attributes: { readonly url: string; readonly active: boolean };
  readonly default_permissions: Readonly<Record<string, string>>;
  readonly default_events: readonly string[];
}

export const WEBHOOK_PATH = "/api/github/webhooks";

/** GitHub asks for a webhook's address even when it is switched off; the homepage stands there then. */
export const renderManifest = (request: ManifestRequest): AppManifest => ({
  name: request.name,
  url: request.homepage,
  description: "Validates result pull requests, recomputes their scores, merges exactly what was verified.",
  redirect_url: request.redirectUrl,
  public: false,
  hook_attributes: {
    url: request.webhookUrl ?? request.homepage,
    active: request.hosting === "server",
  },
  default_permissions: permissionLevels(),
  default_events: eventIds(),
});

/** Where the manifest is posted: the form for a new App of the person, or of an organisation. */
export const newAppUrl = (webOrigin: string, organisation: string | null, state: string): string => {
  const form =
    organisation === null
      ? "/settings/apps/new"
      : `/organizations/${encodeURIComponent(organisation)}/settings/apps/new`;
  return `${webOrigin}${form}?state=${encodeURIComponent(state)}`;
};

/** GitHub's longest name of an App. */
const NAME_LENGTH = 34;

/** What is wrong with a name for the App; null when nothing is. */
export const nameProblem = (name: string): string | null =>
  /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/.test(name) && name.length <= NAME_LENGTH
    ? null
    : `A name has 1 to ${NAME_LENGTH} letters, digits, spaces, dots, dashes or underscores, and starts with a letter or digit.`;

/** The webhook's address with the path that the bot listens on, when only a host was given; null when it is none. */
export function parseWebhookUrl(text: string): string | null {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return null;
  }
  if (url.protocol !== "https:" || url.username !== "" || url.password !== "" || url.hash !== "") return null;
  if (url.pathname === "/") url.pathname = WEBHOOK_PATH;
  return url.href;
}
