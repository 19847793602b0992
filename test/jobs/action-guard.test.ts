import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeHostKey } from "../../src/io/host/keys.ts";
import { guardInputs, guardJob } from "../../src/jobs/action-guard.ts";
import { measurePerf } from "../../src/jobs/action-perf.ts";
import { verifyDefects } from "../../src/jobs/action-verify-defect.ts";
import { type HostWork, runHostJob } from "../../src/jobs/host-job.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import type { Hosts } from "../../src/lib/code/schema/hosts-schema.ts";
import { formatJobMemo } from "../../src/lib/job/memo.ts";
import { type JobKind, orderSchema } from "../../src/lib/job/order-schema.ts";
import { type JobReport, jobReportSchema } from "../../src/lib/job/report-schema.ts";
import { makeProject, type Project } from "../actions/pull-requests.ts";
import { defects, entry, hosts, perf, run } from "../lib/code/facts.ts";
import { committedRuns, dataFiles, delivering, pretty, runFiles } from "./data-folder.ts";

/** The guard from order to report, against a real git repository and an API that answers as GitHub does. */

let project: Project;
let base: string;
let head: string;
let folder: string;
/** Folder of an order that nothing speaks against. */
let usual: string;
const third = delivering(run({ id: "run-3", replicate: 2, entries: [entry("e1", "alpha-1@low")] }));

