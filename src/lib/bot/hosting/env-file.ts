import type { Conversion } from "./conversion.ts";

/** The file `.env` that the bot reads at start. Pure. */

export const ENV_FILE = ".env";

const quoted = (value: string): string => `'${value}'`;

/**
 * The file's text. The key stands on one line with `\n` for its line ends, which the bot turns back, so that the same line
 * also serves where only one line is possible. `settings`: other variables, such as `GHE_HOST`.
 */
export function renderEnvFile(app: Conversion, settings: Readonly<Record<string, string>>): string {
  const key = app.pem.trim().replaceAll("\r", "").replaceAll("\n", "\\n");
  const secret = app.webhook_secret ?? "";
  return [
    `# Assay's bot, the GitHub App ${app.slug} (docs/operations.md). Whoever has this file is the App: keep it to yourself.`,
    `APP_ID=${app.id}`,
    // A value that holds the quote itself cannot be written so; GitHub's are hexadecimal.
    ...(secret === "" || secret.includes("'") ? [] : [`WEBHOOK_SECRET=${quoted(secret)}`]),
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    `PRIVATE_KEY=${quoted(`${key}\\n`)}`,
    "",
  ].join("\n");
}
