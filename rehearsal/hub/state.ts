import { CheckBook, type RequiredCheck } from "./check-book.ts";
import type { Repository, Trigger } from "./contract.ts";
import type { Effect } from "./effects.ts";
import type { Emulate } from "./emulate.ts";
import type { GitRepo } from "./git-repo.ts";
import type { Json } from "./http.ts";
import { notFound } from "./http.ts";
import type { MergeQueues } from "./merge-queue.ts";
import type { Permissions, Role } from "./permissions.ts";
import type { Pull } from "./pulls.ts";
import type { Rates } from "./rates.ts";
import type { Account, Actor, Identity, Tokens } from "./tokens.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Protection {
  /** Slugs of the apps that may create, move and delete the branch; nobody else may, and never by force. */
  readonly bypass: readonly string[];
  /** Must be a success on the commit that the branch moves to (on the head, for a pull request's merge). Nobody bypasses it. */
  readonly requiredChecks?: readonly RequiredCheck[];
  /** The branch moves by its merge queue alone. Nobody bypasses it. */
  readonly mergeQueue?: boolean;
}

export interface RepositoryState extends Repository {
  readonly fullName: string;
  readonly private: boolean;
  readonly git: GitRepo;
  readonly parent: RepositoryState | null;
  /** Lower-case login → role given beside ownership. */
  readonly roles: Map<string, Role>;
  /** Lower-case login → name of a custom role, which GitHub shows in place of the role it builds on. */
  readonly customRoles: Map<string, string>;
  readonly protectedBranches: ReadonlyMap<string, Protection>;
  /** As a person imports them; shown, not enforced. */
  readonly rulesets: readonly Json[];
  /** Name → branches that may use it; null: every branch. */
  readonly environments: ReadonlyMap<string, readonly string[] | null>;
  /** Name of an environment → logins of those who let a job in. */
  readonly reviewers: ReadonlyMap<string, readonly string[]>;
  readonly pulls: Map<number, Pull>;
  /** The `repository` object of payloads. */
  readonly payload: Json;
}

/** The app under rehearsal. */
export interface AppState {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly bot: Account;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly installationId: number;
  /** Login of the account it is installed on. */
  readonly account: string;
  readonly repositoryIds: ReadonlySet<number> | null;
}

export interface Unanswered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** GitHub Actions' own app, on GitHub and here. */
export const ACTIONS_APP_ID = 15_368;
export const ACTIONS_SLUG = "github-actions";

/** Everything the hub knows beside what lives in git and in the emulator. */
export class HubState {
  readonly url: string;
  readonly emulate: Emulate;
  readonly tokens: Tokens;
  readonly webhooks: Webhooks;
  readonly rates: Rates;
  /** Events that start workflows here. */
  readonly triggers: ReadonlySet<string>;
  readonly accounts = new Map<string, Account>();
  readonly repositories = new Map<string, RepositoryState>();
  readonly unanswered: Unanswered[] = [];
  readonly checks = new CheckBook();
  readonly #queuesOf: (state: HubState) => MergeQueues;
  #queues: MergeQueues | null = null;
  app: AppState | null = null;
  /** The `Authorization` header under which the emulator knows an actor. */
  readonly credential: (actor: Actor) => Promise<string>;
  readonly #effects = new Set<(effect: Effect) => void>();
  readonly #triggers = new Set<(trigger: Trigger) => void>();
  readonly #log: (line: string) => void;
  /** Milliseconds since 1970, by the hub's clock. */
  readonly now: () => number;
  /** When things of the emulator were made and changed, by the hub's clock: `issue …`, `comment …`. */
  readonly #dates = new Map<string, { readonly created: string; updated: string }>();
  #queue: Promise<unknown> = Promise.resolve();
  #nextId = 1_000_000;

  constructor(parts: {
    url: string;
    emulate: Emulate;
    tokens: Tokens;
    webhooks: Webhooks;
    triggers: readonly string[];
    credential: (actor: Actor) => Promise<string>;
    log: (line: string) => void;
    now: () => number;
    rates: Rates;
    queues: (state: HubState) => MergeQueues;
  }) {
    this.url = parts.url;
    this.emulate = parts.emulate;
    this.tokens = parts.tokens;
    this.webhooks = parts.webhooks;
    this.triggers = new Set(parts.triggers);
    this.credential = parts.credential;
    this.#log = parts.log;
    this.now = parts.now;
    this.rates = parts.rates;
    this.#queuesOf = parts.queues;
  }

  get queues(): MergeQueues {
    this.#queues ??= this.#queuesOf(this);
    return this.#queues;
  }

  /** The present as GitHub prints it: UTC, seconds. */
  timestamp(): string {
    return new Date(this.now()).toISOString().replace(/\.\d+Z$/, "Z");
  }

  /** Notes that something the emulator keeps was made or changed now: the emulator has a clock of its own. */
  touch(key: string): void {
    const known = this.#dates.get(key);
    const now = this.timestamp();
    if (known === undefined) this.#dates.set(key, { created: now, updated: now });
    else known.updated = now;
  }

  /** The object with its times by the hub's clock. */
  dated(key: string, object: Json): Json {
    const dates = this.#dates.get(key);
    return dates === undefined ? object : { ...object, created_at: dates.created, updated_at: dates.updated };
  }

  /** A fresh id for things the emulator does not number. */
  id(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  /** @throws ApiError 404 */
  repository(owner: string, name: string): RepositoryState {
    const found = this.repositories.get(`${owner}/${name}`.toLowerCase());
    if (found === undefined) throw notFound();
    return found;
  }

  repositoryById(id: number): RepositoryState | undefined {
    return [...this.repositories.values()].find((candidate) => candidate.id === id);
  }

  account(login: string): Account | undefined {
    return this.accounts.get(login.toLowerCase());
  }

  /** One change at a time: what follows from a change is in place before the next one begins. */
  serial<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  onEffect(listener: (effect: Effect) => void): () => void {
    this.#effects.add(listener);
    return () => this.#effects.delete(listener);
  }

  onTrigger(listener: (trigger: Trigger) => void): () => void {
    this.#triggers.add(listener);
    return () => this.#triggers.delete(listener);
  }

  show(effect: Effect): void {
    for (const listener of this.#effects) this.#tell(() => listener(effect));
  }

  /** Starts workflows. What a `GITHUB_TOKEN` does starts none, except by dispatch. */
  trigger(trigger: Trigger, identity: Identity): void {
    if (!this.triggers.has(trigger.event)) return;
    if (identity.kind === "workflow" && trigger.event !== "workflow_dispatch") return;
    for (const listener of this.#triggers) this.#tell(() => listener(trigger));
  }

  log(line: string): void {
    this.#log(line);
  }

  /** Lets happen what is due by the hub's clock. */
  async tick(): Promise<void> {
    this.webhooks.tick();
    if (this.queues.overdue) await this.serial(() => this.queues.expire());
  }

  /** Resolves when no change is under way and every webhook has been answered. */
  async settled(): Promise<void> {
    await this.tick();
    await this.#queue;
    await this.webhooks.idle();
  }

  /** A listener's mistake must not undo what has already happened. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log(
        `A listener of the hub failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
}
