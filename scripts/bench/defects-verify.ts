import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { folderData } from "../../src/io/code/data-source.ts";
import { writeUserFile } from "../../src/io/user-files.ts";
import { readDefects, readRecallData, recallOf, type StandingDefect } from "../../src/jobs/defect-list.ts";
import { verifyDefect } from "../../src/jobs/verify-defect.ts";
import type { Data } from "../../src/lib/code/derive/data-schema.ts";
import { verificationFindings } from "../../src/lib/defects/findings.ts";
import { type DefectsReport, defectsReportSchema } from "../../src/lib/defects/report-schema.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { hasErrors } from "../../src/lib/findings.ts";
import { defectWords } from "../../src/lib/result-pr/words-defects.ts";
import { TASKS } from "../../tasks/index.ts";
import { REPOSITORY, rootOf } from "../benchmarks/root.ts";
import { type Door, register } from "./command.ts";
import { noFacts } from "./facts-root.ts";

interface VerifyOptions {
  target?: { readonly task: string; readonly id?: string };
  data?: string;
  json?: string;
  all?: boolean;
}

type One = DefectsReport["verifications"][number];

/** Looks for defects in the entries that are said to have them, and in controls. */
export const defectsVerify = register<VerifyOptions>({
  words: ["defects", "verify"],
  summary: "look for a verified defect in the entries listed, and in a control that must not show it",
  declare: (command) =>
    command
      .argument("[target]", "<task>/D-<n>, or <task> for all of its defects", targetOf)
      .option("--data <folder>", "the folder that holds data/ (default: this repository)")
      .option("--json <file>", "write what was found of each entry, and what follows")
      .option("--all", "every defect of every task"),
  async action(options, door) {
    const { target, data, all = false } = options;
    const folder = rootOf(data);
    const missing = await noFacts(folder);
    if (missing !== null) return [missing];
    if ((target === undefined) !== all) return [oneOfBoth];
    const standing = await readDefects(folderData(folder), target ?? {});
    return standing.ok ? verifyAll(standing.value, folder, options, door) : standing.findings;
  },
  // Our side failed when there is an error that is not about what was found.
  exitOf: (findings) => {
    const errors = findings.filter(({ severity }) => severity === "error");
    return errors.length === 0 ? 0 : errors.every(({ code }) => ABOUT_DEFECTS.includes(code)) ? 1 : 3;
  },
});

/** Codes that say something of the list of defects; all others are about our side. */
const ABOUT_DEFECTS: readonly string[] = [
  "defect-control",
  "defect-not-reproduced",
  "defect-partly",
  "defect-no-answer",
  "defect-inspection",
];

const oneOfBoth: Finding = {
  code: "defect-target",
  severity: "error",
  message: "Name a task, or a defect of it; or all with --all.",
  expected: "range-coder/D-7, range-coder or --all",
};

function targetOf(text: string): { task: string; id?: string } {
  const [, task, id] = /^([a-z0-9][a-z0-9._-]*)(?:\/(D-[1-9][0-9]{0,5}))?$/.exec(text) ?? [];
  if (task === undefined) throw new InvalidArgumentError("<task>/D-<n>, or <task>");
  return id === undefined ? { task } : { task, id };
}

async function verifyAll(
  standing: readonly StandingDefect[],
  folder: string,
  { json, target }: VerifyOptions,
  { stdout, stderr }: Door,
): Promise<Finding[]> {
  const started = new Date().toISOString();
  const { data, findings } = await readRecallData(folderData(folder));
  const verifications: One[] = [];
  for (const each of standing) {
    const one = await verifyOne(each, folder, data, (line) => stderr.write(`${line}\n`));
    verifications.push(one);
    stdout.write(`## ${each.task}/${each.defect.id}: ${each.defect.title}\n\n${wordsOf(one)}\n\n`);
  }
  const report: DefectsReport = {
    schema_version: 1,
    started_at: started,
    finished_at: new Date().toISOString(),
    verifications,
  };
  const written =
    json === undefined
      ? []
      : await writeUserFile(json, `${JSON.stringify(defectsReportSchema.parse(report), null, 2)}\n`);
  const one = target?.id !== undefined;
  return [
    ...(hasErrors(findings) ? findings : []),
    ...verifications.flatMap((verification) => verification.findings.map((finding) => asked(finding, one))),
    ...written,
  ];
}

/** Who goes through all defects did not ask for those that nobody can run. */
const asked = (finding: Finding, one: boolean): Finding =>
  finding.code === "defect-inspection" && !one ? { ...finding, severity: "notice" } : finding;

const wordsOf = (one: One): string => (one.results.length === 0 ? "Not looked at." : defectWords(one));

async function verifyOne(
  { task, defect }: StandingDefect,
  folder: string,
  data: Data | null,
  say: (line: string) => void,
): Promise<One> {
  const { entries, control } = defect;
  const { results, verification, findings, outcome } = await verifyDefect({
    root: REPOSITORY,
    kits: TASKS,
    env: process.env,
    task,
    defect,
    entries: [
      ...entries.map((place) => ({ ...place, role: "judged" as const })),
      ...(control === undefined ? [] : [{ ...control, role: "control" as const }]),
    ],
    entriesFolder: join(folder, "data/entries"),
    seed: randomBytes(16).toString("hex"),
    progress: ({ run, entry, role }) =>
      say(`${task}/${defect.id}: ${role === "control" ? "control " : ""}${run}/${entry}`),
  });
  return {
    task,
    defect: defect.id,
    method: defect.method,
    results: [...results],
    verification,
    recall: data === null || outcome !== "measured" ? null : recallOf(data, { task, defect }, results),
    findings: [...findings, ...(outcome === "measured" ? verificationFindings(verification) : [])].map(
      (finding) => ({
        ...finding,
        path: finding.path ?? `data/defects/${task}.json`,
      }),
    ),
  };
}
