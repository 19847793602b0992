import type { Finding } from "../findings.ts";
import type { JobMemo } from "../job/memo.ts";
import { parseJobMemo } from "../job/memo.ts";
import { type JobInputs, type JobKind, jobCheckName } from "../job/order-schema.ts";
import { isDataPath } from "../result-pr/code-paths.ts";
import { authoriseRole, type PermissionFacts } from "./authorise.ts";

/**
 * Whether a job may go to a host, decided on a hosted runner before any machine of ours hears of it (F04, F07, F08, F12). What cannot be
 * looked up speaks against it. Pure.
 */

/** A check run as the API gives it. */
export interface CheckRunFacts {
  readonly name: string;
  readonly headSha: string;
  /** Null when GitHub does not say which App made it. */
  readonly appId: number | null;
  readonly status: string;
  readonly externalId: string;
}

export interface GuardFacts {
  readonly kind: JobKind;
  readonly inputs: JobInputs;
  /** Number of the App that gives orders here; null when the repository does not say. */
  readonly appId: number | null;
  readonly run: {
    /** 1; more when somebody ran it again. */
    readonly attempt: number;
    readonly event: string;
    /** `refs/heads/…` */
    readonly ref: string;
    readonly defaultBranch: string;
  };
  /** The check run whose id is the nonce; null when there is none. */
  readonly check: CheckRunFacts | null;
  /** The asker's permission now; null when it could not be asked. */
  readonly permission: PermissionFacts | null;
  readonly pull: { readonly open: boolean; readonly headSha: string; readonly baseRef: string } | null;
  /** What the head changes; null when it could not be read. */
  readonly changes: {
    readonly paths: readonly string[];
    /** There are more. */
    readonly truncated: boolean;
  } | null;
  /** The host asked for is in the base's data/hosts.json. */
  readonly hostKnown: boolean;
  /** Jobs that the same person had within a day, this one not counted; null when they could not be counted. */
  readonly asked: number | null;
  /** Another run of the same nonce that began earlier and has not ended. */
  readonly running: boolean;
}

/** Jobs that one person may have within 24 hours. */
export const JOBS_A_DAY = 40;

const refuse = (code: string, message: string, more: Partial<Finding> = {}): Finding => ({
  code,
  severity: "error",
  message,
  ...more,
});

/** Why the job is refused, the weightiest reason first; nothing when it may go on. */
export function decideGuard(facts: GuardFacts): Finding[] {
  const order = checkOrder(facts);
  // Without an order of the App's nothing else is anybody's question.
  if (order.memo === null) return order.findings;
  return [
    ...order.findings,
    ...checkAsker(order.memo, facts),
    ...checkPull(facts),
    ...checkChanges(facts),
    ...(facts.hostKnown
      ? []
      : [
          refuse("guard-host", "There is no such host.", {
            actual: facts.inputs.host,
            hint: "data/hosts.json on the default branch lists those that there are.",
          }),
        ]),
  ];
}

