// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow expressions, as text.
import { parse } from "yaml";
import { z } from "zod";
import { unpinnedActions } from "../../src/lib/bot/hosting/action-pins.ts";

/**
 * The rules that our workflows obey, as functions from a workflow's text to what is wrong with it. They read the YAML
 * as data; GitHub's own syntax is actionlint's business.
 */

const stepSchema = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.unknown()).default({}),
});
const permissionsSchema = z.union([z.record(z.string(), z.string()), z.string()]);
const workflowSchema = z.looseObject({
  "run-name": z.string().optional(),
  on: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())]),
  permissions: permissionsSchema.optional(),
  concurrency: z.unknown().optional(),
  env: z.record(z.string(), z.unknown()).default({}),
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: permissionsSchema.optional(),
      "runs-on": z.unknown().optional(),
      concurrency: z.unknown().optional(),
      environment: z.unknown().optional(),
      container: z.unknown().optional(),
      services: z.record(z.string(), z.unknown()).default({}),
      needs: z.union([z.string(), z.array(z.string())]).default([]),
      if: z.unknown().optional(),
      "timeout-minutes": z.number().optional(),
      steps: z.array(stepSchema).default([]),
    }),
  ),
});

type Workflow = z.infer<typeof workflowSchema>;
type Step = z.infer<typeof stepSchema>;

export interface WorkflowFile {
  readonly name: string;
  readonly text: string;
}

export interface WorkflowRule {
  readonly id: string;
  readonly check: (file: WorkflowFile, workflow: Workflow) => string[];
}

const eventsOf = ({ on }: Workflow): Map<string, Record<string, unknown>> => {
  if (typeof on === "string") return new Map([[on, {}]]);
  if (Array.isArray(on)) return new Map(on.map((event) => [event, {}]));
  return new Map(
    Object.entries(on).map(([event, filter]) => [event, (filter ?? {}) as Record<string, unknown>]),
  );
};

/** Events whose runs hold the base repository's token while somebody else's content is at hand. */
const ALWAYS_PRIVILEGED = [
  "pull_request_target",
  "workflow_run",
  "issue_comment",
  "issues",
  "discussion",
  "discussion_comment",
  "repository_dispatch",
];
/** Privileged, except in a workflow that runs pull requests' own code anyway and is told nothing secret. */
const PRIVILEGED_ALONE = ["workflow_dispatch", "merge_group", "schedule"];
const isPrivileged = (workflow: Workflow): boolean => {
  const events = eventsOf(workflow);
  const has = (event: string): boolean => events.has(event);
  return ALWAYS_PRIVILEGED.some(has) || (!has("pull_request") && PRIVILEGED_ALONE.some(has));
};

const stepsOf = (workflow: Workflow): Step[] => Object.values(workflow.jobs).flatMap(({ steps }) => steps);
const usesOf = (step: Step, action: string): boolean => step.uses?.split("@")[0] === action;

/** What a checkout under a privileged trigger may name: commits that are on the base already. */
const BASE_REFS = new Set([
  undefined,
  "${{ github.sha }}",
  "${{ github.event.merge_group.base_sha || github.sha }}",
  "${{ github.event.repository.default_branch }}",
]);
/** In a merge group `github.sha` holds the pull request's own tree. */
const GROUP_BASE_REF = "${{ github.event.merge_group.base_sha || github.sha }}";
const isBaseRef = (workflow: Workflow, ref: unknown): boolean =>
  eventsOf(workflow).has("merge_group") ? ref === GROUP_BASE_REF : BASE_REFS.has(ref as string | undefined);

/** Levels of every grant, wherever and however it is written. */
const grantsOf = (workflow: Workflow): string[] =>
  [workflow.permissions, ...Object.values(workflow.jobs).map(({ permissions }) => permissions)].flatMap(
    (permissions) => (typeof permissions === "object" ? Object.values(permissions) : [permissions ?? "none"]),
  );

/** What may be written, by scope; `write-all` is one of its own. */
const writesOf = (workflow: Workflow): string[] =>
  [workflow.permissions, ...Object.values(workflow.jobs).map(({ permissions }) => permissions)].flatMap(
    (permissions) =>
      typeof permissions === "string"
        ? [permissions].filter((all) => all.startsWith("write"))
        : Object.entries(permissions ?? {}).flatMap(([scope, level]) =>
            level.startsWith("write") ? scope : [],
          ),
  );

