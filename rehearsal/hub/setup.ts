import { createSign, generateKeyPairSync } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Emulate } from "./emulate.ts";
import { OPERATOR } from "./emulate.ts";
import { writeTree } from "./git-merge.ts";
import { GitRepo } from "./git-repo.ts";
import { isObject, type Json } from "./http.ts";
import type { Permissions, Role } from "./permissions.ts";
import type { RateLimits } from "./rates.ts";
import { grant } from "./routes/repositories.ts";
import {
  ACTIONS_APP_ID,
  ACTIONS_SLUG,
  type HubState,
  type Protection,
  type RepositoryState,
} from "./state.ts";
import type { Account } from "./tokens.ts";

export interface UserOptions {
  readonly login: string;
  readonly name?: string;
}

export interface AppOptions {
  readonly slug: string;
  readonly name?: string;
  readonly id?: number;
  readonly permissions: Permissions;
  /** Webhook events; every event when absent. */
  readonly events?: readonly string[];
  readonly webhookSecret?: string;
  /** Login of the user or organization it is installed on. */
  readonly account: string;
}

/** What a repository starts with: HEAD of a checkout with its history, a folder as one commit, or files as one commit. */
export type SeedOptions =
  | { readonly checkout: string }
  | { readonly folder: string }
  | { readonly files: Readonly<Record<string, string | Uint8Array>> };

type GivenRole = Exclude<Role, "none">;

export interface RepositoryOptions {
  readonly owner: string;
  readonly name: string;
  readonly private?: boolean;
  readonly seed?: SeedOptions;
  /** Login → role, beside the owner's; a custom role has a name and the role it builds on. */
  readonly roles?: Readonly<Record<string, GivenRole | { readonly name: string; readonly base: GivenRole }>>;
  /** `main` only moves forward when it is protected. */
  readonly protectedBranches?: Readonly<Record<string, Protection>>;
  /** As a person imports them; shown, not enforced. */
  readonly rulesets?: readonly Json[];
  /** Name → branches that may use it; null: every branch. */
  readonly environments?: Readonly<Record<string, readonly string[] | null>>;
  /** Name of an environment → logins of those who let a job in; without any, every job goes in. */
  readonly reviewers?: Readonly<Record<string, readonly string[]>>;
}

export interface HubOptions {
  readonly users: readonly UserOptions[];
  readonly organizations?: readonly { readonly login: string }[];
  readonly app?: AppOptions;
  readonly repositories: readonly RepositoryOptions[];
  /** Events that start workflows; `pull_request` is left out because GitHub holds first-time contributors' runs back. */
  readonly triggers?: readonly string[];
  /** Folder for the repositories, kept at the end; a temporary one, removed at the end, when absent. */
  readonly workDir?: string;
  /**
   * The hub's clock, milliseconds since 1970; default the system's. All times in answers, all rates and everything
   * that is late go by it. Tokens live by the system's clock, as clients measure them by it.
   */
  readonly now?: () => number;
  /** GitHub's rates, or other numbers in their place; false: no rate is enforced. */
  readonly rates?: false | Partial<RateLimits>;
  /** Seed of all chances in `faults`. */
  readonly seed?: number;
  /** How long a webhook waits for its answer, milliseconds; default 10,000, GitHub's. */
  readonly webhookAnswerMs?: number;
  /** Receives the hub's own mistakes and what it does not hold. */
  readonly log?: (line: string) => void;
}

export interface AppKeys {
  readonly id: number;
  readonly privateKey: string;
}

export const DEFAULT_BRANCH = "main";
export const INSTALLATION_ID = 5_001;
/** The emulator lets its apps do everything; what they may is the hub's decision. */
const EVERYTHING: Permissions = Object.fromEntries(
  ["contents", "issues", "pull_requests", "checks", "actions", "metadata", "administration", "statuses"].map(
    (name) => [name, "write" as const],
  ),
);

/** A new private key; making one takes a while, so a process makes each of the two it needs once. */
export function privateKey(of: "app" | "actions"): string {
  const known = keys.get(of) ?? generateKey();
  keys.set(of, known);
  return known;
}

const keys = new Map<"app" | "actions", string>();

