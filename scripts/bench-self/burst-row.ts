import { runChild } from "./child.ts";
import { held, plain, type Row } from "./table.ts";

/** What `rehearsal/burst/measure.ts` prints, as far as the table shows it. */
interface Measured {
  readonly pulls: number;
  readonly merged: number;
  readonly wrong: readonly string[];
  readonly failures: readonly string[];
  readonly webhooks: number;
  readonly lost: number;
  readonly doubled: number;
  readonly overtaken: number;
  readonly crashes: number;
  readonly requests: number;
  readonly heads: number;
  readonly latency: { readonly p50: number; readonly p95: number };
  readonly lasted: number;
}

const SEED = 20261201;
const HOUR = 3_600_000;

/** A burst of pull requests against the real bot, with everything that goes wrong, and a calm one beside it. */
export async function burstRow(quick: boolean): Promise<Row> {
  const events = quick ? 24 : 1000;
  const play = (faults: number, crashEvery: number, count: number) =>
    runChild<Measured>("../../rehearsal/burst/measure.ts", {
      seed: SEED,
      events: count,
      within: (HOUR * count) / 1000,
      faults,
      crashEvery,
    });
  const started = performance.now();
  const rough = await play(0.05, quick ? 200 : 2500, events);
  const seconds = (performance.now() - started) / 1000;
  const calm = await play(0, 0, Math.min(events, 100));
  const only = events === 1000 ? null : `${events} events`;
  return {
    id: "burst",
    what: "a burst of pull-request events on a virtual clock that keeps GitHub's limits",
    ran:
      `${events} events within ${Math.round((events * 60) / 1000)} minutes: ${rough.pulls} pull requests, ${rough.heads} heads, ${rough.merged} merged;` +
      ` ${rough.webhooks} webhooks, of which ${rough.lost} lost, ${rough.doubled} doubled, ${rough.overtaken} overtaken;` +
      ` the bot died ${rough.crashes} times; calm: ${calm.heads} heads without any of that` +
      `${[...rough.wrong, ...rough.failures, ...calm.wrong].map((what) => `; WRONG: ${what}`).join("")}`,
    measures: [
      held(
        "pull requests, comments, checks, feed that are not right",
        rough.wrong.length + calm.wrong.length,
        "",
        "most",
        0,
        only,
      ),
      plain("events a second of the machine's time", events / seconds, "/s"),
      plain("calm: requests a head, reconciling included", calm.requests / calm.heads, ""),
      plain("rough: requests a head, reconciling included", rough.requests / rough.heads, ""),
      plain("from a run's end to its comment: p50", rough.latency.p50 / 1000, "s"),
      plain("from a run's end to its comment: p95", rough.latency.p95 / 1000, "s"),
      plain("calm: p50", calm.latency.p50 / 1000, "s"),
      plain("calm: p95", calm.latency.p95 / 1000, "s"),
      plain("until everything had come to rest", rough.lasted / 60_000, "min"),
    ],
  };
}
