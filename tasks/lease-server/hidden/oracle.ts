/**
 * What a right lease server makes of a script (`driver/script.ex` says what a script is): SPEC.md once more, as plainly as can be, with lists that are
 * searched from the front. Written apart from the reference, so that a mistake would have to be made twice.
 */

interface Lease {
  readonly resource: string;
  readonly token: number;
  readonly holder: string;
  deadline: number;
}

interface Waiting {
  readonly ref: string;
  readonly resource: string;
  readonly owner: string;
  readonly ttl: number;
  readonly until: number;
}

/** One server: leases in the order of their tokens, and all that wait in the order in which they came. */
class Server {
  now: number;
  #tokens = 0;
  #leases: Lease[] = [];
  #waiting: Waiting[] = [];
  readonly #send: (to: string, message: string) => void;

  constructor(now: number, send: (to: string, message: string) => void) {
    this.now = now;
    this.#send = send;
  }

  /** The token; null when it is busy. */
  acquire(holder: string, resource: string, ttl: number): number | null {
    if (this.#of(resource) !== undefined) return null;
    this.#tokens += 1;
    this.#leases.push({ resource, token: this.#tokens, holder, deadline: this.now + ttl });
    return this.#tokens;
  }

  wait(request: Waiting): void {
    this.#waiting.push(request);
  }

  cancel(owner: string, ref: string): boolean {
    const there = this.#waiting.some((each) => each.ref === ref && each.owner === owner);
    if (there) this.#leave(ref);
    return there;
  }

  renew(caller: string, resource: string, token: number, ttl: number): string {
    const lease = this.#of(resource);
    if (lease?.token !== token) return "error stale";
    if (lease.holder !== caller) return "error not_holder";
    lease.deadline = this.now + ttl;
    return `ok ${lease.deadline}`;
  }

  release(caller: string, resource: string, token: number): string {
    const lease = this.#of(resource);
    if (lease?.token !== token) return "error stale";
    if (lease.holder !== caller) return "error not_holder";
    this.#end(lease);
    return "ok";
  }

  advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const next = Math.min(
        ...this.#leases.map((each) => each.deadline),
        ...this.#waiting.map((each) => each.until),
      );
      if (next > until) break;
      this.now = next;
      const lease = this.#leases.find((each) => each.deadline === next);
      const request = this.#waiting.find((each) => each.until === next);
      if (lease !== undefined) {
        this.#send(lease.holder, `expired ${lease.resource} ${lease.token}`);
        this.#end(lease);
      } else if (request !== undefined) {
        this.#leave(request.ref);
        this.#send(request.owner, `timeout ${request.ref}`);
      }
    }
    this.now = until;
  }

  bury(process: string): void {
    this.#waiting = this.#waiting.filter(({ owner }) => owner !== process);
    for (const lease of this.#leases.filter(({ holder }) => holder === process)) this.#end(lease);
  }

  snapshot(): string[] {
    const leases = [...this.#leases].sort((a, b) => (a.resource < b.resource ? -1 : 1));
    return leases.map(({ resource, holder, token, deadline }) => {
      const line = this.#waiting.filter((each) => each.resource === resource).map(({ owner }) => owner);
      return `  ${resource} ${holder} ${token} ${deadline} [${line.join(" ")}]`;
    });
  }

  /** Whether it watches a process: 1 when that holds or waits. */
  monitors(process: string): number {
    const known = [...this.#leases.map(({ holder }) => holder), ...this.#waiting.map(({ owner }) => owner)];
    return known.includes(process) ? 1 : 0;
  }

  #of(resource: string): Lease | undefined {
    return this.#leases.find((each) => each.resource === resource);
  }

  #leave(ref: string): void {
    this.#waiting = this.#waiting.filter((each) => each.ref !== ref);
  }

  #end(lease: Lease): void {
    this.#leases = this.#leases.filter((each) => each !== lease);
    const first = this.#waiting.find(({ resource }) => resource === lease.resource);
    if (first === undefined) return;
    this.#leave(first.ref);
    const token = this.acquire(first.owner, first.resource, first.ttl);
    this.#send(first.owner, `granted ${first.ref} ${token}`);
  }
}

