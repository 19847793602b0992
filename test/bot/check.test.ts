import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { check } from "../../bot/check.ts";
import type { Conclusion } from "../../rehearsal/hub/contract.ts";
import {
  type HubOptions,
  type LocalHub,
  type RepositoryOptions,
  startHub,
} from "../../rehearsal/hub/index.ts";
import { eventIds, permissionLevels } from "../../src/lib/bot/hosting/app-rights.ts";
import { renderRulesets } from "../../src/lib/bot/hosting/rulesets.ts";

/** `npm run bot -- check` over HTTP against the hub: a complete installation, then one thing missing at a time. */

const ROOT = join(import.meta.dirname, "../..");
const APP_ID = 4_001;
const OWNER = "assay-office";
const workflowFolder = join(ROOT, ".github/workflows");
const files = Object.fromEntries(
  readdirSync(workflowFolder).map((name) => [
    `.github/workflows/${name}`,
    readFileSync(join(workflowFolder, name), "utf8"),
  ]),
);
type Json = Record<string, unknown>;
/** The files that setup writes, as GitHub takes them. */
const rulesets: Record<string, Json> = JSON.parse(JSON.stringify(renderRulesets(APP_ID)));
const published = "refs/heads/published";

interface Scene {
  readonly repository?: Partial<RepositoryOptions>;
  readonly app?: Partial<NonNullable<HubOptions["app"]>>;
  readonly words?: readonly string[];
  readonly env?: Record<string, string>;
  readonly hub?: (hub: LocalHub) => void | Promise<void>;
  /** How the runs of office.yml ended, oldest first; default one that succeeded. */
  readonly office?: readonly Conclusion[];
  /** Whether the branch `published` is there; default true. */
  readonly published?: boolean;
}

async function run(scene: Scene = {}): Promise<{ code: number; out: string; err: string }> {
  const hub = await startHub({
    users: [{ login: "mia" }],
    organizations: [{ login: OWNER }, { login: "others" }],
    app: {
      slug: "assay",
      id: APP_ID,
      account: OWNER,
      permissions: permissionLevels() as Record<string, "read" | "write">,
      events: eventIds(),
      ...scene.app,
    },
    repositories: [
      {
        owner: OWNER,
        name: "assay",
        seed: { files },
        rulesets: Object.values(rulesets),
        environments: { "assay-office": ["main"] },
        roles: { mia: "maintain" },
        ...scene.repository,
      },
      { owner: "others", name: "assay", seed: { files } },
    ],
    log: () => undefined,
  });
  try {
    if (scene.published !== false) {
      const { data } = await api(hub, `/repos/${OWNER}/assay/git/ref/heads/main`);
      await api(hub, `/repos/${OWNER}/assay/git/refs`, { ref: published, sha: (data.object as Json).sha });
    }
    for (const conclusion of scene.office ?? ["success"]) {
      const repository = hub.repository(OWNER, "assay");
      const { data } = await api(hub, `/repos/${OWNER}/assay/git/ref/heads/main`);
      const sha = String((data.object as Json).sha);
      const run = hub.actions.createRun({
        trigger: {
          event: "schedule",
          payload: {},
          repository,
          sha,
          ref: "refs/heads/main",
          headSha: sha,
          headBranch: "main",
          headRepository: { id: repository.id, fullName: `${OWNER}/assay` },
          actor: { id: 1, login: "mia" },
        },
        workflowPath: ".github/workflows/office.yml",
        workflowName: "office",
      });
      hub.actions.completeRun(run, conclusion);
    }
    await scene.hub?.(hub);
    const { privateKey } = hub.appCredentials;
    const [out, err]: [string[], string[]] = [[], []];
    const code = await check(
      scene.words ?? [`${OWNER}/assay`],
      { APP_ID: String(APP_ID), PRIVATE_KEY: privateKey, GITHUB_API_URL: hub.url, ...scene.env },
      { write: (text) => out.push(text) },
      { write: (text) => err.push(text) },
      join(ROOT, "docs"),
    );
    expect(hub.unanswered).toEqual([]);
    const said = { code, out: out.join(""), err: err.join("") };
    for (const line of privateKey.split("\n").slice(1, 3)) expect(said.out + said.err).not.toContain(line);
    return said;
  } finally {
    await hub.close();
  }
}

