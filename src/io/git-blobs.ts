import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { GitError, gitEnvironment } from "./git-process.ts";

/** What an object is, without its content. */
export interface ObjectInfo {
  readonly oid: string;
  readonly type: string;
  readonly bytes: number;
}

/**
 * One long-lived `git cat-file --batch-command`: sizes are asked before contents, so that no object larger than the
 * caller's limit is ever read. Requests are answered in order; close it when done.
 */
export class ObjectReader {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #timeoutMs: number;
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #wake: (() => void) | null = null;
  #failure: GitError | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(gitDir: string, timeoutMs = 60_000) {
    this.#timeoutMs = timeoutMs;
    this.#child = spawn("git", ["--git-dir", gitDir, "cat-file", "--batch-command"], {
      env: gitEnvironment(),
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
    });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#buffered.push(chunk);
      this.#bufferedBytes += chunk.length;
      this.#wake?.();
    });
    this.#child.on("error", (error) => this.#fail(`git cat-file: ${error.message}`));
    this.#child.on("close", () => this.#fail("git cat-file ended"));
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.resume();
  }

  #fail(message: string): void {
    this.#failure ??= new GitError(message);
    this.#wake?.();
  }

  /** Type and size of an object id or `<treeish>:<path>`; null when there is no such object. */
  info(name: string): Promise<ObjectInfo | null> {
    return this.#inTurn(() => this.#header("info", name));
  }

  /**
   * The bytes of a blob; null when the name is unknown or no blob.
   * @throws GitError when the blob is larger than `maxBytes`: ask `info` first where that may be somebody's mistake.
   */
  blob(name: string, maxBytes: number): Promise<Uint8Array | null> {
    return this.#content("blob", name, maxBytes);
  }

  /**
   * Many blobs in two exchanges: sizes, then contents. Null for a name that is unknown or no blob.
   * @throws GitError as `blob` does.
   */
  blobs(names: readonly string[], maxBytes: number): Promise<(Uint8Array | null)[]> {
    return this.#inTurn(async () => {
      for (const name of names) this.#ask("info", name);
      const infos: (ObjectInfo | null)[] = [];
      for (const name of names) infos.push(await this.#answer(name));
      const wanted = infos.map((info) => (info?.type === "blob" ? info : null));
      for (const info of wanted)
        if (info !== null && info.bytes > maxBytes)
          throw new GitError(`object ${info.oid} has ${info.bytes} bytes, more than ${maxBytes}`);
      for (const info of wanted) if (info !== null) this.#ask("contents", info.oid);
      const blobs: (Uint8Array | null)[] = [];
      for (const info of wanted) {
        if (info !== null) await this.#answer(info.oid);
        blobs.push(info === null ? null : new Uint8Array((await this.#take(info.bytes + 1)).subarray(0, -1)));
      }
      return blobs;
    });
  }

  /** The bytes of a tree object, as git stores them; otherwise as `blob`. A commit's name gives its tree. */
  tree(name: string, maxBytes: number): Promise<Uint8Array | null> {
    return this.#content("tree", `${name}^{tree}`, maxBytes);
  }

  #content(type: "blob" | "tree", name: string, maxBytes: number): Promise<Uint8Array | null> {
    return this.#inTurn(async () => {
      const info = await this.#header("info", name);
      if (info === null || info.type !== type) return null;
      if (info.bytes > maxBytes)
        throw new GitError(`object ${info.oid} has ${info.bytes} bytes, more than ${maxBytes}`);
      await this.#header("contents", info.oid);
      const content = await this.#take(info.bytes + 1);
      return new Uint8Array(content.subarray(0, info.bytes));
    });
  }

  close(): void {
    this.#child.stdin.end();
    this.#child.kill();
  }

  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    this.#queue = result.catch(() => {});
    return result;
  }

  async #header(command: "info" | "contents", name: string): Promise<ObjectInfo | null> {
    this.#ask(command, name);
    return this.#answer(name);
  }

  /** The protocol is by line: a name that holds one could smuggle in a second request, and is never sent. */
  #ask(command: "info" | "contents", name: string): void {
    if (isOneName(name)) this.#child.stdin.write(`${command} ${name}\n`);
  }

  async #answer(name: string): Promise<ObjectInfo | null> {
    if (!isOneName(name)) return null;
    const line = await this.#takeLine();
    const parts = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(line);
    if (parts === null) return null;
    return { oid: parts[1] ?? "", type: parts[2] ?? "", bytes: Number(parts[3]) };
  }

  async #takeLine(): Promise<string> {
    return this.#when(() => {
      const all = this.#merged();
      const end = all.indexOf(10);
      if (end < 0) return null;
      this.#keep(all.subarray(end + 1));
      return all.subarray(0, end).toString("utf8");
    });
  }

  async #take(bytes: number): Promise<Buffer> {
    return this.#when(() => {
      if (this.#bufferedBytes < bytes) return null;
      const all = this.#merged();
      this.#keep(all.subarray(bytes));
      return all.subarray(0, bytes);
    });
  }

  #merged(): Buffer {
    const all = this.#buffered.length === 1 ? this.#buffered[0] : undefined;
    if (all !== undefined) return all;
    const merged = Buffer.concat(this.#buffered);
    this.#buffered = [merged];
    return merged;
  }

  #keep(rest: Buffer): void {
    this.#buffered = rest.length > 0 ? [rest] : [];
    this.#bufferedBytes = rest.length;
  }

  /** Waits until `ready` gives something, the process ends, or time is up. */
  async #when<T>(ready: () => T | null): Promise<T> {
    const deadline = Date.now() + this.#timeoutMs;
    for (;;) {
      const value = ready();
      if (value !== null) return value;
      if (this.#failure !== null) throw this.#failure;
      const left = deadline - Date.now();
      if (left <= 0) {
        this.#child.kill("SIGKILL");
        throw new GitError(`git cat-file gave no answer within ${this.#timeoutMs} ms`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = null;
    }
  }
}

const isOneName = (name: string): boolean => name !== "" && !/[\n\r\0]/.test(name);
