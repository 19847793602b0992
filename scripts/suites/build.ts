// npm run suite:build [-- --check]
// Writes each conformance member's workbook, known table and README from its source under scripts/suites/, or, with
// --check, says which committed files differ from what the sources give.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GOLD_2026_07 } from "./gold-2026.07/index.ts";
import { type ConformanceMember, knownCsv, type SuiteSource } from "./member.ts";
import { REHEARSAL_1 } from "./rehearsal-1/index.ts";
import { writeDeterministic } from "./workbook.ts";

/** A line for each suite. */
const SUITES: readonly SuiteSource[] = [REHEARSAL_1, GOLD_2026_07];

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How every conformance reference is checked; goes into the suite's `checked_by`. */
const CHECKED_BY =
  "The generator writes workbook and reference table from one list of invented observations; the table never passes through the recipe engine, and the reference recipe must reproduce its bytes.";

const checkedBy = (suite: SuiteSource, member: ConformanceMember): string =>
  [CHECKED_BY, suite.also_checked?.(member)].filter((text) => text !== undefined).join(" ");

function readme(member: ConformanceMember, rows: number, checked: string): string {
  return [
    `# ${member.id}: ${member.title}`,
    "",
    member.layout,
    "",
    `- Asked for: ${member.task}`,
    `- Reference table: ${rows} rows. ${checked}`,
    "- Every value is invented. Made by `npm run suite:build`; only `recipe.json` is written by hand.",
    "",
  ].join("\n");
}

async function filesOf(member: ConformanceMember, checked: string): Promise<Map<string, Uint8Array>> {
  const { workbook, table } = member.build();
  const folder = `benchmarks/members/${member.id}`;
  const text = new TextEncoder();
  return new Map([
    [`${folder}/workbook.xlsx`, await writeDeterministic(workbook)],
    [`${folder}/reference.csv`, text.encode(knownCsv(table))],
    [`${folder}/README.md`, text.encode(readme(member, table.rows.length, checked))],
  ]);
}

/** What `bench:suite freeze` takes: the members' descriptions, in suite order. */
function draft(suite: SuiteSource): string {
  const members = suite.members.map((member) => ({
    id: member.id,
    title: member.title,
    source_kind: "build" in member ? "conformance" : "bank_asset",
    publisher: member.publisher,
    difficulty: member.difficulty,
    feature_tags: member.feature_tags,
    published_in_bank: "build" in member ? (member.published_in_bank ?? false) : true,
    task: member.task,
    ...("build" in member
      ? { checked_by: checkedBy(suite, member), derived_from: member.layout }
      : { checked_by: member.checked_by, bank_record: member.bank_record }),
  }));
  const { id, title, note } = suite;
  return `${JSON.stringify({ schema_version: 1, id, title, note, members }, null, 2)}\n`;
}

const check = process.argv.includes("--check");
let stale = 0;
const files = new Map<string, Uint8Array>();
for (const suite of SUITES) {
  files.set(`scripts/suites/drafts/${suite.id}.json`, new TextEncoder().encode(draft(suite)));
  for (const member of suite.members) {
    if (!("build" in member)) continue;
    for (const [path, bytes] of await filesOf(member, checkedBy(suite, member))) files.set(path, bytes);
  }
}
for (const [path, bytes] of files) {
  const file = join(root, path);
  const committed = await readFile(file).catch(() => null);
  if (committed !== null && Buffer.compare(committed, bytes) === 0) continue;
  stale++;
  if (check) console.log(`${path} differs from its source`);
  else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    console.log(`wrote ${path}`);
  }
}
if (check && stale > 0) {
  console.log("Run npm run suite:build and commit what it writes (a frozen suite must not change).");
  process.exitCode = 1;
}
