import { readFileSync } from "node:fs";
import { startBot } from "./server.ts";

/** The bot's door: everything comes from the environment (docs/operations.md). */

const env = process.env;
const need = (name: string): string => {
  const value = env[name];
  if (value === undefined || value === "") {
    process.stderr.write(`${name} is not set; docs/operations.md lists what the bot needs.\n`);
    process.exit(2);
  }
  return value;
};
const host = env.GHE_HOST ? `${env.GHE_PROTOCOL ?? "https"}://${env.GHE_HOST}/api/v3` : env.GITHUB_API_URL;

const bot = await startBot({
  appId: need("APP_ID"),
  privateKey: env.PRIVATE_KEY_PATH
    ? readFileSync(env.PRIVATE_KEY_PATH, "utf8")
    : need("PRIVATE_KEY").replaceAll("\\n", "\n"),
  webhookSecret: need("WEBHOOK_SECRET"),
  ...(host ? { baseUrl: host } : {}),
  host: env.HOST ?? "0.0.0.0",
  port: Number(env.PORT ?? 3000),
  logLevel: (env.LOG_LEVEL ?? "info") as "info",
});
process.stdout.write(`Assay's bot takes webhooks at ${bot.webhookUrl}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void bot.close().then(() => process.exit(0)));
