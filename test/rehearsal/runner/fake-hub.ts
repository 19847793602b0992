/** A hub that keeps the contract and nothing more: real bare git over smart HTTP, everything else in memory. */
import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  ActionsStore,
  Conclusion,
  Hub,
  NewRun,
  Repository,
  Trigger,
} from "../../../rehearsal/hub/contract.ts";

export interface FakeJob {
  readonly id: number;
  readonly name: string;
  conclusion: Conclusion | null;
  log: string;
}

export interface FakeRun extends NewRun {
  readonly id: number;
  state: "queued" | "in_progress" | "completed";
  conclusion: Conclusion | null;
  /** What cancelling it would call. */
  cancel?: () => void;
  readonly jobs: FakeJob[];
  readonly artifacts: { readonly id: number; readonly name: string; readonly zip: Uint8Array }[];
  readonly tokens: { readonly token: string; readonly permissions: Readonly<Record<string, string>> }[];
}

export class FakeHub implements Hub {
  readonly runs: FakeRun[] = [];
  readonly #repository: Repository;
  readonly #root: string;
  readonly #server: Server;
  readonly #listeners = new Set<(trigger: Trigger) => void>();
  #nextId = 1000;

  private constructor(root: string, repository: Repository) {
    this.#root = root;
    this.#repository = repository;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  /** @param root folder that holds `<owner>/<name>.git`. */
  static async start(root: string, repository: Repository): Promise<FakeHub> {
    const hub = new FakeHub(root, repository);
    await new Promise<void>((resolve) => hub.#server.listen(0, "127.0.0.1", resolve));
    return hub;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  repository(): Repository {
    return this.#repository;
  }

  onTrigger(listener: (trigger: Trigger) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  fire(trigger: Trigger): void {
    for (const listener of this.#listeners) listener(trigger);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  readonly actions: ActionsStore = {
    createRun: (run) => {
      const made: FakeRun = {
        ...run,
        id: this.#id(),
        state: "queued",
        conclusion: null,
        jobs: [],
        artifacts: [],
        tokens: [],
      };
      this.runs.push(made);
      return made.id;
    },
    startRun: (runId) => {
      this.#run(runId).state = "in_progress";
    },
    nameRun: () => undefined,
    hasEnded: (runId) => this.#run(runId).state === "completed",
    onCancel: (runId, listener) => {
      this.#run(runId).cancel = listener;
    },
    enterEnvironment: async () => true,
    completeRun: (runId, conclusion) => {
      const run = this.#run(runId);
      if (run.state === "completed") throw new Error(`run ${runId} is completed already`);
      run.state = "completed";
      run.conclusion = conclusion;
      run.tokens.length = 0;
    },
    createJob: (runId, name) => {
      const job: FakeJob = { id: this.#id(), name, conclusion: null, log: "" };
      this.#run(runId).jobs.push(job);
      return job.id;
    },
    startJob: () => undefined,
    setSteps: () => undefined,
    completeJob: (runId, jobId, conclusion, log) => {
      const job = this.#run(runId).jobs.find((found) => found.id === jobId);
      if (!job || job.conclusion !== null) throw new Error(`job ${jobId} is unknown or completed already`);
      job.conclusion = conclusion;
      job.log = log;
    },
    putArtifact: (runId, name, zip) => {
      const { artifacts } = this.#run(runId);
      if (artifacts.some((artifact) => artifact.name === name)) throw new Error(`artifact ${name} exists`);
      const id = this.#id();
      artifacts.push({ id, name, zip });
      return id;
    },
    getArtifact: (runId, name) =>
      this.#run(runId).artifacts.find((found) => found.name === name)?.zip ?? null,
    listArtifacts: (runId) =>
      this.#run(runId).artifacts.map(({ id, name, zip }) => ({ id, name, bytes: zip.length })),
    issueToken: (runId, permissions) => {
      const token = `ghs_${runId}_${this.#id()}_secret`;
      this.#run(runId).tokens.push({ token, permissions });
      return token;
    },
  };

  #id(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #run(runId: number): FakeRun {
    const run = this.runs.find((found) => found.id === runId);
    if (!run) throw new Error(`no run ${runId}`);
    return run;
  }

  /** Permissions of whoever asks, by basic or token authorisation; `null` for a stranger. */
  #permissionsOf(request: IncomingMessage): Readonly<Record<string, string>> | null {
    const [scheme = "", value = ""] = (request.headers.authorization ?? "").split(" ");
    const token =
      scheme.toLowerCase() === "basic"
        ? Buffer.from(value, "base64")
            .toString()
            .replace(/^x-access-token:/, "")
        : value;
    for (const run of this.runs) {
      const found = run.tokens.find((issued) => issued.token === token);
      if (found) return found.permissions;
    }
    return null;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const permissions = this.#permissionsOf(request);
    const artifacts = /\/actions\/runs\/(\d+)\/artifacts$/.exec(url.pathname);
    const zip = /\/actions\/artifacts\/(\d+)\/zip$/.exec(url.pathname);
    if (artifacts ?? zip) {
      if (permissions?.actions !== "read" && permissions?.actions !== "write") {
        response.writeHead(403).end("Resource not accessible by integration");
      } else if (artifacts) {
        const run = this.#run(Number(artifacts[1]));
        const list = run.artifacts.map(({ id, name }) => ({ id, name }));
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ total_count: list.length, artifacts: list }));
      } else {
        const all = this.runs.flatMap((run) => run.artifacts);
        response.writeHead(200).end(all.find((artifact) => artifact.id === Number(zip?.[1]))?.zip);
      }
      return;
    }
    if (permissions?.contents !== "read" && permissions?.contents !== "write") {
      response.writeHead(401, { "www-authenticate": 'Basic realm="fake"' }).end("no");
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await this.#backend(url, request, Buffer.concat(chunks), response);
  }

  async #backend(url: URL, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env.PATH ?? "",
        GIT_PROJECT_ROOT: this.#root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? "GET",
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
        CONTENT_LENGTH: String(body.length),
      },
      stdio: ["pipe", "pipe", "ignore"],
    });
    child.stdin.on("error", () => {});
    child.stdin.end(body);
    const output: Buffer[] = [];
    for await (const chunk of child.stdout) output.push(chunk as Buffer);
    const all = Buffer.concat(output);
    const split = all.indexOf("\r\n\r\n");
    let status = 200;
    for (const line of all.subarray(0, split).toString().split("\r\n")) {
      const [name = "", value = ""] = line.split(": ");
      if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status).end(all.subarray(split + 4));
  }
}
