// npm run suite:build [-- --check]
// Writes each conformance member's workbook, known table and README from its source under scripts/suites/, or, with
// --check, says which committed files differ from what the sources give.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConformanceMember, knownCsv } from "./member.ts";
import { REHEARSAL_1 } from "./rehearsal-1/index.ts";
import { writeDeterministic } from "./workbook.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** How every conformance reference is checked; goes into the suite's `checked_by`. */
export const CHECKED_BY =
  "The generator writes workbook and reference table from one list of invented observations; the table never passes through the recipe engine, and the reference recipe must reproduce its bytes.";

function readme(member: ConformanceMember, rows: number): string {
  return [
    `# ${member.id}: ${member.title}`,
    "",
    member.layout,
    "",
    `- Asked for: ${member.task}`,
    `- Reference table: ${rows} rows. ${CHECKED_BY}`,
    "- Every value is invented. Made by `npm run suite:build`; only `recipe.json` is written by hand.",
    "",
  ].join("\n");
}

async function filesOf(member: ConformanceMember): Promise<Map<string, Uint8Array>> {
  const { workbook, table } = member.build();
  const folder = `benchmarks/members/${member.id}`;
  const text = new TextEncoder();
  return new Map([
    [`${folder}/workbook.xlsx`, await writeDeterministic(workbook)],
    [`${folder}/reference.csv`, text.encode(knownCsv(table))],
    [`${folder}/README.md`, text.encode(readme(member, table.rows.length))],
  ]);
}

/** What `bench:suite freeze` takes: the members' descriptions, in suite order. */
function draft(members: readonly ConformanceMember[]): string {
  const document = {
    schema_version: 1,
    id: "rehearsal-1",
    title: "Rehearsal over conformance workbooks",
    note: "Ten conformance members with invented values, for rehearsing the path in any clone. Not a gold suite: too small and too plain to choose a model by.",
    members: members.map((member) => ({
      id: member.id,
      title: member.title,
      source_kind: "conformance",
      publisher: member.publisher,
      difficulty: member.difficulty,
      feature_tags: member.feature_tags,
      published_in_bank: false,
      task: member.task,
      checked_by: CHECKED_BY,
      derived_from: member.layout,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const check = process.argv.includes("--check");
let stale = 0;
const files = new Map([
  ["scripts/suites/drafts/rehearsal-1.json", new TextEncoder().encode(draft(REHEARSAL_1)) as Uint8Array],
]);
for (const member of REHEARSAL_1) for (const [path, bytes] of await filesOf(member)) files.set(path, bytes);
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
