import { textOrBytes, writeBelow } from "../io/code/council-files.ts";
import type { DataSource } from "../io/code/data-source.ts";
import { fastDigest } from "../io/git-ids.ts";
import { collectNames, type NameBook } from "../lib/code/council/names.ts";
import { type MadePack, makePacks, type PackItem } from "../lib/code/council/pack.ts";
import { effectiveRun } from "../lib/code/derive/effective.ts";
import { type Anchor, anchorsSchema } from "../lib/code/schema/anchors-schema.ts";
import { judgesSchema } from "../lib/code/schema/judges-schema.ts";
import { modelsSchema } from "../lib/code/schema/models-schema.ts";
import { type CodeRun, type Entry, runSchema } from "../lib/code/schema/run-schema.ts";
import { digestOf } from "../lib/digest.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { judgeProblems } from "./code-council-judge.ts";
import { DocumentReader } from "./code-data-files.ts";

export interface PackOptions {
  readonly run: string;
  readonly judge: string;
  readonly seed: string;
  /** Most entries in a pack, at most 10. */
  readonly size: number;
  /** Only entries that the judge has not scored in this run. */
  readonly missing: boolean;
  /** Folder that gets `packs/`, `letters/` and `scrubbed/`. */
  readonly out: string;
  readonly rubric: string;
  /** ISO 8601 UTC. */
  readonly now: string;
}

const none = (): Finding[] => [];
const error = (code: string, message: string, details: Partial<Finding> = {}): Finding => ({
  code,
  severity: "error",
  message,
  ...details,
});

/** Makes a judge's packs of a run and writes them, or says why there are none. All are written or none. */
export async function packRun(source: DataSource, options: PackOptions): Promise<Outcome<MadePack[]>> {
  const reader = new DocumentReader(source);
  const models = await reader.read("data/models.json", modelsSchema, none);
  const judges = await reader.read("data/judges.json", judgesSchema, none);
  const given = await reader.read(`data/runs/${options.run}.json`, runSchema, none);
  if (models === null || judges === null || given === null) return { ok: false, findings: reader.findings };
  const run = effectiveRun(given);
  const spec = await readSpec(source, run);
  const scored = options.missing ? scoredBy(options.judge, run) : new Set<string>();
  const wrong = [
    ...judgeProblems(judges, options.judge, options.now),
    ...runProblems(run, scored),
    ...spec.findings,
  ];
  if (hasErrors(wrong) || !spec.ok) return { ok: false, findings: wrong };

  const live = run.entries.filter(({ id, dnf }) => dnf === undefined && !scored.has(id));
  const anchors = await readAnchors(source, reader, run);
  const findings = [...reader.findings, ...anchors.findings];
  const entries: PackItem[] = [];
  for (const entry of live)
    entries.push(await readItem(source, run.id, entry, { entry: entry.id }, findings));
  if (hasErrors(findings)) return { ok: false, findings };
  const book = collectNames({
    models,
    judges,
    harnesses: [...run.entries, ...anchors.entries].map(({ harness }) => harness.name),
    ids: idsOf(run, anchors.entries, anchors.runs),
    spec: spec.value,
  });
  const made = makePacks(
    { run: run.id, judge: options.judge, seed: options.seed, size: options.size },
    entries,
    anchors.items,
    { spec: spec.value, rubric: options.rubric },
    book,
  );
  const all = [...findings, ...exemptions(book, run.task), ...made.findings];
  if (!made.ok) return { ok: false, findings: all };
  await writeBelow(options.out, made.value.flatMap(filesOf));
  return { ok: true, value: made.value, findings: all };
}

/** Entries that a judge has scored in a run. */
const scoredBy = (judge: string, run: CodeRun): Set<string> =>
  new Set(
    run.council.sessions
      .filter((session) => session.judge === judge)
      .flatMap(({ order, reviews }) =>
        order.flatMap((place) =>
          "entry" in place && reviews.some(({ letter }) => letter === place.letter) ? [place.entry] : [],
        ),
      ),
  );

function runProblems(run: CodeRun, scored: ReadonlySet<string>): Finding[] {
  const path = `data/runs/${run.id}.json`;
  if (run.basis !== "spec")
    return [
      error(
        "code-council-basis",
        "This run was judged against its brief, before packs; it gets no more of them.",
        {
          path,
          expected: "basis: spec",
          actual: `basis: ${run.basis}`,
          hint: "Judges judge against the task's SPEC.md, never a brief.",
        },
      ),
    ];
  return run.entries.some(({ id, dnf }) => dnf === undefined && !scored.has(id))
    ? []
    : [
        error(
          "code-council-nothing",
          scored.size > 0
            ? "The judge has scored every entry of this run that finished."
            : "No entry of this run finished: there is nothing to judge.",
          { path },
        ),
      ];
}

