import { describe, expect, it } from "vitest";
import { eventIds, permissionLevels } from "../../../../src/lib/bot/hosting/app-rights.ts";
import {
  type BranchFacts,
  decideInstallation,
  type InstallationFacts,
  neededWorkflows,
  type RuleFacts,
} from "../../../../src/lib/bot/hosting/installation.ts";
import { renderRulesets } from "../../../../src/lib/bot/hosting/rulesets.ts";

/** What only GitHub can say, and the hub cannot: a suspended installation, rights that wait, workflows that are off. */

const APP_ID = 7;
const rulesOf = (...files: string[]): RuleFacts[] =>
  files.flatMap((file) =>
    (renderRulesets(APP_ID)[file]?.rules ?? []).map(({ type, parameters = {} }) => ({
      type,
      parameters,
      appMayBypass: true,
    })),
  );
const branch = (name: string, rules: BranchFacts["rules"]): BranchFacts => ({
  name,
  rules,
  oldProtection: false,
});
const facts = (changes: Partial<InstallationFacts> = {}): InstallationFacts => ({
  appId: APP_ID,
  hosting: "actions",
  defaultBranch: "main",
  app: { permissions: permissionLevels(), events: eventIds() },
  installation: { permissions: permissionLevels(), events: eventIds(), suspended: false },
  webhook: null,
  workflows: neededWorkflows("actions").map((path) => ({ path, text: "", state: "active" })),
  main: branch("main", rulesOf("history.json", "default-branch.json")),
  lock: branch("assay/merge", rulesOf("app-branches.json")),
  published: branch("published", rulesOf("history.json", "app-branches.json")),
  publishedTip: { sha: "1" },
  environment: { branches: ["main"] },
  office: { conclusions: ["skipped", "success", "failure"] },
  ...changes,
});
const codes = (changes: Partial<InstallationFacts>): string[] =>
  decideInstallation(facts(changes)).map(({ code }) => code);
const REFUSED = { unseen: "GitHub answered 403" };

describe("an installation", () => {
  it("that is complete has no findings", () => {
    expect(decideInstallation(facts())).toEqual([]);
  });

  it("that is suspended is found", () => {
    const { installation } = facts();
    expect(codes({ installation: { ...installation, suspended: true } })).toEqual(["hosting-suspended"]);
  });

  it("whose new rights its owner has not accepted is found, once for each right", () => {
    const { installation } = facts();
    const { checks: _checks, ...permissions } = installation.permissions;
    expect(codes({ installation: { ...installation, permissions } })).toEqual(["hosting-right-not-accepted"]);
    expect(
      codes({ app: { permissions, events: eventIds() }, installation: { ...installation, permissions } }),
    ).toEqual(["hosting-right-missing"]);
  });

  it.each(["disabled_manually", "disabled_inactivity"])("whose workflow is %s is found", (state) => {
    const workflows = neededWorkflows("actions").map((path) => ({ path, text: "", state }));
    expect(new Set(codes({ workflows }))).toEqual(new Set(["hosting-workflow-off"]));
  });

  it("that GitHub does not show is said to be unseen, and neither right nor wrong", () => {
    const hidden = decideInstallation(
      facts({
        hosting: "server",
        webhook: REFUSED,
        workflows: REFUSED,
        main: branch("main", REFUSED),
        lock: branch("assay/merge", REFUSED),
        published: branch("published", REFUSED),
        publishedTip: REFUSED,
        environment: REFUSED,
        office: REFUSED,
      }),
    );
    expect(hidden.map(({ code, severity }) => `${code} ${severity}`)).toEqual(
      Array.from({ length: 8 }, () => "hosting-unseen notice"),
    );
  });

  it("whose branch has the older protection is looked at by its owner: the App cannot see into it", () => {
    const old = codes({ main: { name: "main", rules: [], oldProtection: true } });
    expect(new Set(old)).toEqual(new Set(["hosting-unseen"]));
  });

  it("of which GitHub does not say who is above the rules is told so", () => {
    const rules = rulesOf("history.json", "default-branch.json").map((rule) => ({
      ...rule,
      appMayBypass: null,
    }));
    expect(codes({ main: branch("main", rules) })).toEqual(["hosting-unseen"]);
  });

  it("whose history may be rewritten by the App only is as good as one that nobody may rewrite", () => {
    const rules = rulesOf("history.json", "default-branch.json").map((rule) =>
      ["deletion", "non_fast_forward"].includes(rule.type) ? { ...rule, appMayBypass: false } : rule,
    );
    expect(codes({ main: branch("main", rules) })).toEqual([]);
  });

  it("with a server whose secret differs is told which", () => {
    const webhook = { url: "https://b.example", answers: [401, 401, 202] };
    const [finding] = decideInstallation(facts({ hosting: "server", webhook, environment: null }));
    expect(finding).toMatchObject({
      code: "hosting-webhook-failing",
      hint: expect.stringContaining("WEBHOOK_SECRET"),
    });
    expect(codes({ webhook: { ...webhook, answers: [202, 401] } })).toEqual([]);
  });
});
