import { z } from "zod";
import { announce, printUntrusted, scratchFolder, workspace } from "../io/action.ts";
import { writeFilesWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import {
  type GitHubReader,
  readCheckRun,
  readJobRuns,
  readPermission,
  readPull,
  readRepositoryFacts,
} from "../io/github/job-facts.ts";
import { decideGuard, type GuardFacts } from "../lib/bot/guard.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { type Host, hostsSchema } from "../lib/code/schema/hosts-schema.ts";
import type { Finding } from "../lib/findings.ts";
import { parseJobMemo } from "../lib/job/memo.ts";
import {
  JOB_KINDS,
  JOB_WORKFLOWS,
  type JobInputs,
  jobInputsSchema,
  type Order,
} from "../lib/job/order-schema.ts";
import { type JobIdentity, reportWithout, whyForeign } from "../lib/job/report.ts";
import { JOB_REPORT_FILE, type JobReport } from "../lib/job/report-schema.ts";
import { HOSTS_PATH } from "../lib/result-pr/code-paths.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import { readWork } from "./guard-order.ts";
import { lookAtHost, openSigner } from "./host-check.ts";
import { inputsOf } from "./host-job.ts";
import {
  filesBeside,
  ORDER_FILE,
  RAW_FILE,
  readHosts,
  readIfThere,
  readOrder,
  readReport,
  writeJob,
} from "./job-files.ts";
import { type ChangeSource, openPullRequest } from "./result-pr-source.ts";

const result = z.enum(["success", "failure", "cancelled", "skipped", ""]);

export const guardInputs = z.object({
  mode: z.enum(["authorise", "host", "join"]),
  kind: z.enum(JOB_KINDS),
  "pull-request": jobInputsSchema.shape.pull_request,
  "head-sha": jobInputsSchema.shape.head_sha,
  nonce: jobInputsSchema.shape.nonce,
  target: jobInputsSchema.shape.target,
  host: jobInputsSchema.shape.host,
  app: z.string().regex(/^\d{0,15}$/, "expected the App's number"),
  remote: z.string(),
  order: z.string(),
  tools: z.string(),
  measured: z.string(),
  out: z.string(),
  "measure-result": result,
});

type Inputs = z.output<typeof guardInputs>;
type Environment = Readonly<Record<string, string | undefined>>;
type Outputs = Readonly<Record<string, string>>;

/**
 * The guard of jobs on hosts. `authorise` decides on a hosted runner whether there is to be one and writes its order; `host` decides on
 * the host whether it is the right one and fit; `join` puts what there is into one report. A refusal is an answer: its report says why.
 * @throws when the step is used wrongly
 */
export async function guardJob(
  inputs: Inputs,
  env: Environment = process.env,
  send: typeof fetch = fetch,
): Promise<Outputs> {
  const job: JobIdentity = { kind: inputs.kind, inputs: jobInputs(inputs) };
  if (inputs.mode === "authorise") return authorise(job, inputs, env, send);
  return inputs.mode === "host" ? lookAt(job, inputs, env) : join(job, inputs);
}

const jobInputs = (inputs: Inputs): JobInputs => ({
  pull_request: inputs["pull-request"],
  head_sha: inputs["head-sha"],
  nonce: inputs.nonce,
  target: inputs.target,
  host: inputs.host,
});

const folderOr = (named: string, fallback: string): string =>
  named === "" ? scratchFolder(fallback) : named;

/** Ends a step with a report that holds why nothing was measured. */
async function refuse(out: string, report: JobReport): Promise<Outputs> {
  announce(report.findings);
  await writeJob(out, { report });
  return { proceed: "false", labels: "[]", outcome: report.outcome, out };
}

// --- On a hosted runner, before -------------------------------------------------------------------------------------------------------

async function authorise(
  job: JobIdentity,
  inputs: Inputs,
  env: Environment,
  send: typeof fetch,
): Promise<Outputs> {
  const out = folderOr(inputs.out, "assay-order");
  const reader: GitHubReader = {
    api: env.GITHUB_API_URL ?? "",
    repository: env.GITHUB_REPOSITORY ?? "",
    token: env.ASSAY_READ_TOKEN ?? "",
    send,
  };
  const base = env.GITHUB_SHA ?? "";
  const github = await readGitHub(job, reader, env);
  const source = await openSource(job, base, inputs.remote, env);
  try {
    const host = source === null ? null : await findHost(source, job.inputs.host);
    const findings = decideGuard({
      ...job,
      ...github.facts,
      appId: inputs.app === "" ? null : Number(inputs.app),
      changes:
        source === null || source.findings.length > 0
          ? null
          : { paths: source.changes.map(({ path }) => path), truncated: source.truncated },
      hostKnown: host !== null,
    });
    if (findings.length > 0 || source?.objects == null || host === null)
      return await refuse(out, reportWithout(job, "refused", findings));
    const work = await readWork(source.objects, job.kind, job.inputs.target);
    if (!work.ok) return await refuse(out, reportWithout(job, "refused", work.findings));
    const memo = parseJobMemo(github.facts.check?.externalId);
    const order: Order = {
      schema_version: 1,
      kind: job.kind,
      repository_id: github.repositoryId,
      pull_request: Number(job.inputs.pull_request),
      head_sha: job.inputs.head_sha,
      base_sha: base,
      nonce: job.inputs.nonce,
      asked_by: {
        id: memo?.by ?? 0,
        login: memo?.login ?? "",
        role: github.facts.permission?.roleName ?? "",
      },
      target: job.inputs.target,
      host: host.id,
      made_at: new Date().toISOString(),
      ...work.work,
    };
    await writeFilesWhole(out, [...work.files, { path: ORDER_FILE, data: canonicalDocument(order) }]);
    return { proceed: "true", labels: JSON.stringify(host.labels), outcome: "", out };
  } finally {
    await source?.close();
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

type GitHubFacts = Pick<GuardFacts, "run" | "check" | "permission" | "pull" | "asked" | "running">;

/** All that GitHub has to be asked. An answer that does not come is null, which refuses. */
async function readGitHub(
  job: JobIdentity,
  reader: GitHubReader,
  env: Environment,
): Promise<{ facts: GitHubFacts; repositoryId: number }> {
  const { nonce, pull_request } = job.inputs;
  const repository = await ask("the repository", () => readRepositoryFacts(reader));
  const check = await ask("the check run", () => readCheckRun(reader, nonce));
  const memo = parseJobMemo(check?.externalId);
  const permission =
    memo === null ? null : await ask("the permission", () => readPermission(reader, memo.login));
  const pull = await ask("the pull request", () => readPull(reader, pull_request));
  const others =
    memo === null
      ? null
      : await ask("other jobs", () =>
          countOthers(reader, { nonce, by: memo.by, own: Number(env.GITHUB_RUN_ID) }),
        );
  return {
    repositoryId: repository?.id ?? 0,
    facts: {
      run: {
        attempt: Number(env.GITHUB_RUN_ATTEMPT ?? "1"),
        event: env.GITHUB_EVENT_NAME ?? "",
        ref: env.GITHUB_REF ?? "",
        defaultBranch: repository?.defaultBranch ?? "",
      },
      check,
      permission,
      pull,
      asked: others?.asked ?? null,
      running: others?.running ?? false,
    },
  };
}

async function ask<T>(what: string, question: () => Promise<T | null>): Promise<T | null> {
  try {
    return await question();
  } catch (error) {
    printUntrusted([`GitHub did not say what was asked about ${what}: ${String(error)}`]);
    return null;
  }
}

/** Jobs that the same person had within a day, and whether another run has this nonce. Who asked stands in check runs of the App. */
async function countOthers(
  reader: GitHubReader,
  { nonce, by, own }: { readonly nonce: string; readonly by: number; readonly own: number },
): Promise<{ asked: number; running: boolean }> {
  const since = `${new Date(Date.now() - DAY_MS).toISOString().slice(0, 19)}Z`;
  const runs = [];
  for (const workflow of Object.values(JOB_WORKFLOWS))
    runs.push(...(await readJobRuns(reader, workflow, since)));
  const others = runs.filter(({ id }) => id !== own);
  let asked = 0;
  for (const other of new Set(
    others.flatMap((run) => (run.nonce === null || run.nonce === nonce ? [] : [run.nonce])),
  )) {
    const check = await readCheckRun(reader, other);
    if (parseJobMemo(check?.externalId)?.by === by) asked += 1;
  }
  const running = others.some((run) => run.nonce === nonce && run.status !== "completed" && run.id < own);
  return { asked, running };
}

/** The pull request's git objects; null when they cannot be had. */
async function openSource(
  { inputs }: JobIdentity,
  base: string,
  remote: string,
  env: Environment,
): Promise<(ChangeSource & { readonly close: () => Promise<void> }) | null> {
  const token = env.ASSAY_READ_TOKEN;
  const url = remote === "" ? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}.git` : remote;
  return ask("the commits", () =>
    openPullRequest(
      { pullRequest: Number(inputs.pull_request), base, head: inputs.head_sha, merge: null },
      { remote: token === undefined ? { url } : { url, token } },
    ),
  );
}

/** The host as the base has it. */
async function findHost(source: ChangeSource, id: string): Promise<Host | null> {
  const [bytes = null] = await source.readBase([HOSTS_PATH]);
  const hosts =
    bytes === null ? null : parseWithSchema(bytes, hostsSchema, { path: HOSTS_PATH, code: "code-data" });
  return hosts?.ok === true ? (hosts.value.hosts.find((host) => host.id === id) ?? null) : null;
}

// --- On the host ------------------------------------------------------------------------------------------------------------------------

async function lookAt(job: JobIdentity, inputs: Inputs, env: Environment): Promise<Outputs> {
  const out = folderOr(inputs.out, "assay-measured");
  const order = await readOrder(folderOr(inputs.order, "assay-order"));
  if (!order.ok) return refuse(out, reportWithout(job, "refused", order.findings));
  const { order: ordered, digest } = order.value;
  const foreign = whyForeign(
    reportWithout({ kind: ordered.kind, inputs: inputsOf(ordered) }, "refused", []),
    job,
  );
  if (
    foreign !== null ||
    ordered.host !== job.inputs.host ||
    ordered.base_sha !== (env.GITHUB_SHA ?? ordered.base_sha)
  )
    return refuse(
      out,
      reportWithout(job, "refused", [otherOrder(foreign ?? "it is of another run, or host")]),
    );
  const hosts = await readHosts(inputs.tools === "" ? workspace() : inputs.tools);
  const host = hosts.ok ? hosts.value.hosts.find(({ id }) => id === ordered.host) : undefined;
  if (host === undefined)
    return refuse(
      out,
      reportWithout(job, "refused", hosts.ok ? [NO_HOST] : hosts.findings, { order: digest }),
    );
  const looked = await lookAtHost(host);
  const { findings } = await openSigner(host, looked, ordered, env);
  const all = [...looked.findings, ...findings];
  if (all.some(({ severity }) => severity === "error"))
    return refuse(out, reportWithout(job, "refused", all, { order: digest, host: looked.facts }));
  announce(all);
  return { proceed: "true", labels: "[]", outcome: "", out };
}

const otherOrder = (why: string): Finding => ({
  code: "guard-other-order",
  severity: "error",
  message: "The order that came with this job is not its own.",
  actual: why,
});

const NO_HOST: Finding = {
  code: "guard-host",
  severity: "error",
  message: "There is no such host.",
  hint: "data/hosts.json on the default branch lists those that there are.",
};

// --- On a hosted runner, after ----------------------------------------------------------------------------------------------------------

/** One report of whatever there is: of the host, of the guard before it, or of nothing, which is ours. */
async function join(job: JobIdentity, inputs: Inputs): Promise<Outputs> {
  const out = folderOr(inputs.out, "assay-job");
  const orders = folderOr(inputs.order, "assay-order");
  const measured = folderOr(inputs.measured, "assay-measured");
  for (const folder of [measured, orders]) {
    const report = await readReport(folder);
    if (!report.ok) {
      if (report.findings.every(({ code }) => code === "job-missing")) continue;
      return done(out, reportWithout(job, "ours", report.findings), []);
    }
    const why = await whyNotOwn(report.value, folder, orders, job);
    if (why !== null) return done(out, reportWithout(job, "ours", [otherOrder(why)]), []);
    // With the order beside it a report can be verified from its files alone.
    return done(out, report.value, [...(await filesBeside(folder)), ...(await orderBeside(orders))]);
  }
  return done(out, reportWithout(job, "ours", [noReport(inputs["measure-result"])]), []);
}

/** What speaks against a report; null when it is this job's, of this order, with the samples that it names. */
async function whyNotOwn(
  report: JobReport,
  folder: string,
  orders: string,
  job: JobIdentity,
): Promise<string | null> {
  const foreign = whyForeign(report, job);
  if (foreign !== null) return foreign;
  if (folder === orders) return report.outcome === "refused" ? null : "the guard itself measures nothing";
  const order = await readOrder(orders);
  if (!order.ok || (report.order !== null && report.order !== order.value.digest))
    return "it is of another order";
  const raw = (await filesBeside(folder)).find(({ path }) => path === RAW_FILE);
  const digest = raw === undefined ? null : fastDigest(raw.data);
  return digest === report.raw ? null : "the samples beside it are not those that it names";
}

async function orderBeside(folder: string): Promise<{ path: string; data: Uint8Array }[]> {
  const data = await readIfThere(folder, ORDER_FILE);
  return data === null ? [] : [{ path: ORDER_FILE, data }];
}

const noReport = (measure: string): Finding => ({
  code: "job-no-report",
  severity: "error",
  message:
    measure === "cancelled"
      ? "The job was cancelled, or ran out of time, before it left a report: nothing of it counts."
      : "The job ended without a report: nothing of it counts.",
  actual: measure === "" ? "the guard did not finish" : `the job on the host: ${measure}`,
  hint: "This is not the deliverable's fault. See the run's log, and ask again.",
});

async function done(
  out: string,
  report: JobReport,
  files: readonly { path: string; data: Uint8Array }[],
): Promise<Outputs> {
  announce(report.findings);
  await writeFilesWhole(out, [...files, { path: JOB_REPORT_FILE, data: canonicalDocument(report) }]);
  return { proceed: "false", labels: "[]", outcome: report.outcome, out };
}
