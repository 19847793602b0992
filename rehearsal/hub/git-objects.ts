import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

export interface GitObject {
  readonly type: string;
  readonly content: Buffer;
}

/** Types of objects that are remembered; the map starts anew beyond it. */
const REMEMBERED = 200_000;

/**
 * The objects of one repository and its forks, which share them as GitHub's do. Loose objects are read and written in
 * this process; what is in a pack comes from one `git cat-file --batch` that lives as long as the hub.
 */
export class ObjectStore {
  /** The repository whose `objects` folder this is. */
  readonly gitDir: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #facts = new Map<string, { readonly type: string; readonly size: number }>();
  #batch: Batch | null = null;

  constructor(gitDir: string, env: Readonly<Record<string, string>>) {
    this.gitDir = gitDir;
    this.#env = env;
  }

  /** The object, or null when it is not here. */
  async read(sha: string): Promise<GitObject | null> {
    const found = this.#loose(sha) ?? (await this.#packed(sha));
    if (found !== null) this.#remember(sha, found.type, found.content.length);
    return found;
  }

  /** Type and size in bytes, or null when the object is not here. */
  async facts(sha: string): Promise<{ readonly type: string; readonly size: number } | null> {
    const known = this.#facts.get(sha);
    if (known !== undefined) return known;
    await this.read(sha);
    return this.#facts.get(sha) ?? null;
  }

  /** Writes a loose object as git does. The content must have git's form. Returns its name. */
  write(type: "blob" | "tree" | "commit", content: Uint8Array): string {
    const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const sha = createHash("sha1").update(bytes).digest("hex");
    this.#remember(sha, type, content.length);
    const folder = join(this.gitDir, "objects", sha.slice(0, 2));
    const path = join(folder, sha.slice(2));
    if (existsSync(path)) return sha;
    mkdirSync(folder, { recursive: true });
    const temporary = join(folder, `tmp_${randomUUID()}`);
    writeFileSync(temporary, deflateSync(bytes), { mode: 0o444 });
    renameSync(temporary, path);
    return sha;
  }

  close(): void {
    this.#batch?.end();
    this.#batch = null;
  }

  #remember(sha: string, type: string, size: number): void {
    if (this.#facts.size > REMEMBERED) this.#facts.clear();
    this.#facts.set(sha, { type, size });
  }

  #loose(sha: string): GitObject | null {
    let packed: Buffer;
    try {
      packed = readFileSync(join(this.gitDir, "objects", sha.slice(0, 2), sha.slice(2)));
    } catch {
      return null;
    }
    const bytes = inflateSync(packed);
    const end = bytes.indexOf(0);
    const type = bytes.toString("latin1", 0, end).split(" ")[0] ?? "";
    return { type, content: bytes.subarray(end + 1) };
  }

  #packed(sha: string): Promise<GitObject | null> {
    if (this.#batch === null || this.#batch.ended) this.#batch = new Batch(this.gitDir, this.#env);
    return this.#batch.ask(sha);
  }
}

/** `git cat-file --batch`, one question after the other. */
class Batch {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: { resolve(object: GitObject | null): void; reject(error: Error): void }[] = [];
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes that the answer under way needs before it can be read. */
  #needed = 0;
  ended = false;

  constructor(gitDir: string, env: Readonly<Record<string, string>>) {
    this.#child = spawn("git", ["cat-file", "--batch"], { cwd: gitDir, env: { ...env, GIT_DIR: gitDir } });
    this.#child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#child.stdin.on("error", () => undefined);
    this.#child.stderr.resume();
    const fail = (error: Error): void => {
      this.ended = true;
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    this.#child.on("error", fail);
    this.#child.on("close", () => fail(new Error("git cat-file ended.")));
  }

  ask(sha: string): Promise<GitObject | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${sha}\n`);
    });
  }

  end(): void {
    this.#child.stdin.end();
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length > 0 && this.#length >= this.#needed && this.#answer());
  }

  /** Reads one answer; false when it is not whole yet. */
  #answer(): boolean {
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const end = bytes.indexOf(10);
    if (end === -1) return false;
    const [, type = "", size = ""] = bytes.toString("latin1", 0, end).split(" ");
    const missing = type === "missing" || type === "ambiguous";
    const length = missing ? end + 1 : end + 1 + Number(size) + 1;
    this.#needed = length;
    if (bytes.length < length) return false;
    const rest = bytes.subarray(length);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#needed = 0;
    const content = missing ? null : Buffer.from(bytes.subarray(end + 1, length - 1));
    this.#waiting.shift()?.resolve(content === null ? null : { type, content });
    return true;
  }
}
