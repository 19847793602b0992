import type { Finding } from "../../findings.ts";
import { CHECKS } from "../memos.ts";
import { LOCK_BRANCH } from "../merge.ts";
import { PUBLISHED_BRANCH } from "../publish.ts";
import { FEED_WORKFLOW, RESULT_WORKFLOW } from "../trust.ts";
import { unpinnedActions } from "./action-pins.ts";
import { APP_PERMISSIONS } from "./app-rights.ts";
import { lackingEvents, lackingPermissions } from "./conversion.ts";
import type { Hosting } from "./manifest.ts";

/** What of an installation is missing or wrong, from what GitHub says about it. Pure. */

export const OFFICE_WORKFLOW = ".github/workflows/office.yml";
export const OFFICE_ENVIRONMENT = "assay-office";

/** Something that GitHub did not let us see, and why. */
export interface Unseen {
  readonly unseen: string;
}

export const isUnseen = <T extends object>(value: T | Unseen): value is Unseen => "unseen" in value;

export interface Rights {
  readonly permissions: Readonly<Record<string, string>>;
  readonly events: readonly string[];
}

/** A rule that is in force on a branch. */
export interface RuleFacts {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether the App is above it; null when GitHub does not say. */
  readonly appMayBypass: boolean | null;
}

export interface BranchFacts {
  readonly name: string;
  readonly rules: readonly RuleFacts[] | Unseen;
  /** Whether the older kind of branch protection is on, whose details only an administrator sees. */
  readonly oldProtection: boolean;
}

export interface WorkflowFacts {
  readonly path: string;
  /** On the default branch; null when it is not there. */
  readonly text: string | null;
  /** `active`, `disabled_manually`, `disabled_inactivity`, …; null when GitHub lists no such workflow. */
  readonly state: string | null;
}

export interface WebhookFacts {
  readonly url: string | null;
  /** HTTP status of the last deliveries, newest first; 0 where there was no answer. */
  readonly answers: readonly number[];
}

/** How the runs of the bot in Actions ended (`success`, `skipped`, `failure`, …), newest first. */
export interface OfficeFacts {
  readonly conclusions: readonly string[];
}

export interface InstallationFacts {
  readonly appId: number;
  readonly hosting: Hosting;
  readonly defaultBranch: string;
  readonly app: Rights;
  readonly installation: Rights & { readonly suspended: boolean };
  /** Null without a server. */
  readonly webhook: WebhookFacts | Unseen | null;
  readonly workflows: readonly WorkflowFacts[] | Unseen;
  readonly main: BranchFacts;
  readonly lock: BranchFacts;
  readonly published: BranchFacts;
  /** What the branch `published` stands on; null when there is no such branch. */
  readonly publishedTip: { readonly sha: string | null } | Unseen;
  /** Branches that may use the bot's environment: null for every branch, `protected` for all that are protected. */
  readonly environment:
    | { readonly branches: readonly string[] | "protected" | null }
    | "missing"
    | Unseen
    | null;
  /** Null on a server. */
  readonly office: OfficeFacts | Unseen | null;
}

/** The workflows that this way of hosting needs. */
export const neededWorkflows = (hosting: Hosting): string[] => [
  RESULT_WORKFLOW,
  FEED_WORKFLOW,
  ...(hosting === "actions" ? [OFFICE_WORKFLOW] : []),
];

type Parts = Omit<Finding, "code" | "severity" | "message">;
const error = (code: string, message: string, parts: Parts = {}): Finding => ({
  code,
  severity: "error",
  message,
  ...parts,
});
const warning = (code: string, message: string, parts: Parts = {}): Finding => ({
  code,
  severity: "warning",
  message,
  ...parts,
});
const unseen = (what: string, why: string): Finding => ({
  code: "hosting-unseen",
  severity: "notice",
  message: `${what} could not be looked at: ${why}.`,
  hint: "Look at it yourself: docs/operations.md says what it should be.",
});

