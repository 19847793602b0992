import { mergeTrees } from "./git-merge.ts";
import { ApiError, type Json } from "./http.ts";
import { HEAD_MODIFIED } from "./limits.ts";
import { headCommitObject, notify, signature } from "./payloads.ts";
import { announcePull, issueOf, type Pull, testMerge } from "./pulls.ts";
import { refChanged, requiredReason } from "./refs.ts";
import type { HubState, RepositoryState } from "./state.ts";
import type { Actor } from "./tokens.ts";

/** The merge commit that is tested for an entry: this entry's head on top of all entries before it. */
interface Group {
  readonly ref: string;
  readonly base: string;
  readonly sha: string;
  /** When the checks were asked for, milliseconds since 1970. */
  readonly since: number;
}

/** How long a queue waits for its required checks; GitHub's default. */
const CHECKS_MS = 60 * 60_000;

interface Entry {
  readonly pull: Pull;
  readonly head: string;
  readonly actor: Actor;
  group: Group | null;
}

/** Why a group ends, in GitHub's words. */
type End = "merged" | "invalidated" | "dequeued";
type Reason = "MANUAL" | "CI_FAILURE" | "CI_TIMEOUT" | "MERGE_CONFLICT";

export interface QueueEntry {
  readonly number: number;
  readonly head: string;
  /** Branch and commit under test. */
  readonly ref: string;
  readonly sha: string;
}

/**
 * Merge queues of the branches that have one. Entries are tested one on top of the other; the first one whose required
 * checks are a success on its own merge commit becomes the branch, one that fails leaves, and those behind it are built
 * anew. Every function runs inside a turn of `state.serial`.
 */
export class MergeQueues {
  readonly #state: HubState;
  readonly #queues = new Map<string, Entry[]>();

  constructor(state: HubState) {
    this.#state = state;
  }

