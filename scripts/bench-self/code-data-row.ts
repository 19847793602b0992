import { join } from "node:path";
import { writeNewTree } from "../../src/io/code/write-tree.ts";
import { syntheticFiles } from "../../src/lib/code/synthetic/round.ts";
import { runChild } from "./child.ts";
import type { CodeDataInput, CodeDataMeasured } from "./measure-code-data.ts";
import { held, plain, type Row } from "./table.ts";

const START = "2026-11-02T09:00:00.000Z";
const MANY = 100;

async function measure(folder: string, rounds: number): Promise<CodeDataMeasured> {
  const root = join(folder, `rounds-${rounds}`);
  const written = await writeNewTree(
    root,
    syntheticFiles({ seed: 1, start: START, rounds, deliverables: false }),
  );
  if (!written.ok) throw new Error(JSON.stringify(written.findings));
  const input: CodeDataInput = { root, out: join(root, "data.json"), view: rounds === 1 };
  return runChild<CodeDataMeasured>("measure-code-data.ts", input);
}

/** The row about the code benchmark's data, on synthetic rounds in `folder`. */
export async function codeDataRow(folder: string, full: boolean): Promise<Row> {
  const one = await measure(folder, 1);
  const rounds = full ? MANY : 2;
  const many = await measure(folder, rounds);
  const only = full ? null : `${rounds} rounds`;
  return {
    id: "code-data",
    what: "data.json from synthetic rounds of the code benchmark",
    ran: `${one.entries} entries, and ${many.entries} in ${rounds} rounds${full ? "" : ` (--full: ${MANY})`}; start of the process not counted; one run each`,
    measures: [
      held("one round", one.seconds, "s", "most", 3, null),
      held("many rounds", many.seconds, "s", "most", 60, only),
      held("many rounds: peak memory", many.peak, "MB", "most", 1000, only),
      plain("one round: peak memory", one.peak, "MB"),
      plain("one round: first view, cold", one.view ?? Number.NaN, "ms"),
    ],
  };
}