export const decideInstallation = (facts: InstallationFacts): Finding[] => [
  ...rightsFindings(facts),
  ...(facts.webhook === null ? [] : webhookFindings(facts.webhook)),
  ...(isUnseen(facts.workflows)
    ? [unseen("The workflows", facts.workflows.unseen)]
    : facts.workflows.flatMap(workflowFindings)),
  ...mainFindings(facts),
  ...appBranchFindings(facts.lock),
  ...appBranchFindings(facts.published),
  ...publishedFindings(facts.publishedTip),
  ...(facts.environment === null ? [] : environmentFindings(facts.environment, facts.defaultBranch)),
  ...(facts.office === null ? [] : officeFindings(facts.office)),
];

function publishedFindings(tip: InstallationFacts["publishedTip"]): Finding[] {
  if (isUnseen(tip)) return [unseen(`The branch ${PUBLISHED_BRANCH}`, tip.unseen)];
  if (tip.sha !== null) return [];
  return [
    warning("hosting-nothing-published", `There is no branch ${PUBLISHED_BRANCH} yet.`, {
      hint: "Run feed.yml by hand once the bot runs: the bot makes the branch of what it computes.",
    }),
  ];
}

function rightsFindings({ app, installation, hosting }: InstallationFacts): Finding[] {
  // Without a server nobody listens.
  const lackingRights = ({ permissions, events }: Rights): string[] => [
    ...lackingPermissions(permissions),
    ...(hosting === "server" ? lackingEvents(events) : []),
  ];
  const found: Finding[] = [];
  if (installation.suspended) {
    found.push(
      error("hosting-suspended", "The App's installation is suspended.", {
        hint: "The account's owner lifts that in its settings, under GitHub Apps.",
      }),
    );
  }
  const lackedByApp = lackingRights(app);
  for (const right of lackedByApp) {
    found.push(
      error("hosting-right-missing", `The App lacks ${right}.`, {
        hint: "Add it in the App's settings, then accept it where the App is installed.",
      }),
    );
  }
  for (const right of lackingRights(installation)) {
    if (lackedByApp.includes(right)) continue;
    found.push(
      error(
        "hosting-right-not-accepted",
        `The App has ${right}, but the repository's owner has not accepted it.`,
        {
          hint: "Accept it in the account's settings, under GitHub Apps.",
        },
      ),
    );
  }
  const known = new Map(APP_PERMISSIONS.map(({ id, level }) => [id, level]));
  for (const [id, level] of Object.entries(app.permissions)) {
    if (known.get(id) === level || (known.has(id) && level === "read")) continue;
    found.push(
      warning("hosting-right-unneeded", `The App has the permission ${id} (${level}), which nothing uses.`, {
        hint: "Take it away in the App's settings: a stolen key could use it.",
      }),
    );
  }
  return found;
}

function webhookFindings(webhook: WebhookFacts | Unseen): Finding[] {
  if (isUnseen(webhook)) return [unseen("The App's webhook", webhook.unseen)];
  if (webhook.url === null) {
    return [
      error("hosting-webhook-missing", "The App has no webhook, so a server hears nothing.", {
        hint: "Set its address and secret in the App's settings; or host the bot in Actions.",
      }),
    ];
  }
  const refused = webhook.answers.filter((status) => status < 200 || status >= 300);
  const newest = webhook.answers[0];
  if (newest === undefined || (newest >= 200 && newest < 300)) return [];
  return [
    error(
      "hosting-webhook-failing",
      `The last webhook was not taken: ${newest === 0 ? "no answer" : `status ${newest}`}; so were ${refused.length} of the last ${webhook.answers.length}.`,
      {
        hint:
          newest === 401
            ? "401: WEBHOOK_SECRET is not the secret in the App's settings."
            : "Is the bot running, and does the proxy pass its address on?",
      },
    ),
  ];
}