  /** @throws ApiError 422 when the pull request cannot be merged by a queue, 409 when its head is not the expected one. */
  async enqueue(
    repository: RepositoryState,
    pull: Pull,
    actor: Actor,
    expected: string | null,
  ): Promise<QueueEntry> {
    const { ref: branch } = pull.base;
    const protection = repository.protectedBranches.get(branch);
    if (protection?.mergeQueue !== true) throw new ApiError(422, `There is no merge queue for ${branch}`);
    if (pull.state !== "open" || pull.draft || !(await testMerge(repository, pull)))
      throw new ApiError(422, "Pull Request is not mergeable");
    if (expected !== null && expected !== pull.head.sha) throw new ApiError(409, HEAD_MODIFIED);
    const missing = requiredReason(this.#state, repository, branch, pull.head.sha);
    if (missing !== null) throw new ApiError(422, missing);
    const queue = this.#queue(repository, branch);
    if (queue.some((entry) => entry.pull === pull))
      throw new ApiError(422, "The pull request is already in the queue");
    const entry: Entry = { pull, head: pull.head.sha, actor, group: null };
    queue.push(entry);
    await announcePull(this.#state, repository, pull, actor, "enqueued");
    await this.#build(repository, branch);
    await this.#advance(repository, branch);
    return shown(entry);
  }

  /** Takes a pull request out; nothing happens when it is not in. */
  async dequeue(repository: RepositoryState, pull: Pull, actor: Actor): Promise<void> {
    const branch = pull.base.ref;
    const entry = this.#queue(repository, branch).find((candidate) => candidate.pull === pull);
    if (entry === undefined) return;
    await this.#leave(repository, branch, entry, actor, "MANUAL");
    await this.#build(repository, branch);
    await this.#advance(repository, branch);
  }

  entries(repository: RepositoryState, branch: string): QueueEntry[] {
    return this.#queue(repository, branch).map(shown);
  }

  /** To be called when a check run of a commit has changed. */
  async checked(repository: RepositoryState, sha: string): Promise<void> {
    for (const branch of repository.protectedBranches.keys()) {
      const queue = this.#queue(repository, branch);
      if (queue.some(({ group }) => group?.sha === sha)) await this.#advance(repository, branch);
    }
  }

  /** To be called when a branch has moved: what was built on its old tip is built anew. */
  async baseMoved(repository: RepositoryState, branch: string): Promise<void> {
    if (this.#queue(repository, branch).length === 0) return;
    await this.#build(repository, branch);
    await this.#advance(repository, branch);
  }

  /** True when the first entry of some queue has waited too long for its checks. */
  get overdue(): boolean {
    return [...this.#queues.values()].some(([first]) => first?.group && this.#late(first.group));
  }

  /** Takes out what has waited too long. */
  async expire(): Promise<void> {
    for (const repository of this.#state.repositories.values()) {
      for (const branch of repository.protectedBranches.keys()) await this.#advance(repository, branch);
    }
  }

  #late({ since }: Group): boolean {
    return this.#state.now() - since >= CHECKS_MS;
  }

  #queue(repository: RepositoryState, branch: string): Entry[] {
    const key = `${repository.id} ${branch}`;
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    return queue;
  }

  /** Gives every entry a group on top of the one before it; entries that stand right already keep theirs. */
  async #build(repository: RepositoryState, branch: string): Promise<void> {
    const queue = this.#queue(repository, branch);
    let base = await repository.git.ref(`refs/heads/${branch}`);
    for (const entry of [...queue]) {
      if (base === null || !queue.includes(entry)) return;
      if (entry.group?.base !== base) {
        await this.#end(repository, branch, entry, entry.actor, "invalidated");
        const tree = await mergeTrees(repository.git, base, entry.head);
        if (tree === null) {
          await this.#leave(repository, branch, entry, entry.actor, "MERGE_CONFLICT");
          continue;
        }
        entry.group = await this.#start(repository, branch, entry, base, tree);
      }
      base = entry.group.sha;
    }
  }

  async #start(
    repository: RepositoryState,
    branch: string,
    entry: Entry,
    base: string,
    tree: string,
  ): Promise<Group> {
    const { pull, actor, head } = entry;
    const { git } = repository;
    const title = String((await issueOf(this.#state, repository, pull.number)).title);
    const source = `${pull.head.repository.owner}/${pull.head.ref}`;
    const person = signature(this.#state, actor);
    const sha = await git.writeCommit({
      tree,
      parents: [base, head],
      author: person,
      committer: person,
      message: `Merge pull request #${pull.number} from ${source}\n\n${title}`,
    });
    const name = `gh-readonly-queue/${branch}/pr-${pull.number}-${base}`;
    const group = { ref: `refs/heads/${name}`, base, sha, since: this.#state.now() };
    const before = await git.ref(group.ref);
    await git.moveRef(group.ref, before, sha);
    await refChanged(this.#state, repository, actor, { ref: group.ref, before, after: sha });
    const subject = { merge_group: await groupObject(repository, branch, group) };
    const payload = notify(
      this.#state,
      repository,
      actor.account,
      "merge_group",
      "checks_requested",
      subject,
    );
    this.#state.trigger(
      {
        event: "merge_group",
        payload,
        repository,
        sha,
        ref: group.ref,
        headSha: sha,
        headBranch: name,
        headRepository: { id: repository.id, fullName: repository.fullName },
        actor: { id: actor.account.id, login: actor.account.login },
      },
      actor,
    );
    return group;
  }

  /** Merges and removes from the front for as long as the checks there have ended. */
  async #advance(repository: RepositoryState, branch: string): Promise<void> {
    const queue = this.#queue(repository, branch);
    const required = repository.protectedBranches.get(branch)?.requiredChecks ?? [];
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const { group } = first;
      if (group === null) return;
      const standings = required.map((check) => this.#state.checks.standing(repository.id, group.sha, check));
      const late = standings.includes("pending") && this.#late(group);
      if (late || standings.includes("failure")) {
        await this.#leave(repository, branch, first, first.actor, late ? "CI_TIMEOUT" : "CI_FAILURE");
        await this.#build(repository, branch);
      } else if (standings.includes("pending")) return;
      else await this.#merge(repository, branch, first, group);
    }
  }

  async #merge(repository: RepositoryState, branch: string, entry: Entry, group: Group): Promise<void> {
    const queue = this.#queue(repository, branch);
    const ref = `refs/heads/${branch}`;
    queue.splice(queue.indexOf(entry), 1);
    // Nobody else moves the branch of a queue within its own turn; should it have moved, the entry is built again.
    if (!(await repository.git.moveRef(ref, group.base, group.sha))) {
      queue.unshift(entry);
      await this.#build(repository, branch);
      return;
    }
    await refChanged(this.#state, repository, entry.actor, { ref, before: group.base, after: group.sha });
    await this.#end(repository, branch, entry, entry.actor, "merged");
  }

  async #leave(
    repository: RepositoryState,
    branch: string,
    entry: Entry,
    actor: Actor,
    reason: Reason,
  ): Promise<void> {
    const queue = this.#queue(repository, branch);
    queue.splice(queue.indexOf(entry), 1);
    await this.#end(repository, branch, entry, actor, "dequeued");
    await announcePull(this.#state, repository, entry.pull, actor, "dequeued", { reason });
  }

  async #end(
    repository: RepositoryState,
    branch: string,
    entry: Entry,
    actor: Actor,
    reason: End,
  ): Promise<void> {
    const { group } = entry;
    if (group === null) return;
    entry.group = null;
    await repository.git.moveRef(group.ref, group.sha, null);
    await refChanged(this.#state, repository, actor, { ref: group.ref, before: group.sha, after: null });
    const subject = { reason, merge_group: await groupObject(repository, branch, group) };
    notify(this.#state, repository, actor.account, "merge_group", "destroyed", subject);
  }
}

const shown = ({ pull, head, group }: Entry): QueueEntry => ({
  number: pull.number,
  head,
  ref: group?.ref ?? "",
  sha: group?.sha ?? "",
});

const groupObject = async (repository: RepositoryState, branch: string, group: Group): Promise<Json> => ({
  head_sha: group.sha,
  head_ref: group.ref,
  base_sha: group.base,
  base_ref: `refs/heads/${branch}`,
  head_commit: await headCommitObject(repository.git, group.sha),
});
