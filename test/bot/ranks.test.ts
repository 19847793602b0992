import { afterEach, beforeEach, expect, it } from "vitest";
import { board } from "../lib/bot/boards.ts";
import { codeReport } from "../lib/words/code-reports.ts";
import {
  completeRun,
  judged,
  moveMain,
  RESULT_PATH,
  repo,
  type Stage,
  startStage,
  sticky,
  takeTrigger,
  writes,
} from "./stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(async () => {
  await stage.close();
});

const second = () => new Promise((resolve) => setTimeout(resolve, 1100));

/** Main moves, and its board is published. Returns the commit. */
async function publishBoard(
  standings: Parameters<typeof board>[0],
  files?: Record<string, string>,
): Promise<string> {
  // Times are whole seconds: what is judged and what is published next are told apart by them.
  await second();
  const sha = await moveMain(stage, files);
  await stage.rest();
  const commit = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: sha });
  const text = JSON.stringify(board(standings, commit.data.tree.sha));
  completeRun(
    stage,
    takeTrigger(stage, "push"),
    { "assay-published": { "board/rehearsal-1.json": text } },
    { workflowPath: ".github/workflows/feed.yml" },
  );
  await stage.rest();
  return sha;
}

const others = [
  ["acme/inkwell", 0.94],
  ["baseline/heuristic", 0.61],
] as const;

it("F21: ranks on open pull requests follow what is published, and name the base they hold for", async () => {
  const path = (name: string) => ({ [RESULT_PATH.replace("deadbeef", name)]: "{}\n" });
  const first = await judged(stage, {}, path("aaaaaaaa"));
  const other = await judged(stage, { verdict: "incomplete" }, path("bbbbbbbb"));
  const sha = await publishBoard([["acme/newcomer", 0.93], ...others]);
  for (const pull of [first, other]) {
    const [comment, ...more] = await sticky(stage, pull);
    expect(more).toEqual([]);
    expect(comment?.body).toContain(`**3 of 4** (new), as of base \`${sha.slice(0, 7)}\``);
    expect(comment?.body).toContain("| 2 | `acme/newcomer` | 0.930000 |");
  }
  // Nothing new, nothing written; and a bot that remembers nothing comes to the same words.
  await stage.restart();
  stage.taken();
  await stage.bot.reconcile();
  await stage.rest();
  expect(writes(stage.taken()).filter(({ path }) => !path.endsWith("/dispatches"))).toEqual([]);
});

it("a verdict that is newer than the board keeps its own ranks", async () => {
  await publishBoard([["acme/newcomer", 0.93], ...others]);
  await second();
  const pull = await judged(stage);
  expect((await sticky(stage, pull))[0]?.body).toContain("**2 of 4** (▲ from 3)");
  stage.taken();
  await stage.bot.reconcile();
  expect((await sticky(stage, pull))[0]?.body).toContain("**2 of 4** (▲ from 3)");
});

it("a board that cannot be read leaves ranks as they are", async () => {
  const pull = await judged(stage);
  await second();
  const sha = await moveMain(stage);
  await stage.rest();
  const commit = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: sha });
  const broken = JSON.stringify({ source_tree: commit.data.tree.sha });
  completeRun(
    stage,
    takeTrigger(stage, "push"),
    { "assay-published": { "board/rehearsal-1.json": broken } },
    { workflowPath: ".github/workflows/feed.yml" },
  );
  await stage.rest();
  expect((await sticky(stage, pull))[0]?.body).toContain("**2 of 4** (▲ from 3)");
});

it("F21: facts of the code benchmark are judged anew when main's facts changed, and only then", async () => {
  const { code } = codeReport();
  const pull = await judged(stage, { results: [], code }, { "data/runs/r.json": "{}\n" });
  expect((await sticky(stage, pull))[0]?.body).toContain("to the code benchmark");
  await publishBoard(others);
  expect(stage.triggers.filter(({ event }) => event === "workflow_dispatch")).toEqual([]);
  const sha = await publishBoard(others, { "data/judges.json": "{}\n" });
  const [trigger, ...more] = stage.triggers.filter(({ event }) => event === "workflow_dispatch");
  expect(more).toEqual([]);
  expect(trigger?.inputs).toMatchObject({
    pull_request: String(pull.number),
    head_sha: pull.head,
    base_sha: sha,
    merge_sha: "",
  });
});