function workflowFindings({ path, text, state }: WorkflowFacts): Finding[] {
  if (text === null) {
    return [
      error("hosting-workflow-missing", "The default branch lacks this workflow.", {
        path,
        hint: "Take it over from Assay as it is.",
      }),
    ];
  }
  return [
    ...(state === null || state === "active"
      ? []
      : [
          error("hosting-workflow-off", `This workflow is switched off (${state}).`, {
            path,
            hint: "Switch it on in the repository's tab Actions. GitHub switches timetables off after 60 days without a commit.",
          }),
        ]),
    ...unpinnedActions(text).map(({ line, uses }) =>
      error(
        "hosting-action-unpinned",
        "An action is not held to a commit, so what runs can change without a word.",
        {
          path,
          line,
          actual: uses,
          expected: "owner/action@<40 hex digits> # v1.2.3",
        },
      ),
    ),
  ];
}

const hasRule = (rules: readonly RuleFacts[], type: string): boolean =>
  rules.some((rule) => rule.type === type);

/** What every rule does, for the sentence about its absence. */
const MEANS: Readonly<Record<string, string>> = {
  deletion: "it can be deleted",
  non_fast_forward: "its history can be rewritten",
  pull_request: "it can be pushed to without a pull request",
  creation: "others than the App can make it",
  update: "others than the App can move it",
};

function missingRules({ name, rules, oldProtection }: BranchFacts, wanted: readonly string[]): Finding[] {
  if (isUnseen(rules)) return [unseen(`The rules of ${name}`, rules.unseen)];
  const missing = wanted.filter((type) => !hasRule(rules, type));
  if (missing.length === 0) return [];
  if (oldProtection) {
    return [
      unseen(
        `Whether ${name} lacks a rule (${missing.join(", ")})`,
        "its protection is of the older kind, which only administrators see",
      ),
    ];
  }
  return missing.map((type) =>
    error("hosting-rule-missing", `Nothing protects ${name} here: ${MEANS[type] ?? type}.`, {
      expected: `a rule of the type ${type}`,
      hint: "Import the rulesets that npm run bot -- setup wrote.",
    }),
  );
}

/** Rules that the App has to be above, and is not. */
function bypassFindings({ name, rules }: BranchFacts, types: readonly string[]): Finding[] {
  if (isUnseen(rules)) return [];
  const concerned = rules.filter(({ type }) => types.includes(type));
  const hindering = concerned.filter(({ appMayBypass }) => appMayBypass === false).map(({ type }) => type);
  const unknown = concerned.some(({ appMayBypass }) => appMayBypass === null);
  return [
    ...(hindering.length === 0
      ? []
      : [
          error(
            "hosting-app-not-above",
            `The App is not above rules of ${name} that it has to pass: ${[...new Set(hindering)].join(", ")}.`,
            {
              hint: "Add the App to the ruleset's bypass list, always.",
            },
          ),
        ]),
    ...(unknown ? [unseen(`Whether the App is above the rules of ${name}`, "GitHub does not say")] : []),
  ];
}

function mainFindings({ main, appId }: InstallationFacts): Finding[] {
  const found = [
    ...missingRules(main, ["deletion", "non_fast_forward", "pull_request"]),
    ...bypassFindings(main, ["pull_request", "required_status_checks", "update", "creation"]),
  ];
  if (isUnseen(main.rules)) return found;
  if (hasRule(main.rules, "merge_queue")) {
    found.push(
      error("hosting-merge-queue", `${main.name} has a merge queue.`, {
        hint: "Take it away: the App queues merges itself, and GitHub's queue would wait for a check that never comes.",
      }),
    );
  }
  const checks = requiredChecks(main.rules).filter(({ context }) => context === CHECKS.result);
  if (checks.some(({ app }) => app === appId)) return found;
  found.push(
    checks.length > 0
      ? error(
          "hosting-check-from-anybody",
          `${CHECKS.result} is required on ${main.name}, but not from this App: anybody who can write checks or statuses could say it.`,
          {
            expected: `from the App ${appId}`,
            actual: checks
              .map(({ app }) => (app === null ? "from anybody" : `from the App ${app}`))
              .join(", "),
            hint: "Choose the App as the check's source; the ruleset that npm run bot -- setup wrote does.",
          },
        )
      : main.oldProtection
        ? unseen(
            `Whether ${CHECKS.result} is required on ${main.name}`,
            "its protection is of the older kind, which only administrators see",
          )
        : error(
            "hosting-check-not-required",
            `${CHECKS.result} is not required on ${main.name}: a wrong number can be merged by hand.`,
            {
              hint: "Import the rulesets that npm run bot -- setup wrote.",
            },
          ),
  );
  return found;
}

