import { CHECKS } from "../memos.ts";
import { LOCK_BRANCH } from "../merge.ts";
import { PUBLISHED_BRANCH } from "../publish.ts";

/**
 * The rules that a repository's branches need, in the form in which GitHub exports and imports rulesets. The branches and
 * the check are the ones that the bot works with. Pure.
 */

/** Stands where the App's id belongs, in the files that are committed. Not a number, so that GitHub refuses it. */
export const APP_ID_PLACEHOLDER = "THE-APPS-ID";

/** A rule and its settings. */
export interface RulesetRule {
  readonly type: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

export interface Ruleset {
  readonly name: string;
  readonly target: "branch";
  readonly enforcement: "active";
  readonly conditions: {
    readonly ref_name: { readonly include: readonly string[]; readonly exclude: readonly string[] };
  };
  readonly rules: readonly RulesetRule[];
  readonly bypass_actors: readonly {
    readonly actor_id: number | string;
    readonly actor_type: "Integration";
    readonly bypass_mode: "always";
  }[];
}

const on = (...include: string[]): Ruleset["conditions"] => ({ ref_name: { include, exclude: [] } });

/** File name → ruleset. `appId`: the App's id; null leaves the words that `setup` replaces by it. */
export function renderRulesets(appId: number | null): Readonly<Record<string, Ruleset>> {
  const app = appId ?? APP_ID_PLACEHOLDER;
  const appOnly: Ruleset["bypass_actors"] = [
    { actor_id: app, actor_type: "Integration", bypass_mode: "always" },
  ];
  const ruleset = (
    name: string,
    conditions: Ruleset["conditions"],
    rules: readonly RulesetRule[],
    bypass: Ruleset["bypass_actors"],
  ): Ruleset => ({
    name,
    target: "branch",
    enforcement: "active",
    conditions,
    rules,
    bypass_actors: bypass,
  });
  return {
    // Nobody is above this one, the App included: what is on the board's record stays there.
    "history.json": ruleset(
      "Assay: history stays",
      on("~DEFAULT_BRANCH", `refs/heads/${PUBLISHED_BRANCH}`),
      [{ type: "deletion" }, { type: "non_fast_forward" }],
      [],
    ),
    // The App moves the branch past this one: it has recomputed the very tree that it moves it to.
    "default-branch.json": ruleset(
      "Assay: default branch",
      on("~DEFAULT_BRANCH"),
      [
        {
          type: "pull_request",
          parameters: {
            required_approving_review_count: 0,
            dismiss_stale_reviews_on_push: true,
            require_code_owner_review: false,
            require_last_push_approval: false,
            required_review_thread_resolution: false,
            allowed_merge_methods: ["merge", "squash", "rebase"],
          },
        },
        {
          type: "required_status_checks",
          parameters: {
            // A button knows nothing of the tree that it makes: with the newest base in it, the head's tree is that tree.
            strict_required_status_checks_policy: true,
            do_not_enforce_on_create: false,
            required_status_checks: [{ context: CHECKS.result, integration_id: app }],
          },
        },
      ],
      appOnly,
    ),
    "app-branches.json": ruleset(
      "Assay: branches of the App",
      on(`refs/heads/${LOCK_BRANCH}`, `refs/heads/${PUBLISHED_BRANCH}`),
      [
        { type: "creation" },
        { type: "update", parameters: { update_allows_fetch_and_merge: false } },
        { type: "deletion" },
        { type: "non_fast_forward" },
      ],
      appOnly,
    ),
  };
}

/** A ruleset as a file. */
export const rulesetFile = (ruleset: Ruleset): string => `${JSON.stringify(ruleset, null, 2)}\n`;
