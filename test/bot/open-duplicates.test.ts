import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sameEvidence, shortEvidence, withEarlier } from "../../src/lib/bot/open-duplicates.ts";
import { codeReport } from "../lib/words/code-reports.ts";
import { report, result } from "../lib/words/reports.ts";
import {
  answerMerge,
  artifact,
  checks,
  completeRun,
  headReport,
  judged,
  type Opened,
  push,
  RESULT_PATH,
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
beforeEach(async () => {
  stage = await startStage();
});
afterEach(async () => {
  await stage.close();
});

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
let serial = 0;
const sent = (evidence: string | null, model = "acme/quill"): Promise<Opened> => {
  serial += 1;
  const path = RESULT_PATH.replace("deadbeef", serial.toString(16).padStart(8, "0"));
  return judged(stage, { results: [result({ evidence, model })] }, { [path]: "{}\n" });
};
const conclusion = async (pull: Opened) => (await checks(stage, pull.head)).get("assay/result")?.conclusion;
const comment = async (pull: Opened) => (await sticky(stage, pull))[0]?.body ?? "";

describe("F24: the same evidence in two open pull requests", () => {
  it("sends the later one to a person, names the earlier one, and merges only after acceptance", async () => {
    const first = await sent(digest("7"));
    const other = await sent(digest("8"));
    const copy = await sent(digest("7"), "other/name");
    expect(await conclusion(first)).toBe("success");
    expect(await conclusion(other)).toBe("success");
    expect(await conclusion(copy)).toBe("action_required");
    expect(await comment(copy)).toContain(`was in pull request ${first.number} before`);
    expect(await comment(copy)).toContain("model `acme/quill`");
    await say(stage, "mia", copy, "/assay merge");
    expect((await replies(stage, copy))[0]?.body).toContain("is `needs-review`");
    await say(stage, "mia", copy, "/assay accept\n/assay merge");
    await answerMerge(stage, copy, { results: [result({ evidence: digest("7"), model: "other/name" })] });
    const { data } = await stage.user("mia").rest.pulls.get({ ...repo, pull_number: copy.number });
    expect(data.merged).toBe(true);
  });

  it("what a run of the code benchmark delivers counts as well", async () => {
    const { code, verdict } = codeReport();
    const brings = (name: string) =>
      judged(stage, { results: [], code, verdict }, { [`data/runs/${name}.json`]: "{}\n" });
    const first = await brings("one");
    const copy = await brings("two");
    expect(await comment(copy)).toContain(`was in pull request ${first.number} before`);
    expect(await comment(copy)).toContain("model `nib@low`");
    expect(await comment(first)).not.toContain("pr-open-duplicate");
  });

  it("is found again by a bot that remembers nothing, and told on both sides", async () => {
    const first = await sent(digest("7"));
    await stage.restart();
    await stage.bot.reconcile();
    const copy = await sent(digest("7"), "other/name");
    expect(await conclusion(copy)).toBe("action_required");
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect(await conclusion(first)).toBe("success");
    expect(await conclusion(copy)).toBe("action_required");
    expect(await comment(first)).toContain("model `other/name`");
  });

  it("is not accepted by what accepts a replacement and nothing else", async () => {
    const old = "benchmarks/results/rehearsal-1/acme__quill-0a1b2c3d/20261101t000000z-0badf00d.json";
    const replaces = {
      code: "pr-supersedes",
      severity: "warning" as const,
      message: `This document replaces ${old}; a maintainer must agree.`,
      actual: digest("b"),
    };
    await sent(digest("6"));
    const copy = await judged(
      stage,
      {
        verdict: "needs-review",
        findings: [replaces],
        findings_total: 1,
        results: [result({ evidence: digest("6"), model: "other/name" })],
      },
      { [RESULT_PATH.replace("deadbeef", "dddd0001")]: "{}\n" },
    );
    await say(stage, "walt", copy, `/assay supersede ${old}`);
    expect((await replies(stage, copy))[0]?.body).toContain("also needs review for `pr-open-duplicate`");
    expect((await checks(stage, copy.head)).get("assay/accept")).toBeUndefined();
  });

  it("stays with the copy when the earlier one is pushed to again", async () => {
    const second = () => new Promise((resolve) => setTimeout(resolve, 1100));
    const first = await sent(digest("5"));
    await second();
    const copy = await sent(digest("5"), "other/name");
    expect(await conclusion(copy)).toBe("action_required");
    await second();
    const again = { ...first, head: await push(stage, first) };
    await stage.rest();
    const base = await tip(stage.user("mia"));
    const results = [result({ evidence: digest("5") })];
    completeRun(
      stage,
      takeTrigger(stage, "pull_request_target"),
      artifact(headReport(again, base, { results })),
    );
    await stage.rest();
    expect(await conclusion(again)).toBe("success");
    await stage.restart();
    await stage.bot.reconcile();
    await stage.rest();
    expect(await conclusion(again)).toBe("success");
    expect(await conclusion(copy)).toBe("action_required");
  });

  it("ends when the earlier one goes", async () => {
    const first = await sent(digest("7"));
    const copy = await sent(digest("7"), "other/name");
    const mia = stage.user("mia");
    await mia.rest.pulls.update({ ...repo, pull_number: first.number, state: "closed" });
    await stage.rest();
    await stage.bot.reconcile();
    expect(await conclusion(copy)).toBe("success");
  });

  it("is no concern of a head that is gone, of results without evidence, or of this project's own contestants", async () => {
    const first = await sent(digest("7"));
    await push(stage, first);
    await stage.rest();
    expect(await conclusion(await sent(digest("7"), "other/name"))).toBe("success");
    expect(await conclusion(await sent(null))).toBe("success");
    expect(await conclusion(await sent(null))).toBe("success");
    await sent(digest("9"), "baseline/heuristic");
    expect(await conclusion(await sent(digest("9"), "baseline/heuristic"))).toBe("success");
  });
});

describe("sameEvidence", () => {
  const open = (pull: number, since: string, ...digests: string[]) => ({
    pull,
    head: "",
    since,
    digests,
    model: null,
  });
  it("goes by when a verdict was first shown, then by number", () => {
    const own = { pull: 5, since: "2026-12-01T02:00:00Z", digests: ["a", "b"] };
    const others = [
      open(9, "2026-12-01T01:00:00Z", "b"),
      open(4, "2026-12-01T03:00:00Z", "a"),
      open(3, "2026-12-01T02:00:00Z", "a"),
      open(2, "2026-12-01T01:00:00Z", "c"),
      open(5, "2026-12-01T01:00:00Z", "a"),
    ];
    const found = (since: string | null) =>
      sameEvidence({ ...own, since }, others).map(({ other, earlier }) => [other.pull, earlier]);
    expect(found(own.since)).toEqual([
      [3, true],
      [4, false],
      [9, true],
    ]);
    expect(found(null)).toEqual([
      [3, true],
      [4, true],
      [9, true],
    ]);
  });
  it("never makes a worse verdict better", () => {
    for (const verdict of ["invalid", "incomplete", "error", "needs-review"] as const)
      expect(withEarlier(report({ verdict }), [3]).verdict).toBe(verdict);
    expect(withEarlier(report(), [3]).verdict).toBe("needs-review");
    expect(withEarlier(report(), []).verdict).toBe("valid");
    expect(shortEvidence(report({ results: [result({ evidence: digest("a") })] }))).toEqual(["aaaaaaaaaaaa"]);
  });
});
