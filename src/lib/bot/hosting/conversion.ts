import { z } from "zod";
import { APP_PERMISSIONS, eventIds, type Level, suffices } from "./app-rights.ts";

/** What GitHub answers when the code of a manifest is exchanged, and whether it is the App that was asked for. Pure. */

/** Only what is needed is kept: the answer also has a client secret, which nothing here uses. */
export const conversionSchema = z.object({
  id: z.int().positive(),
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
  html_url: z.url({ protocol: /^https?$/ }),
  owner: z.object({ login: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/) }),
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
  /** None when the webhook is off, on some hosts. */
  webhook_secret: z
    .string()
    .regex(/^[\x21-\x7e]*$/)
    .nullish(),
  pem: z
    .string()
    .regex(
      /^-----BEGIN (?:RSA )?PRIVATE KEY-----\r?\n[A-Za-z0-9+/=\r\n]+-----END (?:RSA )?PRIVATE KEY-----\s*$/,
    ),
});

export type Conversion = z.infer<typeof conversionSchema>;

/** Longest code that is believed to be one of GitHub's. */
export const isCode = (code: string): boolean => /^[A-Za-z0-9_-]{1,200}$/.test(code);

/**
 * Why an App is not the one that was asked for, in words; empty when it is. A code can come from elsewhere: of another
 * App, of another account.
 */
export function conversionProblems(
  app: Conversion,
  asked: { readonly organisation: string | null; readonly webOrigin: string },
): string[] {
  const problems: string[] = [];
  if (asked.organisation !== null && app.owner.login.toLowerCase() !== asked.organisation.toLowerCase()) {
    problems.push(`it belongs to ${app.owner.login}, not to ${asked.organisation}`);
  }
  if (new URL(app.html_url).origin !== asked.webOrigin) {
    problems.push(`it lives on another host than ${asked.webOrigin}`);
  }
  // Events are not asked for here: without a webhook a host may leave them out, and `check` says when a server lacks one.
  const lacking = lackingPermissions(app.permissions);
  if (lacking.length > 0) problems.push(`it lacks ${lacking.join(", ")}`);
  const extra = Object.keys(app.permissions).filter(
    (id) => !APP_PERMISSIONS.some((known) => known.id === id),
  );
  if (extra.length > 0) problems.push(`it has permissions that were not asked for: ${extra.join(", ")}`);
  return problems;
}

const levelWord = (level: Level): string => (level === "write" ? "read and write" : "read");

/** Permissions that are not there, each in words. */
export const lackingPermissions = (permissions: Readonly<Record<string, string>>): string[] =>
  APP_PERMISSIONS.filter(({ id, level }) => !suffices(permissions[id], level)).map(
    ({ title, level }) => `the permission ${title} (${levelWord(level)})`,
  );

/** Events that are not there, each in words. */
export const lackingEvents = (events: readonly string[]): string[] =>
  eventIds()
    .filter((event) => !events.includes(event))
    .map((event) => `the event ${event}`);