/** The check run is the App's order for exactly these inputs, and is used once. */
function checkOrder(facts: GuardFacts): { memo: JobMemo | null; findings: Finding[] } {
  const { kind, inputs, appId, run, check } = facts;
  const none = (finding: Finding) => ({ memo: null, findings: [finding] });
  if (run.event !== "workflow_dispatch" || run.ref !== `refs/heads/${run.defaultBranch}`)
    return none(
      refuse(
        "guard-workflow",
        "Only the default branch's workflow, dispatched by the App, gives work to hosts.",
        {
          expected: `workflow_dispatch on refs/heads/${run.defaultBranch}`,
          actual: `${run.event} on ${run.ref}`,
        },
      ),
    );
  if (appId === null)
    return none(
      refuse("guard-app", "The repository does not say which App gives orders.", {
        hint: "Set the repository variable ASSAY_APP to the App's number (docs/operations.md).",
      }),
    );
  const name = jobCheckName(kind, inputs.target, inputs.host);
  if (check === null || check.appId !== appId || check.name !== name || check.headSha !== inputs.head_sha)
    return none(
      refuse("guard-nonce", "The App has given no such order.", {
        expected: `check run ${inputs.nonce} of App ${appId}, ${name}, on ${inputs.head_sha}`,
        actual:
          check === null
            ? "no such check run"
            : `check run of App ${check.appId ?? "?"}, ${check.name}, on ${check.headSha}`,
        hint: "Ask in a comment: /assay perf, /assay run or /assay verify.",
      }),
    );
  const memo = parseJobMemo(check.externalId);
  const same =
    memo !== null &&
    memo.kind === kind &&
    memo.target === inputs.target &&
    memo.host === inputs.host &&
    String(memo.pull) === inputs.pull_request;
  if (!same)
    return none(
      refuse("guard-nonce", "The App's order is about something else than this run.", {
        expected: `${kind} ${inputs.target} on ${inputs.host} for pull request ${inputs.pull_request}`,
        actual: check.externalId,
      }),
    );
  if (check.status === "completed")
    return none(
      refuse("guard-used", "This order was carried out, or given up, already.", {
        hint: "Ask again in a comment: each order is good for one job.",
      }),
    );
  const findings: Finding[] = [];
  if (run.attempt > 1 || facts.running)
    findings.push(
      refuse(
        "guard-running",
        run.attempt > 1
          ? "A job is not run again from its page: an order is good for one job."
          : "Another run carries out the same order.",
        { hint: "Wait for it, or /assay cancel and ask again." },
      ),
    );
  return { memo, findings };
}

/** Whoever asked may ask now, and has not asked too often. */
function checkAsker(memo: JobMemo, { permission, asked }: GuardFacts): Finding[] {
  const { allowed, role } = authoriseRole("write", memo.by, permission);
  const findings: Finding[] = [];
  if (!allowed)
    findings.push(
      refuse("guard-permission", "Whoever asked may not have jobs run on hosts.", {
        expected: "the role write or above, now",
        actual: role ?? "not known",
        hint: "Somebody with that role can ask.",
      }),
    );
  if (asked === null || asked >= JOBS_A_DAY)
    findings.push(
      refuse(
        "guard-quota",
        asked === null
          ? "GitHub did not say how many jobs this person had today."
          : "This person had as many jobs as one may have within a day.",
        {
          expected: `fewer than ${JOBS_A_DAY} within 24 hours`,
          ...(asked === null ? {} : { actual: String(asked) }),
          hint: asked === null ? "Ask again later." : "Ask again tomorrow, or have a colleague ask.",
        },
      ),
    );
  return findings;
}

/** What was looked at when it was asked is what is there now. */
function checkPull({ pull, inputs, run }: GuardFacts): Finding[] {
  if (pull === null || !pull.open || pull.baseRef !== run.defaultBranch)
    return [
      refuse("guard-closed", "The pull request is not open against the default branch.", {
        actual: pull === null ? "not to be had" : `${pull.open ? "open" : "closed"}, into ${pull.baseRef}`,
      }),
    ];
  if (pull.headSha !== inputs.head_sha)
    return [
      refuse("guard-moved", "The pull request was pushed to after the job was asked for.", {
        expected: inputs.head_sha,
        actual: pull.headSha,
        hint: "Look at the new head, and ask again if it is the one to be measured.",
      }),
    ];
  return [];
}

/** Paths that are named. */
const NAMED = 5;

/** A pull request that brings deliverables brings nothing that builds, judges or recognises hosts. */
function checkChanges({ changes }: GuardFacts): Finding[] {
  if (changes === null || changes.truncated)
    return [
      refuse("guard-changes", "Nobody can say all that this pull request changes.", {
        hint: "Split it: one run, with its deliverables, each.",
      }),
    ];
  const others = changes.paths.filter((path) => !isDataPath(path));
  return others.slice(0, NAMED).map((path) =>
    refuse("guard-other-files", "Beside facts and deliverables this pull request changes another file.", {
      path,
      expected: "changes under data/ only, and none of data/hosts.json",
      ...(others.length > NAMED ? { actual: `${others.length} other files` } : {}),
      hint: "Move this change to a pull request of its own.",
    }),
  );
}
