import { median } from "../../stats/describe.ts";
import type { Perf } from "../schema/perf-schema.ts";
import type { Task } from "../schema/task-schema.ts";
import { speedup, taskSpeed } from "../score/speed.ts";
import type { SpeedData } from "./data-schema.ts";

/** Medians and speed-ups of one measurement; no speed of a disturbed host or from wrong output. `level`: how well it is known. */
export function deriveSpeed(perf: Perf, task: Task | undefined, level: SpeedData["level"]): SpeedData {
  const metrics = perf.metrics.flatMap(({ id, candidate, reference }) => {
    const ratio = speedup(reference, candidate).value;
    const [ours, theirs] = [median(reference), median(candidate)];
    return ratio === null || ours === null || theirs === null
      ? []
      : [{ id, speedup: ratio, candidate: theirs, reference: ours }];
  });
  const disturbed = perf.flags.includes("disturbed");
  const speed = taskSpeed(
    { output_correct: perf.output_ok, proxy: perf.proxy, metrics },
    task?.perf.metrics.map(({ id }) => id) ?? [],
  );
  return {
    speedup: disturbed ? null : speed.value,
    reason: disturbed ? "the host was disturbed while it measured" : speed.reason,
    proxy: perf.proxy,
    host: perf.host,
    metrics: perf.output_ok ? metrics : [],
    unit: perf.unit,
    flags: [...perf.flags],
    level,
  };
}
