import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Trigger } from "../../rehearsal/hub/contract.ts";
import { parseJobNote } from "../../src/lib/bot/jobs.ts";
import { factsDigest } from "../../src/lib/job/facts-digest.ts";
import { JOB_WORKFLOWS, type JobKind } from "../../src/lib/job/order-schema.ts";
import type { JobReport } from "../../src/lib/job/report-schema.ts";
import { delivering, pretty, runFiles, runPath } from "../jobs/data-folder.ts";
import { defects, entry, hosts, run, task } from "../lib/code/facts.ts";
import { DIGEST, jobReport, measured } from "../lib/words/jobs.ts";
import {
  checks,
  comments,
  type Opened,
  OWNER,
  openPull,
  push,
  replies,
  repo,
  type Seen,
  type Stage,
  say,
  startStage,
  takeTrigger,
  writes,
} from "./stage.ts";

/** Jobs on guarded hosts, from the comment to what is said of them, with workflows that the test plays. */

const workflow = (name: string): string => `name: ${name}
on:
  workflow_dispatch:
    inputs:
      pull_request: { required: true }
      head_sha: { required: true }
      nonce: { required: true }
      target: { required: true }
      host: { required: true }
jobs: {}
`;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({
    files: {
      ...Object.fromEntries(Object.values(JOB_WORKFLOWS).map((path) => [path, workflow(path.slice(18, -4))])),
      "data/hosts.json": pretty(hosts()),
      "tasks/coder/task.json": pretty(task()),
    },
    reviewers: { "assay-perf": ["tess"] },
  });
});
afterAll(async () => {
  await stage.close();
});

let serial = 0;

/** A pull request that brings a run of one entry without any measurement, or more. */
async function openRun(entries = 1): Promise<Opened & { readonly run: string }> {
  serial += 1;
  const id = `run-${serial}`;
  const given = delivering(
    run({
      id,
      entries: ["alpha-1@high", "beta-2@high"]
        .slice(0, entries)
        .map((who, index) => entry(`e${index + 1}`, who, { perf: undefined })),
    }),
  );
  const files = Object.fromEntries(
    Object.entries(runFiles(given)).map(([path, { data }]) => [path, String(data)]),
  );
  return { ...(await openPull(stage, files)), run: id };
}

/** A run of a job's workflow in the test's hands. */
class Played {
  readonly inputs: Readonly<Record<string, string>>;
  readonly id: number;

  constructor(kind: JobKind, trigger: Trigger, changes: { readonly title?: string } = {}) {
    this.inputs = trigger.inputs ?? {};
    const { target, pull_request, head_sha, host, nonce } = this.inputs;
    this.id = stage.hub.actions.createRun({
      trigger,
      workflowPath: JOB_WORKFLOWS[kind],
      workflowName: kind,
      title: changes.title ?? `${kind} ${target} of #${pull_request} at ${head_sha} on ${host}, job ${nonce}`,
    });
  }

  /** The guard lets it through; the host's job is queued. Returns the id of that. */
  guarded(): number {
    const { actions } = stage.hub;
    actions.startRun(this.id);
    actions.completeJob(
      this.id,
      actions.createJob(this.id, "guard", { labels: ["ubuntu-latest"] }),
      "success",
      "",
    );
    return actions.createJob(this.id, "measure", { queued: true, labels: ["self-hosted"] });
  }

  /** Ends with a report. */
  report(changes: Partial<JobReport> = {}, files: Record<string, string> = {}): void {
    const { pull_request, head_sha, nonce = "", target = "", host = "" } = this.inputs;
    const value = jobReport({
      pull_request: Number(pull_request),
      head_sha: head_sha ?? "",
      nonce,
      target,
      host: { ...(jobReport().host as NonNullable<JobReport["host"]>), id: host },
      results: [{ ...measured, run: target.split("/")[0] ?? "", entry: target.split("/")[1] ?? "" }],
      ...changes,
    });
    stage.hub.actions.putArtifact(
      this.id,
      "assay-job",
      zip({ "report.json": JSON.stringify(value), ...files }),
    );
    stage.hub.actions.completeRun(this.id, "success");
  }
}

const zip = (files: Record<string, string>): Uint8Array =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
  );

const dispatched = (kind: JobKind): Trigger =>
  takeTrigger(stage, "workflow_dispatch", ({ workflowPath }) => workflowPath === JOB_WORKFLOWS[kind]);
const noDispatch = (kind: JobKind): void => {
  expect(() => dispatched(kind)).toThrow("there was no");
};

/** Asks for a job and takes the run that the bot dispatched. */
async function ask(pull: Opened, command = "perf", kind: JobKind = "perf"): Promise<Played> {
  await say(stage, "mia", pull, `/assay ${command}`);
  const played = new Played(kind, dispatched(kind));
  await stage.rest();
  return played;
}