export function generateKey(): string {
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return pair.privateKey;
}

/** A JWT as apps sign it (RS256), good for five minutes. */
export function signJwt(app: AppKeys): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 30, exp: now + 300, iss: String(app.id) })}`;
  return `${head}.${createSign("RSA-SHA256").update(head).sign(app.privateKey, "base64url")}`;
}

const accounts = (options: HubOptions): string[] => [
  ...(options.organizations ?? []).map((organization) => organization.login),
  ...options.users.map((user) => user.login),
];

/** Installation of the workflows' own app on an account, by its place in the list. */
export const actionsInstallation = (options: HubOptions, account: string): number => {
  const index = accounts(options).findIndex((login) => login.toLowerCase() === account.toLowerCase());
  if (index === -1) throw new Error(`The hub has no account ${account}.`);
  return 9_001 + index;
};

/** @throws Error when two options contradict each other. */
export function assertOptions(options: HubOptions): void {
  const known = new Set(accounts(options).map((login) => login.toLowerCase()));
  const unknown = (login: string): boolean => !known.has(login.toLowerCase());
  for (const repository of options.repositories) {
    if (unknown(repository.owner))
      throw new Error(
        `Repository ${repository.owner}/${repository.name}: there is no account ${repository.owner}.`,
      );
    for (const login of Object.keys(repository.roles ?? {})) {
      if (unknown(login))
        throw new Error(`Repository ${repository.owner}/${repository.name}: there is no user ${login}.`);
    }
  }
  const { app } = options;
  if (app === undefined) return;
  if (
    !options.repositories.some((repository) => repository.owner.toLowerCase() === app.account.toLowerCase())
  ) {
    throw new Error(`The app ${app.slug} is installed on ${app.account}, which owns no repository.`);
  }
}

/** Tokens that the emulator knows for one of a person; each is good for some thousand requests an hour. */
const ALIASES = 50;

/** The token under which the emulator knows a person, so many thousand requests later. */
export const aliasOf = (token: string, index: number): string =>
  index % ALIASES === 0 ? token : `${token}.${index % ALIASES}`;

/** What the emulator starts with. */
export function emulateSeed(
  options: HubOptions,
  tokens: Readonly<Record<string, string>>,
  keys: { app: AppKeys | null; actions: AppKeys },
): {
  tokens: Record<string, { login: string }>;
  github: Json;
} {
  const { app } = options;
  const own =
    app === undefined || keys.app === null
      ? []
      : [
          {
            app_id: keys.app.id,
            slug: app.slug,
            name: app.name ?? app.slug,
            private_key: keys.app.privateKey,
            permissions: EVERYTHING,
            events: [],
            installations: [
              { installation_id: INSTALLATION_ID, account: app.account, repository_selection: "all" },
            ],
          },
        ];
  return {
    tokens: Object.fromEntries(
      Object.entries(tokens).flatMap(([login, token]) =>
        Array.from({ length: ALIASES }, (_, index) => [aliasOf(token, index), { login }]),
      ),
    ),
    github: {
      // The first user is the emulator's fallback for tokens it does not know.
      users: [{ login: OPERATOR, site_admin: true }, ...options.users],
      orgs: (options.organizations ?? []).map(({ login }) => ({
        login,
        members: [{ login: OPERATOR, role: "admin" }],
      })),
      repos: options.repositories.map(({ owner, name, private: closed }) => ({
        owner,
        name,
        private: closed ?? false,
        default_branch: DEFAULT_BRANCH,
        auto_init: false,
      })),
      apps: [
        ...own,
        {
          app_id: keys.actions.id,
          slug: ACTIONS_SLUG,
          name: "GitHub Actions",
          private_key: keys.actions.privateKey,
          permissions: EVERYTHING,
          events: [],
          installations: accounts(options).map((account) => ({
            installation_id: actionsInstallation(options, account),
            account,
            repository_selection: "all",
          })),
        },
      ],
    },
  };
}

/** An environment in which git sees neither the machine's nor the user's settings. */
export async function gitEnvironment(workDir: string): Promise<Record<string, string>> {
  const config = join(workDir, "gitconfig");
  await writeFile(
    config,
    "[safe]\n\tdirectory = *\n[user]\n\tname = hub\n\temail = hub@localhost\n[gc]\n\tauto = 0\n",
  );
  const env: Record<string, string> = {
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: config,
    HOME: workDir,
    LC_ALL: "C",
  };
  for (const name of ["PATH", "TMPDIR", "SystemRoot"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, GIT_TERMINAL_PROMPT: "0" };
}

export async function accountFrom(emulate: Emulate, path: string, type: Account["type"]): Promise<Account> {
  const value = await emulate.object("GET", path);
  return { id: Number(value.id), login: String(value.login), nodeId: String(value.node_id), type };
}

/**
 * The emulator makes a bot's account when the bot first writes; a write that changes nothing makes it now, so that it
 * has its id before anything happens.
 */
export async function botAccount(
  emulate: Emulate,
  keys: AppKeys,
  installation: number,
  repository: string,
  slug: string,
): Promise<Account> {
  const token = await installationToken(emulate, keys, installation);
  const path = `/repos/${repository}/check-suites/preferences`;
  const answer = await emulate.send(
    "PATCH",
    path,
    `token ${token}`,
    JSON.stringify({ auto_trigger_checks: [] }),
  );
  if (answer.status !== 200)
    throw new Error(`The emulator refused the bot ${slug}: ${answer.body.toString("utf8")}`);
  return accountFrom(emulate, `/users/${encodeURIComponent(`${slug}[bot]`)}`, "Bot");
}

export async function installationToken(
  emulate: Emulate,
  keys: AppKeys,
  installation: number,
): Promise<string> {
  const answer = await emulate.send(
    "POST",
    `/app/installations/${installation}/access_tokens`,
    `Bearer ${signJwt(keys)}`,
    "{}",
  );
  const value: unknown = JSON.parse(answer.body.toString("utf8"));
  if (!isObject(value) || typeof value.token !== "string")
    throw new Error(`The emulator gave no token: ${answer.body}`);
  return value.token;
}

export const appState = (app: AppOptions, keys: AppKeys, bot: Account): NonNullable<HubState["app"]> => ({
  id: keys.id,
  slug: app.slug,
  name: app.name ?? app.slug,
  bot,
  permissions: { metadata: "read", ...app.permissions },
  events: app.events ?? ["*"],
  installationId: INSTALLATION_ID,
  account: app.account,
  repositoryIds: null,
});

export const actionsKeys = (): AppKeys => ({ id: ACTIONS_APP_ID, privateKey: privateKey("actions") });

/** An empty bare repository as `git init` makes it; a fork shares the objects of its parent, as on GitHub. */
async function makeBare(gitDir: string, hooks: string, parent: RepositoryState | null): Promise<void> {
  await mkdir(join(gitDir, "refs", "heads"), { recursive: true });
  await writeFile(join(gitDir, "HEAD"), `ref: refs/heads/${DEFAULT_BRANCH}\n`);
  const config = [
    "[core]",
    "\trepositoryformatversion = 0",
    "\tfilemode = true",
    "\tbare = true",
    "\tlogAllRefUpdates = false",
    `\thooksPath = ${JSON.stringify(hooks)}`,
    "[uploadpack]",
    "\tallowAnySHA1InWant = true",
    "\tallowFilter = true",
    "[receive]",
    "\thideRefs = refs/pull",
    "\tdenyDeleteCurrent = refuse",
    "[http]",
    "\treceivepack = true",
  ];
  await writeFile(join(gitDir, "config"), `${config.join("\n")}\n`);
  const objects = join(gitDir, "objects");
  if (parent === null) await mkdir(join(objects, "pack"), { recursive: true });
  else await symlink(parent.git.objects.gitDir.concat("/objects"), objects, "dir");
}

/** A bare repository for one that the emulator already lists. */
export async function addRepository(
  state: HubState,
  where: { readonly workDir: string; readonly env: Readonly<Record<string, string>> },
  options: RepositoryOptions,
  parent: RepositoryState | null,
): Promise<RepositoryState> {
  const fullName = `${options.owner}/${options.name}`;
  // The operator must be let into a person's repository; organizations have it as an administrator.
  const owner = state.account(options.owner);
  if (owner?.type === "User") {
    const path = `/repos/${fullName}/collaborators/${OPERATOR}`;
    const token = state.tokens.userToken(options.owner);
    await state.emulate.send("PUT", path, `token ${token}`, JSON.stringify({ permission: "admin" }));
  }
  const { permissions: _whose, ...payload } = await state.emulate.object("GET", `/repos/${fullName}`);
  const gitDir = join(where.workDir, "repositories", options.owner, `${options.name}.git`);
  await makeBare(gitDir, join(where.workDir, "hooks"), parent);
  const git = new GitRepo(gitDir, where.env, parent?.git ?? null);
  const repository: RepositoryState = {
    id: Number(payload.id),
    owner: options.owner,
    name: options.name,
    fullName,
    defaultBranch: DEFAULT_BRANCH,
    gitDir,
    private: options.private ?? false,
    git,
    parent,
    roles: new Map(),
    customRoles: new Map(),
    protectedBranches: new Map(Object.entries(options.protectedBranches ?? {})),
    rulesets: options.rulesets ?? [],
    environments: new Map(Object.entries(options.environments ?? {})),
    reviewers: new Map(Object.entries(options.reviewers ?? {})),
    pulls: new Map(),
    payload,
  };
  state.repositories.set(fullName.toLowerCase(), repository);
  for (const [login, given] of Object.entries(options.roles ?? {})) {
    await grant(state, repository, login, typeof given === "string" ? given : given.base);
    if (typeof given !== "string") repository.customRoles.set(login.toLowerCase(), given.name);
  }
  if (options.seed !== undefined) await seed(git, options.seed, state.now());
  return repository;
}

async function seed(git: GitRepo, from: SeedOptions, now: number): Promise<void> {
  const main = `refs/heads/${DEFAULT_BRANCH}`;
  if ("checkout" in from) {
    await git.run([
      "fetch",
      "--quiet",
      "--no-tags",
      "--update-shallow",
      "--no-write-fetch-head",
      resolve(from.checkout),
      `HEAD:${main}`,
    ]);
    return;
  }
  const tree =
    "folder" in from ? await folderTree(git, resolve(from.folder)) : await fileTree(git, from.files);
  const person = { name: "hub", email: "hub@localhost", when: `${Math.floor(now / 1000)} +0000` };
  const sha = await git.writeCommit({
    tree,
    parents: [],
    author: person,
    committer: person,
    message: "Start",
  });
  await git.setRef(main, sha);
}

/** The folder as git would add it: what its `.gitignore` files name stays out. */
async function folderTree(git: GitRepo, folder: string): Promise<string> {
  const env = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: join(git.dir, "seed-index") };
  await git.run(["add", "--all", "--", folder], { env });
  return git.line(["write-tree"], { env });
}

async function fileTree(git: GitRepo, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const changes = [];
  for (const [path, content] of Object.entries(files)) {
    const sha = await git.writeBlob(typeof content === "string" ? Buffer.from(content, "utf8") : content);
    changes.push({ path, mode: "100644", sha });
  }
  return writeTree(git, null, changes);
}

/** A fork, with everything that its parent has on branches and tags. */
export async function forkRepository(
  state: HubState,
  where: { readonly workDir: string; readonly env: Readonly<Record<string, string>> },
  parent: RepositoryState,
  login: string,
  name: string,
): Promise<RepositoryState> {
  const known = state.repositories.get(`${login}/${name}`.toLowerCase());
  if (known !== undefined && known.parent === parent) return known;
  const token = state.tokens.userToken(login);
  if (token === undefined) throw new Error(`The hub has no user ${login}.`);
  const answer = await state.emulate.send(
    "POST",
    `/repos/${parent.fullName}/forks`,
    `token ${token}`,
    JSON.stringify({ name }),
  );
  if (answer.status !== 202)
    throw new Error(`The emulator refused the fork: ${answer.body.toString("utf8")}`);
  const fork = await addRepository(state, where, { owner: login, name, private: parent.private }, parent);
  const refs = [...(await parent.git.refs("refs/heads/")), ...(await parent.git.refs("refs/tags/"))];
  for (const { name: ref, sha } of refs) await fork.git.setRef(ref, sha);
  return fork;
}
