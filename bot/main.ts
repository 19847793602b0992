import { startBot } from "./server.ts";
import { need, readSettings } from "./settings.ts";

/** The bot's door: everything comes from the environment (docs/operations.md). */

const { env } = process;
const bot = await startBot({
  ...readSettings(env),
  webhookSecret: need(env, "WEBHOOK_SECRET"),
  host: env.HOST ?? "127.0.0.1",
  port: Number(env.PORT ?? 3000),
});
process.stdout.write(`Assay's bot takes webhooks at ${bot.webhookUrl}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void bot.close().then(() => process.exit(0)));
