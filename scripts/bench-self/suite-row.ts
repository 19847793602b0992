import { dealShares } from "../../src/lib/result-pr/deal.ts";
import { CAN_PIN, runChild } from "./child.ts";
import type { Reader, SuiteInput, SuiteMeasured } from "./measure-suite.ts";
import { held, median, plain, type Row } from "./table.ts";
import { listTasks, type Task } from "./workbooks.ts";

const READERS: readonly Reader[] = ["assay", "exceljs", "sheetjs"];
/** Longer than a process takes to start, so that both of a pair wait for the same moment. */
const HEAD_START_MS = 4000;
const QUICK_START_MS = 1000;
/** Wall clock over processor time from which on a core was not ours alone. */
const BUSY = 1.1;

interface Timed {
  /** Seconds by the clock on the wall. */
  readonly wall: number;
  /** Seconds of processor time of whichever process took most. */
  readonly cpu: number;
  /** That, over the mean of all processes. */
  readonly imbalance: number;
}

/** What one pinned process each for `parts` takes together. A machine too busy to start two at once gets more time. */
async function timeOf(
  reader: Reader,
  parts: readonly (readonly Task[])[],
  headStart: number,
): Promise<Timed> {
  const startAt = parts.length === 1 ? 0 : Date.now() + headStart;
  const runs = await Promise.all(
    parts.map((tasks, core) => {
      const input: SuiteInput = { reader, tasks, startAt };
      return runChild<SuiteMeasured>("measure-suite.ts", input, core);
    }),
  );
  if (parts.length > 1 && runs.some(({ started }) => started > startAt + 500)) {
    if (headStart > 20 * HEAD_START_MS) throw new Error("two processes did not begin together");
    return timeOf(reader, parts, headStart * 3);
  }
  const [first, last] = [
    Math.min(...runs.map(({ started }) => started)),
    Math.max(...runs.map(({ ended }) => ended)),
  ];
  const times = runs.map(({ cpu }) => cpu);
  const cpu = Math.max(...times);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { wall: (last - first) / 1000, cpu, imbalance: cpu / mean };
}

/** Deals tasks to two as the jobs of an assay share them. */
function deal(tasks: readonly Task[]): Task[][] {
  const dealt = dealShares(
    tasks.map(({ suite, member, work }) => ({ key: `${suite}/${member}`, work })),
    2,
  );
  return [1, 2].map((shard) =>
    tasks.filter(({ suite, member }) => dealt.get(`${suite}/${member}`) === shard),
  );
}

export async function suiteRow(quick: boolean): Promise<Row> {
  const { tasks, suites, missing } = await listTasks();
  const chosen = quick ? tasks.slice(-6) : tasks;
  const rounds = quick ? 1 : 3;
  const parts = deal(chosen);
  const headStart = quick ? QUICK_START_MS : HEAD_START_MS;
  const times: Record<string, Timed[]> = {};
  const note = (key: string, timed: Timed): void => {
    times[key] = [...(times[key] ?? []), timed];
  };
  // Readers take turns, so that a slow moment of the machine meets all of them.
  for (let round = 0; round < rounds; round += 1)
    for (const reader of READERS) {
      note(`${reader} 1`, await timeOf(reader, [chosen], headStart));
      note(`${reader} 2`, await timeOf(reader, parts, headStart));
      // What two cores of this machine give together, however work is split: each does all of it.
      if (reader === "assay") note("machine 2", await timeOf(reader, [chosen, chosen], headStart));
    }
  const seconds = (key: string): number => median((times[key] ?? []).map(({ wall }) => wall));
  const processor = (key: string): number => median((times[key] ?? []).map(({ cpu }) => cpu));
  const speedup = seconds("assay 1") / seconds("assay 2");
  const machine = (2 * seconds("assay 1")) / seconds("machine 2");
  const imbalance = median((times["assay 2"] ?? []).map((timed) => timed.imbalance));
  const busy = ["assay 1", "assay 2", "exceljs 1"].some((key) => seconds(key) > BUSY * processor(key));
  const fewer = quick || missing > 0 ? `${chosen.length} members` : null;
  // Ratios of the wall clock say little when other programs took part of a core: processor time then says more.
  const only = fewer ?? (CAN_PIN && busy ? "on cores shared with other programs" : null);
  return {
    id: "suite",
    what: "re-executing every suite's reference recipes, against readers merely loading the same workbooks",
    ran:
      `${chosen.length} of ${tasks.length + missing} members of ${suites.join(", ")}` +
      `${missing === 0 ? "" : ` (${missing} workbooks are not staged)`}; every run in fresh processes` +
      `${CAN_PIN ? " pinned to a core each" : ", which cannot be pinned to cores here"}, start-up not counted; median of ${rounds}; two = two processes that share the members as two shards do; throughput: two that each execute all members`,
    measures: [
      held("one core: time / exceljs", seconds("assay 1") / seconds("exceljs 1"), "x", "most", 1.25, only),
      // Both halves of the budget are about one comparison, with exceljs, which itself can only use one core.
      held(
        "two cores: faster than exceljs on one",
        seconds("exceljs 1") / seconds("assay 2"),
        "x",
        "least",
        1.7,
        only,
      ),
      plain("two cores: faster than itself on one (the other reading)", speedup, "x"),
      plain("this machine: two cores' throughput over one's", machine, "x"),
      plain("faster than itself / this machine's throughput", speedup / machine, "x"),
      plain("split in two: longest share / mean, by processor time", imbalance, "x"),
      plain("one core, by processor time: / exceljs", processor("assay 1") / processor("exceljs 1"), "x"),
      plain(
        "two cores, by processor time: faster than exceljs on one",
        processor("exceljs 1") / processor("assay 2"),
        "x",
      ),
      plain(
        "two cores, by processor time: faster than itself",
        processor("assay 1") / processor("assay 2"),
        "x",
      ),
      plain("one core: time / SheetJS", seconds("assay 1") / seconds("sheetjs 1"), "x"),
      plain("two cores: time / exceljs on two", seconds("assay 2") / seconds("exceljs 2"), "x"),
      ...READERS.flatMap((reader) => [
        plain(`${reader}, one core`, seconds(`${reader} 1`), "s"),
        plain(`${reader}, two cores`, seconds(`${reader} 2`), "s"),
      ]),
    ],
  };
}
