import { readFileSync } from "node:fs";
import { ENV_FILE } from "../src/lib/bot/hosting/env-file.ts";
import { LOG_LEVELS } from "./log.ts";
import type { OfficeSettings } from "./start-office.ts";

/** What the bot takes from its environment (docs/operations.md). */

export type Environment = Readonly<Record<string, string | undefined>>;

/** Takes `.env` of the folder where the bot was started into the environment, which wins. Ends the process when it cannot be read. */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile(ENV_FILE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    process.stderr.write(`${ENV_FILE} cannot be read (${code ?? "not in its form"}).\n`);
    process.exit(2);
  }
}

/** Which GitHub the bot speaks to: github.com, or the host that `GHE_HOST` names. */
export interface GitHubHost {
  /** Of its pages. */
  readonly webOrigin: string;
  /** REST base. */
  readonly apiBase: string;
  /** What of the environment said so, to be kept beside the App's key. */
  readonly settings: Readonly<Record<string, string>>;
}

export function readHost(env: Environment): GitHubHost {
  if (!env.GHE_HOST) {
    return {
      webOrigin: "https://github.com",
      apiBase: env.GITHUB_API_URL || "https://api.github.com",
      settings: {},
    };
  }
  const protocol = env.GHE_PROTOCOL || "https";
  const webOrigin = `${protocol}://${env.GHE_HOST}`;
  return {
    webOrigin,
    apiBase: `${webOrigin}/api/v3`,
    settings: { GHE_HOST: env.GHE_HOST, ...(protocol === "https" ? {} : { GHE_PROTOCOL: protocol }) },
  };
}

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
  return {
    appId: need(env, "APP_ID"),
    privateKey: env.PRIVATE_KEY_PATH
      ? readFileSync(env.PRIVATE_KEY_PATH, "utf8")
      : need(env, "PRIVATE_KEY").replaceAll("\\n", "\n"),
    baseUrl: readHost(env).apiBase,
    logLevel: LOG_LEVELS.find((level) => level === env.LOG_LEVEL) ?? "info",
  };
}
