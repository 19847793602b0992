import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LocalActions } from "./actions-store.ts";
import type { Hub, Repository } from "./contract.ts";
import type { Effect } from "./effects.ts";
import { Emulate } from "./emulate.ts";
import { FaultBox, type Faults } from "./faults.ts";
import type { Route } from "./http.ts";
import { MergeQueues, type QueueEntry } from "./merge-queue.ts";
import { type PlayedWorkflow, Player } from "./player.ts";
import { GITHUB_RATES, Rates } from "./rates.ts";
import { actionRoutes } from "./routes/actions.ts";
import { appRoutes } from "./routes/apps.ts";
import { checkRoutes } from "./routes/checks.ts";
import { commitRoutes } from "./routes/commits.ts";
import { contentsRoutes } from "./routes/contents.ts";
import { deliveryRoutes } from "./routes/deliveries.ts";
import { gitDataRoutes } from "./routes/git-data.ts";
import { graphqlRoutes } from "./routes/graphql.ts";
import { issueRoutes } from "./routes/issues.ts";
import { manifestRoutes } from "./routes/manifests.ts";
import { pullRoutes } from "./routes/pulls.ts";
import { reactionRoutes } from "./routes/reactions.ts";
import { repositoryRoutes } from "./routes/repositories.ts";
import { ruleRoutes } from "./routes/rules.ts";
import { closeServer, listen } from "./server.ts";
import {
  accountFrom,
  actionsInstallation,
  actionsKeys,
  addRepository,
  aliasOf,
  appState,
  assertOptions,
  botAccount,
  emulateSeed,
  forkRepository,
  gitEnvironment,
  type HubOptions,
  INSTALLATION_ID,
  installationToken,
  privateKey,
} from "./setup.ts";
import { writeHooks } from "./smart-http.ts";
import { ACTIONS_SLUG, HubState, type Unanswered } from "./state.ts";
import { type Actor, actorOf, Tokens } from "./tokens.ts";
import { ANSWER_MS, type Delivery, Webhooks } from "./webhooks.ts";

export type { Effect } from "./effects.ts";
export type {
  FaultRule,
  Faults,
  PlayedFault,
  RequestFault,
  SeenCall,
  SeenWebhook,
  WebhookFault,
} from "./faults.ts";
export type { QueueEntry } from "./merge-queue.ts";
export type { PlayedRun, PlayedWorkflow } from "./player.ts";
export type { RateLimits, SecondaryAnswer } from "./rates.ts";
export type { AppOptions, HubOptions, RepositoryOptions, SeedOptions, UserOptions } from "./setup.ts";
export type { Delivery } from "./webhooks.ts";

/** What a Probot app needs to know to be this app. */
export interface AppCredentials {
  readonly appId: number;
  readonly slug: string;
  readonly privateKey: string;
  readonly webhookSecret: string;
  readonly installationId: number;
}

export interface LocalHub extends Hub {
  /** @throws Error when the hub was started without an app. */
  readonly appCredentials: AppCredentials;
  /** Requests for what the hub does not hold, in order. */
  readonly unanswered: readonly Unanswered[];
  /** What can be made to go wrong. */
  readonly faults: Faults;
  /** Every webhook so far, in order; one that was sent again stands here again. */
  readonly deliveries: readonly Delivery[];
  /** Where webhooks go; null: nowhere. Nothing is kept back for later. */
  setWebhookUrl(url: string | null): void;
  redeliver(deliveryId: string): void;
  /** @throws Error for an unknown login. */
  userToken(login: string): string;
  /** `http://<login>:<token>@127.0.0.1:<port>/<owner>/<name>.git`, for git. */
  cloneUrl(login: string, owner: string, name: string): string;
  fork(owner: string, name: string, login: string): Promise<Repository>;
  /** Plays a workflow in the runner's place. Returns a function that stops it. */
  playWorkflow(workflow: PlayedWorkflow): () => void;
  /** Lets a run into the environments that it waits for, as a reviewer does. @throws Error for who reviews none of them */
  approve(login: string, runId: number): void;
  /** Puts a pull request into its base's merge queue, as the button does. @throws ApiError when GitHub would not offer it. */
  enqueue(login: string, owner: string, name: string, pull: number): Promise<void>;
  /** What stands in the merge queue of a branch, first one first. */
  queue(owner: string, name: string, branch: string): readonly QueueEntry[];
  /** Calls back for every change that a person would see. Returns a function that unsubscribes. */
  onEffect(listener: (effect: Effect) => void): () => void;
  /** Resolves when every change so far has had its consequences and every webhook its answer. */
  settled(): Promise<void>;
}

