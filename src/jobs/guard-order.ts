import { fastDigest } from "../io/git-ids.ts";
import { outlineOf, type RunOutline } from "../lib/code/check/across-rules.ts";
import { nextReplicate } from "../lib/code/contestant/plan.ts";
import { effectiveDefect } from "../lib/code/derive/defects.ts";
import { effectiveRun } from "../lib/code/derive/effective.ts";
import { type Defect, defectsSchema } from "../lib/code/schema/defects-schema.ts";
import { type CodeRun, runSchema } from "../lib/code/schema/run-schema.ts";
import type { Finding } from "../lib/findings.ts";
import type { JobKind, Order } from "../lib/job/order-schema.ts";
import type { TreeItem } from "../lib/result-pr/change-set.ts";
import { CODE_LIMITS } from "../lib/result-pr/code-facts.ts";
import { ENTRIES_FOLDER } from "../lib/result-pr/code-paths.ts";
import { parseLocated } from "../lib/strict-json/schema.ts";
import type { GitObjects } from "./result-pr-source.ts";

/** What a job is about, read from the judged commit's git objects: nothing of it is checked out. */

/** The part of an order that the judged commit decides. */
export type OrderedWork = Pick<Order, "task" | "entries" | "defect" | "contestant">;

/** A file of a deliverable as it goes along with the order. */
export interface OrderedFile {
  /** `entries/<run>/<entry>/<path>` */
  readonly path: string;
  readonly data: Uint8Array;
}

