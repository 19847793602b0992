import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { validateResults } from "../../src/jobs/action-validate.ts";
import { resultPath } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { type FileChange, makeProject, model, type Project } from "./pull-requests.ts";

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

const add = (document: ResultDocument): Record<string, FileChange> => ({
  [resultPath(document)]: { data: canonicalDocument(document) },
});

describe("a person who asks again and again", () => {
  const run = (id: number, changes: object = {}) => ({
    event: "pull_request_target",
    created_at: new Date().toISOString(),
    actor: { id },
    ...changes,
  });
  /** Validates as a run of this person does, when GitHub lists these runs. */
  async function asked(head: string, runs: readonly object[] | null, association = "NONE") {
    const urls: string[] = [];
    const temp = mkdtempSync(join(tmpdir(), "assay-asked-"));
    const outputs = await validateResults(
      {
        "pull-request": 7,
        "base-sha": project.base,
        "head-sha": head,
        "merge-sha": null,
        "arrived-at": "2026-11-30T13:00:00.999Z",
        repository: project.gitDir,
        remote: "",
        preview: "",
        evidence: join(temp, "evidence"),
        "vault-runner": "",
        "author-association": association,
      },
      "",
      {
        GITHUB_EVENT_NAME: "pull_request_target",
        GITHUB_ACTOR: "mallory",
        GITHUB_ACTOR_ID: "666",
        GITHUB_REPOSITORY: "office/board",
        GITHUB_API_URL: "https://api.example.org",
        GITHUB_WORKFLOW_REF: "office/board/.github/workflows/result-pr.yml@refs/heads/main",
        ASSAY_READ_TOKEN: "t",
      },
      async (url) => {
        urls.push(String(url));
        return runs === null ? new Response("", { status: 502 }) : Response.json({ workflow_runs: runs });
      },
    );
    return { outputs, urls };
  }
  const many = (count: number, changes: object = {}) =>
    Array.from({ length: count }, () => run(666, changes));

  it("is refused beyond the limit, and nothing is recomputed", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"))));
    const allowed = await asked(head, [...many(20), ...many(50, { event: "push" }), run(7)]);
    expect(allowed.outputs).toMatchObject({ verdict: "pending", "has-results": "true" });
    expect(allowed.urls[0]).toContain(
      "/repos/office/board/actions/workflows/result-pr.yml/runs?actor=mallory",
    );
    const refused = await asked(head, many(21));
    expect(refused.outputs).toMatchObject({ verdict: "invalid", matrix: "[]", "has-results": "false" });
    // What was longer ago, or another's with the same name before, does not count.
    const other = await asked(head, [
      ...many(20),
      ...many(9, { created_at: "2026-01-01T00:00:00Z" }),
      ...many(9, { actor: { id: 5 } }),
    ]);
    expect(other.outputs).toMatchObject({ verdict: "pending" });
    expect((await asked(head, many(99), "MEMBER")).outputs).toMatchObject({ verdict: "pending" });
  });

  it("is not refused where GitHub does not say, or without results", async () => {
    const head = project.commit(add(await project.document(model("openai/gpt-4o"))));
    expect((await asked(head, null)).outputs).toMatchObject({ verdict: "pending" });
    const words = project.commit({ "README.md": { data: "# hello" } });
    expect((await asked(words, many(99))).outputs).toMatchObject({ verdict: "valid" });
  });
});

describe("F25: whoever dispatches a run", () => {
  it("cannot have a pull request arrive later than now", async () => {
    const finished_at = new Date(Date.now() + 86_400_000).toISOString();
    const head = project.commit(add(await project.document({ ...model("acme/later"), finished_at })));
    const validate = (event: string) =>
      validateResults(
        {
          "pull-request": 7,
          "base-sha": project.base,
          "head-sha": head,
          "merge-sha": null,
          "arrived-at": "2999-01-01T00:00:00.999Z",
          repository: project.gitDir,
          remote: "",
          preview: "",
          evidence: join(mkdtempSync(join(tmpdir(), "assay-later-")), "evidence"),
          "vault-runner": "",
          "author-association": "",
        },
        "",
        { GITHUB_EVENT_NAME: event },
      );
    expect((await validate("")).verdict).not.toBe("invalid");
    expect((await validate("workflow_dispatch")).verdict).toBe("invalid");
  });
});
