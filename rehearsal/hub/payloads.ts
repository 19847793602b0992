import { type Commit, type GitRepo, isoTime, type Person } from "./git-repo.ts";
import type { Json } from "./http.ts";
import { ACTIONS_APP_ID, ACTIONS_SLUG, type HubState, type RepositoryState } from "./state.ts";
import type { Account, Actor } from "./tokens.ts";

/** The short user object that GitHub embeds everywhere. */
export function userObject(state: HubState, account: Account): Json {
  const api = `${state.url}/users/${encodeURIComponent(account.login)}`;
  return {
    login: account.login,
    id: account.id,
    node_id: account.nodeId,
    avatar_url: `${state.url}/avatars/u/${account.id}`,
    gravatar_id: "",
    url: api,
    html_url: `${state.url}/${account.login}`,
    repos_url: `${api}/repos`,
    type: account.type,
    site_admin: false,
  };
}

/** The short app object; the two apps here are the one under rehearsal and GitHub Actions. */
export function appObject(state: HubState, slug: string): Json | null {
  const app = state.app;
  if (slug === ACTIONS_SLUG) {
    return { id: ACTIONS_APP_ID, slug, node_id: `A_${ACTIONS_APP_ID}`, name: "GitHub Actions", owner: null };
  }
  if (app === null || app.slug !== slug) return null;
  const owner = state.account(app.account);
  return {
    id: app.id,
    slug: app.slug,
    node_id: `A_${app.id}`,
    name: app.name,
    owner: owner === undefined ? null : userObject(state, owner),
    permissions: app.permissions,
    events: app.events,
  };
}

/** The app a bot account belongs to. */
export const appOf = (state: HubState, login: string): Json | null =>
  login.endsWith("[bot]") ? appObject(state, login.slice(0, -"[bot]".length)) : null;

/** What every webhook carries beside its subject. */
export function envelope(
  state: HubState,
  repository: RepositoryState,
  sender: Account,
  action?: string,
): Json {
  const owner = state.account(repository.owner);
  const installed = state.app !== null && state.app.account.toLowerCase() === repository.owner.toLowerCase();
  return {
    ...(action === undefined ? {} : { action }),
    repository: repository.payload,
    ...(owner?.type === "Organization"
      ? { organization: { login: owner.login, id: owner.id, node_id: owner.nodeId } }
      : {}),
    sender: userObject(state, sender),
    ...(installed
      ? { installation: { id: state.app?.installationId, node_id: `I_${state.app?.installationId}` } }
      : {}),
  };
}

/** Sends a webhook about a repository the app is installed on; others send none. */
export function notify(
  state: HubState,
  repository: RepositoryState,
  sender: Account,
  event: string,
  action: string | undefined,
  subject: Json,
): Json {
  const payload = { ...envelope(state, repository, sender, action), ...subject };
  const app = state.app;
  const selected = app?.repositoryIds === null || app?.repositoryIds.has(repository.id) === true;
  if ("installation" in payload && selected) state.webhooks.deliver(event, action ?? null, payload);
  return payload;
}

export const repositoryUrl = (state: HubState, repository: RepositoryState): string =>
  `${state.url}/repos/${repository.fullName}`;

const personObject = (person: Person): Json => ({
  name: person.name,
  email: person.email,
  date: isoTime(person.when),
});

/** A commit as `git/commits` gives it. */
export function gitCommitObject(state: HubState, repository: RepositoryState, commit: Commit): Json {
  const api = repositoryUrl(state, repository);
  return {
    sha: commit.sha,
    node_id: `C_${commit.sha}`,
    url: `${api}/git/commits/${commit.sha}`,
    html_url: `${state.url}/${repository.fullName}/commit/${commit.sha}`,
    author: personObject(commit.author),
    committer: personObject(commit.committer),
    tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${api}/git/commits/${sha}`,
      html_url: `${state.url}/${repository.fullName}/commit/${sha}`,
    })),
    verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null },
  };
}

/** Accounts are recognised by their no-reply address alone. */
function accountOf(state: HubState, person: Person): Json | null {
  const match = /^\d+\+(.+)@users\.noreply\.localhost$/.exec(person.email);
  const account = match?.[1] === undefined ? undefined : state.account(match[1]);
  return account === undefined ? null : userObject(state, account);
}

/** A commit as `commits` gives it. */
export function commitObject(state: HubState, repository: RepositoryState, commit: Commit): Json {
  const api = repositoryUrl(state, repository);
  const page = `${state.url}/${repository.fullName}/commit`;
  const git = gitCommitObject(state, repository, commit);
  return {
    sha: commit.sha,
    node_id: git.node_id,
    commit: {
      author: git.author,
      committer: git.committer,
      message: commit.message,
      tree: git.tree,
      url: git.url,
      comment_count: 0,
      verification: git.verification,
    },
    url: `${api}/commits/${commit.sha}`,
    html_url: `${page}/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    author: accountOf(state, commit.author),
    committer: accountOf(state, commit.committer),
    parents: commit.parents.map((sha) => ({ sha, url: `${api}/commits/${sha}`, html_url: `${page}/${sha}` })),
  };
}

/** A commit as `push` and `workflow_run` webhooks give it. */
export async function headCommitObject(git: GitRepo, sha: string): Promise<Json | null> {
  if ((await git.typeOf(sha)) !== "commit") return null;
  const commit = await git.commit(sha);
  return {
    id: sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: isoTime(commit.committer.when),
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  };
}

/** The signature of commits made over the API. */
export function signature(state: HubState, actor: Actor): Person {
  const { id, login } = actor.account;
  return {
    name: login,
    email: `${id}+${login}@users.noreply.localhost`,
    when: `${Math.floor(state.now() / 1000)} +0000`,
  };
}