async function api(hub: LocalHub, path: string, body?: Json): Promise<{ data: Json }> {
  const answer = await fetch(`${hub.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `token ${hub.userToken("mia")}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return { data: (await answer.json()) as Json };
}

/** Something that webhooks tell of. */
async function commented(hub: LocalHub): Promise<void> {
  await api(hub, `/repos/${OWNER}/assay/issues`, { title: "A question" });
  await api(hub, `/repos/${OWNER}/assay/issues/1/comments`, { body: "hello" });
  await hub.settled();
  expect(hub.deliveries.length).toBeGreaterThan(0);
}

/** The rulesets with one of them changed, or taken away. */
const changed = (name: string, change: (ruleset: Json) => void): Json[] =>
  Object.entries(structuredClone(rulesets)).map(([key, ruleset]) => {
    if (key === name) change(ruleset);
    return ruleset;
  });
const without =
  (type: string) =>
  (ruleset: Json): void => {
    ruleset.rules = (ruleset.rules as Json[]).filter((rule) => rule.type !== type);
  };
const lesser = (right: string): Record<string, "read" | "write"> => {
  const { [right]: _gone, ...rest } = permissionLevels() as Record<string, "read" | "write">;
  return rest;
};
const fileless = (path: string): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));

const SERVER = { WEBHOOK_SECRET: "s" };
const CASES: readonly (readonly [code: string, why: string, scene: Scene])[] = [
  ["hosting-right-missing", "a permission", { app: { permissions: lesser("checks") } }],
  [
    "hosting-right-missing",
    "a permission to write",
    { app: { permissions: { ...lesser("contents"), contents: "read" } } },
  ],
  ["hosting-right-missing", "an event", { app: { events: ["pull_request", "workflow_run"] }, env: SERVER }],
  [
    "hosting-right-unneeded",
    "a permission that nothing uses",
    { app: { permissions: { ...lesser("x"), administration: "write" } } },
  ],
  ["hosting-not-installed", "another account's repository", { words: ["others/assay"] }],
  ["hosting-not-installed", "a repository that does not exist", { words: [`${OWNER}/none`] }],
  ["hosting-no-repository", "half a name", { words: ["assay"] }],
  [
    "hosting-workflow-missing",
    "result-pr.yml",
    { repository: { seed: { files: fileless(".github/workflows/result-pr.yml") } } },
  ],
  [
    "hosting-workflow-missing",
    "office.yml",
    { repository: { seed: { files: fileless(".github/workflows/office.yml") } } },
  ],
  [
    "hosting-action-unpinned",
    "a tag",
    {
      repository: {
        seed: {
          files: {
            ...files,
            ".github/workflows/feed.yml":
              "on: push\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v7\n",
          },
        },
      },
    },
  ],
  ["hosting-rule-missing", "no rules at all", { repository: { rulesets: [] } }],
  ["hosting-check-not-required", "no rules at all", { repository: { rulesets: [] } }],
  ...(["deletion", "non_fast_forward"] as const).map((type): [string, string, Scene] => [
    "hosting-rule-missing",
    `no ${type}`,
    { repository: { rulesets: changed("history.json", without(type)) } },
  ]),
  [
    "hosting-rule-missing",
    "pushes without a pull request",
    { repository: { rulesets: changed("default-branch.json", without("pull_request")) } },
  ],
  [
    "hosting-rule-missing",
    "a ruleset that is switched off",
    {
      repository: {
        rulesets: changed("history.json", (ruleset) => {
          ruleset.enforcement = "disabled";
        }),
      },
    },
  ],
  [
    "hosting-rule-missing",
    "the lock, which others can make",
    { repository: { rulesets: changed("app-branches.json", without("creation")) } },
  ],
  [
    "hosting-check-not-required",
    "another check",
    {
      repository: {
        rulesets: changed("default-branch.json", (ruleset) => {
          ruleset.rules = JSON.parse(JSON.stringify(ruleset.rules).replace("assay/result", "assay/results"));
        }),
      },
    },
  ],
  [
    "hosting-check-from-anybody",
    "the check from anybody (F16)",
    {
      repository: {
        rulesets: changed("default-branch.json", (ruleset) => {
          ruleset.rules = JSON.parse(
            JSON.stringify(ruleset.rules).replace(`,"integration_id":${APP_ID}`, ""),
          );
        }),
      },
    },
  ],
  [
    "hosting-check-from-anybody",
    "the check from another App",
    {
      repository: {
        rulesets: changed("default-branch.json", (ruleset) => {
          ruleset.rules = JSON.parse(JSON.stringify(ruleset.rules).replace(String(APP_ID), "15368"));
        }),
      },
    },
  ],
  ...(["default-branch.json", "app-branches.json"] as const).map((name): [string, string, Scene] => [
    "hosting-app-not-above",
    name,
    {
      repository: {
        rulesets: changed(name, (ruleset) => {
          ruleset.bypass_actors = [];
        }),
      },
    },
  ]),
  [
    "hosting-merge-queue",
    "a merge queue",
    {
      repository: {
        rulesets: changed("default-branch.json", (ruleset) => {
          (ruleset.rules as Json[]).push({ type: "merge_queue", parameters: {} });
        }),
      },
    },
  ],
  ["hosting-nothing-published", "no branch published", { published: false }],
  ["hosting-environment-missing", "no environment", { repository: { environments: {} } }],
  ["hosting-environment-open", "every branch", { repository: { environments: { "assay-office": null } } }],
  [
    "hosting-environment-open",
    "another branch too",
    { repository: { environments: { "assay-office": ["main", "release/*"] } } },
  ],
  ["hosting-office-idle", "a bot that never ran", { office: [] }],
  ["hosting-office-idle", "ASSAY_OFFICE not set: every run is skipped", { office: ["skipped", "skipped"] }],
  ["hosting-office-failing", "a key that is not there", { office: ["success", "failure", "skipped"] }],
  ["hosting-webhook-missing", "a server without a webhook", { env: SERVER }],
  [
    "hosting-webhook-failing",
    "a server that does not answer",
    {
      env: SERVER,
      hub: async (hub) => {
        hub.setWebhookUrl("http://127.0.0.1:9/api/github/webhooks");
        await commented(hub);
      },
    },
  ],
  ["hosting-app-key", "another App's id", { env: { APP_ID: "4002" } }],
  ["hosting-app-key", "no key at all", { env: { PRIVATE_KEY: "no key" } }],
  ["hosting-unreachable", "nobody at that address", { env: { GITHUB_API_URL: "http://127.0.0.1:9" } }],
];
/** Worth knowing; nothing fails for it. */
const WARNINGS = new Set(["hosting-nothing-published", "hosting-right-unneeded"]);

