import type { Task } from "../schema/task-schema.ts";
import { baselineMark } from "../score/speed.ts";
import type { TaskData } from "./data-schema.ts";

/** What a page needs to know of a task. */
export function deriveTask({ id, title, language, position, hidden, perf }: Task): TaskData {
  const ids = perf.metrics.map((metric) => metric.id);
  const notes = new Map(Object.entries(perf.baseline_notes));
  return {
    id,
    title,
    language,
    position,
    hidden_total: hidden.categories.length,
    metrics: perf.metrics,
    baselines: perf.baselines.map((baseline) => {
      const metrics = Object.entries(baseline.speedups).map(([metric, speedup]) => ({ id: metric, speedup }));
      // A baseline may be called `constructor`, which every object has.
      const note = notes.get(baseline.id) ?? null;
      const { speed } = baselineMark({ title: baseline.title, metrics, note }, ids);
      return { id: baseline.id, title: baseline.title, speedup: speed.value, note };
    }),
  };
}

/** Tasks in the order of the page. */
export const byPosition = (a: TaskData, b: TaskData): number =>
  a.position - b.position || (a.id < b.id ? -1 : 1);