beforeAll(async () => {
  // The annotations of findings are for the runner.
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  folder = mkdtempSync(join(tmpdir(), "assay-guard-"));
  project = await makeProject();
  const known = {
    id: "D-1",
    title: "It forgets the last byte.",
    category: "correctness" as const,
    severity: "high" as const,
    method: "probe" as const,
    probe: "d-1.ts",
    control: { run: "run-2", entry: "e1" },
    added_at: "2026-11-08T09:00:00.000Z",
    entries: [
      { run: "run-1", entry: "e1" },
      { run: "run-1", entry: "e2" },
    ],
    findings: [],
  };
  const taken = {
    id: "r1",
    at: "2026-11-09T09:00:00.000Z",
    by: "mia",
    defect: "D-1",
    reason: "It is right there.",
  };
  base = project.commit(
    dataFiles({
      runs: committedRuns(),
      defects: [
        defects({
          defects: [known, { ...known, id: "D-2", method: "inspection" }],
          revisions: [{ kind: "entry", ...taken, remove: { run: "run-1", entry: "e2" } }],
        }),
      ],
    }),
  );
  head = project.commit(runFiles(third), base);
  usual = (await authorise()).out;
});
afterAll(() => {
  project.remove();
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

interface Asked {
  readonly kind?: JobKind;
  readonly target?: string;
  readonly head?: string;
  readonly host?: string;
  /** What the API answers in place of what it would. */
  readonly api?: Readonly<Record<string, unknown>>;
}

const NONCE = "900";

function apiOf({
  kind = "perf",
  target = "run-3/e1",
  host = "ryzen",
  head: sha = head,
  api = {},
}: Asked): typeof fetch {
  const memo = { kind, target, host, pull: 7, by: 11, login: "mia", comment: 5, at: 1 };
  const answers: Record<string, unknown> = {
    "": { id: 42, default_branch: "main" },
    [`/check-runs/${NONCE}`]: {
      name: `assay/${kind} ${target} on ${host}`,
      head_sha: sha,
      status: "queued",
      external_id: formatJobMemo(memo),
      app: { id: 3 },
    },
    "/collaborators/mia/permission": { permission: "write", role_name: "write", user: { id: 11 } },
    "/pulls/7": { state: "open", head: { sha }, base: { ref: "main" } },
    "/actions/workflows/perf.yml/runs": { workflow_runs: [] },
    "/actions/workflows/run.yml/runs": { workflow_runs: [] },
    "/actions/workflows/defect.yml/runs": { workflow_runs: [] },
    ...api,
  };
  return async (input) => {
    const path = new URL(String(input)).pathname.replace("/repos/office/board", "");
    const answer = answers[path];
    if (answer instanceof Error) throw answer;
    return new Response(JSON.stringify(answer ?? {}), { status: answer === undefined ? 404 : 200 });
  };
}

const env = (): Record<string, string> => ({
  GITHUB_API_URL: "http://api.example",
  GITHUB_REPOSITORY: "office/board",
  GITHUB_EVENT_NAME: "workflow_dispatch",
  GITHUB_REF: "refs/heads/main",
  GITHUB_SHA: base,
  GITHUB_RUN_ID: "50",
});

let names = 0;
const fresh = (): string => join(folder, String(names++));

const inputs = (mode: string, asked: Asked, more: Readonly<Record<string, string>> = {}) =>
  guardInputs.parse({
    mode,
    kind: asked.kind ?? "perf",
    "pull-request": "7",
    "head-sha": asked.head ?? head,
    nonce: NONCE,
    target: asked.target ?? "run-3/e1",
    host: asked.host ?? "ryzen",
    app: "3",
    remote: `file://${project.gitDir}`,
    order: "",
    tools: "",
    measured: "",
    out: "",
    "measure-result": "",
    ...more,
  });

const authorise = async (asked: Asked = {}) => {
  const out = fresh();
  return { out, outputs: await guardJob(inputs("authorise", asked, { out }), env(), apiOf(asked)) };
};
const reportIn = (out: string): JobReport =>
  jobReportSchema.parse(JSON.parse(readFileSync(join(out, "report.json"), "utf8")));
const orderIn = (out: string) => orderSchema.parse(JSON.parse(readFileSync(join(out, "order.json"), "utf8")));
const codes = (out: string): string[] => reportIn(out).findings.map(({ code }) => code);

describe("authorising", () => {
  it("writes an order with the deliverable as data, and says where it goes", async () => {
    const { out, outputs } = await authorise();
    expect(outputs).toMatchObject({ proceed: "true", labels: '["self-hosted"]' });
    expect(orderIn(out)).toMatchObject({
      kind: "perf",
      repository_id: 42,
      pull_request: 7,
      head_sha: head,
      base_sha: base,
      nonce: NONCE,
      asked_by: { id: 11, login: "mia", role: "write" },
      task: "coder",
      entries: [{ run: "run-3", entry: "e1", role: "judged", files: third.entries[0]?.deliverable }],
    });
    expect(readFileSync(join(out, "entries/run-3/e1/src/lib.rs"), "utf8")).toContain("e1 of run-3");
  });

  it("orders a defect's entries and its control, or a contestant", async () => {
    const verify = await authorise({ kind: "verify", target: "coder/D-1", head: base });
    expect(verify.outputs.proceed).toBe("true");
    expect(orderIn(verify.out)).toMatchObject({
      task: "coder",
      defect: { id: "D-1" },
      entries: [
        { run: "run-1", entry: "e1", role: "judged" },
        { run: "run-2", entry: "e1", role: "control" },
      ],
    });
    expect(readFileSync(join(verify.out, "entries/run-2/e1/src/lib.rs"), "utf8")).toContain("e1 of run-2");
    expect(codes((await authorise({ kind: "verify", target: "coder/D-2", head: base })).out)).toEqual([
      "guard-target",
    ]);
    const contest = await authorise({ kind: "run" });
    expect(orderIn(contest.out)).toMatchObject({
      entries: [],
      contestant: { configuration: "alpha-1@low", replicate: 3, harness: "claude-code" },
    });
  });

  it("F04: refuses a head that moved, whoever asks, and leaves a report for the App", async () => {
    const { out, outputs } = await authorise({
      api: { "/pulls/7": { state: "open", head: { sha: base }, base: { ref: "main" } } },
    });
    expect(outputs).toMatchObject({ proceed: "false", outcome: "refused", labels: "[]" });
    expect(reportIn(out)).toMatchObject({
      outcome: "refused",
      nonce: NONCE,
      target: "run-3/e1",
      results: [],
    });
    expect(codes(out)).toEqual(["guard-moved"]);
  });

  it("refuses when GitHub does not answer", async () => {
    const { out } = await authorise({ api: { "/collaborators/mia/permission": new Error("no route") } });
    expect(codes(out)).toEqual(["guard-permission"]);
    const down = await authorise({ api: { "/actions/workflows/perf.yml/runs": new Error("no route") } });
    expect(codes(down.out)).toEqual(["guard-quota"]);
  });

  it("sees another run of the same order, and counts the asker's jobs by what the App wrote", async () => {
    const title = (nonce: string) => `perf run-3/e1 of #7 at ${head} on ryzen, job ${nonce}`;
    const listed = (id: number, nonce: string, status: string) => ({
      id,
      event: "workflow_dispatch",
      status,
      created_at: new Date().toISOString(),
      display_title: title(nonce),
    });
    const again = await authorise({
      api: { "/actions/workflows/perf.yml/runs": { workflow_runs: [listed(49, NONCE, "queued")] } },
    });
    expect(codes(again.out)).toEqual(["guard-running"]);
    const before = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `/check-runs/${index + 1}`,
        {
          name: "assay/perf x/y on ryzen",
          head_sha: head,
          status: "completed",
          external_id: formatJobMemo({
            kind: "perf",
            target: "x/y",
            host: "ryzen",
            pull: 1,
            by: 11,
            login: "mia",
            comment: 1,
            at: 1,
          }),
          app: { id: 3 },
        },
      ]),
    );
    const workflow_runs = Object.keys(before).map((_, index) =>
      listed(index + 1, String(index + 1), "completed"),
    );
    const many = await authorise({
      api: { ...before, "/actions/workflows/perf.yml/runs": { workflow_runs } },
    });
    expect(codes(many.out)).toEqual(["guard-quota"]);
  });

  it("refuses what is not there, or not what its run lists", async () => {
    expect(codes((await authorise({ target: "run-3/e9" })).out)).toEqual(["guard-target"]);
    expect(codes((await authorise({ target: "run-9/e1" })).out)).toEqual(["guard-target"]);
    expect(codes((await authorise({ kind: "verify", target: "coder/D-99", head: base })).out)).toEqual([
      "guard-target",
    ]);
    const other = project.commit(
      { ...runFiles(third), "data/entries/run-3/e1/src/lib.rs": { data: "other\n" } },
      base,
    );
    expect(codes((await authorise({ head: other })).out)).toEqual(["guard-target"]);
    const link = project.commit(
      { ...runFiles(third), "data/entries/run-3/e1/src/lib.rs": { data: "/etc/passwd", mode: "120000" } },
      base,
    );
    expect(codes((await authorise({ head: link })).out)).toEqual(["guard-target"]);
    const judge = project.commit({ ...runFiles(third), "tasks/coder/task.json": { data: "{}" } }, base);
    expect(codes((await authorise({ head: judge })).out)).toEqual(["guard-other-files"]);
    expect(codes((await authorise({ host: "nowhere" })).out)).toEqual(["guard-host"]);
  });
});

