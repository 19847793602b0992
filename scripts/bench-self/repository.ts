import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { resultPath } from "../../src/lib/benchmarks/result-path.ts";
import { PUBLISHED_BRANCH } from "../../src/lib/bot/publish.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { documentMaker, SUITE } from "./documents.ts";

/** A repository with so many committed results on `main`, and one more on `next`. */
export interface BenchRepository {
  readonly root: string;
  readonly gitDir: string;
  readonly count: number;
}

type Files = AsyncIterable<readonly [path: string, data: string | Uint8Array]>;

export async function makeRepository(root: string, count: number): Promise<BenchRepository> {
  const suite = `suites/${SUITE}.json`;
  const { members } = JSON.parse(await readFile(join(REPOSITORY, "benchmarks", suite), "utf8")) as {
    members: { id: string }[];
  };
  for (const part of ["vocabulary", "registry", suite, ...members.map(({ id }) => `members/${id}`)])
    await cp(join(REPOSITORY, "benchmarks", part), join(root, "benchmarks", part), { recursive: true });
  const gitDir = join(root, ".git");
  await mkdir(gitDir);
  await runGit(gitDir, ["init", "--quiet", "--bare", "--initial-branch=main", gitDir]);
  const documentAt = await documentMaker(root, count);
  async function* results(from: number, to: number): Files {
    for (let n = from; n < to; n += 1) {
      const document = documentAt(n);
      yield [resultPath(document), canonicalDocument(document)];
    }
  }
  async function* base(): Files {
    yield* folderFiles(root, "benchmarks");
    yield* results(0, count);
  }
  await commitFiles(gitDir, "main", null, base());
  await commitFiles(gitDir, "next", "main", results(count, count + 1));
  return { root, gitDir, count };
}

/** Puts the files of a folder on the branch `published`. */
export const publish = ({ gitDir }: BenchRepository, folder: string): Promise<void> =>
  commitFiles(gitDir, PUBLISHED_BRANCH, null, folderFiles(folder, ""));

async function* folderFiles(root: string, below: string): Files {
  for (const entry of await readdir(join(root, below), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) yield [relative(root, file), await readFile(file)];
  }
}

async function commitFiles(gitDir: string, branch: string, parent: string | null, files: Files) {
  const git = spawn("git", ["--git-dir", gitDir, "fast-import", "--quiet"], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(git, "close");
  const write = async (data: string | Uint8Array): Promise<void> => {
    if (!git.stdin.write(data)) await once(git.stdin, "drain");
  };
  await write(
    `commit refs/heads/${branch}\ncommitter bench <bench@example.org> 1796083200 +0000\ndata 1\nx\n`,
  );
  if (parent !== null) await write(`from refs/heads/${parent}\n`);
  for await (const [path, data] of files) {
    const bytes = Buffer.from(data);
    await write(`M 100644 inline ${path}\ndata ${bytes.length}\n`);
    await write(bytes);
    await write("\n");
  }
  git.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

export async function runGit(gitDir: string, words: readonly string[]): Promise<string> {
  const git = spawn("git", ["--git-dir", gitDir, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const out: Buffer[] = [];
  git.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  const [code] = await once(git, "close");
  if (code !== 0) throw new Error(`git ${words[0]} ended with ${code}`);
  return Buffer.concat(out).toString("utf8").trim();
}
