import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import {
  orUnseen,
  readBranchRules,
  readEnvironment,
  readOfficeRuns,
  readWebhook,
  readWorkflows,
} from "../src/io/github/installation.ts";
import type { Client } from "../src/io/github/policy.ts";
import { statusOf } from "../src/io/github/policy.ts";
import { readBranch } from "../src/io/github/refs.ts";
import { orNull, readRepository } from "../src/io/github/repository.ts";
import { readOriginRepository } from "../src/io/origin.ts";
import { printable, printFindings, type TextSink } from "../src/io/terminal.ts";
import { ENV_FILE } from "../src/lib/bot/hosting/env-file.ts";
import { decideInstallation, neededWorkflows } from "../src/lib/bot/hosting/installation.ts";
import type { Hosting } from "../src/lib/bot/hosting/manifest.ts";
import { LOCK_BRANCH } from "../src/lib/bot/merge.ts";
import { PUBLISHED_BRANCH } from "../src/lib/bot/publish.ts";
import { type Finding, hasErrors } from "../src/lib/findings.ts";
import { type Environment, readHost, readSettings } from "./settings.ts";
import { startOffice } from "./start-office.ts";

/** `npm run bot -- check`: looks at the installation as the App sees it, changes nothing, and says what is missing or wrong. */

const HERE = fileURLToPath(new URL("..", import.meta.url));

/** Gives the exit code. `folder`: where the bot is started, and `.env` lies. */
export async function check(
  words: readonly string[],
  env: Environment,
  out: TextSink = process.stdout,
  errors: TextSink = process.stderr,
  folder = process.cwd(),
): Promise<number> {
  const program = new Command("bot check")
    .description("Says what of the installation is missing or wrong. Reads only.")
    .argument("[owner/name]", "the repository (default: this clone's origin)")
    .addOption(
      new Option("--hosting <way>", "how the bot runs (default: server when WEBHOOK_SECRET is set)").choices([
        "actions",
        "server",
      ]),
    )
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
    .parse([...words], { from: "user" });
  const name = program.args[0] ?? (await readOriginRepository(HERE, readHost(env).webOrigin));
  const hosting =
    program.opts<{ hosting?: Hosting }>().hosting ?? (env.WEBHOOK_SECRET ? "server" : "actions");
  const findings = [...(await envFileFindings(folder)), ...(await look(name, hosting, env))];
  printFindings(findings, errors);
  const count = findings.filter(({ severity }) => severity === "error").length;
  const say = (line: string): unknown => out.write(`${printable(line)}\n`);
  say(
    count === 0
      ? `Looked at ${name ?? "nothing"}, hosted by ${hosting === "server" ? "a server" : "Actions"}: nothing that it needs is missing.`
      : `${count} ${count === 1 ? "thing is" : "things are"} missing or wrong: docs/operations.md has the steps, docs/findings.md the codes.`,
  );
  return hasErrors(findings) ? 1 : 0;
}

const error = (code: string, message: string, hint: string): Finding[] => [
  { code, severity: "error", message, hint },
];

async function look(name: string | null, hosting: Hosting, env: Environment): Promise<Finding[]> {
  const [owner, repo, more] = name?.split("/") ?? [];
  if (owner === undefined || repo === undefined || more !== undefined) {
    return error(
      "hosting-no-repository",
      "It is not known which repository is meant.",
      "Name it: npm run bot -- check owner/name",
    );
  }
  try {
    return await lookAt(owner, repo, hosting, env);
  } catch (problem) {
    const status = statusOf(problem);
    return error(
      "hosting-unreachable",
      status === null
        ? "GitHub could not be asked: there was no answer."
        : `GitHub could not be asked: it answered ${status}.`,
      "Try again; behind a GitHub Enterprise host set GHE_HOST.",
    );
  }
}

async function lookAt(owner: string, repo: string, hosting: Hosting, env: Environment): Promise<Finding[]> {
  const settings = readSettings(env);
  const opened = await openApp(settings);
  if (opened === null) {
    return error(
      "hosting-app-key",
      "GitHub does not take APP_ID and PRIVATE_KEY.",
      "Are they of one App, of this host, and is the key not deleted? The App's settings show both.",
    );
  }
  const { probot, app, rights } = opened;
  const installation = await orNull(app.request("GET /repos/{owner}/{repo}/installation", { owner, repo }));
  if (installation === null) {
    return error(
      "hosting-not-installed",
      `The App is not installed on ${owner}/${repo}, or there is no such repository.`,
      "Install it: the App's settings, Install App, this repository only.",
    );
  }
  const { data } = installation;
  const client = await probot.auth(Number(data.id));
  const appId = Number(settings.appId);
  const repository = await readRepository(client, owner, repo, { appId, botUserId: null });
  const branch = (of: string) => readBranchRules(repository, of);
  return decideInstallation({
    appId,
    hosting,
    defaultBranch: repository.defaultBranch,
    app: rights,
    installation: {
      permissions: stringsOf(data.permissions),
      events: data.events,
      suspended: data.suspended_at !== null && data.suspended_at !== undefined,
    },
    webhook: hosting === "server" ? await readWebhook(app) : null,
    workflows: await orUnseen(readWorkflows(repository, neededWorkflows(hosting))),
    main: await branch(repository.defaultBranch),
    lock: await branch(LOCK_BRANCH),
    published: await branch(PUBLISHED_BRANCH),
    publishedTip: await orUnseen(readBranch(repository, PUBLISHED_BRANCH).then((sha) => ({ sha }))),
    office: hosting === "actions" ? await orUnseen(readOfficeRuns(repository)) : null,
    environment: hosting === "actions" ? await readEnvironment(repository) : null,
  });
}

/** The App as itself; null when its id and key open nothing. */
async function openApp(settings: ReturnType<typeof readSettings>) {
  try {
    const { probot } = await startOffice({ ...settings, logLevel: "fatal" });
    const app: Client = await probot.auth();
    const { data } = await app.request("GET /app");
    if (data === null) return null;
    return { probot, app, rights: { permissions: stringsOf(data.permissions), events: data.events } };
  } catch (problem) {
    // Without a status the key itself is none, unless nobody answered.
    const status = statusOf(problem);
    if (status === 401 || status === 404 || (status === null && isKeyProblem(problem))) return null;
    throw problem;
  }
}

const isKeyProblem = (problem: unknown): boolean =>
  problem instanceof Error && /key|PEM|DECODER|asn1|JWT/i.test(problem.message);

const stringsOf = (permissions: object): Record<string, string> =>
  Object.fromEntries(Object.entries(permissions).map(([id, level]) => [id, String(level)]));

/** Whether others on this machine may read the file with the App's key. */
async function envFileFindings(folder: string): Promise<Finding[]> {
  try {
    const { mode } = await stat(join(folder, ENV_FILE));
    if ((mode & 0o077) === 0 || process.platform === "win32") return [];
  } catch {
    return [];
  }
  return [
    {
      code: "hosting-env-readable",
      severity: "error",
      path: ENV_FILE,
      message: "Others on this machine may read the App's key.",
      hint: `chmod 600 ${ENV_FILE}`,
    },
  ];
}
