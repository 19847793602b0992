import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Defects } from "../../src/lib/code/schema/defects-schema.ts";
import { modelsSchema } from "../../src/lib/code/schema/models-schema.ts";
import type { CodeRun } from "../../src/lib/code/schema/run-schema.ts";
import { taskSchema } from "../../src/lib/code/schema/task-schema.ts";
import { digestOf } from "../../src/lib/digest.ts";
import type { Change } from "../person.ts";

/** A pull request's facts for rehearsing jobs: invented, but for the deliverables, which are the task's own. */

interface PlainFile {
  readonly path: string;
  readonly data: Uint8Array;
}

/** Every file below a folder, by its path in it. */
export async function readFolder(folder: string): Promise<PlainFile[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  return Promise.all(
    paths.sort().map(async (path) => ({ path: path.slice(folder.length + 1), data: await readFile(path) })),
  );
}

export interface JobFacts {
  readonly task: string;
  readonly run: string;
  readonly change: Change;
  /** The lead's brief, which the run names by digest. */
  readonly brief: string;
  /** The defect that the second entry has. */
  readonly defect: string;
}

const ASKED = "2026-11-30T10:00:00.000Z";
export const DEFECT = "D-1";

/** A run of three entries: the task's reference, one of its flawed deliverables, and one that is no program; and the defect of the second. */
export async function makeJobFacts(root: string, task: string): Promise<JobFacts> {
  const folder = join(root, "tasks", task);
  const { hidden } = taskSchema.parse(JSON.parse(await readFile(join(folder, "task.json"), "utf8")));
  const configurations = await someConfigurations(root);
  const [configuration = ""] = configurations;
  const [flaw = ""] = (await readdir(join(folder, "flawed"))).sort();
  const flawed = await readFolder(join(folder, "flawed", flaw));
  const expected = flawed.find(({ path }) => path === "expect.json");
  const { fails } = JSON.parse(Buffer.from(expected?.data ?? "{}").toString("utf8")) as { fails: string[] };
  const reference = await readFolder(join(folder, "reference"));
  const entries = {
    e1: reference,
    e2: flawed.filter(({ path }) => path !== "expect.json"),
    e3: reference.map(({ path }) => ({ path, data: Buffer.from("This is no program.\n") })),
  };
  const run = `rehearsal-${task}`;
  const brief = `Task: ${task}\n\nWrite what SPEC.md asks for.\n`;
  const document: CodeRun = {
    schema_version: 1,
    id: run,
    task,
    spec: { sha256: digestOf(await readFile(join(folder, "SPEC.md"))) },
    lead: configuration,
    basis: "spec",
    brief: { sha256: digestOf(brief) },
    replicate: 1,
    started_at: ASKED,
    entries: Object.entries(entries).map(([id, files], index) => ({
      id,
      configuration: configurations[index] ?? "",
      harness: { name: "codex", version: null, fast_mode: false },
      deliverable: files.map(({ path, data }) => ({ path, sha256: digestOf(data), bytes: data.length })),
      // What the defect's document is held to: the submitter's word, until a host looks.
      ...(id === "e2"
        ? {
            hidden: {
              at: ASKED,
              suite: digestOf("not run here"),
              categories: hidden.categories.map((category) => ({
                id: category,
                passed: !fails.includes(category),
              })),
            },
          }
        : {}),
    })),
    council: { sessions: [], revisions: [] },
    revisions: [],
  };
  const defects: Defects = {
    schema_version: 1,
    task,
    defects: [
      {
        id: DEFECT,
        title: `What ${flaw} does wrong`,
        category: "correctness",
        severity: "medium",
        method: "hidden-suite",
        hidden_category: fails[0] ?? "",
        control: { run, entry: "e1" },
        added_at: ASKED,
        entries: [{ run, entry: "e2" }],
        findings: [],
      },
    ],
    revisions: [],
  };
  const deliverables = Object.entries(entries).flatMap(([id, files]) =>
    files.map(({ path, data }): [string, Uint8Array] => [`data/entries/${run}/${id}/${path}`, data]),
  );
  return {
    task,
    run,
    brief,
    defect: `${task}/${DEFECT}`,
    change: {
      [`data/runs/${run}.json`]: `${JSON.stringify(document, null, 2)}\n`,
      [`data/defects/${task}.json`]: `${JSON.stringify(defects, null, 2)}\n`,
      ...Object.fromEntries(deliverables),
    },
  };
}

/** Configurations that the repository knows: three at least. */
async function someConfigurations(root: string): Promise<string[]> {
  const { models } = modelsSchema.parse(JSON.parse(await readFile(join(root, "data/models.json"), "utf8")));
  const all = models.flatMap(({ id, efforts }) => efforts.map((effort) => `${id}@${effort}`));
  if (all.length < 3) throw new Error("data/models.json knows too few configurations");
  return all;
}
