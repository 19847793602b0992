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

/** A run of two entries, the task's reference and one of its flawed deliverables, and the defect that the second has. */
export async function makeJobFacts(root: string, task: string): Promise<JobFacts> {
  const folder = join(root, "tasks", task);
  taskSchema.parse(JSON.parse(await readFile(join(folder, "task.json"), "utf8")));
  const [configuration, other] = await twoConfigurations(root);
  const [flaw = ""] = (await readdir(join(folder, "flawed"))).sort();
  const flawed = await readFolder(join(folder, "flawed", flaw));
  const expected = flawed.find(({ path }) => path === "expect.json");
  const { fails } = JSON.parse(Buffer.from(expected?.data ?? "{}").toString("utf8")) as { fails: string[] };
  const entries = {
    e1: await readFolder(join(folder, "reference")),
    e2: flawed.filter(({ path }) => path !== "expect.json"),
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
      configuration: index === 0 ? configuration : other,
      harness: { name: "codex", version: null, fast_mode: false },
      deliverable: files.map(({ path, data }) => ({ path, sha256: digestOf(data), bytes: data.length })),
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

/** Two configurations that the repository knows. */
async function twoConfigurations(root: string): Promise<[string, string]> {
  const { models } = modelsSchema.parse(JSON.parse(await readFile(join(root, "data/models.json"), "utf8")));
  const all = models.flatMap(({ id, efforts }) => efforts.map((effort) => `${id}@${effort}`));
  const [first, second] = all;
  if (first === undefined || second === undefined)
    throw new Error("data/models.json knows too few configurations");
  return [first, second];
}