/**
 * Starts GitHub on this machine, on a free port of 127.0.0.1: the emulator for accounts, apps, issues and checks, real
 * bare repositories for everything that is git.
 * @throws Error when the options contradict each other or something does not start; nothing is left running then.
 */
export async function startHub(options: HubOptions): Promise<LocalHub> {
  assertOptions(options);
  const workDir =
    options.workDir === undefined ? await mkdtemp(join(tmpdir(), "hub-")) : resolve(options.workDir);
  await mkdir(workDir, { recursive: true });
  const { server, url, use } = await listen();
  let emulate: Emulate | null = null;
  let webhooks: Webhooks | null = null;
  /** Lets work under way end: it still needs its files. */
  let finish: () => Promise<void> = async () => undefined;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await closeServer(server);
      await webhooks?.close();
      await finish();
      await emulate?.close();
      if (options.workDir === undefined) await rm(workDir, { recursive: true, force: true, maxRetries: 5 });
    })();
    return closing;
  };
  try {
    const env = await gitEnvironment(workDir);
    await writeHooks(join(workDir, "hooks"));
    const appKeys =
      options.app === undefined ? null : { id: options.app.id ?? 4_001, privateKey: privateKey("app") };
    const keys = { app: appKeys, actions: actionsKeys() };
    const secret = options.app?.webhookSecret ?? randomBytes(16).toString("hex");
    const userTokens = Object.fromEntries(options.users.map(({ login }) => [login, Tokens.make("ghp")]));
    emulate = await Emulate.start(url, emulateSeed(options, userTokens, keys));
    const now = options.now ?? Date.now;
    const faults = new FaultBox(options.seed ?? 1);
    webhooks = new Webhooks(
      { url: null, secret, events: options.app?.events ?? ["*"] },
      { now, faults, answerMs: options.webhookAnswerMs ?? ANSWER_MS },
    );
    const state = new HubState({
      url,
      emulate,
      webhooks,
      tokens: new Tokens(() => Date.now()),
      triggers: options.triggers ?? ["pull_request_target", "merge_group", "push", "workflow_dispatch"],
      credential: credentials(emulate, options, keys, () => state),
      log: options.log ?? (() => undefined),
      now,
      queues: (whole) => new MergeQueues(whole),
      rates: new Rates(options.rates === false ? null : { ...GITHUB_RATES, ...options.rates }, now),
    });
    const where = { workDir, env };
    await populate(state, options, userTokens, keys, where);
    const actions = new LocalActions(state);
    const routes: Route[] = [
      ...appRoutes(state),
      ...manifestRoutes(state),
      ...ruleRoutes(state),
      ...deliveryRoutes(state),
      ...graphqlRoutes(state),
      ...checkRoutes(state),
      ...actionRoutes(state, actions),
      ...pullRoutes(state),
      ...reactionRoutes(state),
      ...issueRoutes(state),
      ...gitDataRoutes(state),
      ...contentsRoutes(state),
      ...commitRoutes(state),
      ...repositoryRoutes(state, (parent, login, name) => forkRepository(state, where, parent, login, name)),
    ];
    finish = async () => {
      await actions.idle();
      await state.settled();
      for (const { git } of state.repositories.values()) git.close();
    };
    use({ state, routes, smartHttp: where, faults });
    return facade(state, actions, faults, where, appKeys?.privateKey ?? null, close);
  } catch (error) {
    await close();
    throw error;
  }
}

type Keys = Parameters<typeof emulateSeed>[2];
type Where = Parameters<typeof addRepository>[1];

/** Requests for which one token of the emulator serves: it counts 5,000 an hour for each, by the system's clock. */
const REQUESTS_PER_TOKEN = 4_000;

/**
 * How each kind of actor is known to the emulator. What a token may do and how often it may ask is the hub's decision,
 * so the emulator gets tokens of its own: new ones in time.
 */
function credentials(
  emulate: Emulate,
  options: HubOptions,
  keys: Keys,
  state: () => HubState,
): (actor: Actor) => Promise<string> {
  const kept = new Map<number, { token: string; until: number; left: number }>();
  const used = new Map<string, number>();
  const ofInstallation = async (app: Keys["actions"], installation: number): Promise<string> => {
    let known = kept.get(installation);
    if (known === undefined || known.until <= Date.now() || known.left <= 0) {
      const token = await installationToken(emulate, app, installation);
      known = { token, until: Date.now() + 50 * 60_000, left: REQUESTS_PER_TOKEN };
      kept.set(installation, known);
    }
    known.left -= 1;
    return `token ${known.token}`;
  };
  return async (actor) => {
    if (actor.kind === "installation" && keys.app !== null) return ofInstallation(keys.app, INSTALLATION_ID);
    if (actor.kind === "workflow") {
      const owner = state().repositoryById(actor.repositoryId)?.owner ?? "";
      return ofInstallation(keys.actions, actionsInstallation(options, owner));
    }
    const count = used.get(actor.token) ?? 0;
    used.set(actor.token, count + 1);
    return `token ${aliasOf(actor.token, Math.floor(count / REQUESTS_PER_TOKEN))}`;
  };
}

