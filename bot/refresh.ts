import { readOpenPulls } from "../src/io/github/pulls.ts";
import { readBranch, readFolderId } from "../src/io/github/refs.ts";
import { validate } from "./commands.ts";
import type { BotContext } from "./context.ts";
import { showAgain } from "./verdicts.ts";

/** Pull requests whose ranks are brought up to date right after publishing; passes come round to the others. */
const REFRESHED = 25;
/** Of those with facts of the code benchmark, so many are judged anew: each is a run. */
const JUDGED_ANEW = 10;

/**
 * After publishing: open pull requests get their ranks on the new board, those first that were touched last. What facts
 * of the code benchmark move only a run can tell, so those are judged anew, where main's facts have changed since.
 */
export async function refreshRanks(context: BotContext): Promise<void> {
  const pulls = await readOpenPulls(context.repository);
  const first = [...pulls].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, REFRESHED);
  const changed = factsChanged(context);
  let anew = 0;
  for (const pull of first) {
    try {
      const report = await showAgain(context, pull);
      const base = report?.code === undefined ? null : report.base_sha;
      if (base === null || anew >= JUDGED_ANEW || !(await changed(base))) continue;
      anew += 1;
      await validate(context, pull);
    } catch (error) {
      context.failed();
      context.log.error({ err: error, pull: pull.number }, "ranks could not be brought up to date");
    }
  }
}

/** Whether the facts on main are others than those of a commit; each commit is looked up once. */
function factsChanged({ repository }: BotContext): (base: string) => Promise<boolean> {
  const folders = new Map<string, Promise<string | null>>();
  const folderOf = (sha: string): Promise<string | null> => {
    const known = folders.get(sha) ?? readFolderId(repository, sha, "data");
    folders.set(sha, known);
    return known;
  };
  let main: Promise<string | null> | null = null;
  return async (base) => {
    main ??= readBranch(repository, repository.defaultBranch);
    const tip = await main;
    return tip !== null && tip !== base && (await folderOf(tip)) !== (await folderOf(base));
  };
}