const codesOf = (err: string): string[] =>
  [...err.matchAll(/^(?:\S+ )?(hosting-[a-z-]+)/gm)].map(([, code = ""]) => code);

describe("npm run bot -- check", () => {
  it("finds nothing where setup's own rulesets, the workflows and the environment are in place", async () => {
    const said = await run();
    expect(said.err).toBe("");
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining("nothing that it needs is missing") });
  });

  it("finds nothing on a server whose webhooks are taken, and asks for no environment there", async () => {
    const taken = createServer((_request, response) => response.writeHead(202).end());
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    try {
      const said = await run({
        env: SERVER,
        repository: { environments: {} },
        office: [],
        hub: async (hub) => {
          hub.setWebhookUrl(`http://127.0.0.1:${(taken.address() as AddressInfo).port}/api/github/webhooks`);
          await commented(hub);
        },
      });
      expect(said).toMatchObject({ code: 0, err: "" });
    } finally {
      taken.close();
    }
  });

  it("asks for no events where nobody listens", async () => {
    expect(await run({ app: { events: [] } })).toMatchObject({ code: 0, err: "" });
  });

  it.each(CASES)("%s: %s", async (code, _why, scene) => {
    const said = await run(scene);
    expect(codesOf(said.err)).toContain(code);
    expect(said.code).toBe(WARNINGS.has(code) || scene.office?.length === 0 ? 0 : 1);
  });

  it("says which right is missing even where the lack of it hides the rest, and what it could not see", async () => {
    const said = await run({
      app: { permissions: { issues: "write" } },
      repository: { private: true },
    });
    expect(said.code).toBe(1);
    expect(said.err).toContain("lacks the permission Contents");
    expect(codesOf(said.err)).toContain("hosting-unseen");
    expect(codesOf(said.err)).not.toContain("hosting-workflow-missing");
  });

  it("asks only to read", async () => {
    const methods = new Set<string>();
    await run({
      hub: (hub) => {
        hub.faults.beforeRequest(({ method, path }) => {
          methods.add(path.endsWith("/access_tokens") ? "token" : method);
        });
      },
    });
    expect([...methods].sort()).toEqual(["GET", "token"]);
  });
});

describe("the file with the key", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-check-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("must be its owner's alone", async () => {
    writeFileSync(join(folder, ".env"), "");
    chmodSync(join(folder, ".env"), 0o644);
    const told: string[] = [];
    const sink = { write: (text: string) => told.push(text) };
    expect(await check(["half"], {}, sink, sink, folder)).toBe(1);
    expect(codesOf(told.join(""))).toContain("hosting-env-readable");
    chmodSync(join(folder, ".env"), 0o600);
    told.length = 0;
    await check(["half"], {}, sink, sink, folder);
    expect(codesOf(told.join(""))).toEqual(["hosting-no-repository"]);
  });
});
