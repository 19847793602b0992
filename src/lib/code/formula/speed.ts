import { z } from "zod";
import { median } from "../../stats/describe.ts";
import { baselineMark, combineSpeeds, overallSpeed, speedup, taskSpeed } from "../score/speed.ts";
import { measuredFastFactor, timeBar } from "../score/time.ts";
import { defineFormula, type Worked, workedValue } from "./formula.ts";
import { idInput, idsInput, listOf, numbersInput, secondsInput } from "./inputs.ts";
import { shown, terms } from "./show.ts";

const metricsInput = listOf(z.strictObject({ id: idInput, speedup: z.number().positive().nullable() }));

const speed = defineFormula({
  name: "speed-up",
  title: "Speed-up",
  section: "Speed",
  formula: "speed-up = median reference time ÷ median candidate time, same unit; above 1 is faster",
  input: z.strictObject({ reference: numbersInput, candidate: numbersInput }),
  example: { reference: [10, 12, 11, 90], candidate: [5, 5.5, 5.75, 6] },
  compute({ reference, candidate }) {
    const [ours, theirs] = [median(reference), median(candidate)];
    return workedValue(
      speedup(reference, candidate),
      [
        `median of ${reference.length} reference times = ${shown(ours)}`,
        `median of ${candidate.length} candidate times = ${shown(theirs)}`,
      ],
      `speed-up = ${shown(ours)} ÷ ${shown(theirs)}`,
    );
  },
});

/** `(a × b × c) ^ (1/3)`, or the single value. */
const geometricTerms = (values: readonly number[]): string =>
  values.length === 1 ? terms(values) : `${terms(values, " × ")} ^ (1/${values.length})`;

const task = defineFormula({
  name: "task-speed",
  title: "Speed in one task",
  section: "Speed",
  formula:
    "geometric mean of the speed-ups of all the task's metrics; unknown when one is missing or the output was wrong",
  input: z.strictObject({ task_metrics: idsInput, output_correct: z.boolean(), metrics: metricsInput }),
  example: {
    task_metrics: ["encode", "decode", "seek"],
    output_correct: true,
    metrics: [
      { id: "encode", speedup: 1.2 },
      { id: "decode", speedup: 1.5 },
      { id: "seek", speedup: 0.9 },
    ],
  },
  compute({ task_metrics, output_correct, metrics }) {
    const value = taskSpeed({ output_correct, proxy: false, metrics }, task_metrics);
    const used = metrics
      .filter(({ id }) => task_metrics.includes(id))
      .flatMap((metric) => metric.speedup ?? []);
    return workedValue(value, [], value.value === null ? "speed" : `speed = ${geometricTerms(used)}`);
  },
});

const speedsInput = listOf(
  z.strictObject({ id: idInput, speedup: z.number().positive().nullable(), proxy: z.boolean() }),
);

function combined(
  all: z.infer<typeof speedsInput>,
  { speedup: value, n, proxy }: { speedup: number | null; n: number; proxy: boolean },
): Worked {
  const used = all.flatMap((each) => (each.proxy === proxy ? (each.speedup ?? []) : []));
  const steps = all.flatMap((each) => {
    if (each.speedup === null) return [`${each.id}: no speed, left out`];
    return each.proxy === proxy ? [] : [`${each.id}: proxy ${shown(each.speedup)}, not comparable, left out`];
  });
  return {
    result: { value, n, proxy },
    steps: [
      ...steps,
      value === null
        ? "speed: unknown, because nothing was measured"
        : `speed${proxy ? " (proxy)" : ""} = ${geometricTerms(used)} = ${shown(value)}`,
    ],
  };
}

const SPEEDS: z.infer<typeof speedsInput> = [
  { id: "range-coder", speedup: 2, proxy: false },
  { id: "neon", speedup: 50, proxy: true },
  { id: "parser", speedup: 0.5, proxy: false },
  { id: "broken", speedup: null, proxy: false },
];

const overall = defineFormula({
  name: "overall-speed",
  title: "Speed over tasks",
  section: "Speed",
  formula: "geometric mean across tasks of real timings; proxies stay out",
  input: z.strictObject({ tasks: speedsInput }),
  example: { tasks: SPEEDS },
  compute: ({ tasks }) => combined(tasks, { ...overallSpeed(tasks), proxy: false }),
});