function requiredChecks(rules: readonly RuleFacts[]): { context: string; app: number | null }[] {
  return rules
    .filter(({ type }) => type === "required_status_checks")
    .flatMap(({ parameters }) =>
      Array.isArray(parameters.required_status_checks)
        ? (parameters.required_status_checks as unknown[])
        : [],
    )
    .flatMap((check) => {
      if (typeof check !== "object" || check === null || !("context" in check)) return [];
      const app = "integration_id" in check ? check.integration_id : null;
      return [{ context: String(check.context), app: typeof app === "number" ? app : null }];
    });
}

const appBranchFindings = (branch: BranchFacts): Finding[] => [
  ...missingRules(branch, ["creation", "update"]),
  ...bypassFindings(
    branch,
    branch.name === LOCK_BRANCH ? ["creation", "update", "deletion"] : ["creation", "update"],
  ),
];

function environmentFindings(
  environment: Exclude<InstallationFacts["environment"], null>,
  defaultBranch: string,
): Finding[] {
  if (environment === "missing") {
    return [
      error(
        "hosting-environment-missing",
        `There is no environment ${OFFICE_ENVIRONMENT}, so the bot in Actions has no key.`,
        {
          hint: "docs/operations.md has the commands that make it.",
        },
      ),
    ];
  }
  if (isUnseen(environment)) return [unseen(`The environment ${OFFICE_ENVIRONMENT}`, environment.unseen)];
  const { branches } = environment;
  if (branches !== null && branches !== "protected" && branches.length === 1 && branches[0] === defaultBranch)
    return [];
  return [
    error(
      "hosting-environment-open",
      `Other branches than ${defaultBranch} may use the environment ${OFFICE_ENVIRONMENT}: who can push a branch can read the App's key.`,
      {
        expected: defaultBranch,
        actual:
          branches === null
            ? "every branch"
            : branches === "protected"
              ? "every protected branch"
              : branches.join(", "),
        hint: "Choose selected branches in the environment's settings, and name the default branch alone.",
      },
    ),
  ];
}

function officeFindings(office: OfficeFacts | Unseen): Finding[] {
  if (isUnseen(office)) return [unseen("How the bot's runs in Actions ended", office.unseen)];
  if (office.conclusions.length === 0) {
    return [
      warning("hosting-office-idle", "The bot in Actions has not run yet.", {
        path: OFFICE_WORKFLOW,
        hint: "Run the workflow by hand in the tab Actions.",
      }),
    ];
  }
  // Talk without a command starts a run that is skipped, too.
  const newest = office.conclusions.find((conclusion) => conclusion !== "skipped");
  if (newest === undefined) {
    return [
      error("hosting-office-idle", "Every run of the bot in Actions was skipped.", {
        path: OFFICE_WORKFLOW,
        hint: "Set the repository's variable ASSAY_OFFICE to actions; or check with --hosting server.",
      }),
    ];
  }
  if (newest === "success") return [];
  return [
    error("hosting-office-failing", `The bot's last run in Actions ended with ${newest}.`, {
      path: OFFICE_WORKFLOW,
      hint: "Its log says why; often a secret of the environment is missing or of another App.",
    }),
  ];
}