/** Scripts of steps: of the shell, and of actions that take one. */
const scriptsOf = (workflow: Workflow): string[] =>
  stepsOf(workflow).flatMap(({ run, with: given }) => [
    ...(run === undefined ? [] : [run]),
    ...(typeof given.script === "string" ? [given.script] : []),
  ]);

/** Workflows whose conclusion may be required for a merge. */
const REQUIRED = new Set(["result-pr.yml", "ci.yml"]);
/** Workflows that are the bot itself, without a server. */
const OFFICES = new Set(["office.yml"]);
/** Workflows that publish. */
const PUBLISHING = new Set(["feed.yml"]);
/** Workflows that put the site on Pages: what they may write, and all that they may use. */
const DEPLOYING = new Set(["pages.yml"]);
const PAGES_GRANTS = ["pages", "id-token"];
const PAGES_ACTIONS = ["actions/download-artifact", "actions/upload-pages-artifact", "actions/deploy-pages"];

/** Workflows that give work to hosts of ours, and the environment whose reviewers let it. */
const GUARDED: Readonly<Record<string, string>> = {
  "perf.yml": "assay-perf",
  "run.yml": "assay-run",
  "defect.yml": "assay-verify",
};
/** What GitHub's own attestation may write, and all that may run beside it. */
const ATTEST_GRANTS = ["id-token", "attestations"];
const ATTEST_ACTIONS = ["actions/download-artifact", "actions/attest"];
/** All that runs on a host of ours. */
const HOST_ACTIONS =
  /^(?:actions\/(?:up|down)load-artifact@[0-9a-f]{40}|\.\/actions\/(?:guard-job|perf|run-entry|verify-defect))$/;
const HOST_QUEUE = {
  group: "assay-host-${{ inputs.host }}",
  "cancel-in-progress": false,
  queue: "max",
};

type Job = Workflow["jobs"][string];
const isHosted = (job: Job): boolean =>
  /^"(?:ubuntu|macos|windows)-[\w.-]+"$/.test(JSON.stringify(job["runs-on"]));
/** Jobs of a guarded workflow that run on a host of ours. */
const hostJobs = (workflow: Workflow): [string, Job][] =>
  Object.entries(workflow.jobs).filter(([, job]) => !isHosted(job));
const attestJobs = (workflow: Workflow): [string, Job][] =>
  Object.entries(workflow.jobs).filter(([, job]) =>
    Object.values(typeof job.permissions === "object" ? job.permissions : {}).includes("write"),
  );

const hasPathFilter = (workflow: Workflow): boolean =>
  [...eventsOf(workflow).values()].some((filter) => "paths" in filter || "paths-ignore" in filter);

/** The host is looked at before any other action of ours runs there, and those only when it may. */
function hostGuardFirst(id: string, { steps }: Job): string[] {
  const ours = steps.filter(({ uses }) => uses?.startsWith("./actions/"));
  const [first, ...rest] = ours;
  return [
    ...(first?.uses === "./actions/guard-job" && first.with.mode === "host"
      ? []
      : [`job ${id} looks at no host first`]),
    ...rest
      .filter((step) => step.if !== "steps.host.outputs.proceed == 'true'")
      .map((step) => `job ${id} does ${step.uses} whatever the host looks like`),
  ];
}

