import type { Report } from "../result-pr/report-schema.ts";

/** Whether a workflow run is ours, and whether its report is about what it claims (field lessons F05, F16). Pure. */

export const RESULT_WORKFLOW = ".github/workflows/result-pr.yml";
export const FEED_WORKFLOW = ".github/workflows/feed.yml";
export const REPORT_ARTIFACT = "assay-report";
export const PUBLISHED_ARTIFACT = "assay-published";

/** What the API says about a workflow run. */
export interface RunFacts {
  readonly id: number;
  readonly attempt: number;
  readonly path: string;
  readonly event: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly repositoryId: number;
  /** Null when the fork is gone. */
  readonly headRepositoryId: number | null;
  readonly headBranch: string | null;
  readonly headSha: string;
  /** `owner` of the head repository. */
  readonly headOwner: string | null;
  readonly title: string;
  readonly url: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Account that started it; null when GitHub does not say. */
  readonly actorId: number | null;
  /** When its newest attempt began, and when something about it last changed (ISO 8601). */
  readonly startedAt: string;
  readonly updatedAt: string;
}

export interface TrustRules {
  readonly workflow: string;
  readonly repositoryId: number;
  readonly defaultBranch: string;
}

export type Trust = { readonly trusted: true } | { readonly trusted: false; readonly reason: string };

const no = (reason: string): Trust => ({ trusted: false, reason });

/**
 * Whether a run executed the default branch's version of the workflow in our repository.
 * `pull_request_target` takes its workflow from the default branch always; `push` and `workflow_dispatch` from the ref
 * they run on, which therefore must be the default branch of this very repository. `merge_group` and `pull_request`
 * take it from a tree that holds the pull request's changes, so their reports count for nothing.
 */
export function decideTrust(run: RunFacts, rules: TrustRules): Trust {
  const [path = "", ref] = run.path.split("@", 2);
  if (path !== rules.workflow) return no(`it ran ${path}, not ${rules.workflow}`);
  if (ref !== undefined && ref !== rules.defaultBranch && ref !== `refs/heads/${rules.defaultBranch}`) {
    return no("its workflow file is not the default branch's");
  }
  if (run.repositoryId !== rules.repositoryId) return no("it belongs to another repository");
  if (run.status !== "completed") return no("it has not completed");
  const onDefault = run.headRepositoryId === rules.repositoryId && run.headBranch === rules.defaultBranch;
  switch (run.event) {
    case "pull_request_target":
      return rules.workflow === RESULT_WORKFLOW
        ? { trusted: true }
        : no("its event is not one of the workflow's");
    case "workflow_dispatch":
      return onDefault ? { trusted: true } : no("it was dispatched on another branch");
    case "push":
      if (rules.workflow !== FEED_WORKFLOW) return no("its event is not one of the workflow's");
      return onDefault ? { trusted: true } : no("it ran for another branch");
    default:
      return no(`the event ${run.event} can run code of a pull request`);
  }
}

/** Who may have dispatched a run of the workflows of jobs, and where. */
export interface JobTrustRules extends Omit<TrustRules, "workflow"> {
  readonly workflows: readonly string[];
  /** The account of our App; null while it is not known, which denies. */
  readonly appUserId: number | null;
}

/**
 * Whether a run of a workflow of jobs, done or not, is one that our App dispatched on the default branch. Somebody else with the right to
 * dispatch could have it say that it answers an order of ours.
 */
export function decideJobTrust(run: RunFacts, rules: JobTrustRules): Trust {
  const [path = ""] = run.path.split("@", 1);
  if (!rules.workflows.includes(path)) return no(`it ran ${path}, which is for no job`);
  if (run.event !== "workflow_dispatch") return no(`its event is ${run.event}, not a dispatch`);
  if (rules.appUserId === null || run.actorId !== rules.appUserId) return no("our App did not dispatch it");
  return decideTrust({ ...run, status: "completed" }, { ...rules, workflow: path });
}

/** What the API says about a pull request. */
export interface PullFacts {
  readonly number: number;
  readonly open: boolean;
  readonly merged: boolean;
  readonly draft: boolean;
  readonly headSha: string;
  /** Null when the fork is gone. */
  readonly headRepositoryId: number | null;
  /** Null when the fork is gone. */
  readonly headBranch: string | null;
  readonly baseRef: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** Whether GitHub's own trial merge into the base succeeded; null while it does not say. */
  readonly mergeable: boolean | null;
  readonly labels: readonly string[];
}