async function populate(
  state: HubState,
  options: HubOptions,
  userTokens: Readonly<Record<string, string>>,
  keys: Keys,
  where: Where,
): Promise<void> {
  const { emulate, tokens } = state;
  for (const { login } of options.users) {
    const account = await accountFrom(emulate, `/users/${login}`, "User");
    state.accounts.set(login.toLowerCase(), account);
    const token = userTokens[login];
    if (token !== undefined) tokens.add({ kind: "user", account, token });
  }
  for (const { login } of options.organizations ?? []) {
    state.accounts.set(login.toLowerCase(), await accountFrom(emulate, `/orgs/${login}`, "Organization"));
  }
  for (const repository of options.repositories) await addRepository(state, where, repository, null);
  const bots: { slug: string; account: string; installation: number; key: Keys["actions"] }[] = [];
  const first = options.repositories[0];
  if (first !== undefined) {
    const installation = actionsInstallation(options, first.owner);
    bots.push({ slug: ACTIONS_SLUG, account: first.owner, installation, key: keys.actions });
  }
  const { app } = options;
  if (app !== undefined && keys.app !== null) {
    bots.push({ slug: app.slug, account: app.account, installation: INSTALLATION_ID, key: keys.app });
  }
  for (const { slug, account, installation, key } of bots) {
    const home = [...state.repositories.values()].find(
      (repository) => repository.owner.toLowerCase() === account.toLowerCase(),
    );
    const bot = await botAccount(emulate, key, installation, home?.fullName ?? "", slug);
    state.accounts.set(bot.login.toLowerCase(), bot);
    if (app !== undefined && keys.app !== null && slug === app.slug) state.app = appState(app, keys.app, bot);
  }
}

function facade(
  state: HubState,
  actions: LocalActions,
  faults: FaultBox,
  where: Where,
  privateKey: string | null,
  close: () => Promise<void>,
): LocalHub {
  const userToken = (login: string): string => {
    const token = state.tokens.userToken(login);
    if (token === undefined) throw new Error(`The hub has no user ${login}.`);
    return token;
  };
  const player = new Player({ actions, onTrigger: (listener) => state.onTrigger(listener) }, (line) =>
    state.log(line),
  );
  return {
    url: state.url,
    actions,
    get appCredentials() {
      if (state.app === null || privateKey === null) throw new Error("The hub was started without an app.");
      const { id: appId, slug, installationId } = state.app;
      return { appId, slug, privateKey, webhookSecret: state.webhooks.target.secret, installationId };
    },
    unanswered: state.unanswered,
    deliveries: state.webhooks.deliveries,
    setWebhookUrl: (url) => {
      state.webhooks.target.url = url;
    },
    redeliver: (id) => {
      state.webhooks.redeliver(id);
    },
    faults: faultSwitches(faults, state.webhooks),
    userToken,
    cloneUrl: (login, owner, name) =>
      state.url.replace("http://", `http://${login}:${userToken(login)}@`).concat(`/${owner}/${name}.git`),
    fork: (owner, name, login) =>
      state.serial(() => forkRepository(state, where, state.repository(owner, name), login, name)),
    approve: (login, runId) => actions.approve(runId, login),
    enqueue: (login, owner, name, number) =>
      state.serial(async () => {
        const repository = state.repository(owner, name);
        const pull = repository.pulls.get(number);
        if (pull === undefined) throw new Error(`${owner}/${name} has no pull request ${number}.`);
        const identity = state.tokens.identify({ authorization: `token ${userToken(login)}` });
        await state.queues.enqueue(repository, pull, actorOf(identity), null);
      }),
    queue: (owner, name, branch) => state.queues.entries(state.repository(owner, name), branch),
    repository: (owner, name) => state.repository(owner, name),
    onTrigger: (listener) => state.onTrigger(listener),
    onEffect: (listener) => state.onEffect(listener),
    playWorkflow: (workflow) => player.play(workflow),
    settled: async () => {
      await player.idle();
      await actions.idle();
      await state.settled();
    },
    close,
  };
}

const faultSwitches = (box: FaultBox, webhooks: Webhooks): Faults => ({
  seed: box.seed,
  beforeRequest: (hook) => box.beforeRequest(hook),
  onRequest: (rule) => box.onRequest(rule),
  onWebhook: (rule) => box.onWebhook(rule),
  get held() {
    return webhooks.held;
  },
  release: () => webhooks.release(),
  played: box.played,
  clear: () => box.clear(),
});
