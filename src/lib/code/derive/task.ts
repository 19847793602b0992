import type { Task } from "../schema/task-schema.ts";
import { speedOverMetrics } from "../score/speed.ts";
import type { TaskData } from "./data-schema.ts";

/** What a page needs to know of a task. */
export function deriveTask({ id, title, language, position, hidden, perf }: Task): TaskData {
  const ids = perf.metrics.map((metric) => metric.id);
  return {
    id,
    title,
    language,
    position,
    hidden_total: hidden.categories.length,
    metrics: perf.metrics,
    baselines: perf.baselines.map((baseline) => ({
      id: baseline.id,
      title: baseline.title,
      speedup: speedOverMetrics(
        Object.entries(baseline.speedups).map(([metric, speedup]) => ({ id: metric, speedup })),
        ids,
      ).value,
      note: perf.baseline_notes[baseline.id] ?? null,
    })),
  };
}

/** Tasks in the order of the page. */
export const byPosition = (a: TaskData, b: TaskData): number =>
  a.position - b.position || (a.id < b.id ? -1 : 1);
