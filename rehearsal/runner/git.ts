/** Reading workflow files out of a bare repository. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const FOLDER = ".github/workflows";
const MAX_BYTES = 16 * 1024 * 1024;

async function git(gitDir: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run("git", ["--git-dir", gitDir, ...args], {
    maxBuffer: MAX_BYTES,
    env: { PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
  });
  return stdout;
}

/**
 * The workflow files of a commit, by path. Only plain files directly in the folder count, as on GitHub.
 * @throws when the commit is not in the repository.
 */
export async function readWorkflowFiles(
  gitDir: string,
  sha: string,
): Promise<{ readonly path: string; readonly text: string }[]> {
  const listing = await git(gitDir, ["ls-tree", "-z", sha, `${FOLDER}/`]);
  const files: { path: string; text: string }[] = [];
  for (const entry of listing.split("\0")) {
    const found = /^100(?:644|755) blob ([0-9a-f]+)\t(.+\.ya?ml)$/s.exec(entry);
    if (!found?.[1] || !found[2]) continue;
    files.push({ path: found[2], text: await git(gitDir, ["cat-file", "blob", found[1]]) });
  }
  return files;
}