async function readSpec(source: DataSource, run: CodeRun): Promise<Outcome<string>> {
  const path = `tasks/${run.task}/SPEC.md`;
  const bytes = await source.read(path);
  const text = bytes === null ? null : textOrBytes(bytes);
  if (typeof text === "string" && digestOf(text) === run.spec.sha256)
    return { ok: true, value: text, findings: [] };
  return {
    ok: false,
    findings: [
      error("code-council-spec", "This is not the contract that the run was made for.", {
        path,
        expected: run.spec.sha256,
        actual: bytes === null ? "no such file" : digestOf(bytes),
        hint: "Check out the contract of the run's time; judges see that one.",
      }),
    ],
  };
}

interface ReadAnchors {
  readonly items: readonly PackItem[];
  readonly entries: readonly Entry[];
  readonly runs: readonly string[];
  readonly findings: readonly Finding[];
}

const LEVELS = ["low", "middle", "high"] as const;

/** The task's anchors out of runs that began before this one. */
async function readAnchors(source: DataSource, reader: DocumentReader, run: CodeRun): Promise<ReadAnchors> {
  const path = `data/anchors/${run.task}.json`;
  const listed =
    (await source.read(path)) === null ? [] : ((await reader.read(path, anchorsSchema, none))?.anchors ?? []);
  const findings: Finding[] = [];
  const items: PackItem[] = [];
  const entries: Entry[] = [];
  const used: Anchor[] = [];
  const runs = new Map<string, CodeRun | null>();
  for (const anchor of listed) {
    if (!runs.has(anchor.run))
      runs.set(anchor.run, await reader.read(`data/runs/${anchor.run}.json`, runSchema, none));
    const other = runs.get(anchor.run) ?? null;
    if (other === null || other.id === run.id || other.started_at >= run.started_at) continue;
    const entry = effectiveRun(other).entries.find(({ id }) => id === anchor.entry);
    if (entry === undefined || entry.dnf !== undefined) {
      findings.push(
        error("code-council-anchor-entry", "The anchor's entry is not there, or did not finish.", {
          path,
          actual: `${anchor.id}: ${anchor.run}/${anchor.entry}`,
        }),
      );
      continue;
    }
    used.push(anchor);
    entries.push(entry);
    items.push(await readItem(source, other.id, entry, { anchor: anchor.id }, findings));
  }
  const lacking = LEVELS.filter((level) => !used.some((anchor) => anchor.level === level));
  if (lacking.length > 0)
    findings.push({
      code: "code-council-anchors",
      severity: "warning",
      message:
        used.length === 0
          ? "No anchor of an earlier run: scores of these packs cannot be set against earlier panels."
          : "The anchors do not cover the range of scores.",
      path,
      expected: LEVELS.join(", "),
      actual: used.map(({ level }) => level).join(", ") || "none",
      hint: "Choose entries of an earlier run that its panel scored low, in the middle and high.",
    });
  return { items, entries, runs: used.map(({ run: id }) => id), findings };
}

/** An entry's files as its run lists them, byte for byte. */
async function readItem(
  source: DataSource,
  run: string,
  entry: Entry,
  place: PackItem["place"],
  findings: Finding[],
): Promise<PackItem> {
  const folder = `data/entries/${run}/${entry.id}`;
  const files: PackItem["files"][number][] = [];
  for (const { path, sha256 } of entry.deliverable) {
    const bytes = await source.read(`${folder}/${path}`);
    const actual = bytes === null ? "no such file" : fastDigest(bytes);
    if (bytes !== null && actual === sha256) files.push({ path, content: textOrBytes(bytes) });
    else
      findings.push(
        error("code-entry-digest", "The deliverable is not the file that its run lists.", {
          path: `${folder}/${path}`,
          expected: sha256,
          actual,
        }),
      );
  }
  return { place, folder, files };
}

const idsOf = (run: CodeRun, anchored: readonly Entry[], anchorRuns: readonly string[]): string[] => [
  run.id,
  run.lead,
  ...anchorRuns,
  ...[...run.entries, ...anchored].flatMap(({ id, configuration }) => [id, configuration]),
];

/** Names that stay because the contract uses them. */
const exemptions = ({ exempt }: NameBook, task: string): Finding[] =>
  exempt.length === 0
    ? []
    : [
        {
          code: "code-council-spec-names",
          severity: "notice",
          message: "The task's contract uses these names itself; in entries they say nothing and stay.",
          path: `tasks/${task}/SPEC.md`,
          actual: exempt.join(", "),
        },
      ];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A pack's folder, its letters map and the log of its scrubbing. */
const filesOf = (pack: MadePack): { path: string; data: string | Uint8Array }[] => [
  ...pack.files.map(({ path, content }) => ({ path: `packs/${pack.name}/${path}`, data: content })),
  { path: `packs/${pack.name}/pack.json`, data: json(pack.document) },
  { path: `letters/${pack.name}.json`, data: json(pack.letters) },
  { path: `scrubbed/${pack.name}.json`, data: json(pack.notes) },
];