/** A folder with the base's record of this machine as a host, and what that machine says of itself. */
async function tools(
  change: (record: Hosts) => void = () => {},
): Promise<{ root: string; env: Record<string, string> }> {
  const root = fresh();
  mkdirSync(join(root, "data"), { recursive: true });
  const keyFile = join(root, "host.pem");
  const key = await makeHostKey(keyFile);
  const record = hosts();
  const host = record.hosts[0];
  if (host === undefined) throw new Error("there is a host");
  host.fingerprint = { cpu: "Test", cores: 1, threads: 1, arch: "x64", os: "linux", virtual: false };
  host.guards = { load_1m: { at_most: 1 } };
  host.keys = [{ id: "k1", ed25519: key.publicHex, valid_from: "2026-01-01T00:00:00.000Z" }];
  change(record);
  writeFileSync(join(root, "data/hosts.json"), pretty(record));
  return { root, env: { ...env(), ASSAY_HOST_KEY: keyFile } };
}

/** A recorded machine. */
function machine(load = "0.10"): Parameters<typeof runHostJob>[4] {
  const root = fresh();
  const put = (path: string, text: string): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put(
    "proc/cpuinfo",
    "processor\t: 0\nmodel name\t: Test\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: tsc\n",
  );
  put("proc/loadavg", `${load} 0 0 1/1 1\n`);
  put("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 7000000 kB\n");
  return { platform: "linux", arch: "x64", root, run: async () => null, control: () => 20 };
}

