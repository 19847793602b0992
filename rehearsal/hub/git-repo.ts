import { spawn } from "node:child_process";
import type { FileChange } from "./git-diff.ts";
import { ancestors, isAncestor, type ListOptions, list, meetings } from "./git-history.ts";
import { ObjectStore } from "./git-objects.ts";
import { RefFiles, validRef } from "./git-refs.ts";
import { EMPTY_TREE, isSha, ZERO_SHA } from "./sha.ts";

export { EMPTY_TREE, isSha, ZERO_SHA } from "./sha.ts";

export class GitError extends Error {
  readonly code: number;
  readonly stderr: string;

  constructor(args: readonly string[], code: number, stderr: string) {
    super(`git ${args[0]} failed (${code}): ${stderr.trim()}`);
    this.name = "GitError";
    this.code = code;
    this.stderr = stderr;
  }
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size: number | null;
  readonly path: string;
}

export interface Person {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970 and offset (`1700000000 +0000`). */
  readonly when: string;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

/** A memory of at most so many answers about objects, which never change. */
class Memo<T> {
  readonly #known = new Map<string, T>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  async of(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = await make();
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }
}

/** One bare repository. What every request needs is done in this process; the rest by git's plumbing, without a shell. */
export class GitRepo {
  readonly dir: string;
  readonly objects: ObjectStore;
  readonly #env: Readonly<Record<string, string>>;
  readonly #refs: RefFiles;
  readonly #commits: Memo<Commit>;
  readonly #trees: Memo<TreeEntry[]>;
  /** What differs between two commits, as listed: pages are asked for one by one. */
  readonly changes = new Memo<readonly FileChange[]>(32);
  readonly #bases = new Memo<string | null>(10_000);

  /**
   * @param env a complete environment: nothing of the caller's own git settings leaks in.
   * @param network a repository whose objects this one shares.
   */
  constructor(dir: string, env: Readonly<Record<string, string>>, network: GitRepo | null = null) {
    this.dir = dir;
    this.#env = env;
    this.objects = network?.objects ?? new ObjectStore(dir, env);
    this.#commits = network === null ? new Memo(50_000) : network.#commits;
    this.#trees = network === null ? new Memo(20_000) : network.#trees;
    this.#refs = new RefFiles(dir);
  }

