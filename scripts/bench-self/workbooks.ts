import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadSuite } from "../../src/jobs/load-suite.ts";
import { listSuites } from "../../src/jobs/suite.ts";
import { bankPlace, vaultFindings } from "../../src/jobs/vault.ts";
import { bankWorkbookPath, memberFile } from "../../src/lib/benchmarks/suite.ts";
import { workOf } from "../../src/lib/result-pr/deal.ts";
import { REPOSITORY } from "../benchmarks/root.ts";

/** A member of a suite whose workbook is here. */
export interface Task {
  readonly suite: string;
  readonly member: string;
  /** Where its workbook is: absolute, in the vault or the repository. */
  readonly workbook: string;
  readonly bytes: number;
  /** About how long it takes. */
  readonly work: number;
}

/** Members of every committed suite, largest workbook first; those whose workbook is not staged are counted. */
export async function listTasks(): Promise<{ tasks: Task[]; suites: string[]; missing: number }> {
  const [fault] = await vaultFindings();
  if (fault !== undefined) throw new Error(fault.message);
  const suites = await listSuites(REPOSITORY);
  const tasks: Task[] = [];
  let missing = 0;
  for (const id of suites) {
    const loaded = await loadSuite(REPOSITORY, id);
    if (!loaded.ok) throw new Error(`suite ${id} does not load`);
    for (const entry of loaded.value.suite.members) {
      const { id: member, source_kind, workbook } = entry;
      const isBank = source_kind === "bank_asset";
      const path = isBank ? bankWorkbookPath(workbook.sha256) : memberFile(member, "workbook.xlsx");
      const place = bankPlace(REPOSITORY, path);
      const file = join(place.root, place.path);
      if (existsSync(file))
        tasks.push({ suite: id, member, workbook: file, bytes: workbook.bytes, work: workOf(entry) });
      else missing += 1;
    }
  }
  return { tasks: tasks.sort((a, b) => b.bytes - a.bytes), suites, missing };
}