const measured = async (): Promise<HostWork> => ({
  fault: null,
  findings: [],
  raw: { samples: [1, 2, 3] },
  results: [
    { run: "run-3", entry: "e1", role: "judged", perf: perf({ fingerprint: `sha256:${"2".repeat(64)}` }) },
  ],
});

describe("on the host", () => {
  it("F62: refuses a machine that is not the host, with the reason in the report", async () => {
    const order = usual;
    const { root, env: own } = await tools();
    const out = fresh();
    const outputs = await guardJob(inputs("host", {}, { order, tools: root, out }), own);
    expect(outputs).toMatchObject({ proceed: "false", outcome: "refused" });
    expect(codes(out)).toContain("host-wrong");
    expect(reportIn(out).host).toMatchObject({ id: "ryzen", class: "board", after: null });
  });

  it("refuses an order of another job", async () => {
    const { out: order } = await authorise({ kind: "run" });
    const { root, env: own } = await tools();
    const out = fresh();
    await guardJob(inputs("host", {}, { order, tools: root, out }), own);
    expect(codes(out)).toEqual(["guard-other-order"]);
    const stale = fresh();
    await guardJob(inputs("host", {}, { order: usual, tools: root, out: stale }), {
      ...own,
      GITHUB_SHA: "d".repeat(40),
    });
    expect(codes(stale)).toEqual(["guard-other-order"]);
  });
});

describe("a job on the host", () => {
  it("looks before and after, and signs what it measured with the samples' digest", async () => {
    const order = usual;
    const { root, env: own } = await tools();
    const out = fresh();
    const outputs = await runHostJob("perf", { order, tools: root, out }, measured, own, machine());
    expect(outputs).toEqual({ outcome: "measured", out });
    const report = reportIn(out);
    expect(report).toMatchObject({
      outcome: "measured",
      host: { before: { values: { load_1m: 0.1 } }, after: { values: { load_1m: 0.1 } } },
      results: [{ perf: { attestation: { key: "k1", nonce: NONCE, commit: head } } }],
      attestation: { host: "ryzen", nonce: NONCE },
    });
    expect(report.raw).not.toBeNull();
  });

  it("refuses a loaded host, one without its key, and one that is at work already", async () => {
    const order = usual;
    const { root, env: own } = await tools();
    const never = vi.fn(measured);
    const loaded = fresh();
    await runHostJob("perf", { order, tools: root, out: loaded }, never, own, machine("1.50"));
    expect(codes(loaded)).toEqual(["host-loaded"]);
    const keyless = fresh();
    await runHostJob("perf", { order, tools: root, out: keyless }, never, env(), machine());
    expect(codes(keyless)).toEqual(["host-key"]);
    expect(never).not.toHaveBeenCalled();
    const [first, second] = [fresh(), fresh()];
    const slow = async (): Promise<HostWork> => {
      await runHostJob("perf", { order, tools: root, out: second }, never, own, machine());
      return measured();
    };
    await runHostJob("perf", { order, tools: root, out: first }, slow, own, machine());
    expect(reportIn(first).outcome).toBe("measured");
    expect(codes(second)).toEqual(["host-busy"]);
  }, 20_000);

  it("F64: marks what a changed host measured, and calls a failure of ours by its name", async () => {
    const order = usual;
    const { root, env: own } = await tools();
    const world = machine();
    let looks = 0;
    const throttled = { ...world, control: () => (looks++ === 0 ? 20 : 60) } as typeof world;
    const out = fresh();
    await runHostJob("perf", { order, tools: root, out }, measured, own, throttled);
    expect(codes(out)).toEqual(["host-changed"]);
    expect(reportIn(out).results[0]?.perf?.flags).toEqual(["disturbed"]);
    // What is not timed cannot be disturbed.
    const { out: contest } = await authorise({ kind: "run" });
    const untimed = fresh();
    looks = 0;
    const nothing = async (): Promise<HostWork> => ({ fault: null, findings: [], results: [] });
    await runHostJob("run", { order: contest, tools: root, out: untimed }, nothing, own, throttled);
    expect([reportIn(untimed).outcome, codes(untimed)]).toEqual(["measured", []]);
    const broken = fresh();
    const fail = (): Promise<HostWork> => Promise.reject(new Error("no compiler"));
    await runHostJob("perf", { order, tools: root, out: broken }, fail, own, machine());
    expect(reportIn(broken)).toMatchObject({ outcome: "ours", results: [] });
    expect(codes(broken)).toEqual(["job-failed"]);
  });
});