const isPositive = (word: string | undefined): boolean => /^[1-9][0-9]*$/.test(word ?? "");
const isNatural = (word: string | undefined): boolean => /^[0-9]+$/.test(word ?? "");
const isInteger = (word: string | undefined): boolean => /^-?[0-9]+$/.test(word ?? "");
/** Numbers and references are no binaries; `~text` is one that looks like a number. */
const isResource = (word: string | undefined): boolean =>
  word !== undefined &&
  word !== "inf" &&
  !isInteger(word) &&
  !/^r[0-9]+$/.test(word) &&
  (!word.startsWith("~") || word === "~text");

/** By function: whether its words are arguments as SPEC.md wants them. */
const ARGUMENTS: Readonly<Record<string, readonly ((word: string | undefined) => boolean)[]>> = {
  acquire: [isResource, isPositive],
  request: [isResource, isPositive, (word) => word === "inf" || isPositive(word)],
  cancel: [(word) => /^r[0-9]+$/.test(word ?? "")],
  renew: [isResource, isInteger, isPositive],
  release: [isResource, isInteger],
  advance: [isNatural],
  snapshot: [],
};

/** The answer to a script. */
export function play(script: string): string {
  const lines: string[] = [];
  const clients = new Set<string>();
  const mail: { to: string; message: string }[] = [];
  const servers = new Map<string, Server>();
  let refs = 0;
  const use = (name: string, now: number): Server => {
    const server = servers.get(name) ?? new Server(now, (to, message) => mail.push({ to, message }));
    servers.set(name, server);
    return server;
  };
  let server = use("1", 0);

  const call = (caller: string, verb: string, words: readonly string[]): string => {
    const checks = ARGUMENTS[verb] ?? [];
    if (checks.some((check, index) => !check(words[index]))) return "raises ArgumentError";
    const [first = "", second, third] = words;
    const resource = first === "~text" ? "1" : first;
    if (verb === "cancel") return server.cancel(caller, first) ? "ok" : "error unknown";
    if (verb === "renew") return server.renew(caller, resource, Number(second), Number(third));
    if (verb === "release") return server.release(caller, resource, Number(second));
    if (verb === "advance") {
      server.advance(Number(first));
      return `ok ${server.now}`;
    }
    const token = server.acquire(caller, resource, Number(second));
    if (token !== null) return `ok ${token}`;
    if (verb === "acquire") return "error busy";
    refs += 1;
    const until = third === "inf" ? Number.POSITIVE_INFINITY : server.now + Number(third);
    server.wait({ ref: `r${refs}`, resource, owner: caller, ttl: Number(second), until });
    return `queued r${refs}`;
  };

  const step = ([word = "", ...rest]: readonly string[]): void => {
    const [name = "", second] = rest;
    if (word === "use") server = use(name, Number(second ?? 0));
    else if (word === "advance") {
      const outcome = call("", word, rest);
      lines.push(outcome.startsWith("ok") ? `now = ${server.now}` : `advance = ${outcome}`);
    } else if (word === "snapshot") lines.push(`now = ${server.now}`, ...server.snapshot());
    else if (word === "stray") lines.push("sent");
    else if (word === "kill" || word === "stop") {
      for (const each of servers.values()) each.bury(name);
      clients.delete(name);
      lines.push(`${name} = ended`);
    } else if (word === "monitors") {
      clients.add(name);
      const count = [...servers.values()].reduce((sum, each) => sum + each.monitors(name), 0);
      lines.push(`${name} = ${count} monitors`);
    } else {
      clients.add(word);
      lines.push(`${word} = ${call(word, name, rest.slice(1))}`);
    }
  };

  const numberOf = (name: string): number => Number(name.slice(1));
  for (const line of script.split("\n").filter((text) => text !== "")) {
    step(line.split(" ").filter((word) => word !== ""));
    for (const name of [...clients].sort((a, b) => numberOf(a) - numberOf(b)))
      for (const { to, message } of mail) if (to === name) lines.push(`  ${name} < ${message}`);
    mail.length = 0;
  }
  return lines.join("\n");
}
