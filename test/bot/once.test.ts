import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ACTION_NODE } from "../actions/bundle.ts";
import { REPOSITORY } from "../jobs/temp-suite.ts";
import {
  answerMerge,
  artifact,
  checks,
  completeRun,
  headReport,
  openPull,
  replies,
  repo,
  type Stage,
  say,
  startStage,
  sticky,
  takeTrigger,
  tip,
} from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
  // Nobody listens: all there is are passes.
  stage.hub.setWebhookUrl(null);
});
afterAll(async () => {
  await stage.close();
});

/** `node bot/once.ts`, as the workflow runs it. */
async function pass(changes: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const { appId, privateKey } = stage.hub.appCredentials;
  const plain = ACTION_NODE === process.execPath ? ["--import", "tsx"] : [];
  const child = spawn(ACTION_NODE, [...plain, join(REPOSITORY, "bot/once.ts")], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env.PATH ?? "",
      APP_ID: String(appId),
      PRIVATE_KEY: privateKey,
      GITHUB_API_URL: stage.hub.url,
      ...changes,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  const [code] = await once(child, "exit");
  return { code, output };
}

it("passes alone, on a plain Node 24, bring a pull request from its opening to its merge", async () => {
  const pull = await openPull(stage);
  expect(await pass()).toMatchObject({
    code: 0,
    output: expect.stringContaining("Everything was looked at."),
  });
  expect((await sticky(stage, pull))[0]?.body).toContain("Recomputing");

  const base = await tip(stage.user("mia"));
  completeRun(stage, takeTrigger(stage, "pull_request_target"), artifact(headReport(pull, base)));
  expect((await pass()).code).toBe(0);
  expect((await sticky(stage, pull))[0]?.body).toContain("## ✅ Valid");

  // Timestamps are whole seconds; a command counts for a head whose verdict could be seen.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await say(stage, "mia", pull, "/assay merge");
  expect((await pass()).code).toBe(0);
  expect((await replies(stage, pull))[0]?.body).toContain("Merging head");

  await answerMerge(stage, pull);
  expect((await pass()).code).toBe(0);
  expect((await stage.user("mia").rest.pulls.get({ ...repo, pull_number: pull.number })).data.merged).toBe(
    true,
  );
  expect((await checks(stage, pull.head)).get("assay/merge")?.conclusion).toBe("success");
  expect(await sticky(stage, pull)).toHaveLength(1);
});

it("a pass that cannot do its work says so by its exit code", async () => {
  const { code, output } = await pass({ APP_ID: "4999" });
  expect(code).not.toBe(0);
  expect(output).not.toContain("PRIVATE");
});