describe("measuring", () => {
  it("is ours to mend where the base has no such task", async () => {
    const order = usual;
    const { root, env: own } = await tools();
    const out = fresh();
    await measurePerf({ order, tools: root, out }, [], own, machine());
    expect(reportIn(out)).toMatchObject({ outcome: "ours", results: [] });
    expect(codes(out)).toEqual(["task-unknown"]);
  });
});

describe("verifying a defect", () => {
  it("is ours to mend where the base has no such probe", async () => {
    const { out: order } = await authorise({ kind: "verify", target: "coder/D-1", head: base });
    const { root, env: own } = await tools();
    const out = fresh();
    await verifyDefects({ order, tools: root, out }, [], own, machine());
    expect(reportIn(out)).toMatchObject({ kind: "verify", outcome: "ours", results: [] });
    expect(reportIn(out)).not.toHaveProperty("verification");
  });
});

describe("joining", () => {
  const join_ = async (more: Readonly<Record<string, string>>, asked: Asked = {}) => {
    const out = fresh();
    await guardJob(inputs("join", asked, { out, order: fresh(), measured: fresh(), ...more }), env());
    return out;
  };

  it("hands on what the host left, with its samples", async () => {
    const order = usual;
    const { root, env: own } = await tools();
    const left = fresh();
    await runHostJob("perf", { order, tools: root, out: left }, measured, own, machine());
    const out = await join_({ order, measured: left });
    expect(reportIn(out)).toEqual(reportIn(left));
    expect(readFileSync(join(out, "raw.json"), "utf8")).toBe(canonicalDocument({ samples: [1, 2, 3] }));
    writeFileSync(join(left, "raw.json"), canonicalDocument({ samples: [1, 2, 4] }));
    const forged = await join_({ order, measured: left });
    expect(codes(forged)).toEqual(["guard-other-order"]);
    const { out: another } = await authorise({ kind: "run" });
    expect(codes(await join_({ order: another, measured: left }))).toEqual(["guard-other-order"]);
  });

  it("hands on what the guard refused", async () => {
    const { out: order } = await authorise({ target: "run-3/e9" });
    const out = await join_({ order, "measure-result": "skipped" }, { target: "run-3/e9" });
    expect([reportIn(out).outcome, codes(out)]).toEqual(["refused", ["guard-target"]]);
  });

  it("F68: calls a job that left nothing ours, never the deliverable's", async () => {
    const order = usual;
    for (const result of ["cancelled", "failure", "skipped"]) {
      const out = await join_({ order, "measure-result": result });
      expect(reportIn(out)).toMatchObject({ outcome: "ours", results: [], raw: null });
      expect(codes(out)).toEqual(["job-no-report"]);
    }
    const half = fresh();
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, "report.json"), '{"schema_version": 1, "outcome": "measured"');
    expect(reportIn(await join_({ order, measured: half })).outcome).toBe("ours");
  });
});
