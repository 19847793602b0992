import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { Octokit } from "octokit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalHub, startHub } from "../../rehearsal/hub/index.ts";
import { Person } from "../../rehearsal/person.ts";
import { type Runner, type RunnerOptions, startRunner } from "../../rehearsal/runner/index.ts";
import { resultPath } from "../../src/lib/benchmarks/result.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import type { Part } from "../../src/lib/result-pr/plan-schema.ts";
import { type Report, reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { model } from "../actions/pull-requests.ts";
import {
  honestDocument,
  REPOSITORY,
  recipe,
  type TempRepository,
  tempRepository,
} from "../jobs/temp-suite.ts";

/*
 * The workflow as it ships, with the bundles as they ship, run by the local runner on the local hub: private members go to
 * the machine beside the vault, and without one they are unverified and block.
 */

const BASE = { owner: "office", name: "board" };
const PATH = ".github/workflows/result-pr.yml";
/** A network namespace of one's own needs a kernel that lets this user make one. */
const canUnshare = (): boolean => {
  try {
    execFileSync("unshare", ["--user", "--map-root-user", "--net", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

let folder: string;
let repository: TempRepository;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-vault-"));
  repository = await tempRepository();
  const seed = join(folder, "seed");
  cpSync(repository.root, seed, { recursive: true });
  rmSync(join(seed, "benchmarks/bank/workbooks"), { recursive: true });
  for (const path of ["dist", "actions", "src", "package.json", PATH])
    cpSync(join(REPOSITORY, path), join(seed, path), { recursive: true });
  mkdirSync(join(folder, "vault/bank"), { recursive: true });
  cpSync(join(repository.root, "benchmarks/bank/workbooks"), join(folder, "vault/bank/workbooks"), {
    recursive: true,
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await repository.remove();
});

interface Played {
  readonly report: Report;
  readonly parts: readonly Part[];
  readonly jobs: Readonly<Record<string, string>>;
  readonly artifacts: readonly string[];
  readonly files: (artifact: string) => Promise<string[]>;
  readonly close: () => Promise<void>;
}

/** Opens an honest pull request and gives what its run left. */
async function play(options: Partial<RunnerOptions>): Promise<Played> {
  const work = mkdtempSync(join(folder, "play-"));
  const hub: LocalHub = await startHub({
    users: [{ login: "ada" }, { login: "mia" }],
    organizations: [{ login: BASE.owner }],
    repositories: [{ ...BASE, seed: { folder: join(folder, "seed") }, roles: { mia: "maintain" } }],
  });
  const runner: Runner = await startRunner({ hub, workDir: join(work, "runner"), log: () => {}, ...options });
  const close = async (): Promise<void> => {
    await runner.close();
    await hub.close();
  };
  const recipes = { "tt-one": recipe(), "tt-two": recipe(), "tt-bank": recipe() };
  const document = await honestDocument(repository.root, recipes, model("openai/gpt-4o"));
  const ada = new Person(hub, "ada");
  const change = { [resultPath(document)]: canonicalDocument(document) };
  await ada.pushChange(BASE, join(work, "clone"), "result", change, "A result");
  await ada.openPullRequest(BASE, "result", "A result", "");
  await hub.settled();
  await runner.idle();
  const { rest } = new Octokit({ baseUrl: hub.url, auth: hub.userToken("mia") });
  const { data } = await rest.actions.listWorkflowRunsForRepo({ owner: BASE.owner, repo: BASE.name });
  const where = { owner: BASE.owner, repo: BASE.name, run_id: data.workflow_runs[0]?.id ?? 0 };
  const jobs = (await rest.actions.listJobsForWorkflowRun(where)).data.jobs;
  const { artifacts } = (await rest.actions.listWorkflowRunArtifacts(where)).data;
  const zip = async (name: string): Promise<Record<string, Uint8Array>> => {
    const artifact_id = artifacts.find((artifact) => artifact.name === name)?.id ?? 0;
    const { data: bytes } = await rest.actions.downloadArtifact({
      ...where,
      artifact_id,
      archive_format: "zip",
    });
    return unzipSync(new Uint8Array(bytes as ArrayBuffer));
  };
  const json = async (name: string): Promise<unknown> =>
    JSON.parse(Buffer.from(Object.values(await zip(name))[0] ?? new Uint8Array()).toString());
  const parts: Part[] = [];
  for (const { name } of artifacts.filter((artifact) => artifact.name.startsWith("assay-part-")))
    parts.push((await json(name)) as Part);
  return {
    report: reportSchema.parse(await json("assay-report")),
    parts: parts.sort((a, b) => a.shard - b.shard),
    jobs: Object.fromEntries(jobs.map((job) => [job.name, job.conclusion ?? ""])),
    artifacts: artifacts.map(({ name }) => name).sort(),
    files: async (name) => Object.keys(await zip(name)),
    close,
  };
}

const membersOf = (part: Part | undefined): string[] =>
  (part?.submissions ?? []).flatMap(({ members }) => members.map(({ id }) => id));

describe("members over private workbooks", () => {
  it.runIf(canUnshare())(
    "go to the machine beside the vault, which is given the grader and data and nothing else",
    async () => {
      const played = await play({
        labels: ["self-hosted", "vault"],
        selfHostedEnv: { ASSAY_VAULT: join(folder, "vault") },
        vars: { ASSAY_VAULT_RUNNER: "true" },
      });
      try {
        expect(played.jobs).toEqual({
          "plan and validate": "success",
          "recompute part 1 of 2": "success",
          "recompute part 2 of 2 beside the vault": "success",
          report: "success",
        });
        expect(played.report).toMatchObject({ verdict: "valid", findings: [] });
        expect(played.parts.map(membersOf)).toEqual([["tt-one", "tt-two"], ["tt-bank"]]);
        // What leaves the vault of a member is its status and rounded components.
        expect(played.parts[1]?.submissions[0]?.members).toMatchObject([
          {
            status: "passed",
            mismatches: [],
            output: null,
            metrics: { cell_match_rate: { matched: 0, union: 0 } },
          },
        ]);
        const grader = await played.files("assay-grader");
        expect(grader).toContain("dist/recompute-scores.js");
        expect(grader.filter((path) => /\.git\/|workbooks|results\//.test(path))).toEqual([]);
        const evidence = await played.files("assay-evidence");
        for (const path of evidence) expect(path).toMatch(/^(?:plan|[0-9a-f]{64})\.json$/);
      } finally {
        await played.close();
      }
    },
    120_000,
  );

  it("are unverified and block where no machine has their workbooks", async () => {
    const played = await play({});
    try {
      expect(played.jobs).toMatchObject({
        "recompute part 1 of 1": "success",
        report: "failure",
      });
      expect(played.report.verdict).toBe("incomplete");
      expect(
        Object.entries(played.jobs).filter(([name, end]) => /vault/.test(name) && end !== "skipped"),
      ).toEqual([]);
      expect(played.artifacts).not.toContain("assay-grader");
    } finally {
      await played.close();
    }
  }, 120_000);

  it("are nobody's verdict while the machine beside the vault fails", async () => {
    const played = await play({
      labels: ["self-hosted", "vault"],
      selfHostedEnv: { ASSAY_VAULT: join(folder, "not-mounted") },
      vars: { ASSAY_VAULT_RUNNER: "true" },
    });
    try {
      expect(played.report.verdict).not.toBe("valid");
      expect(JSON.stringify(played.report)).not.toContain("not-mounted");
    } finally {
      await played.close();
    }
  }, 120_000);
});
