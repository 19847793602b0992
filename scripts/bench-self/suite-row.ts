import { runChild } from "./child.ts";
import type { Reader, SuiteInput, SuiteMeasured } from "./measure-suite.ts";
import { held, median, plain, type Row } from "./table.ts";
import { listTasks, type Task } from "./workbooks.ts";

const READERS: readonly Reader[] = ["assay", "exceljs", "sheetjs"];
/** Longer than a process takes to start, so that both of a pair wait for the same moment. */
const HEAD_START_MS = 4000;

/** Seconds that one pinned process each for `parts` takes together. */
async function timeOf(reader: Reader, parts: readonly (readonly Task[])[]): Promise<number> {
  const startAt = parts.length === 1 ? 0 : Date.now() + HEAD_START_MS;
  const runs = await Promise.all(
    parts.map((tasks, core) => {
      const input: SuiteInput = { reader, tasks, startAt };
      return runChild<SuiteMeasured>("measure-suite.ts", input, core);
    }),
  );
  if (parts.length > 1 && runs.some(({ started }) => started > startAt + 500))
    throw new Error("two processes did not begin together");
  return (
    (Math.max(...runs.map(({ ended }) => ended)) - Math.min(...runs.map(({ started }) => started))) / 1000
  );
}

/** Deals tasks to two, largest first, each to whoever has fewer bytes. */
function deal(tasks: readonly Task[]): Task[][] {
  const hands: { tasks: Task[]; bytes: number }[] = [
    { tasks: [], bytes: 0 },
    { tasks: [], bytes: 0 },
  ];
  for (const task of tasks) {
    const hand = hands.reduce((least, other) => (other.bytes < least.bytes ? other : least));
    hand.tasks.push(task);
    hand.bytes += task.bytes;
  }
  return hands.map((hand) => hand.tasks);
}

export async function suiteRow(quick: boolean): Promise<Row> {
  const { tasks, suites, missing } = await listTasks();
  const chosen = quick ? tasks.slice(-6) : tasks;
  const rounds = quick ? 1 : 3;
  const parts = deal(chosen);
  const times: Record<string, number[]> = {};
  const note = (key: string, seconds: number): void => {
    times[key] = [...(times[key] ?? []), seconds];
  };
  // Readers take turns, so that a slow moment of the machine meets all of them.
  for (let round = 0; round < rounds; round += 1)
    for (const reader of READERS) {
      note(`${reader} 1`, await timeOf(reader, [chosen]));
      note(`${reader} 2`, await timeOf(reader, parts));
    }
  const seconds = (key: string): number => median(times[key] ?? []);
  const only = quick || missing > 0 ? `${chosen.length} members` : null;
  return {
    id: "suite",
    what: "re-executing every suite's reference recipes, against readers merely loading the same workbooks",
    ran:
      `${chosen.length} of ${tasks.length + missing} members of ${suites.join(", ")}` +
      `${missing === 0 ? "" : ` (${missing} workbooks are not staged)`}; every run in fresh processes` +
      ` pinned to a core each, start-up not counted; median of ${rounds}; two = two processes, dealt by bytes`,
    measures: [
      held("one core: time / exceljs", seconds("assay 1") / seconds("exceljs 1"), "x", "most", 1.25, only),
      held(
        "two cores: faster than itself on one",
        seconds("assay 1") / seconds("assay 2"),
        "x",
        "least",
        1.7,
        only,
      ),
      plain("two cores: faster than exceljs on one", seconds("exceljs 1") / seconds("assay 2"), "x"),
      plain("one core: time / SheetJS", seconds("assay 1") / seconds("sheetjs 1"), "x"),
      plain("two cores: time / exceljs on two", seconds("assay 2") / seconds("exceljs 2"), "x"),
      ...READERS.flatMap((reader) => [
        plain(`${reader}, one core`, seconds(`${reader} 1`), "s"),
        plain(`${reader}, two cores`, seconds(`${reader} 2`), "s"),
      ]),
    ],
  };
}