/** The open pull requests that a `pull_request_target` run can have been for: same head commit, same head repository. */
export const pullsOfRun = (run: RunFacts, pulls: readonly PullFacts[], defaultBranch: string): PullFacts[] =>
  run.headRepositoryId === null
    ? []
    : pulls.filter(
        (pull) =>
          pull.open &&
          pull.headSha === run.headSha &&
          pull.headRepositoryId === run.headRepositoryId &&
          pull.baseRef === defaultBranch,
      );

/**
 * Whether a trusted run's report on a head is about this pull request as the API knows it. What a report says about
 * itself never decides which pull request it is for; it only must not disagree.
 */
export function decideHeadReport(report: Report, pull: PullFacts): Trust {
  if (report.mode !== "head") return no(`its mode is ${report.mode}`);
  if (report.pull_request !== pull.number) return no("it is about another pull request");
  if (report.head_sha !== pull.headSha) return no("it is about another head");
  if (report.commit_sha !== null && report.commit_sha !== pull.headSha) return no("it judged another commit");
  return { trusted: true };
}

/**
 * Whether a dispatched run judged a head against the commit that it ran on. Somebody who may dispatch runs chooses the
 * base that is compared with; one that never was on the base branch holds whatever he likes.
 */
export const judgedOwnBase = (report: Report, run: RunFacts): boolean => report.base_sha === run.headSha;

/** A merge commit as the API gives it. */
export interface LockFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  /** From the trailers of its message; null when it has none. */
  readonly pullRequest: number | null;
  readonly head: string | null;
}

/** Whether a trusted run's report is about exactly this merge commit. */
export function decideMergeReport(report: Report, lock: LockFacts): Trust {
  if (report.mode !== "merge") return no(`its mode is ${report.mode}`);
  if (report.commit_sha !== lock.sha) return no("it judged another commit");
  if (report.tree_sha !== lock.tree) return no("it judged another tree");
  if (report.head_sha !== lock.head || lock.parents[1] !== lock.head) return no("it is about another head");
  if (report.base_sha !== lock.parents[0]) return no("it judged against another base");
  if (report.pull_request !== lock.pullRequest) return no("it is about another pull request");
  return { trusted: true };
}

/** The merge commit of a merge group, as the API gives it. */
export interface GroupFacts {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

/** The pull request that a merge group adds, by the name that GitHub gave the group's branch; null for other branches. */
export function groupPull(branch: string | null, defaultBranch: string): number | null {
  const prefix = `gh-readonly-queue/${defaultBranch}/pr-`;
  if (branch?.startsWith(prefix) !== true) return null;
  const found = /^(\d{1,9})-[0-9a-f]{40}$/.exec(branch.slice(prefix.length));
  return found === null ? null : Number(found[1]);
}

/**
 * Whether a run is GitHub's own for a merge group of the default branch. Its workflow file is the group's, so it must
 * besides be the default branch's, byte for byte: then it ran the code of the group's base.
 */
export function decideGroupTrust(run: RunFacts, rules: TrustRules): Trust {
  if (run.path.split("@", 1)[0] !== rules.workflow) return no("it ran another workflow");
  if (run.event !== "merge_group") return no(`its event is ${run.event}`);
  if (run.repositoryId !== rules.repositoryId || run.headRepositoryId !== rules.repositoryId) {
    return no("it belongs to another repository");
  }
  if (run.status !== "completed") return no("it has not completed");
  if (groupPull(run.headBranch, rules.defaultBranch) === null) return no("it ran for no merge group");
  return { trusted: true };
}

/** Whether a trusted run's report is about exactly this group. */
export function decideGroupReport(report: Report, group: GroupFacts): Trust {
  if (report.mode !== "merge") return no(`its mode is ${report.mode}`);
  if (report.commit_sha !== group.sha) return no("it judged another commit");
  if (report.tree_sha !== group.tree) return no("it judged another tree");
  if (report.base_sha !== group.parents[0]) return no("it judged against another base");
  return { trusted: true };
}
