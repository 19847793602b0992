import { type RunningBot, startBot } from "../../bot/server.ts";
import { documentMaker } from "../../scripts/bench-self/documents.ts";
import { GITHUB_TIMING } from "../../src/io/github/policy.ts";
import { eventIds, permissionLevels } from "../../src/lib/bot/hosting/app-rights.ts";
import { startHub } from "../hub/index.ts";
import { playActions } from "./actions.ts";
import { VirtualClock } from "./clock.ts";
import { type Outcome, readOutcome } from "./outcome.ts";
import { MAINTAINER, OWNER, People, REPO, SENDERS } from "./people.ts";
import { draws, planBurst } from "./plan.ts";
import { type Line, Wires } from "./wire.ts";

export interface BurstOptions {
  /** A folder with `benchmarks/` and `.github/workflows/`: what the repository starts with. */
  readonly root: string;
  readonly seed: number;
  /** How many things people do. */
  readonly events: number;
  /** Within how long they do them. Milliseconds. */
  readonly within: number;
  /** Share of webhooks that are lost, and as many that are doubled and overtaken: 0 to 1. */
  readonly faults: number;
  /** How many requests of the bot, on average, there are to one at which it dies; 0: it never does. */
  readonly crashEvery: number;
}

export interface Burst extends Outcome {
  readonly events: number;
  readonly webhooks: number;
  readonly lost: number;
  readonly doubled: number;
  readonly overtaken: number;
  readonly crashes: number;
  /** Requests of the bot, and how many heads it had to judge. */
  readonly requests: number;
  readonly heads: number;
  /** From the webhook of a run that is done to the comment that says so. Milliseconds on the clock. */
  readonly latency: { readonly p50: number; readonly p95: number };
  /** From the beginning until everything had come to rest. Milliseconds on the clock. */
  readonly lasted: number;
  /** Failures of the simulated workflows. */
  readonly failures: readonly string[];
}

const START = Date.UTC(2027, 5, 1);
const MINUTE = 60_000;
const RECONCILE = 10 * MINUTE;
/** A bot that died is started again after this long. */
const DOWN = 30_000;
/** After the last event everything has this long to come to rest. */
const PATIENCE = 24 * 60 * MINUTE;

/**
 * A burst of pull requests against the real bot and the local hub on a virtual clock that keeps GitHub's limits: webhooks
 * are lost, doubled and overtaken, and the bot dies between any two requests. Gives what came of it.
 */