const jobComments = async (pull: Opened): Promise<Seen[]> =>
  (await comments(stage, pull)).filter(
    ({ by, body }) => by === "assay[bot]" && body.startsWith("<!-- assay:jobs"),
  );
async function jobComment(pull: Opened): Promise<string> {
  const found = await jobComments(pull);
  expect(found).toHaveLength(1);
  return found[0]?.body ?? "";
}
const reply = async (pull: Opened): Promise<string> => (await replies(stage, pull)).at(-1)?.body ?? "";
const checkOf = async (sha: string, name: string) => (await checks(stage, sha)).get(name);
const statusOf = async (id: number): Promise<string | null> =>
  (await stage.user("mia").rest.actions.getWorkflowRun({ ...repo, run_id: id })).data.conclusion;

/** A new bot whose clock is ahead looks at everything. */
async function later(minutes: number): Promise<void> {
  await stage.restart(minutes * 60_000);
  await stage.bot.reconcile();
  await stage.rest();
}

describe("a job on a guarded host", () => {
  it("goes from the comment to its report: one check run, one dispatch, one comment that follows it", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    const name = `assay/perf ${pull.run}/e1 on ryzen`;
    const { data } = await stage
      .user("mia")
      .rest.checks.listForRef({ ...repo, ref: pull.head, check_name: name });
    expect(data.check_runs).toHaveLength(1);
    const order = data.check_runs[0];
    expect(parseJobNote(order?.external_id)).toMatchObject({
      kind: "perf",
      pull: pull.number,
      login: "mia",
      tries: 1,
    });
    expect(order?.status).toBe("queued");
    expect(played.inputs).toEqual({
      pull_request: String(pull.number),
      head_sha: pull.head,
      nonce: String(order?.id),
      target: `${pull.run}/e1`,
      host: "ryzen",
    });
    expect(await reply(pull)).toContain(`Asked for perf \`${pull.run}/e1\` on \`ryzen\``);
    expect(await jobComment(pull)).toContain("the guard looks at it");
    const host = played.guarded();
    await stage.rest();
    expect(await jobComment(pull)).toContain("next at its host");
    stage.hub.actions.startJob(played.id, host);
    stage.hub.actions.setSteps(played.id, host, [
      { name: "Set up", status: "completed", conclusion: "success" },
      { name: "Measure", status: "in_progress", conclusion: null },
    ]);
    await stage.rest();
    expect(await jobComment(pull)).toContain("step 2 of 2: `Measure`");
    expect((await checkOf(pull.head, name))?.status).toBe("in_progress");
    stage.hub.actions.completeJob(played.id, host, "success", "");
    played.report();
    await stage.rest();
    const said = await jobComment(pull);
    expect(said).toContain("✅");
    expect(said).toContain("**12 of 14**");
    expect(said).toMatch(/\*\*1\.50×\*\* \(1\.\d\d to 1\.\d\d\)/);
    expect(said).toContain("Not attested");
    expect(said).toContain("npm run bench -- verify-job");
    expect(await checkOf(pull.head, name)).toMatchObject({ status: "completed", conclusion: "success" });
  });

  it("F41: looked at again, nothing is written and nothing dispatched anew", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    played.guarded();
    await stage.rest();
    stage.taken();
    const again = stage.hub.deliveries.findLast(({ event }) => event === "workflow_job");
    stage.hub.redeliver(again?.id ?? "");
    const said = stage.hub.deliveries.findLast(({ event }) => event === "issue_comment");
    stage.hub.redeliver(said?.id ?? "");
    await stage.rest();
    await stage.bot.reconcile();
    await stage.rest();
    // Main was never published here, which is another matter.
    expect(writes(stage.taken()).filter(({ path }) => !path.includes("feed.yml"))).toEqual([]);
    noDispatch("perf");
    played.report();
    await stage.rest();
  });

  it("says what could be meant when a pull request brings several entries", async () => {
    const pull = await openRun(2);
    await say(stage, "mia", pull, "/assay perf");
    expect(await reply(pull)).toContain(`this could mean \`${pull.run}/e1\`, \`${pull.run}/e2\``);
    await say(stage, "mia", pull, "/assay perf run-99/e1");
    expect(await reply(pull)).toContain("on this head `run-99/e1` is not an entry of a run");
    await say(stage, "mia", pull, `/assay perf ${pull.run}/e2 nowhere`);
    expect(await reply(pull)).toContain("there is no host `nowhere`");
    expect(await reply(pull)).toContain("`ryzen`, `here`");
    noDispatch("perf");
    expect(await jobComments(pull)).toEqual([]);
  });

  it("is refused to a reader, and for a commit that is not the head", async () => {
    const pull = await openRun();
    await say(stage, "sam", pull, "/assay perf");
    expect(await reply(pull)).toContain("needs the role write or above on this repository; yours is `read`");
    const stale = pull.head;
    await push(stage, pull);
    await stage.rest();
    await say(stage, "mia", pull, `/assay perf ${stale}`);
    expect(await reply(pull)).toContain(`the command names \`${stale}\`, but the head is`);
    noDispatch("perf");
  });

  it("waits for a reviewer of its environment, and says so", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    stage.hub.actions.startRun(played.id);
    stage.hub.actions.createJob(played.id, "guard", { environment: "assay-perf" });
    const entered = stage.hub.actions.enterEnvironment(played.id, "assay-perf");
    await stage.rest();
    expect(await jobComment(pull)).toContain("waits for a reviewer of the environment `assay-perf`");
    stage.hub.approve("tess", played.id);
    expect(await entered).toBe(true);
    played.report();
    await stage.rest();
  });

  it("has its place behind the others of its host", async () => {
    const [first, second] = [await openRun(), await openRun()];
    const before = await ask(first);
    const own = await ask(second);
    before.guarded();
    own.guarded();
    await stage.rest();
    expect(await jobComment(second)).toContain("number 2 at its host, 1 job before it");
    before.report();
    await stage.rest();
    expect(await jobComment(second)).toContain("next at its host");
    own.report();
    await stage.rest();
  });

  it("F04: a push voids it, its run is stopped, and the new head says what became of it", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    played.guarded();
    await stage.rest();
    const head = await push(stage, pull);
    await stage.rest();
    const name = `assay/perf ${pull.run}/e1 on ryzen`;
    expect(await checkOf(pull.head, name)).toMatchObject({
      conclusion: "neutral",
      title: "Void: the head moved",
    });
    expect(await statusOf(played.id)).toBe("cancelled");
    const said = await jobComment(pull);
    expect(said).toContain(`No job on a host for head \`${head.slice(0, 7)}\``);
    expect(said).toContain("Void: the head moved");
    await stage.bot.reconcile();
    await stage.rest();
    expect(await jobComment(pull)).toBe(said);
    noDispatch("perf");
  });

  it("F68: cancelled by command it is stopped, and a report that comes after all counts for nothing", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    stage.hub.actions.onCancel(played.id, () => undefined);
    played.guarded();
    await stage.rest();
    await say(stage, "walt", pull, "/assay cancel");
    expect(await reply(pull)).toContain(`Cancelled: perf \`${pull.run}/e1\` on \`ryzen\``);
    played.report();
    await stage.rest();
    const name = `assay/perf ${pull.run}/e1 on ryzen`;
    expect(await checkOf(pull.head, name)).toMatchObject({ conclusion: "neutral", title: "Cancelled" });
    expect(await jobComment(pull)).toContain("Cancelled by `walt`");
    expect(await jobComment(pull)).not.toContain("12 of 14");
    await say(stage, "walt", pull, "/assay cancel");
    expect(await reply(pull)).toContain("no job of this head is under way");
  });

  it("F68: a run that crashes without a report is ours, and says nothing about the entry", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    played.guarded();
    stage.hub.actions.completeRun(played.id, "failure");
    await stage.rest();
    expect(await jobComment(pull)).toContain("The office failed: this says nothing about the entry");
    await say(stage, "mia", pull, "/assay perf");
    expect(dispatched("perf").inputs?.nonce).not.toBe(played.inputs.nonce);
    await say(stage, "mia", pull, "/assay cancel");
  });

  it("F67: a host that does not take it for half an hour is offline; it is dispatched again once, and then given up", async () => {
    const pull = await openRun();
    const first = await ask(pull);
    first.guarded();
    await stage.rest();
    await later(29);
    expect(await statusOf(first.id)).toBeNull();
    await later(31);
    expect(await statusOf(first.id)).toBe("cancelled");
    const second = new Played("perf", dispatched("perf"));
    expect(second.inputs).toEqual(first.inputs);
    // GitHub's clock did not jump.
    await later(0);
    second.guarded();
    await stage.rest();
    expect(await jobComment(pull)).toContain("dispatched again, its host had been offline");
    await later(65);
    expect(await jobComment(pull)).toContain("🔌 Host offline");
    expect(await statusOf(second.id)).toBe("cancelled");
    noDispatch("perf");
    await stage.restart();
  });

  it("F16: only a run that our App dispatched, with a report about this very order, says anything", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    // Whoever may write can dispatch the workflow with the number of somebody else's order.
    await stage.user("walt").rest.actions.createWorkflowDispatch({
      ...repo,
      workflow_id: "perf.yml",
      ref: "main",
      inputs: { ...played.inputs },
    });
    new Played("perf", dispatched("perf")).report();
    await stage.rest();
    expect(await jobComment(pull)).not.toContain("12 of 14");
    played.report({ nonce: "1" });
    await stage.rest();
    expect(await jobComment(pull)).toContain("The report is not about this job");
  });

  it("whose dispatch was lost is sent once more, and not twice at once", async () => {
    const pull = await openRun();
    stage.wire.block = ({ path }) => (path.endsWith("/dispatches") ? { status: 500 } : null);
    await say(stage, "mia", pull, "/assay perf");
    stage.wire.block = null;
    noDispatch("perf");
    await later(1);
    noDispatch("perf");
    await later(5);
    const played = new Played("perf", dispatched("perf"));
    await stage.rest();
    expect(await jobComment(pull)).toContain("the guard looks at it");
    const { data } = await stage
      .user("mia")
      .rest.checks.listForRef({ ...repo, ref: pull.head, filter: "all" });
    expect(data.check_runs.filter(({ name }) => name.startsWith("assay/perf"))).toHaveLength(1);
    played.report();
    await stage.rest();
    await stage.restart();
  });
});

