import { readFile } from "node:fs/promises";
import ExcelJS from "exceljs";
import * as SheetJS from "xlsx";
import { type LoadedSuite, loadSuite } from "../../src/jobs/load-suite.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { childInput, report } from "./child.ts";
import type { Task } from "./workbooks.ts";

export type Reader = "assay" | "exceljs" | "sheetjs";
export interface SuiteInput {
  readonly reader: Reader;
  readonly tasks: readonly Task[];
  /** Epoch milliseconds before which nothing begins, so that two processes begin together. */
  readonly startAt: number;
}
export interface SuiteMeasured {
  /** Epoch milliseconds. */
  readonly started: number;
  readonly ended: number;
  /** Seconds of processor time between the two, all threads: what it takes on a core that nothing else uses. */
  readonly cpu: number;
}

const { reader, tasks, startAt } = childInput<SuiteInput>();
const suites = new Map<string, Promise<LoadedSuite>>();

async function suiteOf(id: string): Promise<LoadedSuite> {
  const loaded = await loadSuite(REPOSITORY, id);
  if (!loaded.ok) throw new Error(`suite ${id} does not load`);
  return loaded.value;
}

/** Reads the workbook, checks every digest, executes the reference recipe and checks the table that it gives. */
async function execute({ suite, member }: Task): Promise<void> {
  const loaded = suites.get(suite) ?? suiteOf(suite);
  suites.set(suite, loaded);
  const read = await (await loaded).member(member);
  if (!read.available) throw new Error(`${suite}/${member}: ${read.reason}`);
}

const work: Readonly<Record<Reader, (task: Task) => Promise<unknown>>> = {
  assay: execute,
  exceljs: async ({ workbook }) =>
    new ExcelJS.Workbook().xlsx.load((await readFile(workbook)) as unknown as ArrayBuffer),
  sheetjs: async ({ workbook }) => SheetJS.read(await readFile(workbook)),
};

await new Promise((resolve) => setTimeout(resolve, Math.max(0, startAt - Date.now())));
const started = performance.timeOrigin + performance.now();
const before = process.cpuUsage();
for (const task of tasks) await work[reader](task);
const { user, system } = process.cpuUsage(before);
const measured: SuiteMeasured = {
  started,
  ended: performance.timeOrigin + performance.now(),
  cpu: (user + system) / 1e6,
};
report(measured);