export async function playBurst(options: BurstOptions): Promise<Burst> {
  const { root, seed, events } = options;
  const clock = new VirtualClock(START);
  const hub = await startHub({
    users: [{ login: MAINTAINER }, ...SENDERS.map((login) => ({ login }))],
    organizations: [{ login: OWNER }],
    app: {
      slug: "assay",
      account: OWNER,
      permissions: permissionLevels(),
      events: eventIds(),
    },
    repositories: [
      {
        owner: OWNER,
        name: REPO,
        roles: { [MAINTAINER]: "maintain" },
        protectedBranches: { main: { bypass: ["assay"] } },
        seed: { folder: root },
      },
    ],
    now: () => clock.now(),
    seed,
  });
  const wires = new Wires(hub.url, clock);
  const lives: { bot: RunningBot; line: Line }[] = [];
  try {
    const draw = draws(seed + 1);
    const failures: string[] = [];
    const failed = (error: unknown): void =>
      void failures.push(error instanceof Error ? error.message : String(error));
    playActions({ hub, clock, root, lasts: () => MINUTE + Math.floor(draw() * 2 * MINUTE), failed });
    const live = async (): Promise<void> => {
      const line = wires.line();
      const bot = await startBot({
        ...hub.appCredentials,
        baseUrl: line.url,
        now: () => clock.now(),
        timing: { ...GITHUB_TIMING, clock },
        reconcileAtStart: true,
        reconcileMinutes: 0,
        logLevel: "fatal",
      });
      lives.push({ bot, line });
      hub.setWebhookUrl(bot.webhookUrl);
    };
    await live();
    let crashes = 0;
    let down = false;
    const crash = (): void => {
      const dead = lives.at(-1);
      if (dead === undefined || down) return;
      down = true;
      crashes += 1;
      dead.line.cut();
      hub.setWebhookUrl(null);
      // What it still wants to do fails on the cut line; nobody waits for that.
      void dead.bot.close().catch(() => undefined);
      void clock.at(clock.now() + DOWN, live).then(() => {
        down = false;
      });
    };
    const chance = options.faults;
    hub.faults.onWebhook({ fault: { kind: "lose" }, chance });
    hub.faults.onWebhook({ fault: { kind: "double" }, chance });
    hub.faults.onWebhook({ fault: { kind: "overtaken", by: 3 }, chance });
    const fate = draws(seed + 2);
    hub.faults.beforeRequest(({ by }) => {
      if (options.crashEvery > 0 && (by === "assay[bot]" || by === "app") && fate() < 1 / options.crashEvery)
        crash();
    });
    const latencies = watchLatency(hub, clock);
    const people = new People(hub, await documentMaker(root, events));
    for (const { at, deed } of planBurst(seed, events, options.within))
      void clock.at(START + at, () => people.act(deed)).catch(failed);
    let over = false;
    const reconcile = async (): Promise<void> => {
      while (!over) {
        await clock.sleep(RECONCILE);
        if (!down && !over)
          void lives
            .at(-1)
            ?.bot.reconcile()
            .catch(() => undefined);
      }
    };
    void reconcile();
    await clock.run(START + options.within);
    const rested = await comeToRest(hub, clock, () => lives.reduce((sum, { line }) => sum + line.calls, 0));
    over = true;
    const requests = lives.reduce((sum, { line }) => sum + line.calls, 0);
    const played = (kind: string): number =>
      hub.faults.played.filter(({ fault }) => fault.kind === kind).length;
    const heads = new Set(
      hub.deliveries
        .filter(
          ({ event, action }) => event === "pull_request" && ["opened", "synchronize"].includes(action ?? ""),
        )
        .map(
          ({ payload }) =>
            JSON.stringify(payload.pull_request).match(/"head":\{[^}]*"sha":"([0-9a-f]{40})"/)?.[1],
        ),
    );
    hub.faults.clear();
    return {
      ...(await readOutcome(people)),
      events,
      webhooks: hub.deliveries.length,
      lost: played("lose"),
      doubled: played("double"),
      overtaken: played("overtaken"),
      crashes,
      requests,
      heads: heads.size,
      latency: latencies(),
      lasted: rested - START,
      failures,
    };
  } finally {
    wires.restore();
    for (const { line, bot } of lives) {
      line.cut();
      void bot.close().catch(() => undefined);
    }
    await hub.close();
  }
}

type Hub = Awaited<ReturnType<typeof startHub>>;

/** Lets the clock go on until an hour passed in which nothing was written. Gives the moment of the last change. */
async function comeToRest(hub: Hub, clock: VirtualClock, requests: () => number): Promise<number> {
  let last = clock.now();
  const unsubscribe = hub.onEffect(() => {
    last = clock.now();
  });
  const end = clock.now() + PATIENCE;
  while (clock.now() < end) {
    await hub.faults.release();
    const before = requests();
    await clock.run(clock.now() + RECONCILE);
    if (clock.now() - last > 60 * MINUTE && requests() > before) break;
  }
  unsubscribe();
  return last;
}

/** Measures from the end of a run on a pull request's head to the comment about it. */
function watchLatency(hub: Hub, clock: VirtualClock): () => { p50: number; p95: number } {
  const done = new Map<string, number>();
  const found: number[] = [];
  hub.onEffect((effect) => {
    if (effect.kind === "run-completed" && effect.event === "pull_request_target") {
      if (!done.has(effect.sha)) done.set(effect.sha, clock.now());
      return;
    }
    if (effect.kind !== "comment-created" && effect.kind !== "comment-edited") return;
    const head = /^<!-- assay:result head=([0-9a-f]{40}) kind=verdict/.exec(effect.body)?.[1] ?? "";
    const since = done.get(head);
    if (since === undefined) return;
    found.push(clock.now() - since);
    done.set(head, Number.NaN);
  });
  return () => {
    const sorted = found.filter(Number.isFinite).sort((a, b) => a - b);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { p50: at(0.5), p95: at(0.95) };
  };
}
