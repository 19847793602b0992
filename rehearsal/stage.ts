import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { LOCAL_TIMING, type RunningBot, startBot } from "../bot/server.ts";
import { eventIds, permissionLevels } from "../src/lib/bot/hosting/app-rights.ts";
import { JOB_WORKFLOWS } from "../src/lib/job/order-schema.ts";
import { type LocalHub, type SeedOptions, startHub } from "./hub/index.ts";
import { Person, type RepositoryName } from "./person.ts";
import { type Runner, type RunnerEvent, startRunner } from "./runner/index.ts";
import { commentPage } from "./show/comment-page.ts";
import type { Narrator } from "./show/narrator.ts";

const BASE: RepositoryName = { owner: "assay-office", name: "assay" };
const APP_SLUG = "assay";
/** The workflows a rehearsal is about; others (this project's own tests) are said not to run. */
const WORKFLOWS = [
  ".github/workflows/result-pr.yml",
  ".github/workflows/feed.yml",
  ...Object.values(JOB_WORKFLOWS),
];

/** Hub, bot and runner, connected, with this checkout's HEAD as the repository and people to act in it. */
export interface Stage {
  readonly hub: LocalHub;
  readonly base: RepositoryName;
  /** Maintains the repository. */
  readonly mia: Person;
  /** Sends honest results. */
  readonly ada: Person;
  /** Tries to get wrong numbers in. */
  readonly mallory: Person;
  /** A folder for this rehearsal's scratch files, removed by `close`. */
  readonly scratch: string;
  /** True once a signal has begun to stop everything: what fails from then on is no news. */
  stopping(): boolean;
  /** Resolves when nothing is under way anywhere: no webhook, no job, no work of the bot. */
  settled(): Promise<void>;
  /**
   * Resolves when `holds` does, asked again and again.
   * @throws Error naming `what` after `seconds`.
   */
  until(what: string, holds: () => Promise<boolean>, seconds?: number): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** The checkout whose HEAD becomes the hub's main. */
  readonly root: string;
  readonly narrator: Narrator;
  /** The workflows that are run; by default all that a rehearsal is about. */
  readonly workflows?: readonly string[];
  /** This machine as a host of jobs: labels of its runner, and what its jobs find in their environment. */
  readonly host?: {
    readonly labels: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** Environment → logins of its reviewers. */
  readonly reviewers?: Readonly<Record<string, readonly string[]>>;
}

/** @throws Error when a part does not start; what had started is stopped. Ctrl-C and `kill` stop everything cleanly, too. */
export async function openStage({
  root,
  narrator,
  workflows = WORKFLOWS,
  host,
  reviewers = {},
}: StageOptions): Promise<Stage> {
  const scratch = await mkdtemp(join(tmpdir(), "assay-rehearsal-"));
  const closers: (() => Promise<void>)[] = [
    () => rm(scratch, { recursive: true, force: true, maxRetries: 5 }),
  ];
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).reverse()) await stop();
  };
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const leave = (): void => {
      stopping = true;
      narrator.say("stopped", `${signal}: hub, bot and runner are being stopped`);
      void close().finally(() => process.exit(128 + constants.signals[signal]));
    };
    process.once(signal, leave);
    closers.push(async () => void process.off(signal, leave));
  }
  try {
    const hub = await startHub({
      users: [{ login: "mia" }, { login: "ada" }, { login: "mallory" }],
      organizations: [{ login: BASE.owner }],
      app: {
        slug: APP_SLUG,
        account: BASE.owner,
        permissions: permissionLevels(),
        events: eventIds(),
      },
      repositories: [
        {
          ...BASE,
          seed: await seedOf(root, scratch, narrator),
          roles: { mia: "maintain", ada: "read", mallory: "read" },
          reviewers,
          protectedBranches: {
            main: { bypass: [APP_SLUG] },
            published: { bypass: [APP_SLUG] },
            "assay/merge": { bypass: [APP_SLUG] },
          },
        },
      ],
      log: (line) => narrator.say("hub", line),
    });
    closers.push(() => hub.close());
    hub.onEffect((effect) => {
      if (effect.repository === `${BASE.owner}/${BASE.name}`) narrator.show(effect);
    });
    const runner = await startRunner({
      hub,
      workDir: join(scratch, "runner"),
      only: workflows,
      vars: { ASSAY_APP: String(hub.appCredentials.appId) },
      ...(host === undefined ? {} : { labels: host.labels, selfHostedEnv: host.env }),
      log: (event) => tellProblem(narrator, event),
    });
    closers.push(() => runner.close());
    const bot = await startBot({ ...hub.appCredentials, baseUrl: hub.url, timing: LOCAL_TIMING });
    closers.push(() => bot.close());
    hub.setWebhookUrl(bot.webhookUrl);
    narrator.say("hub", `GitHub stands in at ${hub.url}, the bot at ${bot.url}`);
    return {
      hub,
      base: BASE,
      mia: new Person(hub, "mia"),
      ada: new Person(hub, "ada"),
      mallory: new Person(hub, "mallory"),
      scratch,
      stopping: () => stopping,
      settled: () => settled(hub, runner, bot),
      until,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const run = promisify(execFile);

/** HEAD with its history; of a shallow clone, whose history git cannot pass on, its tree as one commit. */
async function seedOf(root: string, scratch: string, narrator: Narrator): Promise<SeedOptions> {
  const git = async (...words: string[]): Promise<string> =>
    (await run("git", ["-C", root, ...words])).stdout.trim();
  if ((await git("status", "--porcelain")) !== "")
    narrator.say("note", "main on the hub is this checkout's HEAD: uncommitted changes are not in it");
  if ((await git("rev-parse", "--is-shallow-repository")) !== "true") return { checkout: root };
  narrator.say("note", "this clone is shallow: the hub's main starts with one commit");
  const folder = join(scratch, "seed");
  await mkdir(folder);
  await git("archive", "--format=tar", `--output=${join(scratch, "seed.tar")}`, "HEAD");
  await run("tar", ["-xf", join(scratch, "seed.tar"), "-C", folder]);
  return { folder };
}

/** Job logs stay on the hub; what belongs to no job is told. */
function tellProblem(narrator: Narrator, event: RunnerEvent): void {
  if (event.type === "problem") narrator.say("runner", event.message);
}

/** One part's rest can wake another, so all of them have to rest in one round with no new webhook in it. */
async function settled(hub: LocalHub, runner: Runner, bot: RunningBot): Promise<void> {
  for (;;) {
    const before = hub.deliveries.length;
    await hub.settled();
    await runner.idle();
    await bot.idle();
    await hub.settled();
    if (hub.deliveries.length === before) return;
  }
}

async function until(what: string, holds: () => Promise<boolean>, seconds = 90): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited ${seconds} s in vain for this: ${what}.`);
    await pause(100);
  }
}

/** Writes each pull request's conversation as a page into `folder`, which is emptied first; returns the files. */
export async function writePages(
  stage: Stage,
  numbers: readonly number[],
  folder: string,
): Promise<string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const number of numbers) {
    const { title } = await stage.mia.readPullRequest(stage.base, number);
    const file = join(folder, `pull-request-${number}.html`);
    await writeFile(
      file,
      commentPage(`#${number} ${title}`, await stage.mia.readComments(stage.base, number)),
    );
    files.push(file);
  }
  return files;
}
