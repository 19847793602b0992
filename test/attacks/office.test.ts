import { App, Octokit } from "octokit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { mergeMessage } from "../../src/lib/bot/merge.ts";
import {
  answerMerge,
  checks,
  comments,
  judged,
  OWNER,
  REPO,
  replies,
  repo,
  type Stage,
  say,
  startStage,
  sticky,
  tip,
} from "../bot/stage.ts";
import type { OfficeAttack } from "../fixtures/attacks/office.ts";
import { raggedTables, surprises } from "../lib/words/safe.ts";
import { readCases } from "./corpus.ts";

/**
 * Attacks on the office itself, over HTTP: the real bot, the local hub, and somebody who plays the runner. Whatever is
 * tried, nothing is merged, main stays where it is, and the bot says only what is true.
 */

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const cases = await readCases<OfficeAttack>("office", "attack");

it.each(cases.map(({ name, case: attack }) => [attack.title, name, attack] as const))(
  "%s (%s)",
  async (_title, _name, attack) => {
    const mia = stage.user("mia");
    const main = await tip(mia);
    const pull = await attack.act(stage);
    await stage.rest();
    stage.wire.block = null;
    stage.wire.fault = null;
    stage.wire.delay = null;

    expect(await tip(mia)).toBe(main);
    expect((await mia.rest.pulls.get({ ...repo, pull_number: pull.number })).data.merged).toBe(false);
    const locks = await mia.rest.git.listMatchingRefs({ ...repo, ref: "heads/assay/merge" });
    expect(locks.data).toEqual([]);

    const found = (await checks(stage, pull.head)).get("assay/result");
    expect(found?.conclusion ?? null).toBe(attack.check);
    const ours = await sticky(stage, pull);
    expect(ours).toHaveLength(attack.says === null ? 0 : 1);
    if (attack.says !== null) expect(ours[0]?.body).toMatch(attack.says);
    const answers = await replies(stage, pull);
    expect(answers.map(({ body }) => body)).toEqual(
      (attack.answers ?? []).map((words) => expect.stringMatching(words)),
    );
    for (const { body, by } of await comments(stage, pull)) {
      if (by !== "assay[bot]") continue;
      expect(surprises(body, `${stage.hub.url}/${OWNER}/${REPO}`)).toEqual([]);
      expect(raggedTables(body)).toEqual([]);
    }
  },
);

it("there are enough of them, each with a title and a hope of its own", () => {
  expect(cases.length).toBeGreaterThanOrEqual(30);
  for (const words of [cases.map((each) => each.case.title), cases.map((each) => each.case.hope)])
    expect(new Set(words).size).toBe(cases.length);
});

it("F13: trailers that somebody put on main's newest commit neither merge a request nor end it", async () => {
  const pull = await judged(stage);
  const mia = stage.user("mia");
  const before = await tip(mia);
  const { appId, privateKey, installationId } = stage.hub.appCredentials;
  const app = new App({ appId, privateKey, Octokit: Octokit.defaults({ baseUrl: stage.hub.url }) });
  const { rest } = await app.getInstallationOctokit(installationId);
  const tree = (await mia.rest.git.getCommit({ ...repo, commit_sha: before })).data.tree.sha;
  const forged = await rest.git.createCommit({
    ...repo,
    message: mergeMessage(pull.number, pull.head),
    tree,
    parents: [before],
  });
  await rest.git.updateRef({ ...repo, ref: "heads/main", sha: forged.data.sha });
  await stage.rest();
  await say(stage, "mia", pull, "/assay merge");
  expect((await sticky(stage, pull))[0]?.body).toContain("recomputing merge commit");
  expect(await tip(mia)).toBe(forged.data.sha);
  await answerMerge(stage, pull);
  const merged = (await mia.rest.pulls.get({ ...repo, pull_number: pull.number })).data;
  expect(merged.merged).toBe(true);
  const main = await mia.rest.git.getCommit({ ...repo, commit_sha: await tip(mia) });
  expect(main.data.parents.map(({ sha }) => sha)).toEqual([forged.data.sha, pull.head]);
});
