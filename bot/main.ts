import { startBot } from "./server.ts";
import { type Environment, loadEnvFile, need, readSettings } from "./settings.ts";

/** The bot's door: settings come from the environment and, for what that does not say, from `.env` (docs/operations.md). */

const [verb, ...words] = process.argv.slice(2);
loadEnvFile();
switch (verb) {
  case undefined:
    await serve(process.env);
    break;
  case "setup":
    process.exitCode = await (await import("./setup.ts")).setup(words, process.env);
    break;
  case "check":
    process.exitCode = await (await import("./check.ts")).check(words, process.env);
    break;
  case "--help":
  case "-h":
  case "help":
    process.stdout.write(
      "npm run bot              takes webhooks until it is stopped\n" +
        "npm run bot -- setup     makes the GitHub App with you (--help: how)\n" +
        "npm run bot -- check     says what of the installation is missing (--help: how)\n" +
        "npm run bot:once         looks at everything once, and ends\n" +
        "Settings and steps: docs/operations.md\n",
    );
    break;
  default:
    process.stderr.write(`There is no "${verb}": npm run bot, npm run bot -- setup, npm run bot -- check.\n`);
    process.exitCode = 2;
}

async function serve(env: Environment): Promise<void> {
  const bot = await startBot({
    ...readSettings(env),
    webhookSecret: need(env, "WEBHOOK_SECRET"),
    host: env.HOST ?? "127.0.0.1",
    port: Number(env.PORT ?? 3000),
  });
  process.stdout.write(`Assay's bot takes webhooks at ${bot.webhookUrl}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void bot.close().then(() => process.exit(0)));
}
