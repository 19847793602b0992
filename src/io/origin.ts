import { GitError, runGit } from "./git-process.ts";

/** `owner/name` of a clone's remote `origin`, when it lives on that host (`https://github.com`); null otherwise. */
export async function readOriginRepository(root: string, webOrigin: string): Promise<string | null> {
  try {
    const { output } = await runGit(["-C", root, "config", "--get", "remote.origin.url"], {
      accept: [1, 128],
    });
    return parseRemote(output.toString("utf8").trim(), new URL(webOrigin).hostname);
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

function parseRemote(remote: string, host: string): string | null {
  const found =
    /^(?:https?:\/\/(?:[^/@]*@)?|ssh:\/\/[^/@]*@|[^/@]*@)([^/:]+)(?::\d+)?[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
      remote,
    );
  return found?.[1] === host ? (found[2] ?? null) : null;
}
