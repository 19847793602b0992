import { readOpenPulls } from "../src/io/github/pulls.ts";
import type { BotContext } from "./context.ts";
import { showAgain } from "./verdicts.ts";

/** Pull requests whose ranks are brought up to date right after publishing; passes come round to the others. */
const REFRESHED = 25;

/** After publishing: open pull requests get their ranks on the new board, those first that were touched last. */
export async function refreshRanks(context: BotContext): Promise<void> {
  const pulls = await readOpenPulls(context.repository);
  const first = [...pulls].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, REFRESHED);
  for (const pull of first) {
    try {
      await showAgain(context, pull);
    } catch (error) {
      context.failed();
      context.log.error({ err: error, pull: pull.number }, "ranks could not be brought up to date");
    }
  }
}
