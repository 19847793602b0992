import type { Probot } from "probot";
import { Outbox } from "../src/io/github/outbox.ts";
import type { Client, Timing } from "../src/io/github/policy.ts";
import { readPull } from "../src/io/github/pulls.ts";
import { orNull, type Repository, readRepository } from "../src/io/github/repository.ts";
import type { Identity } from "../src/lib/bot/sticky.ts";
import type { Desk, Origin } from "./app.ts";
import { type BotContext, emptyMemory, type Job, type Log, type Memory } from "./context.ts";
import { Queue } from "./queue.ts";
import { reconcile } from "./reconcile.ts";

interface Room {
  readonly queue: Queue;
  readonly memory: Memory;
  readonly outbox: Outbox;
  repository: Promise<Repository> | null;
}

/** What `/readyz` says. No names: it may be asked by anybody. */
export interface Readiness {
  readonly ready: boolean;
  readonly authenticated: boolean;
  /** ISO 8601 UTC. */
  readonly reconciled_at: string | null;
  readonly reconcile_age_s: number | null;
  readonly repositories: number;
  /** Pieces of work that wait, over all repositories. */
  readonly waiting: number;
  readonly failures: number;
}

interface OfficeOptions {
  readonly probot: Probot;
  readonly appId: number;
  readonly timing: Timing;
  readonly log: Log;
  readonly now: () => number;
}

/** One room with a queue for each repository; finds clients and identity, and keeps nothing that GitHub does not. */
export class Office implements Desk {
  readonly #options: OfficeOptions;
  readonly #rooms = new Map<string, Room>();
  #identity: Promise<Identity> | null = null;
  #all: Promise<number> | null = null;
  /** Pieces of work that threw, since the start. */
  #failures = 0;
  #authenticated = false;
  /** When the last look at everything ended, milliseconds since 1970. */
  #reconciledAt: number | null = null;

  constructor(options: OfficeOptions) {
    this.#options = options;
  }

  take(origin: Origin, job: Job): void {
    const room = this.#room(origin);
    room.queue.add(job.key, async () => job.run(await this.#context(origin, room)));
  }

  async headNow(origin: Origin, pull: number): Promise<string | null> {
    try {
      const { repository } = await this.#context(origin, this.#room(origin));
      return (await readPull(repository, pull))?.headSha ?? null;
    } catch (error) {
      this.#options.log.warn({ err: error, pull }, "the head at the time of a command could not be read");
      return null;
    }
  }

  merging(origin: Origin): boolean {
    return this.#room(origin).memory.merging.size > 0;
  }

  get busy(): boolean {
    return this.#all !== null || [...this.#rooms.values()].some(({ queue }) => queue.busy);
  }

  async idle(): Promise<void> {
    while (this.busy) {
      await this.#all?.catch(() => undefined);
      for (const { queue } of this.#rooms.values()) await queue.idle();
    }
  }

  /** Drops what waits. */
  stop(): void {
    for (const { queue } of this.#rooms.values()) queue.clear();
  }

  /** Queues a look at everything in each repository the app is installed on; gives how much work failed meanwhile. */
  reconcile(): Promise<number> {
    this.#all ??= this.#reconcileAll().finally(() => {
      this.#all = null;
    });
    return this.#all;
  }

  /** Whether the app is known to the host and everything was looked at, at most `maxAge` seconds ago (null: ever). */
  readiness(maxAge: number | null): Readiness {
    const at = this.#reconciledAt;
    const age = at === null ? null : Math.max(0, Math.round((this.#options.now() - at) / 1000));
    return {
      ready: this.#authenticated && age !== null && (maxAge === null || age <= maxAge),
      authenticated: this.#authenticated,
      reconciled_at: at === null ? null : new Date(at).toISOString(),
      reconcile_age_s: age,
      repositories: this.#rooms.size,
      waiting: [...this.#rooms.values()].reduce((sum, { queue }) => sum + queue.waiting, 0),
      failures: this.#failures,
    };
  }

  async #reconcileAll(): Promise<number> {
    const { probot } = this.#options;
    const before = this.#failures;
    const app = await probot.auth();
    const queues: Promise<void>[] = [];
    const installations = await app.paginate("GET /app/installations", { per_page: 100 });
    this.#authenticated = true;
    for (const installation of installations) {
      const client = await probot.auth(Number(installation.id));
      const repositories = await client.paginate("GET /installation/repositories", { per_page: 100 });
      for (const { owner, name } of repositories) {
        const origin = { owner: owner.login, repo: name, installationId: Number(installation.id) };
        // Ids, names and the default branch may have changed.
        this.#room(origin).repository = null;
        this.take(origin, { key: "reconcile", run: reconcile });
        queues.push(this.#room(origin).queue.idle());
      }
    }
    await Promise.all(queues);
    this.#reconciledAt = this.#options.now();
    return this.#failures - before;
  }

  #room({ owner, repo }: Origin): Room {
    const name = `${owner}/${repo}`.toLowerCase();
    const known = this.#rooms.get(name);
    if (known !== undefined) return known;
    const { log } = this.#options;
    const queue = new Queue((key, error) => {
      this.#failures += 1;
      log.error({ err: error, repository: name, work: key }, "work failed");
    });
    const room: Room = {
      queue,
      memory: emptyMemory(),
      outbox: new Outbox(this.#options.timing),
      repository: null,
    };
    this.#rooms.set(name, room);
    return room;
  }

  async #context(origin: Origin, room: Room): Promise<BotContext> {
    room.repository ??= this.#repository(origin);
    let pending = room.repository;
    const lost = (error: unknown): never => {
      if (room.repository === pending) room.repository = null;
      throw error;
    };
    let repository = await pending.catch(lost);
    if (origin.defaultBranch !== undefined && origin.defaultBranch !== repository.defaultBranch) {
      // It was renamed, or another one was chosen: GitHub says which.
      pending = this.#repository(origin);
      room.repository = pending;
      repository = await pending.catch(lost);
    }
    return {
      repository,
      memory: room.memory,
      outbox: room.outbox,
      log: this.#options.log,
      now: this.#options.now,
      failed: () => {
        this.#failures += 1;
      },
      forget: () => {
        room.repository = null;
      },
      queue: (key, work) => this.take(origin, { key, run: work }),
    };
  }

  async #repository({ owner, repo, installationId }: Origin): Promise<Repository> {
    const { probot } = this.#options;
    const client = await probot.auth(installationId ?? (await this.#installation(owner, repo)));
    this.#identity ??= this.#findIdentity(client);
    const identity = await this.#identity.catch((error: unknown) => {
      this.#identity = null;
      throw error;
    });
    return readRepository(client, owner, repo, identity);
  }

  async #installation(owner: string, repo: string): Promise<number> {
    const app = await this.#options.probot.auth();
    const { data } = await app.request("GET /repos/{owner}/{repo}/installation", { owner, repo });
    return Number(data.id);
  }

  /** The app's id, and the id of the account it comments as: only the ids are ever compared. */
  async #findIdentity(client: Client): Promise<Identity> {
    const { probot, appId } = this.#options;
    const app = await probot.auth();
    const { data } = await app.request("GET /app");
    const bot = await orNull(client.request("GET /users/{username}", { username: `${data?.slug}[bot]` }));
    return { appId, botUserId: bot === null ? null : Number(bot.data.id) };
  }
}
