import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { commit, honestDocument, recipe, tempRepository } from "../jobs/temp-suite.ts";

/** A project on a bare repository, with a suite, one committed result, and pull requests made from git objects. */
export interface Project {
  /** Bare repository. */
  readonly gitDir: string;
  /** A checkout of the base with the bank's workbook staged, and one without. */
  readonly checkout: string;
  readonly bareCheckout: string;
  readonly base: string;
  /** Path of the result that is committed on the base. */
  readonly committed: string;
  document(changes?: Partial<ResultDocument>, stateName?: string): Promise<ResultDocument>;
  /** A commit on top of `parent` (the base by default); null deletes a path. Names may hold anything but NUL. */
  commit(files: Readonly<Record<string, FileChange | null>>, parent?: string): string;
  merge(base: string, head: string): string;
  remove(): void;
}

export interface FileChange {
  readonly data: string | Uint8Array;
  readonly mode?: string;
}

const WHO = { name: "tester", email: "tester@example.org" };

export function git(
  gitDir: string,
  args: readonly string[],
  input?: string | Uint8Array,
  index?: string,
): string {
  return execFileSync("git", ["--git-dir", gitDir, ...args], {
    input: input ?? "",
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env.PATH,
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: WHO.name,
      GIT_AUTHOR_EMAIL: WHO.email,
      GIT_COMMITTER_NAME: WHO.name,
      GIT_COMMITTER_EMAIL: WHO.email,
      GIT_AUTHOR_DATE: "2026-11-30T12:00:00Z",
      GIT_COMMITTER_DATE: "2026-11-30T12:00:00Z",
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    },
  }).trim();
}

export const model = (id: string): Partial<ResultDocument> => ({
  model: { id, parameters: { temperature: null, max_tokens: null, response_format: "none" } },
});

export async function makeProject(): Promise<Project> {
  const repository = await tempRepository();
  const folder = mkdtempSync(join(tmpdir(), "assay-project-"));
  const gitDir = join(folder, "project.git");
  const document = (changes: Partial<ResultDocument> = {}, stateName = "state"): Promise<ResultDocument> =>
    honestDocument(
      repository.root,
      { "tt-one": recipe(), "tt-two": recipe({ stateName }), "tt-bank": recipe() },
      changes,
    );
  const committed = await commit(repository, await document(model("google/gemini-2.5-pro"), "region"));
  writeFileSync(join(repository.root, ".gitignore"), "/benchmarks/bank/workbooks/\n");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", gitDir]);
  // As GitHub allows it: any object by its id, and filtered fetches.
  git(gitDir, ["config", "uploadpack.allowAnySHA1InWant", "true"]);
  git(gitDir, ["config", "uploadpack.allowFilter", "true"]);
  const seed = join(folder, "seed.index");
  git(gitDir, ["--work-tree", repository.root, "add", "--all", repository.root], "", seed);
  const tree = git(gitDir, ["write-tree"], "", seed);
  const base = git(gitDir, ["commit-tree", tree, "-m", "base"]);
  git(gitDir, ["update-ref", "refs/heads/main", base]);
  const bareCheckout = join(folder, "checkout");
  cpSync(repository.root, bareCheckout, { recursive: true });
  rmSync(join(bareCheckout, "benchmarks/bank/workbooks"), { recursive: true });

  let counter = 0;
  return {
    gitDir,
    checkout: repository.root,
    bareCheckout,
    base,
    committed,
    document,
    commit(files, parent = base) {
      counter += 1;
      const index = join(folder, `pr-${counter}.index`);
      git(gitDir, ["read-tree", parent], "", index);
      const lines = Object.entries(files).map(([path, change]) => {
        if (change === null) return `0 ${"0".repeat(40)}\t${path}\0`;
        const mode = change.mode ?? "100644";
        const oid = mode === "160000" ? parent : git(gitDir, ["hash-object", "-w", "--stdin"], change.data);
        return `${mode} ${oid}\t${path}\0`;
      });
      git(gitDir, ["update-index", "-z", "--index-info"], lines.join(""), index);
      const sha = git(gitDir, [
        "commit-tree",
        git(gitDir, ["write-tree"], "", index),
        "-p",
        parent,
        "-m",
        "pr",
      ]);
      git(gitDir, ["update-ref", `refs/pull/${counter}/head`, sha]);
      return sha;
    },
    merge(onto, head) {
      counter += 1;
      const index = join(folder, `merge-${counter}.index`);
      const mergeBase = git(gitDir, ["merge-base", onto, head]);
      git(gitDir, ["read-tree", "-i", "-m", "--aggressive", mergeBase, onto, head], "", index);
      const tree2 = git(gitDir, ["write-tree"], "", index);
      const sha = git(gitDir, ["commit-tree", tree2, "-p", onto, "-p", head, "-m", "merge"]);
      git(gitDir, ["update-ref", `refs/heads/assay/merge-${counter}`, sha]);
      return sha;
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
      rmSync(repository.root, { recursive: true, force: true });
    },
  };
}

export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
