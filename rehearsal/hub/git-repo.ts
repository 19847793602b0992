import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

export const ZERO_SHA: string = "0".repeat(40);
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
export const isSha = (value: string): boolean => /^[0-9a-f]{40}$/.test(value);

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

/** One bare repository, worked through git's plumbing; no shell, no working tree. */
export class GitRepo {
  readonly dir: string;
  readonly #env: Readonly<Record<string, string>>;

  /** @param env a complete environment: nothing of the caller's own git settings leaks in. */
  constructor(dir: string, env: Readonly<Record<string, string>>) {
    this.dir = dir;
    this.#env = env;
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
    if (!isSha(sha)) return null;
    const result = await this.try(["cat-file", "-t", sha]);
    return result.code === 0 ? result.stdout.toString("utf8").trim() : null;
  }

  /** The types of many objects at once; those that are not here are left out. */
  async typesOf(shas: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const asked = shas.filter(isSha);
    if (asked.length === 0) return new Map();
    const out = await this.line(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
      input: `${asked.join("\n")}\n`,
    });
    const rows = out.split("\n").map((row): [string, string] => [row.slice(0, 40), row.slice(41)]);
    return new Map(rows.filter(([, type]) => type !== "missing"));
  }

  blob(sha: string): Promise<Buffer> {
    return this.run(["cat-file", "blob", sha]);
  }

  /** What a full ref points at, or null. */
  async ref(name: string): Promise<string | null> {
    const result = await this.try(["show-ref", "--verify", "--hash", "--", name]);
    return result.code === 0 ? result.stdout.toString("utf8").trim() : null;
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

  async validRef(name: string): Promise<boolean> {
    if (name.startsWith("-")) return false;
    return (await this.try(["check-ref-format", name])).code === 0;
  }

  /** Commit that a branch, tag, full ref or (abbreviated) sha names; null when there is none. */
  async commitOf(name: string): Promise<string | null> {
    if (name === "" || name.startsWith("-") || name.includes("..") || /[\s~^:?*[\\\0]/.test(name))
      return null;
    const candidates = name.startsWith("refs/")
      ? [name]
      : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`];
    if (isSha(name)) candidates.unshift(name);
    else if (/^[0-9a-f]{7,39}$/.test(name)) candidates.push(name);
    if (name === "HEAD") candidates.unshift("HEAD");
    for (const candidate of candidates) {
      const result = await this.try(["rev-parse", "--verify", "--quiet", `${candidate}^{commit}`]);
      if (result.code === 0) return result.stdout.toString("utf8").trim();
    }
    return null;
  }

  /** Moves a ref from exactly `before` (null: it must not exist) to `after` (null: delete). False when it stood elsewhere. */
  async moveRef(name: string, before: string | null, after: string | null): Promise<boolean> {
    const args =
      after === null
        ? ["update-ref", "-d", name, before ?? ZERO_SHA]
        : ["update-ref", name, after, before ?? ZERO_SHA];
    return (await this.try(args)).code === 0;
  }

  async isAncestor(ancestor: string, descendant: string): Promise<boolean> {
    return (await this.try(["merge-base", "--is-ancestor", ancestor, descendant])).code === 0;
  }

  async mergeBase(left: string, right: string): Promise<string | null> {
    const result = await this.try(["merge-base", left, right]);
    return result.code === 0 ? result.stdout.toString("utf8").trim() : null;
  }

  /** Commits reachable from `include` but not from `exclude`, newest first. */
  async revList(
    include: string,
    exclude: readonly string[],
    extra: readonly string[] = [],
  ): Promise<string[]> {
    const out = await this.line(["rev-list", ...extra, include, ...exclude.map((sha) => `^${sha}`), "--"]);
    return out === "" ? [] : out.split("\n");
  }

  async commit(sha: string): Promise<Commit> {
    return parseCommit(sha, (await this.run(["cat-file", "commit", sha])).toString("utf8"));
  }

  /** Entries of a tree (or of the tree of a commit); recursive listings include the trees themselves. */
  async tree(treeish: string, recursive: boolean): Promise<TreeEntry[]> {
    const args = ["ls-tree", "-z", "-l", "--full-tree", ...(recursive ? ["-r", "-t"] : []), treeish];
    const out = (await this.run(args)).toString("utf8");
    return out
      .split("\0")
      .filter((row) => row !== "")
      .map((row) => {
        const tab = row.indexOf("\t");
        const [mode = "", type = "", sha = "", size = "-"] = row.slice(0, tab).split(/ +/);
        return { mode, type, sha, size: size === "-" ? null : Number(size), path: row.slice(tab + 1) };
      });
  }

  /** The entry at a path, or null. The path is literal. */
  async entry(treeish: string, path: string): Promise<TreeEntry | null> {
    const args = ["--literal-pathspecs", "ls-tree", "-z", "-l", "--full-tree", treeish, "--", path];
    const row = (await this.run(args)).toString("utf8").split("\0")[0];
    if (row === undefined || row === "") return null;
    const tab = row.indexOf("\t");
    const [mode = "", type = "", sha = "", size = "-"] = row.slice(0, tab).split(/ +/);
    return { mode, type, sha, size: size === "-" ? null : Number(size), path: row.slice(tab + 1) };
  }

  /** Writes a loose object as git does, but without a process: trees of thousands of files arrive in one request. */
  async writeBlob(content: Uint8Array): Promise<string> {
    const bytes = Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]);
    const sha = createHash("sha1").update(bytes).digest("hex");
    const folder = join(this.dir, "objects", sha.slice(0, 2));
    const path = join(folder, sha.slice(2));
    if (existsSync(path)) return sha;
    await mkdir(folder, { recursive: true });
    const temporary = join(folder, `tmp_${randomUUID()}`);
    await writeFile(temporary, deflateSync(bytes), { mode: 0o444 });
    await rename(temporary, path);
    return sha;
  }

  /** Writes exactly this commit; git checks its form. */
  writeCommit(commit: Omit<Commit, "sha">): Promise<string> {
    const clean = (value: string): string => value.replace(/[<>\n\0]/g, "");
    const person = (who: Person): string => `${clean(who.name)} <${clean(who.email)}> ${who.when}`;
    const head = [
      `tree ${commit.tree}`,
      ...commit.parents.map((parent) => `parent ${parent}`),
      `author ${person(commit.author)}`,
      `committer ${person(commit.committer)}`,
    ];
    return this.line(["hash-object", "-t", "commit", "-w", "--stdin"], {
      input: `${head.join("\n")}\n\n${commit.message.replaceAll("\0", "")}`,
    });
  }
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