  /** Runs git and gives its exit code; never throws for a failing command. */
  try(args: readonly string[], options: RunOptions = {}): Promise<GitResult> {
    return new Promise((resolve, reject) => {
      const child = spawn("git", args, {
        cwd: this.dir,
        env: { ...this.#env, GIT_DIR: this.dir, ...options.env },
        stdio: ["pipe", "pipe", "pipe"],
      });
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
      child.on("error", reject);
      child.on("close", (code) =>
        resolve({
          code: code ?? 128,
          stdout: Buffer.concat(out),
          stderr: Buffer.concat(err).toString("utf8"),
        }),
      );
      // A command that ends before it has read everything closes the pipe: its exit code says enough.
      child.stdin.on("error", () => undefined);
      child.stdin.end(options.input ?? "");
    });
  }

  /** Runs git and gives its output. @throws GitError when it fails. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
    const result = await this.try(args, options);
    if (result.code !== 0) throw new GitError(args, result.code, result.stderr);
    return result.stdout;
  }

  async line(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return (await this.run(args, options)).toString("utf8").trim();
  }

  /** The type of an object, or null when it is not here. */
  async typeOf(sha: string): Promise<string | null> {
    if (sha === EMPTY_TREE) return "tree";
    return isSha(sha) ? ((await this.objects.facts(sha))?.type ?? null) : null;
  }

  /** The types of many objects; those that are not here are left out. */
  async typesOf(shas: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const types = new Map<string, string>();
    for (const sha of shas) {
      const type = await this.typeOf(sha);
      if (type !== null) types.set(sha, type);
    }
    return types;
  }

  /** @throws Error when there is no such blob. */
  async blob(sha: string): Promise<Buffer> {
    const object = await this.objects.read(sha);
    if (object?.type !== "blob") throw new Error(`There is no blob ${sha} in ${this.dir}`);
    return object.content;
  }

  /** What a full ref points at, or null. */
  async ref(name: string): Promise<string | null> {
    return this.#refs.read(name);
  }

  /** Refs below a prefix such as `refs/heads/`, sorted. */
  async refs(prefix: string): Promise<{ name: string; sha: string; type: string }[]> {
    const out = await this.line(["for-each-ref", "--format=%(objectname) %(objecttype) %(refname)", prefix]);
    if (out === "") return [];
    return out.split("\n").map((row) => {
      const [sha = "", type = "", ...rest] = row.split(" ");
      return { sha, type, name: rest.join(" ") };
    });
  }

  validRef(name: string): boolean {
    return validRef(name);
  }

  /** Commit that a branch, tag, full ref or (abbreviated) sha names; null when there is none. */
  async commitOf(name: string): Promise<string | null> {
    if (name === "" || name.startsWith("-") || name.includes("..") || /[\s~^:?*[\\\0]/.test(name))
      return null;
    const names = name.startsWith("refs/")
      ? [name]
      : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`];
    const candidates = names.map((candidate) => this.#refs.read(candidate));
    if (isSha(name)) candidates.unshift(name);
    if (/^[0-9a-f]{7,39}$/.test(name) || name === "HEAD") {
      const result = await this.try(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]);
      if (result.code === 0) candidates.push(result.stdout.toString("utf8").trim());
    }
    for (const candidate of candidates) {
      const sha = candidate === null ? null : await this.peel(candidate);
      if (sha !== null) return sha;
    }
    return null;
  }

  /** The commit that an object is or that its tag names; null when there is none. */
  async peel(sha: string): Promise<string | null> {
    const type = await this.typeOf(sha);
    if (type !== "tag") return type === "commit" ? sha : null;
    const tag = (await this.objects.read(sha))?.content.toString("latin1") ?? "";
    const inner = /^object ([0-9a-f]{40})/.exec(tag)?.[1];
    return inner === undefined ? null : this.peel(inner);
  }

  /** Moves a ref from exactly `before` (null: it must not exist) to `after` (null: delete). False when it stood elsewhere. */
  async moveRef(name: string, before: string | null, after: string | null): Promise<boolean> {
    const moved = this.#refs.move(name, before, after);
    if (moved !== null) return moved;
    const args =
      after === null
        ? ["update-ref", "-d", name, before ?? ZERO_SHA]
        : ["update-ref", name, after, before ?? ZERO_SHA];
    return (await this.try(args)).code === 0;
  }

  /** Sets a ref, wherever it stood. @throws GitError when git refuses. */
  async setRef(name: string, after: string): Promise<void> {
    if (this.#refs.move(name, undefined, after) !== true) await this.run(["update-ref", name, after]);
  }

  isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    return isAncestor(this.#read, ancestor, descendant);
  }

  mergeBase(left: string, right: string): Promise<string | null> {
    return this.#bases.of(`${left} ${right}`, async () => {
      const found = await meetings(this.#read, left, right);
      if (found.length < 2) return found[0] ?? null;
      const result = await this.try(["merge-base", left, right]);
      return result.code === 0 ? result.stdout.toString("utf8").trim() : null;
    });
  }

  /** Commits reachable from `include` but not from `exclude`, newest first. */
  revList(include: string, exclude: readonly string[], options: ListOptions = {}): Promise<string[]> {
    return list(this.#read, include, exclude, options);
  }

  /** Everything that came in when a branch moved. */
  async arrived(before: string | null, after: string): Promise<ReadonlySet<string>> {
    const now = await ancestors(this.#read, after);
    if (before !== null) for (const old of await ancestors(this.#read, before)) now.delete(old);
    return now;
  }

  /** @throws Error when there is no such commit. */
  async commit(sha: string): Promise<Commit> {
    const commit = await this.#read(sha);
    if (commit === null) throw new Error(`There is no commit ${sha} in ${this.dir}`);
    return commit;
  }

  readonly #read = async (sha: string): Promise<Commit | null> => {
    if ((await this.typeOf(sha)) !== "commit") return null;
    return this.#commits.of(sha, async () =>
      parseCommit(sha, (await this.objects.read(sha))?.content.toString("utf8") ?? ""),
    );
  };

  /** The entries of one tree, or of the tree of a commit, without sizes. @throws Error when there is none. */
  async entries(treeish: string): Promise<TreeEntry[]> {
    if (treeish === EMPTY_TREE) return [];
    const sha = (await this.typeOf(treeish)) === "commit" ? (await this.commit(treeish)).tree : treeish;
    if (sha === EMPTY_TREE) return [];
    return this.#trees.of(sha, async () => {
      const object = await this.objects.read(sha);
      if (object?.type !== "tree") throw new Error(`There is no tree ${sha} in ${this.dir}`);
      return parseTree(object.content);
    });
  }

  /** Entries of a tree (or of the tree of a commit); recursive listings include the trees themselves. */
  async tree(treeish: string, recursive: boolean): Promise<TreeEntry[]> {
    const rows: TreeEntry[] = [];
    for (const entry of await this.entries(treeish)) {
      rows.push(await this.#sized(entry));
      if (!recursive || entry.type !== "tree") continue;
      for (const inner of await this.tree(entry.sha, true))
        rows.push({ ...inner, path: `${entry.path}/${inner.path}` });
    }
    return rows;
  }

  /** The entry at a path, or null. The path is literal. */
  async entry(treeish: string, path: string): Promise<TreeEntry | null> {
    const parts = path.split("/");
    let at = treeish;
    for (const [index, part] of parts.entries()) {
      const entry = (await this.entries(at)).find((candidate) => candidate.path === part);
      if (entry === undefined) return null;
      if (index === parts.length - 1) return { ...(await this.#sized(entry)), path };
      if (entry.type !== "tree") return null;
      at = entry.sha;
    }
    return null;
  }

  async #sized(entry: TreeEntry): Promise<TreeEntry> {
    if (entry.type !== "blob") return entry;
    return { ...entry, size: (await this.objects.facts(entry.sha))?.size ?? null };
  }

  async writeBlob(content: Uint8Array): Promise<string> {
    return this.objects.write("blob", content);
  }

  /** Ends the helper process of this repository and those that share its objects. */
  close(): void {
    this.objects.close();
  }

  /** Writes exactly this commit. */
  async writeCommit(commit: Omit<Commit, "sha">): Promise<string> {
    const clean = (value: string): string => value.replace(/[<>\n\0]/g, "");
    const person = (who: Person): string => `${clean(who.name)} <${clean(who.email)}> ${who.when}`;
    const head = [
      `tree ${commit.tree}`,
      ...commit.parents.map((parent) => `parent ${parent}`),
      `author ${person(commit.author)}`,
      `committer ${person(commit.committer)}`,
    ];
    const text = `${head.join("\n")}\n\n${commit.message.replaceAll("\0", "")}`;
    return this.objects.write("commit", Buffer.from(text, "utf8"));
  }
}

/** git's trees: `mode name\0` and twenty bytes, again and again. */
function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    const mode = bytes.toString("latin1", at, space).padStart(6, "0");
    const path = bytes.toString("utf8", space + 1, end);
    const type = mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob";
    entries.push({ mode, type, sha: bytes.toString("hex", end + 1, end + 21), size: null, path });
    at = end + 21;
  }
  return entries;
}

function parsePerson(line: string): Person {
  const match = /^(.*?) ?<([^>]*)> (.*)$/.exec(line);
  return { name: match?.[1] ?? "", email: match?.[2] ?? "", when: match?.[3] ?? "0 +0000" };
}

function parseCommit(sha: string, raw: string): Commit {
  const split = raw.indexOf("\n\n");
  const headers = (split === -1 ? raw : raw.slice(0, split)).split("\n");
  const values = (name: string): string[] =>
    headers.filter((row) => row.startsWith(`${name} `)).map((row) => row.slice(name.length + 1));
  return {
    sha,
    tree: values("tree")[0] ?? EMPTY_TREE,
    parents: values("parent"),
    author: parsePerson(values("author")[0] ?? ""),
    committer: parsePerson(values("committer")[0] ?? ""),
    message: split === -1 ? "" : raw.slice(split + 2),
  };
}

/** `1700000000 +0100` as GitHub prints times: UTC, seconds. */
export function isoTime(when: string): string {
  const seconds = Number(when.split(" ")[0]);
  return new Date((Number.isFinite(seconds) ? seconds : 0) * 1000).toISOString().replace(".000Z", "Z");
}