export type Work =
  | { readonly ok: true; readonly work: OrderedWork; readonly files: readonly OrderedFile[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

type Place = Pick<Order["entries"][number], "run" | "entry" | "role">;

/** Reads the work that a target names. What the pull request lacks, or has otherwise than its run says, is a finding. */
export async function readWork(objects: GitObjects, kind: JobKind, target: string): Promise<Work> {
  const reader = new WorkReader(objects);
  try {
    const [first = "", second = ""] = target.split("/");
    if (kind === "verify") return await reader.defect(first, second);
    return kind === "run" ? await reader.contestant(first, second) : await reader.entry(first, second);
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, findings: error.findings };
    throw error;
  }
}

const RUNS_FOLDER = "data/runs";

class Refusal extends Error {
  readonly findings: readonly Finding[];
  constructor(...findings: Finding[]) {
    super("refused");
    this.findings = findings;
  }
}

const refusal = (message: string, more: Partial<Finding> = {}): Refusal =>
  new Refusal({ code: "guard-target", severity: "error", message, ...more });

class WorkReader {
  readonly #objects: GitObjects;
  readonly #runs = new Map<string, CodeRun>();
  readonly #folders = new Map<string, readonly TreeItem[]>();
  readonly #files: OrderedFile[] = [];
  #bytes = 0;

  constructor(objects: GitObjects) {
    this.#objects = objects;
  }

  async entry(run: string, entry: string): Promise<Work> {
    const { task } = await this.#run(run);
    const entries = [await this.#deliverable({ run, entry, role: "judged" })];
    return { ok: true, work: { task, entries }, files: this.#files };
  }

  async contestant(run: string, entry: string): Promise<Work> {
    const document = await this.#run(run);
    const { configuration, harness } = this.#entryOf(document, entry);
    const contestant = {
      configuration,
      lead: document.lead,
      brief_sha256: document.brief.sha256,
      replicate: nextReplicate(await this.#outlines(configuration, document.lead), {
        task: document.task,
        lead: document.lead,
        configuration,
      }),
      harness: harness.name,
    };
    return { ok: true, work: { task: document.task, entries: [], contestant }, files: [] };
  }

  async defect(task: string, id: string): Promise<Work> {
    const path = `data/defects/${task}.json`;
    const { defects, revisions } = await this.#document(path, defectsSchema);
    const raw = defects.find((each) => each.id === id);
    const defect = raw === undefined ? null : effectiveDefect(raw, revisions);
    if (defect === null) throw refusal("There is no such defect, or it was withdrawn.", { path, actual: id });
    if (defect.method === "inspection")
      throw refusal("This defect was found by reading: there is nothing to run.", { path, actual: id });
    const entries = [];
    for (const place of placesOf(defect)) entries.push(await this.#deliverable(place));
    return { ok: true, work: { task, entries, defect }, files: this.#files };
  }

  async #run(id: string): Promise<CodeRun> {
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const run = effectiveRun(await this.#document(`data/runs/${id}.json`, runSchema));
    this.#runs.set(id, run);
    return run;
  }

  /**
   * What runs say of a configuration and a lead, on the head and on the base: a repeat gets a number that neither has. A file that is no run
   * says nothing, and is a finding of the pull request that brings it.
   */
  async #outlines(configuration: string, lead: string): Promise<RunOutline[]> {
    const commits = [this.#objects.judged, this.#objects.base];
    const folders = await Promise.all(commits.map((commit) => this.#objects.folder(commit, RUNS_FOLDER)));
    const oids = [...new Set(folders.flat().flatMap(({ mode, oid }) => (mode === "100644" ? [oid] : [])))];
    await this.#objects.bring(oids);
    const outlines: RunOutline[] = [];
    for (const oid of oids) {
      if ((await this.#objects.size(oid)) > CODE_LIMITS.documentBytes) continue;
      const bytes = await this.#objects.blob(oid, CODE_LIMITS.documentBytes);
      const text = new TextDecoder().decode(bytes);
      // Reading a run takes a hundred times as long as seeing that it is of others.
      if (!text.includes(`"${configuration}"`) || !text.includes(`"${lead}"`)) continue;
      const parsed = parseLocated(bytes, runSchema, {
        code: "code-data",
        maxBytes: CODE_LIMITS.documentBytes,
      });
      if (parsed.ok) outlines.push(outlineOf(parsed.value.value, new Set()));
    }
    return outlines;
  }

  #entryOf(run: CodeRun, id: string): CodeRun["entries"][number] {
    const entry = run.entries.find((each) => each.id === id);
    if (entry !== undefined) return entry;
    throw refusal("The run has no such entry.", { path: `data/runs/${run.id}.json`, actual: id });
  }

  async #document<T>(path: string, schema: Parameters<typeof parseLocated<T>>[1]): Promise<T> {
    const oid = await this.#oid(path);
    if (oid === null) throw refusal("The pull request's head has no such file.", { path });
    await this.#objects.bring([oid]);
    const bytes = await this.#objects.blob(oid, CODE_LIMITS.documentBytes);
    const parsed = parseLocated(bytes, schema, {
      path,
      code: "code-data",
      maxBytes: CODE_LIMITS.documentBytes,
    });
    if (!parsed.ok) throw new Refusal(...parsed.findings.slice(0, 10));
    return parsed.value.value;
  }

  /** Takes an entry's files along, each the one that its run lists. */
  async #deliverable({ run, entry, role }: Place): Promise<Order["entries"][number]> {
    const document = await this.#run(run);
    const { deliverable, dnf } = this.#entryOf(document, entry);
    if (dnf !== undefined || deliverable.length === 0)
      throw refusal("This entry did not finish: it has nothing to build.", { actual: `${run}/${entry}` });
    const folder = `${ENTRIES_FOLDER}${run}/${entry}`;
    const oids = new Map<string, string>();
    for (const { path } of deliverable) {
      const oid = await this.#oid(`${folder}/${path}`);
      if (oid !== null) oids.set(path, oid);
    }
    await this.#objects.bring([...oids.values()]);
    for (const { path, sha256, bytes } of deliverable) {
      const oid = oids.get(path);
      const size = oid === undefined ? -1 : await this.#objects.size(oid);
      this.#bytes += Math.max(0, size);
      if (size > CODE_LIMITS.fileBytes || this.#bytes > CODE_LIMITS.totalBytes)
        throw refusal("The deliverables are too large.", { path: `${folder}/${path}` });
      const data = oid === undefined ? null : await this.#objects.blob(oid, CODE_LIMITS.fileBytes);
      const actual = data === null ? "no such file" : `${fastDigest(data)}, ${data.length} bytes`;
      if (data === null || actual !== `${sha256}, ${bytes} bytes`)
        throw refusal("A file of the deliverable is not the one that its run lists.", {
          path: `${folder}/${path}`,
          expected: `${sha256}, ${bytes} bytes`,
          actual,
        });
      this.#files.push({ path: `entries/${run}/${entry}/${path}`, data });
    }
    return { run, entry, role, files: deliverable };
  }

  /** Id of a plain file of the head; null when there is none. Only folders on the way to it are looked into. */
  async #oid(path: string): Promise<string | null> {
    const at = path.lastIndexOf("/");
    const folder = path.slice(0, at);
    const items = this.#folders.get(folder) ?? (await this.#objects.folder(this.#objects.judged, folder));
    this.#folders.set(folder, items);
    return items.find(({ name, mode }) => name === path.slice(at + 1) && mode === "100644")?.oid ?? null;
  }
}

/** The entries that are said to have it, then the one that must not. */
const placesOf = ({ entries, control }: Defect): Place[] => [
  ...entries.map(({ run, entry }) => ({ run, entry, role: "judged" as const })),
  ...(control === undefined ? [] : [{ ...control, role: "control" as const }]),
];
