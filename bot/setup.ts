import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { GitError, runGit } from "../src/io/git-process.ts";
import { readOriginRepository } from "../src/io/origin.ts";
import { printable, printFindings, type TextSink } from "../src/io/terminal.ts";
import { userPath, whenWritten, writeUserFile } from "../src/io/user-files.ts";
import type { Conversion } from "../src/lib/bot/hosting/conversion.ts";
import { ENV_FILE, renderEnvFile } from "../src/lib/bot/hosting/env-file.ts";
import { renderRulesets, rulesetFile } from "../src/lib/bot/hosting/rulesets.ts";
import { renderNextSteps } from "../src/lib/bot/hosting/words-setup.ts";
import type { Finding } from "../src/lib/findings.ts";
import { type Environment, readHost } from "./settings.ts";
import { type SetupResult, type SetupServer, startSetupServer } from "./setup-server.ts";

/** `npm run bot -- setup`: makes the GitHub App with its owner, and keeps its key in `.env`. Ends by itself. */

const HERE = fileURLToPath(new URL("..", import.meta.url));
/** The rulesets, ready to import; git ignores the folder. */
const RULESETS_FOLDER = "rulesets";
/** GitHub's codes live for an hour. */
const PATIENCE_MS = 3_600_000;

interface SetupWords {
  org?: string;
  name: string;
  port: string;
  root?: string;
}

/** Gives the exit code. */
export async function setup(
  words: readonly string[],
  env: Environment,
  out: TextSink = process.stdout,
  errors: TextSink = process.stderr,
): Promise<number> {
  const program = new Command("bot setup")
    .description("Makes the GitHub App together with you, in your browser, and keeps its key in .env.")
    .option("--org <organisation>", "the organisation that will own the App (default: your own account)")
    .option("--name <name>", "a name to begin with; you can change it on the page", "assay-office")
    .option("--port <port>", "listen on this port of 127.0.0.1; 0: a free one", "0")
    .option("--root <folder>", "the clone whose .env is written (default: this one)")
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse([...words], { from: "user" });
  const { org, name, port, root: typed } = program.opts<SetupWords>();
  const root = typed === undefined ? HERE : userPath(typed);
  const organisation = org ?? null;
  const findings = await problems(root, organisation, port);
  if (findings.length > 0) {
    printFindings(findings, errors);
    return 1;
  }
  const host = readHost(env);
  const repository = await readOriginRepository(root, host.webOrigin);
  const kept: string[] = [];
  const server = await startSetupServer({
    webOrigin: host.webOrigin,
    apiBase: host.apiBase,
    organisation,
    name,
    homepage: repository === null ? "" : `${host.webOrigin}/${repository}`,
    port: Number(port),
    keep: async (app) => {
      const failed = await writeSecrets(root, app, host.settings);
      if (failed.length > 0) return failed.map(({ message }) => message).join(" ");
      kept.push(...(await writeRulesets(root, app.id)));
      return null;
    },
  });
  const say = (line: string): unknown => out.write(`${printable(line)}\n`);
  say(`Open this in a browser on this machine: ${server.url}`);
  const result = await ended(server);
  await server.close();
  if (!result.created) {
    printFindings([{ code: "hosting-setup-failed", severity: "error", message: result.reason }], errors);
    return 1;
  }
  const { app, hosting } = result;
  for (const line of renderNextSteps({
    slug: app.slug,
    appPage: app.html_url,
    webOrigin: host.webOrigin,
    organisation,
    owner: app.owner.login,
    repository,
    hosting,
    hasWebhookSecret: (app.webhook_secret ?? "") !== "",
    rulesetFiles: kept,
  }))
    say(line);
  return 0;
}

/** The result, or that nobody came. */
async function ended(server: SetupServer): Promise<SetupResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SetupResult>((resolve) => {
    timer = setTimeout(
      () => resolve({ created: false, reason: "An hour has passed and no App was made. Start again." }),
      PATIENCE_MS,
    );
  });
  try {
    return await Promise.race([server.result, late]);
  } finally {
    clearTimeout(timer);
  }
}

const problem = (code: string, message: string, hint: string, path?: string): Finding => ({
  code,
  severity: "error",
  message,
  hint,
  ...(path === undefined ? {} : { path }),
});

/** What would go wrong later is said now, before an App is made whose key is then lost. */
async function problems(root: string, organisation: string | null, port: string): Promise<Finding[]> {
  const found: Finding[] = [];
  if (organisation !== null && !/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(organisation)) {
    found.push(
      problem(
        "hosting-setup-option",
        "This is no name of an organisation.",
        "Name it as its address does: --org acme.",
      ),
    );
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    found.push(
      problem("hosting-setup-option", "This is no port.", "Leave --port out, or give a number up to 65535."),
    );
  }
  if (await exists(join(root, ENV_FILE))) {
    found.push(
      problem(
        "hosting-env-exists",
        "There is a file .env already, and it is never overwritten.",
        "Move it away if it is of an App that is not used any more.",
        ENV_FILE,
      ),
    );
  }
  for (const path of [ENV_FILE, `${RULESETS_FOLDER}/x.json`])
    if (!(await isIgnored(root, path)))
      found.push(
        problem(
          "hosting-env-not-ignored",
          "Git does not ignore this file, so it could be committed.",
          "Take .gitignore from the default branch of Assay.",
          path,
        ),
      );
  return found;
}

async function exists(path: string): Promise<boolean> {
  try {
    await (await open(path, "r")).close();
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** True where git will not pick the file up, also because there is no git. */
async function isIgnored(root: string, path: string): Promise<boolean> {
  try {
    const { code } = await runGit(["-C", root, "check-ignore", "--quiet", "--no-index", path], {
      accept: [1, 128],
    });
    return code !== 1;
  } catch (error) {
    if (error instanceof GitError) return true;
    throw error;
  }
}

/** Only for its owner's eyes, and only where there is no such file: a link is not followed either. */
async function writeSecrets(
  root: string,
  app: Conversion,
  host: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  const path = join(root, ENV_FILE);
  return whenWritten(path, async () => {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(renderEnvFile(app, host));
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

/** Gives the files that were written. */
async function writeRulesets(root: string, appId: number): Promise<string[]> {
  await mkdir(join(root, RULESETS_FOLDER), { recursive: true });
  const written: string[] = [];
  for (const [name, ruleset] of Object.entries(renderRulesets(appId))) {
    const failed = await writeUserFile(join(root, RULESETS_FOLDER, name), rulesetFile(ruleset));
    if (failed.length === 0) written.push(`${RULESETS_FOLDER}/${name}`);
  }
  return written;
}
