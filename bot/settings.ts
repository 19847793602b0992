import { readFileSync } from "node:fs";
import { LOG_LEVELS } from "./log.ts";
import type { OfficeSettings } from "./start-office.ts";

/** What the bot takes from its environment (docs/operations.md). */

type Environment = Readonly<Record<string, string | undefined>>;

/** Says what is missing and ends the process. */
export function need(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") {
    process.stderr.write(`${name} is not set; docs/operations.md lists what the bot needs.\n`);
    process.exit(2);
  }
  return value;
}

/** App, host and log. Ends the process when something is missing. */
export function readSettings(env: Environment): OfficeSettings {
  const host = env.GHE_HOST ? `${env.GHE_PROTOCOL ?? "https"}://${env.GHE_HOST}/api/v3` : env.GITHUB_API_URL;
  return {
    appId: need(env, "APP_ID"),
    privateKey: env.PRIVATE_KEY_PATH
      ? readFileSync(env.PRIVATE_KEY_PATH, "utf8")
      : need(env, "PRIVATE_KEY").replaceAll("\\n", "\n"),
    ...(host ? { baseUrl: host } : {}),
    logLevel: LOG_LEVELS.find((level) => level === env.LOG_LEVEL) ?? "info",
  };
}
