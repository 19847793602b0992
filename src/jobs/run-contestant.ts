import { createWriteStream } from "node:fs";
import { appendFile, cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finished } from "node:stream/promises";
import { readLogFiles } from "../io/code/usage-files.ts";
import { startEgressProxy } from "../io/egress/proxy.ts";
import { filesBelow, readWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { openJournal } from "../io/run/journal-file.ts";
import { startSandboxed } from "../io/sandbox/run.ts";
import {
  BRIEF_FILE,
  type Collected,
  isCandidate,
  pickDeliverable,
  SPEC_FILE,
  type WorkFile,
} from "../lib/code/contestant/deliverable.ts";
import { type ContestantEnd, decideContestantEnd } from "../lib/code/contestant/end.ts";
import { type ContestantRecord, contestantRecordSchema } from "../lib/code/contestant/journal-schema.ts";
import type { ContestantPlan } from "../lib/code/contestant/plan.ts";
import { type HarnessAdapter, type HarnessSession, PROMPT } from "../lib/code/harness/adapter.ts";
import type { Usage } from "../lib/code/schema/usage-schema.ts";
import { importUsage } from "../lib/code/usage/import-usage.ts";
import {
  EGRESS_SOCKET,
  FORWARDER_INSIDE,
  FORWARDER_SCRIPT,
  FORWARDER_URL,
  forwarderCommand,
  NODE_INSIDE,
} from "../lib/egress/forwarder.ts";
import { type EgressRecord, renderEgressLog, summariseEgress } from "../lib/egress/log-schema.ts";
import type { EgressLimits } from "../lib/egress/policy.ts";
import type { Finding } from "../lib/findings.ts";
import type { SandboxInput, SandboxLimits, SandboxOrder } from "../lib/sandbox/order.ts";
import type { SandboxResult } from "../lib/sandbox/verdict.ts";
import type { TaskKit } from "../lib/task/kit.ts";

/** What of a task a contestant gets to see. */
export interface ContestantTask {
  readonly spec: Uint8Array;
  /** Folder of the host, whose files are the beginning of the work. */
  readonly scaffold: string;
  readonly deliverable: TaskKit["deliverable"];
  /** Compilers that are not in the system's folders, and where they are found in the PATH. */
  readonly inputs: readonly SandboxInput[];
  readonly path: readonly string[];
}

export interface ContestantOrder {
  readonly plan: ContestantPlan;
  readonly task: ContestantTask;
  readonly brief: Uint8Array;
  readonly harness: {
    readonly name: string;
    readonly adapter: HarnessAdapter;
    /** Where it is installed, when it is not in the system's folders; `/opt/harness` inside. */
    readonly folder: string | null;
  };
  /** As vendor and logs call it. */
  readonly model: string;
  readonly effort: string;
  readonly key: string;
  readonly limits: SandboxLimits;
  readonly work: { readonly bytes: number; readonly files: number };
  readonly egress: EgressLimits;
  /** A folder of this contestant's own, new, outside of every repository. */
  readonly folder: string;
  readonly signal?: AbortSignal;
}

export interface ContestantOutcome {
  readonly end: ContestantEnd;
  /** The deliverable's bytes; empty unless it finished. */
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[];
  readonly usage: Usage | null;
  readonly findings: readonly Finding[];
  readonly startedAt: string;
  readonly endedAt: string;
  readonly egress: readonly EgressRecord[];
  readonly sandbox: SandboxResult;
  readonly record: (record: ContestantRecord) => Promise<void>;
  readonly close: () => Promise<void>;
}

const WORK = "/job/work";
const HOME = "/job/home";
const HARNESS = "/opt/harness";
const PATH = [`${HARNESS}/bin`, HARNESS, dirname(NODE_INSIDE), "/usr/local/bin", "/usr/bin", "/bin"];

const now = (): string => new Date().toISOString();

/**
 * Runs one contestant to its end: makes its folder, starts the harness in the sandbox with the proxy as its only way out, and collects deliverable,
 * logs and usage. Writes below `order.folder` alone; facts are the caller's business.
 * @throws SandboxError when this host cannot isolate: nothing was run then
 */
export async function runContestant(order: ContestantOrder): Promise<ContestantOutcome> {
  const { plan, folder, harness } = order;
  const session: HarnessSession = {
    ...{
      model: order.model,
      effort: order.effort,
      prompt: PROMPT,
      work: WORK,
      home: HOME,
      api: FORWARDER_URL,
    },
  };
  await layOut(order, session);
  const journal = await openJournal(join(folder, "journal.jsonl"), "journal.jsonl", contestantRecordSchema);
  if (!journal.ok) throw new Error("a new journal cannot be opened");
  const startedAt = now();
  await journal.value.append({
    type: "contestant-started",
    at: startedAt,
    plan: { ...plan },
    harness: harness.name,
    limits: { ...order.limits },
  });
  const egress: EgressRecord[] = [];
  const sandbox = await runInside(order, session, egress);
  const endedAt = now();
  const collected = await collect(order, join(folder, "outcome"));
  const summary = summariseEgress(egress);
  const end = decideContestantEnd(sandbox, summary, collected, order.limits.wallSeconds);
  await journal.value.append({
    type: "contestant-ended",
    at: endedAt,
    outcome: sandbox.outcome,
    kind: end.kind,
    reason: end.kind === "finished" ? null : end.reason,
    requests: summary.requests,
    answered: summary.answered,
    refused: summary.refused,
  });
  const { usage, findings } = await readUsage(order, summary.answered);
  return {
    end,
    files: end.kind === "finished" ? await readAll(join(folder, "outcome", "work"), end.files) : [],
    usage,
    findings,
    startedAt,
    endedAt,
    egress,
    sandbox,
    record: (record) => journal.value.append(record),
    close: () => journal.value.close(),
  };
}

/** Makes what the contestant finds: scaffold, contract, brief, and its harness's settings. Nothing else of the repository. */
async function layOut(
  { folder, task, brief, harness }: ContestantOrder,
  session: HarnessSession,
): Promise<void> {
  const start = join(folder, "start");
  await mkdir(join(start, "home"), { recursive: true });
  await cp(task.scaffold, join(start, "work"), { recursive: true });
  await writeFile(join(start, "work", BRIEF_FILE), brief);
  await writeFile(join(start, "work", SPEC_FILE), task.spec);
  for (const { path, text } of harness.adapter.files(session)) {
    await mkdir(dirname(join(start, "home", path)), { recursive: true });
    await writeFile(join(start, "home", path), text);
  }
  await writeFile(join(folder, "forwarder.mjs"), FORWARDER_SCRIPT, { mode: 0o644 });
}

async function runInside(
  order: ContestantOrder,
  session: HarnessSession,
  egress: EgressRecord[],
): Promise<SandboxResult> {
  const { folder, harness } = order;
  const log = join(folder, "egress.jsonl");
  let written: Promise<unknown> = writeFile(log, "");
  const proxy = await startEgressProxy({
    api: harness.adapter.api,
    limits: order.egress,
    key: order.key,
    record(record) {
      egress.push(record);
      written = written.then(() => appendFile(log, renderEgressLog([record])));
    },
  });
  try {
    const running = await startSandboxed(sandboxOrder(order, session, proxy.socket));
    const stop = (): void => running.stop();
    order.signal?.addEventListener("abort", stop, { once: true });
    if (order.signal?.aborted === true) stop();
    running.stdin.on("error", () => undefined).end();
    const printed = [
      running.stdout.pipe(createWriteStream(join(folder, "stdout.txt"))),
      running.stderr.pipe(createWriteStream(join(folder, "stderr.txt"))),
    ];
    const result = await running.ended;
    await Promise.all(printed.map((stream) => finished(stream)));
    order.signal?.removeEventListener("abort", stop);
    return result;
  } finally {
    await proxy.close();
    await written;
  }
}

/** The run as the sandbox is asked for it. */
const sandboxOrder = (order: ContestantOrder, session: HarnessSession, socket: string): SandboxOrder => ({
  command: forwarderCommand(WORK, order.harness.adapter.command(session)),
  inputs: [
    { from: process.execPath, to: NODE_INSIDE },
    { from: join(order.folder, "forwarder.mjs"), to: FORWARDER_INSIDE },
    ...(order.harness.folder === null ? [] : [{ from: order.harness.folder, to: HARNESS }]),
    ...order.task.inputs,
  ],
  sockets: [{ from: socket, to: EGRESS_SOCKET }],
  work: { ...order.work, from: join(order.folder, "start"), to: join(order.folder, "outcome") },
  limits: order.limits,
  stdio: "pipes",
  environment: {
    ...order.harness.adapter.environment(session),
    HOME,
    PATH: [...order.task.path, ...PATH].join(":"),
  },
});

async function collect({ folder, task }: ContestantOrder, outcome: string): Promise<Collected> {
  const [after, before] = [
    await listCandidates(join(outcome, "work"), task.deliverable),
    await listCandidates(join(folder, "start", "work"), task.deliverable),
  ];
  return pickDeliverable(after, before, task.deliverable);
}

/** Larger files are not read: no deliverable may be so large. */
async function listCandidates(folder: string, rules: TaskKit["deliverable"]): Promise<WorkFile[]> {
  const found: WorkFile[] = [];
  for (const { path, size } of (await filesBelow(folder)) ?? []) {
    const inside = path.slice(folder.length + 1);
    if (!isCandidate(inside, rules)) continue;
    const sha256 = size <= rules.maxBytes ? fastDigest(await readWhole(path)) : fastDigest("");
    found.push({ path: inside, sha256, bytes: size });
  }
  return found;
}

const readAll = (folder: string, files: readonly WorkFile[]) =>
  Promise.all(files.map(async ({ path }) => ({ path, data: await readWhole(join(folder, path)) })));

/** Usage out of the harness's own logs, held against what the proxy saw. What cannot be read is unknown, never 0. */
async function readUsage(
  { folder, harness }: ContestantOrder,
  answered: number,
): Promise<Pick<ContestantOutcome, "usage" | "findings">> {
  const { logs, reader } = harness.adapter;
  const files = await readLogFiles([join(folder, "outcome", "home", logs)]);
  if (!files.ok) return withoutUsage(files.findings);
  const read = importUsage(files.value, reader === null ? {} : { harness: reader });
  const findings = [...files.findings, ...read.findings];
  if (!read.ok) return withoutUsage(findings);
  const usage = read.value;
  if (usage.per === "request" && usage.requests.length > answered)
    findings.push({
      code: "code-run-egress",
      severity: "warning",
      message: "The harness logged more requests than the proxy passed on.",
      expected: `at most ${answered}`,
      actual: String(usage.requests.length),
      hint: "The log is the contestant's own file. Compare it with egress.jsonl before its cost is believed.",
    });
  return { usage, findings };
}

/** The run is a fact whatever its logs are; what is wrong with them is worth a look. */
const withoutUsage = (findings: readonly Finding[]): { usage: null; findings: Finding[] } => ({
  usage: null,
  findings: [
    ...findings.map(
      (finding): Finding => (finding.severity === "error" ? { ...finding, severity: "warning" } : finding),
    ),
    {
      code: "code-run-usage",
      severity: "warning",
      message: "The contestant's logs give no usage: its cost and time are unknown.",
      hint: "Look into outcome/home in its folder; tools/bench run import-usage reads logs again.",
    },
  ],
});