export const WORKFLOW_RULES: readonly WorkflowRule[] = [
  {
    id: "no pull request is checked out by a privileged job, guard or no guard (F02, F03)",
    check: (_, workflow) =>
      isPrivileged(workflow)
        ? stepsOf(workflow).flatMap((step) => [
            ...(usesOf(step, "actions/checkout") && !isBaseRef(workflow, step.with.ref)
              ? [`checkout of ${step.with.ref}`]
              : []),
            ...("allow-unsafe-pr-checkout" in step.with ? ["allow-unsafe-pr-checkout"] : []),
            ...(usesOf(step, "actions/checkout") && "repository" in step.with
              ? ["checkout of another repository"]
              : []),
            ...(/git\s+(?:fetch|pull|checkout|clone)|gh\s+pr\s+checkout/.test(step.run ?? "")
              ? ["git or gh brings a pull request into a step"]
              : []),
          ])
        : [],
  },
  {
    id: "every action is pinned to a commit, with its version beside it (F09)",
    check: ({ text }, workflow) => [
      ...unpinnedActions(text).map(({ line, uses }) => `line ${line}: ${uses}`),
      ...Object.values(workflow.jobs)
        .flatMap(({ container, services }) => [container, ...Object.values(services)])
        .filter((image) => image !== undefined && !/@sha256:[0-9a-f]{64}/.test(JSON.stringify(image)))
        .map((image) => `an image without a digest: ${JSON.stringify(image)}`),
    ],
  },
  {
    id: "no tool comes from outside the lock file (F09)",
    check: (_, workflow) =>
      scriptsOf(workflow).filter((script) =>
        /\bnpx\b|\bnpm\s+(?:i|install|add|exec|x)\b|\b(?:pip3?|pipx|gem|cargo|go)\s+install\b|\b(?:curl|wget)\b|@latest\b/.test(
          script,
        ),
      ),
  },
  {
    id: "what may be required has no filter, hears of every head, and listens to merge groups (F15)",
    check: ({ name }, workflow) =>
      REQUIRED.has(name)
        ? [
            ...(hasPathFilter(workflow) ? ["a path filter"] : []),
            ...["pull_request", "pull_request_target"].flatMap((event) => {
              const filter = eventsOf(workflow).get(event) ?? {};
              const types = filter.types;
              return [
                ...("branches" in filter || "branches-ignore" in filter ? ["a branch filter"] : []),
                ...(Array.isArray(types) &&
                !["opened", "synchronize", "reopened"].every((type) => types.includes(type))
                  ? ["a head that is pushed or reopened starts nothing"]
                  : []),
              ];
            }),
            ...(eventsOf(workflow).has("merge_group") ? [] : ["no merge_group"]),
            ...(["pull_request", "pull_request_target"].some((event) => eventsOf(workflow).has(event))
              ? []
              : ["no pull request event"]),
          ]
        : [],
  },
  {
    id: "what publishes has no path filter (F19)",
    check: ({ name }, workflow) => (PUBLISHING.has(name) && hasPathFilter(workflow) ? ["a path filter"] : []),
  },
  {
    id: "no permissions first, then each grant with its reason",
    check: ({ text }, workflow) => [
      ...(JSON.stringify(workflow.permissions) === "{}" ? [] : ["the workflow's permissions are not {}"]),
      ...Object.entries(workflow.jobs).flatMap(([id, { permissions }]) =>
        typeof permissions === "object" ? [] : [`job ${id} does not say its permissions`],
      ),
      ...text
        .split("\n")
        .filter((line) => /^\s+[a-z-]+: (?:read|write)\b/.test(line) && !/ # .{10,}/.test(line))
        .map((line) => `no reason: ${line.trim()}`),
      ...(grantsOf(workflow).filter((level) => level === "read" || level === "write").length >
      text.split("\n").filter((line) => /^\s+[a-z-]+: (?:read|write)\b/.test(line)).length
        ? ["a grant without a line of its own"]
        : []),
    ],
  },
  {
    id: "only the App writes: no write permission, but Pages' own and an attestation's where nothing else runs (F70)",
    check: ({ name }, workflow) => {
      const written = writesOf(workflow);
      if (name in GUARDED)
        return [
          ...written.filter((scope) => !ATTEST_GRANTS.includes(scope)),
          ...attestJobs(workflow).flatMap(([id, job]) => [
            ...job.steps
              .filter((step) => !ATTEST_ACTIONS.includes(step.uses?.split("@")[0] ?? ""))
              .map((step) => `beside the attestation's token: ${step.uses ?? step.run}`),
            ...(isHosted(job) ? [] : [`job ${id} attests on a host of ours`]),
            ...(job.steps.some(
              (step) =>
                usesOf(step, "actions/attest") &&
                step.with["subject-path"] === "${{ runner.temp }}/assay-job/report.json",
            )
              ? []
              : [`job ${id} attests something else than the report`]),
          ]),
        ];
      if (!DEPLOYING.has(name)) return written;
      return [
        ...written.filter((scope) => !PAGES_GRANTS.includes(scope)),
        ...stepsOf(workflow)
          .filter((step) => !PAGES_ACTIONS.includes(step.uses?.split("@")[0] ?? ""))
          .map((step) => `beside Pages' token: ${step.uses ?? step.run}`),
        ...(/head_sha == github\.sha/.test(JSON.stringify(workflow.jobs)) ? [] : ["an old run may deploy"]),
      ];
    },
  },
  {
    id: "no cache in a privileged workflow",
    check: (_, workflow) =>
      isPrivileged(workflow)
        ? stepsOf(workflow).flatMap((step) => [
            ...(/^actions\/cache(?:\/|@|$)/.test(step.uses ?? "") ? ["actions/cache"] : []),
            ...(/^actions\/setup-/.test(step.uses ?? "") && step.with.cache !== undefined
              ? ["a setup cache"]
              : []),
            // It takes one by itself as soon as package.json names a package manager.
            ...(usesOf(step, "actions/setup-node") && step.with["package-manager-cache"] !== false
              ? ["setup-node's own cache is not switched off"]
              : []),
          ])
        : [],
  },
  {
    id: "no secrets, but the App's in the office, behind the environment that only the default branch may use",
    check: ({ name, text }, workflow) => {
      const plain = text.replace(/#.*$/gm, "");
      if (!/\bsecrets\b/.test(plain)) return [];
      if (!OFFICES.has(name)) return ["secrets are named"];
      const named = [...plain.matchAll(/\bsecrets\b(?:\.([A-Za-z_]+))?/g)].map(
        ([, secret]) => secret ?? "all",
      );
      return [
        ...named.filter((secret) => !["ASSAY_APP_ID", "ASSAY_PRIVATE_KEY"].includes(secret)),
        ...Object.values(workflow.jobs)
          .filter(({ environment }) => environment !== "assay-office")
          .map(() => "a job with secrets outside the environment assay-office"),
        ...(JSON.stringify(workflow.env).includes("secrets") ? ["secrets in the workflow's env"] : []),
        ...stepsOf(workflow)
          .filter((step) => JSON.stringify(step).includes("secrets") && step.run !== "node bot/once.ts")
          .map((step) => `secrets for ${step.uses ?? step.run}`),
        ...stepsOf(workflow)
          .filter(({ run }) => run?.includes("npm ci") && !run.includes("--ignore-scripts"))
          .map(() => "packages may run scripts of their own"),
      ];
    },
  },
  {
    id: "no expression in a script: values go through env (F06)",
    check: (_, workflow) => scriptsOf(workflow).filter((script) => script.includes("${{")),
  },
  {
    id: "no privileged step sets the environment or the path of later ones (F06)",
    check: (_, workflow) =>
      isPrivileged(workflow)
        ? scriptsOf(workflow).filter((script) => /\bGITHUB_(?:ENV|PATH)\b/.test(script))
        : [],
  },
  {
    id: "no decision by a name that can be imitated (F39, F40)",
    check: (_, workflow) =>
      [...Object.values(workflow.jobs), ...stepsOf(workflow)]
        .map((part) => String(part.if ?? ""))
        .filter((condition) => /\bactor\b|triggering_actor|author_association|\.login\b/.test(condition)),
  },
  {
    id: "no machine of one's own for a workflow that runs a pull request's code (F07)",
    check: (_, workflow) =>
      eventsOf(workflow).has("pull_request")
        ? Object.entries(workflow.jobs)
            .filter(([, job]) => !/^"(?:ubuntu|macos|windows)-[\w.-]+"$/.test(JSON.stringify(job["runs-on"])))
            .map(([id]) => `job ${id} runs on ${JSON.stringify(workflow.jobs[id]?.["runs-on"])}`)
        : [],
  },
  {
    id: "checkouts leave no credentials behind",
    check: (_, workflow) =>
      stepsOf(workflow)
        .filter((step) => usesOf(step, "actions/checkout") && step.with["persist-credentials"] !== false)
        .map(() => "persist-credentials is not false"),
  },
  {
    id: "every job ends by itself",
    check: (_, workflow) =>
      Object.entries(workflow.jobs)
        .filter(([, job]) => job["timeout-minutes"] === undefined)
        .map(([id]) => `job ${id} has no timeout`),
  },
  {
    id: "no concurrency group drops work (F18)",
    check: ({ name }, workflow) =>
      [workflow, ...Object.values(workflow.jobs)]
        // A pass of the office does everything there is to do, and the newest site holds all before it: one that waits
        // stands for those that it replaced.
        .filter(
          (part) =>
            part.concurrency !== undefined &&
            !((OFFICES.has(name) || DEPLOYING.has(name)) && part !== workflow) &&
            // A host does one job at a time, and all of those that wait keep their place.
            !(name in GUARDED && JSON.stringify(part.concurrency) === JSON.stringify(HOST_QUEUE)),
        )
        .map(() => "a concurrency group keeps one pending run and cancels the others"),
  },
  {
    id: "a machine of one's own that a stranger's pull request reaches gets no token, no git and no network (F07)",
    check: (_, workflow) =>
      eventsOf(workflow).has("pull_request_target")
        ? Object.entries(workflow.jobs)
            .filter(([, job]) => JSON.stringify(job["runs-on"] ?? "").includes("self-hosted"))
            .flatMap(([id, job]) => [
              ...(JSON.stringify(job.permissions) === "{}" ? [] : [`job ${id} has permissions`]),
              ...job.steps.flatMap((step) => [
                ...(step.uses !== undefined && !/^actions\/(?:up|down)load-artifact@/.test(step.uses)
                  ? [`job ${id} uses ${step.uses}`]
                  : []),
                ...(step.run !== undefined &&
                !/^unshare --user --map-root-user --net node [^;&|\n]+$/.test(step.run)
                  ? [`job ${id} runs something with a network`]
                  : []),
                ...(/token/i.test(JSON.stringify([step.env, step.with])) ? [`job ${id} names a token`] : []),
              ]),
            ])
        : [],
  },
  {
    id: "a host of ours hears only of the App's dispatches, after a guard, and gets no token, no secret and no script (F07, F12)",
    check: ({ name }, workflow) => {
      if (!(name in GUARDED))
        return hostJobs(workflow)
          .filter(([, job]) => JSON.stringify(job["runs-on"]) !== '["self-hosted","vault"]')
          .map(([id, job]) => `job ${id} runs on ${JSON.stringify(job["runs-on"])}`);
      const jobs = hostJobs(workflow);
      return [
        ...([...eventsOf(workflow).keys()].join() === "workflow_dispatch"
          ? []
          : ["other events than a dispatch"]),
        ...(jobs.length === 1 ? [] : [`${jobs.length} jobs on hosts of ours`]),
        ...jobs.flatMap(([id, job]) => [
          ...(job["runs-on"] === "${{ fromJSON(needs.guard.outputs.labels) }}"
            ? []
            : [`job ${id} chooses its machine by itself`]),
          ...([job.needs].flat().includes("guard") && job.if === "needs.guard.outputs.proceed == 'true'"
            ? []
            : [`job ${id} does not wait for the guard`]),
          ...(JSON.stringify(job.permissions) === "{}" ? [] : [`job ${id} has permissions`]),
          ...(JSON.stringify(job.concurrency) === JSON.stringify(HOST_QUEUE)
            ? []
            : [`job ${id} shares its host with others`]),
          ...(job.environment === undefined ? [] : [`job ${id} can reach an environment's secrets`]),
          ...(/token|secret/i.test(JSON.stringify([job.env, job.steps])) ? [`job ${id} names a token`] : []),
          ...job.steps
            .filter(({ uses = "" }) => !HOST_ACTIONS.test(uses))
            .map((step) => `job ${id}: ${step.uses ?? step.run}`),
          ...hostGuardFirst(id, job),
        ]),
      ];
    },
  },
  {
    id: "the gate for people is the guard's, which looks after they agreed, and shows them the full commit (F04, F08)",
    check: ({ name }, workflow) => {
      const environment = GUARDED[name];
      if (environment === undefined) return [];
      const shown = workflow["run-name"] ?? "";
      const gates = Object.entries(workflow.jobs).filter(([, job]) => job.environment !== undefined);
      return [
        ...(gates.length === 1 && gates[0]?.[0] === "guard" && gates[0][1].environment === environment
          ? []
          : [`the gate is not ${environment} of the guard`]),
        ...(workflow.jobs.guard?.steps.some(
          (step) => step.uses === "./actions/guard-job" && step.with.mode === "authorise",
        )
          ? []
          : ["nothing is looked at after the gate"]),
        ...["pull_request", "head_sha", "target", "host", "nonce"]
          .filter((input) => !shown.includes(`\${{ inputs.${input} }}`))
          .map((input) => `whoever agrees does not see ${input}`),
      ];
    },
  },
  {
    id: "the token goes to our own actions only",
    check: (_, workflow) => [
      ...(JSON.stringify(workflow.env).includes("github.token") ? ["the token in the workflow's env"] : []),
      ...stepsOf(workflow)
        .filter(
          (step) => JSON.stringify(step.env).includes("github.token") && !step.uses?.startsWith("./actions/"),
        )
        .map((step) => `the token in the env of ${step.uses ?? "a script"}`),
    ],
  },
];

export const checkWorkflow = (rule: WorkflowRule, file: WorkflowFile): string[] =>
  rule.check(file, workflowSchema.parse(parse(file.text)));
