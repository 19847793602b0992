import type { Answer, Case, SuiteRandom } from "../../../src/lib/task/kit.ts";
import { play } from "./oracle.ts";

/** Cases of the driver (`driver/driver.ex` says what it can be asked), each with what a right server answers. */

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Whether an answer is exactly this text. */
export const says = (answer: Answer, text: string): boolean => {
  if (answer.kind !== "answer") return false;
  const wanted = bytesOf(text);
  return answer.bytes.length === wanted.length && wanted.every((byte, index) => answer.bytes[index] === byte);
};

const asked = (kind: string, content: string, right: string, seconds: number): Case => ({
  content: bytesOf(`${kind}${content}`),
  accepts: (answer) => says(answer, right),
  seconds,
});

/** Scripts, each of steps one after another, in one process; the oracle says what they come to. */
export const scripts = (...all: readonly (readonly string[])[]): Case => {
  const texts = all.map((steps) => steps.join("\n"));
  return asked("S", texts.join("\n\n"), texts.map(play).join("\n\n"), 10);
};

export interface StormPlan {
  readonly processes: number;
  readonly rounds: number;
  readonly resources: number;
  readonly deaths: number;
  readonly seed: number;
}

/** Processes all at once, in one storm after the other: whatever comes first, the same things must hold. */
export const storms = (...plans: readonly StormPlan[]): Case =>
  asked(
    "N",
    plans
      .map(({ processes, rounds, resources, deaths, seed }) =>
        [processes, rounds, resources, deaths, seed].join(" "),
      )
      .join("\n"),
    plans.map(calm).join("\n\n"),
    20,
  );

const calm = ({ processes, deaths }: StormPlan): string =>
  [
    `finished ${processes - deaths} of ${processes - deaths}`,
    `died ${deaths} of ${deaths}`,
    "stuck 0",
    "crashed 0",
    "two at once 0",
    "late tokens 0",
    "tokens twice 0",
    "left 0",
    "free yes",
  ].join("\n");

/** Long lines and many leases, in time that does not grow with their square. */
export const lines = (count: number, seed: number, seconds: number): Case =>
  asked(
    "Q",
    `${count} ${seed}`,
    `cancelled ${count} expired ${count - Math.floor(count / 2)} left 0`,
    seconds,
  );

/** So many leases and requests that are over, of which nothing may be kept. */
export const kept = (count: number): Case => asked("M", `${count}`, "kept nothing", 20);

/** What random scripts are made of. */
export interface Mix {
  readonly steps: number;
  readonly clients: number;
  readonly resources: readonly string[];
  /** By verb, how often relative to the others. */
  readonly weights: Readonly<Partial<Record<Verb, number>>>;
  /** How far the time moves at most in one step. */
  readonly stride: number;
}
type Verb = "acquire" | "request" | "cancel" | "renew" | "release" | "advance" | "kill" | "snapshot";

/** A script of steps that are drawn; tokens and references in it are often, and not always, those that there are. */
export function drawnScript(
  random: SuiteRandom,
  { steps, clients, resources, weights, stride }: Mix,
): string[] {
  const verbs = Object.entries(weights).flatMap(([verb, weight]) => Array<Verb>(weight).fill(verb as Verb));
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)] as T;
  const script: string[] = [];
  let asked = 0;
  for (let index = 0; index < steps; index += 1) {
    const client = `c${1 + random.below(clients)}`;
    const resource = pick(resources);
    const verb = pick(verbs);
    const ttl = 1 + random.below(20);
    if (verb === "acquire") script.push(`${client} acquire ${resource} ${ttl}`);
    else if (verb === "request") {
      script.push(
        `${client} request ${resource} ${ttl} ${random.below(3) === 0 ? "inf" : 1 + random.below(30)}`,
      );
      asked += 1;
    } else if (verb === "cancel")
      script.push(`${client} cancel r${random.below(1 + Math.min(asked, highestRef(script)))}`);
    else if (verb === "advance") script.push(`advance ${random.below(stride + 1)}`);
    else if (verb === "kill") script.push(`${pick(["kill", "stop"])} ${client}`);
    else if (verb === "snapshot") script.push("snapshot");
    else {
      const now = held(script).find((lease) => lease.resource === resource);
      const token = now !== undefined && random.below(5) > 0 ? now.token : 1 + random.below(1 + asked);
      const caller = now !== undefined && random.below(5) > 0 ? now.holder : client;
      script.push(`${caller} ${verb} ${resource} ${token}${verb === "renew" ? ` ${ttl}` : ""}`);
    }
  }
  return [...script, "snapshot"];
}

/** The leases at the end of a script, as its snapshot shows them. */
function held(script: readonly string[]): { resource: string; holder: string; token: number }[] {
  return play([...script, "snapshot"].join("\n"))
    .split("\n")
    .flatMap((line) => {
      const [, resource, holder, token] = /^ {2}(\S+) (c\d+) (\d+) \d+ \[/.exec(line) ?? [];
      return resource === undefined || holder === undefined
        ? []
        : [{ resource, holder, token: Number(token) }];
    });
}

const highestRef = (script: readonly string[]): number =>
  Math.max(0, ...[...play(script.join("\n")).matchAll(/queued r(\d+)/g)].map(([, number]) => Number(number)));