describe("other jobs", () => {
  it("verify finds the defect among those of the pull request, and says what came of it", async () => {
    const pull = await openRun();
    const known = defects({
      defects: [
        {
          id: "D-7",
          title: "Overflows",
          category: "correctness",
          severity: "high",
          method: "probe",
          probe: "empty.rs",
          added_at: "2026-11-20T00:00:00.000Z",
          entries: [{ run: pull.run, entry: "e1" }],
          findings: [],
        },
      ],
    });
    const own = await openPull(stage, { "data/defects/coder.json": pretty(known) });
    const played = await ask(own, "verify D-7", "verify");
    expect(played.inputs).toMatchObject({ target: "coder/D-7", host: "ryzen" });
    const place = { run: pull.run, entry: "e1" };
    played.report({
      kind: "verify",
      verification: "control-failed",
      results: [
        { ...place, role: "judged", probe: "present" },
        { ...place, entry: "e2", role: "control", probe: "present" },
      ],
    });
    await stage.rest();
    expect(await jobComment(own)).toContain("Control failed");
    expect((await checkOf(own.head, "assay/verify coder/D-7 on ryzen"))?.conclusion).toBe("neutral");
  });

  it("run makes one pull request of what it brought, however often its report is taken", async () => {
    const pull = await openRun();
    const played = await ask(pull, "run", "run");
    const fresh = delivering(run({ id: `${pull.run}-again`, entries: [entry("e1", "alpha-1@high")] }));
    const files = Object.fromEntries(
      Object.entries(runFiles(fresh)).map(([path, { data }]) => [`facts/${path}`, String(data)]),
    );
    const bundle = Object.entries(runFiles(fresh)).map(([path, { data }]) => ({ path, data: String(data) }));
    played.report({ kind: "run", results: [], facts: factsDigest(bundle) }, files);
    await stage.rest();
    const said = await jobComment(pull);
    const number = Number(/what it brought is pull request (\d+)/.exec(said)?.[1]);
    const { data } = await stage.user("mia").rest.pulls.get({ ...repo, pull_number: number });
    expect(data).toMatchObject({
      user: { login: "assay[bot]" },
      head: { ref: `assay/run-${played.inputs.nonce}` },
      base: { ref: "main" },
    });
    const { data: changed } = await stage.user("mia").rest.pulls.listFiles({ ...repo, pull_number: number });
    expect(changed.map(({ filename, status }) => [filename, status]).sort()).toEqual([
      [`data/entries/${pull.run}-again/e1/src/lib.rs`, "added"],
      [runPath(`${pull.run}-again`), "added"],
    ]);
    await later(0);
    const { data: pulls } = await stage
      .user("mia")
      .rest.pulls.list({ ...repo, head: `${OWNER}:assay/run-${played.inputs.nonce}`, state: "all" });
    expect(pulls).toHaveLength(1);
  });

  it("run takes nothing into a pull request but one run and its deliverables", async () => {
    const pull = await openRun();
    const played = await ask(pull, "run", "run");
    played.report(
      { kind: "run", results: [], facts: DIGEST },
      { "facts/.github/workflows/x.yml": "on: push\n" },
    );
    await stage.rest();
    expect(await jobComment(pull)).toMatch(/could not be read|neither a run nor a deliverable/);
    const { data } = await stage
      .user("mia")
      .rest.git.listMatchingRefs({ ...repo, ref: `heads/assay/run-${played.inputs.nonce}` });
    expect(data).toEqual([]);
  });

  it("status says how they stand, to anybody", async () => {
    const pull = await openRun();
    const played = await ask(pull);
    await say(stage, "sam", pull, "/assay status");
    expect(await reply(pull)).toContain(`| perf \`${pull.run}/e1\` | \`ryzen\` | 🛡️ the guard looks at it |`);
    played.report();
    await stage.rest();
  });
});
