import { createServer } from "node:net";
import { createEmulator, type Emulator } from "emulate";
import { type Call, isObject, type Json, type Reply } from "./http.ts";

/** The emulator knows this user as its fallback for tokens it has never seen; the hub works through it. */
export const OPERATOR = "hub-operator";

export interface EmulateSeed {
  readonly tokens: Readonly<Record<string, { login: string }>>;
  readonly github: Json;
}

export interface EmulateAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/**
 * The `emulate` package's GitHub: accounts, apps and their tokens, issues, comments, labels and check runs live there.
 * It listens on loopback on a port of its own that only the hub knows; every URL it prints is the hub's.
 */
export class Emulate {
  readonly #emulator: Emulator;
  readonly #origin: string;
  readonly #issues = new Map<string, Json>();
  #changes = 0;
  #operatorCalls = 0;

  private constructor(emulator: Emulator, origin: string) {
    this.#emulator = emulator;
    this.#origin = origin;
  }

  static async start(hubUrl: string, seed: EmulateSeed): Promise<Emulate> {
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      try {
        const options = {
          service: "github" as const,
          port,
          hostname: "127.0.0.1",
          baseUrl: hubUrl,
          seed: { ...seed },
        };
        return new Emulate(await createEmulator(options), `http://127.0.0.1:${port}`);
      } catch (error) {
        // Somebody took the port between the probe and the start.
        if (attempt === 5) throw new Error("The GitHub emulator did not start", { cause: error });
      }
    }
  }

  close(): Promise<void> {
    return this.#emulator.close();
  }

  async send(
    method: string,
    path: string,
    authorization: string | undefined,
    body?: string | Uint8Array,
    accept = "application/json",
  ): Promise<EmulateAnswer> {
    if (method !== "GET") this.#forget(path);
    const answer = await fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        accept,
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
      redirect: "manual",
    });
    const content = Buffer.from(await answer.arrayBuffer());
    // Once more: a read that overtook the write may have kept what was there before it.
    if (method !== "GET") this.#forget(path);
    return { status: answer.status, headers: answer.headers, body: content };
  }

  /**
   * A call as the operator, who may do everything.
   * @throws Error when the emulator refuses: that is a mistake of the hub, not of its caller.
   */
  async operate(method: string, path: string, body?: Json): Promise<unknown> {
    // The emulator counts 5,000 requests an hour for each token.
    this.#operatorCalls += 1;
    const authorization = `token operator-${Math.floor(this.#operatorCalls / 4_000)}`;
    const answer = await this.send(
      method,
      path,
      authorization,
      body === undefined ? undefined : JSON.stringify(body),
    );
    if (answer.status >= 400) {
      throw new Error(
        `The GitHub emulator refused ${method} ${path} (${answer.status}): ${answer.body.toString("utf8")}`,
      );
    }
    return answer.body.length === 0 ? null : JSON.parse(answer.body.toString("utf8"));
  }

  /** An issue, which payloads and pull requests need again and again: asked for once until something about it changes. */
  async issue(repository: string, number: number): Promise<Json> {
    const path = `/repos/${repository}/issues/${number}`;
    const known = this.#issues.get(path);
    if (known !== undefined) return known;
    const changes = this.#changes;
    const issue = await this.object("GET", path);
    if (changes === this.#changes) this.#issues.set(path, issue);
    return issue;
  }

  /** Drops the issues that a write to this path may change: one, or all when the path does not say which. */
  #forget(path: string): void {
    if (path.includes("/check-")) return;
    this.#changes += 1;
    const one = /^\/repos\/[^/]+\/[^/]+\/issues\/\d+/.exec(path)?.[0];
    if (one === undefined) this.#issues.clear();
    else this.#issues.delete(one);
  }

  /** As `operate`, for answers that are one object. */
  async object(method: string, path: string, body?: Json): Promise<Json> {
    const value = await this.operate(method, path, body);
    if (!isObject(value)) throw new Error(`The GitHub emulator gave no object for ${method} ${path}`);
    return value;
  }

  /** Passes a request on as it is, but for the credentials. */
  async forward(
    call: Call,
    hubUrl: string,
    authorization: string | undefined,
  ): Promise<Reply & { json: unknown }> {
    const query = call.query.toString();
    const body = call.method === "GET" || call.body.length === 0 ? undefined : call.body;
    const answer = await this.send(
      call.method,
      `${call.path}${query === "" ? "" : `?${query}`}`,
      authorization,
      body,
    );
    const headers: Record<string, string> = {};
    const type = answer.headers.get("content-type");
    if (type !== null) headers["content-type"] = type;
    const link = answer.headers.get("link");
    if (link !== null) headers.link = link.replaceAll(this.#origin, hubUrl);
    const isJson = (headers["content-type"] ?? "").includes("json") && answer.body.length > 0;
    return {
      status: answer.status,
      headers,
      ...(answer.body.length > 0 ? { body: answer.body } : {}),
      json: isJson ? JSON.parse(answer.body.toString("utf8")) : null,
    };
  }
}