const replicates = defineFormula({
  name: "replicate-speed",
  title: "Speed over repeat runs",
  section: "Repeat runs",
  formula:
    "geometric mean over replicates of real timings; of proxies only where nothing else is there, and marked",
  input: z.strictObject({ runs: speedsInput }),
  example: {
    runs: [
      { id: "run 1", speedup: 1.8, proxy: false },
      { id: "run 2", speedup: 2.2, proxy: false },
    ],
  },
  compute: ({ runs }) => combined(runs, combineSpeeds(runs)),
});

const baseline = defineFormula({
  name: "expert-baseline",
  title: "Expert baseline",
  section: "Speed",
  formula:
    "geometric mean over the task's metrics; a * when a note says that it does not meet the contestants' contract",
  input: z.strictObject({
    title: idInput,
    task_metrics: idsInput,
    metrics: metricsInput,
    note: z.string().min(1).max(1000).nullable(),
  }),
  example: {
    title: "dav1d",
    task_metrics: ["encode", "decode"],
    metrics: [
      { id: "encode", speedup: 4 },
      { id: "decode", speedup: 9 },
    ],
    note: "uses threads",
  },
  compute({ task_metrics, ...given }) {
    const { label, speed: value, note } = baselineMark(given, task_metrics);
    const used = given.metrics
      .filter(({ id }) => task_metrics.includes(id))
      .flatMap((each) => each.speedup ?? []);
    const worked = workedValue(value, [], value.value === null ? label : `${label}: ${geometricTerms(used)}`);
    return {
      result: { label, ...worked.result },
      steps: [...worked.steps, ...(note === null ? [] : [`* context, not a target: ${note}`])],
    };
  },
});

const extension = defineFormula({
  name: "time-extension",
  title: "Standard-tier extension of a fast run",
  section: "Time and fast mode",
  formula:
    "fast tier: the bar goes from the measured time to factor × measured; factor 2 is an assumption, a ratio measured for the same configuration replaces it",
  input: z.strictObject({
    seconds: secondsInput,
    fast: z.boolean(),
    measured_factor: z.strictObject({ factor: z.number().positive(), pairs: z.int().positive() }).nullable(),
  }),
  example: { seconds: 600, fast: true, measured_factor: null },
  compute({ seconds, fast, measured_factor }) {
    const bar = timeBar(seconds, fast, measured_factor);
    const step =
      bar.extended_seconds === null
        ? "standard tier: no extension"
        : `extended = ${shown(bar.factor)} (${bar.basis}) × ${shown(seconds)} s = ${shown(bar.extended_seconds)} s`;
    return { result: { ...bar }, steps: [`measured = ${shown(seconds)} s`, step] };
  },
});

const factor = defineFormula({
  name: "fast-factor",
  title: "Measured factor of the fast tier",
  section: "Time and fast mode",
  formula:
    "per cell (task and lead) with runs of one configuration on both tiers: mean standard time ÷ mean fast time; geometric mean over cells",
  input: z.strictObject({
    runs: listOf(z.strictObject({ cell: idInput, fast: z.boolean(), seconds: secondsInput })),
  }),
  example: {
    runs: [
      { cell: "t1/l1", fast: true, seconds: 100 },
      { cell: "t1/l1", fast: false, seconds: 140 },
      { cell: "t1/l1", fast: false, seconds: 160 },
      { cell: "t2/l1", fast: true, seconds: 100 },
      { cell: "t2/l1", fast: false, seconds: 600 },
      { cell: "t3/l1", fast: false, seconds: 9000 },
    ],
  },
  compute({ runs }) {
    const measured = measuredFastFactor(runs);
    if (measured === null)
      return {
        result: { factor: null, pairs: 0 },
        steps: ["no cell has both tiers: the assumed factor 2 stays"],
      };
    const cells = [...new Set(runs.map(({ cell }) => cell))];
    const ratios = cells.flatMap(
      (cell) => measuredFastFactor(runs.filter((run) => run.cell === cell))?.factor ?? [],
    );
    return {
      result: { ...measured },
      steps: [
        `cells with both tiers: ${measured.pairs} of ${cells.length}; ratios ${ratios.map(shown).join(", ")}`,
        `factor = ${geometricTerms(ratios)} = ${shown(measured.factor)}`,
      ],
    };
  },
});

export const SPEED_FORMULAS = [speed, task, overall, replicates, baseline, extension, factor];
