import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobsCheckout, makeJobsCheckout } from "../../rehearsal/jobs/checkout.ts";
import {
  type JobsPull,
  jobsComment,
  lastReply,
  openJobsPull,
  playJob,
  waitForJob,
} from "../../rehearsal/jobs/play.ts";
import { Narrator } from "../../rehearsal/show/narrator.ts";
import { openStage, type Stage } from "../../rehearsal/stage.ts";
import { JOB_WORKFLOWS } from "../../src/lib/job/order-schema.ts";
import { findObstacle } from "../io/sandbox/field.ts";
import { REPOSITORY } from "../jobs/temp-suite.ts";

/**
 * Jobs from comment to report: hub, bot, runner, workflows and bundles that ship, with this machine as a host of its own fingerprint and a
 * real sandbox. Timing takes minutes wherever it is worth anything: `npm run rehearse:jobs` plays that, for every task; counting takes seconds.
 */

const silent = new Narrator({ colour: false, width: 100, write: () => {}, now: () => 0 });
/** Whatever else this machine does as a host is no business of this test. */
const HOST = `rehearsal-${process.pid}`;
const OTHER_HOST = `${HOST}-other`;
const UNUSED = ["test", "benchmarks", "site", "docs", "schemas", "scripts", "rehearsal"];
/** Without them there is no counting. */
const counts = ["qemu-aarch64", "aarch64-linux-gnu-gcc"].every((name) => existsSync(join("/usr/bin", name)));
const obstacle = findObstacle();

describe.skipIf(obstacle !== null)(`jobs on this machine${obstacle === null ? "" : ` (${obstacle})`}`, () => {
  let checkout: JobsCheckout;
  let stage: Stage;
  let pull: JobsPull;
  const say = async (who: "mia" | "mallory", text: string): Promise<void> => {
    await stage[who].comment(stage.base, pull.number, text);
  };

  beforeAll(async () => {
    checkout = await makeJobsCheckout(REPOSITORY, HOST, UNUSED);
    const workflows = Object.values(JOB_WORKFLOWS);
    stage = await openStage({ root: checkout.folder, narrator: silent, workflows, host: checkout.host });
    pull = await openJobsPull(stage, checkout, "inflate");
    // All at once: hosted runners do their part side by side, the host one after the other.
    await say("mia", `/assay verify D-1 ${HOST}`);
    await say("mia", `/assay perf ${pull.run}/e3 ${HOST}\n/assay perf ${pull.run}/e1 ${OTHER_HOST}`);
  }, 60_000);
  afterAll(async () => {
    await stage?.close();
    await checkout?.close();
  });

  it("a verified defect: confirmed by its hidden category, signed by the host, and barred from the board", async () => {
    const verified = await waitForJob(stage, pull, { kind: "verify", host: HOST });
    expect(verified).toEqual({ conclusion: "success", title: "Confirmed (rehearsal)" });
    const said = await jobsComment(stage, pull.number);
    expect(said).toContain("Confirmed: the entry listed shows the defect, and the control does not.");
    expect(said).toContain("never reaches a board. Its signature was verified.");
  }, 120_000);

  it("F62: another fingerprint than the record's is refused, with what it should be", async () => {
    const refused = await waitForJob(stage, pull, { kind: "perf", host: OTHER_HOST });
    expect(refused.conclusion).toBe("neutral");
    expect(refused.title).toMatch(/^Refused: /);
    expect(await jobsComment(stage, pull.number)).toContain("expected `cpu Another processor`");
  }, 120_000);

  it("a deliverable that does not build is the candidate's fault, and nothing else", async () => {
    const faulty = await waitForJob(stage, pull, { kind: "perf", entry: "e3", host: HOST });
    expect(faulty.conclusion).toBe("failure");
    expect(faulty.title).toMatch(/^The deliverable is at fault: /);
  }, 120_000);

  it.skipIf(!counts)(
    "hidden suite and speed of an entry, from what was counted where timing is not to be had",
    async () => {
      const neon = await openJobsPull(stage, checkout, "neon-kernels");
      const measured = await playJob(stage, neon, { kind: "perf", host: HOST });
      expect(measured).toEqual({
        conclusion: "success",
        title: expect.stringMatching(/^Measured: hidden (\d+) of \1, 1\.00× the reference by proxy/),
      });
      expect(await jobsComment(stage, neon.number)).toContain("a proxy, never mixed with timings");
    },
    120_000,
  );

  it("F68: one that is cancelled while it runs is stopped at once, and leaves nothing that counts", async () => {
    await say("mia", `/assay perf ${pull.run}/e1 ${HOST}`);
    await stage.until("the host at work", async () =>
      (await jobsComment(stage, pull.number)).includes("running since"),
    );
    await say("mia", `/assay cancel perf ${pull.run}/e1`);
    expect(await waitForJob(stage, pull, { kind: "perf", host: HOST })).toEqual({
      conclusion: "neutral",
      title: "Cancelled",
    });
    await stage.settled();
    expect(await jobsComment(stage, pull.number)).not.toContain("running since");
  }, 120_000);

  it("F39, F12: a reader, and a commit that is not the head, are refused with the reason", async () => {
    await say("mallory", `/assay perf ${pull.run}/e1 ${HOST}`);
    await stage.settled();
    expect(await lastReply(stage, pull.number)).toContain(
      "needs the role write or above on this repository; yours is `read`",
    );
    await say("mia", `/assay perf ${pull.run}/e1 ${HOST} ${"0".repeat(40)}`);
    await stage.settled();
    expect(await lastReply(stage, pull.number)).toContain("but the head is");
  }, 60_000);

  it("asks the hub for nothing that it does not hold", () => {
    expect(stage.hub.unanswered).toEqual([]);
  });
});
