import { instantMs, instantText } from "../../benchmarks/instant.ts";
import { digestOf } from "../../digest.ts";
import type { Random } from "../../stats/random.ts";
import type { Review, SeatFinding, Session } from "../schema/council-schema.ts";
import { CATEGORIES, type Category, type Severity } from "../schema/names.ts";
import { syntheticUsage } from "./agent.ts";
import { DEFECTS, FAILING_DEFECTS, type MadeEntry } from "./entry.ts";
import { CONTESTANTS, type JUDGES, LABS, type SyntheticTask } from "./roster.ts";

export type SyntheticJudge = (typeof JUDGES)[number];

/** An entry of an earlier run that is judged again. */
export interface MadeAnchor {
  readonly id: string;
  readonly made: MadeEntry;
}

/** A finding that reports a true defect: what `data/defects` is made from. */
export interface Report {
  readonly session: string;
  readonly finding: string;
  readonly entry: string;
  readonly defect: number;
}

/** Category and severity of a task's true defects. */
export const defectKind = (index: number): { category: Category; severity: Severity } => ({
  category: index < FAILING_DEFECTS ? "correctness" : index >= DEFECTS - 2 ? "misleading-docs" : "robustness",
  severity: (["high", "critical", "medium", "high", "medium", "low"] as const)[index % 6] ?? "low",
});

const WORDS: Readonly<Record<Category, string>> = {
  correctness: "An edge of the input range gives another result than the contract says.",
  robustness: "Truncated input is not refused.",
  performance: "The inner loop divides where a table would do.",
  abi: "A public symbol has another signature than the contract says.",
  tests: "No test covers the empty input.",
  docs: "The public function has no description.",
  "misleading-docs": "The comment says that the buffer is checked; it is not.",
  "dead-code": "The branch can never be taken.",
  redundancy: "The same loop is written out in both directions.",
  verbosity: "Comments repeat what each line does.",
  style: "Two naming styles are mixed.",
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

export interface SessionPlan {
  readonly id: string;
  readonly judge: SyntheticJudge;
  readonly task: SyntheticTask;
  readonly pack: readonly MadeEntry[];
  readonly anchors: readonly MadeAnchor[];
  readonly start: string;
  /** One letter gets no review. */
  readonly broken: boolean;
  /** Findings carry categories that keyword rules gave them. */
  readonly legacy: boolean;
}

/** One invented review session, and which of its findings report true defects. */
export function syntheticSession(plan: SessionPlan, random: Random): { session: Session; reports: Report[] } {
  const { judge, pack, anchors } = plan;
  const shown = random.shuffled([
    ...pack.map((made) => ({ made, anchor: null })),
    ...anchors.map((anchor) => ({ made: anchor.made, anchor: anchor.id })),
  ]);
  const letters = random.shuffled(LETTERS.split("")).slice(0, shown.length);
  const reports: Report[] = [];
  let number = 0;
  const order = shown.map(({ made, anchor }, index) => {
    const letter = letters[index] ?? "Z";
    return anchor === null ? { letter, entry: made.entry.id } : { letter, anchor };
  });
  const reviews = shown.flatMap(({ made, anchor }, index): Review[] => {
    const findings: SeatFinding[] = [];
    const add = (category: Category, severity: Severity, text: string, defect: number | null): void => {
      number += 1;
      const id = `f${number}`;
      const wrong = defect === null && random.float() < 0.04;
      findings.push({
        id,
        severity,
        category,
        file: plan.task.file,
        line: 1 + random.below(200),
        text,
        ...(wrong
          ? { status: "false_positive" as const, note: "Built and run: it does not happen." }
          : { status: "valid" as const }),
        ...(plan.legacy
          ? { classified_by: random.float() < 0.9 ? ("keywords" as const) : ("override" as const) }
          : {}),
      });
      if (defect !== null && anchor === null)
        reports.push({ session: plan.id, finding: id, entry: made.entry.id, defect });
    };
    for (const defect of made.defects)
      if (random.float() < judge.recall) {
        const { category, severity } = defectKind(defect);
        add(category, severity, `${WORDS[category]} (synthetic defect ${defect + 1})`, defect);
      }
    const others = Math.floor(random.float() * (10.5 - made.truth) * 0.8);
    for (let index = 0; index < others; index += 1) {
      const category = CATEGORIES[random.below(CATEGORIES.length)] ?? "style";
      add(category, random.float() < 0.7 ? "nit" : "low", WORDS[category], null);
    }
    const broken = plan.broken && index === shown.length - 1;
    return broken ? [] : [{ letter: letters[index] ?? "Z", score: scoreOf(judge, made, random), findings }];
  });
  const dropped = plan.broken ? order.at(-1) : undefined;
  const contestant =
    CONTESTANTS.find(({ configuration }) => configuration === judge.configuration) ?? CONTESTANTS[0];
  const usage =
    contestant === undefined
      ? undefined
      : syntheticUsage({ contestant, start: plan.start, fast: false, requests: 6 }, random);
  const session: Session = {
    id: plan.id,
    judge: judge.id,
    started_at: plan.start,
    finished_at: usage?.last_event_at ?? instantText((instantMs(plan.start) ?? 0) + 600_000),
    pack: {
      sha256: digestOf(`${plan.id} ${plan.start}`),
      seed: String(random.uint32()),
      rubric: digestOf("synthetic rubric"),
    },
    order,
    reviews,
    ...(plan.broken ? { missing: { reason: "The answer broke off before the last letter." } } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
  const lost = dropped !== undefined && "entry" in dropped ? dropped.entry : null;
  return { session, reports: reports.filter(({ entry }) => entry !== lost) };
}

/** In steps of a tenth, as judges give them. */
function scoreOf(judge: SyntheticJudge, { truth, contestant }: MadeEntry, random: Random): number {
  const ownLab = LABS.find(({ models }) => models.some(({ id }) => judge.configuration.startsWith(`${id}@`)));
  const own = contestant.lab.id === ownLab?.id ? judge.own : 0;
  const score = truth + judge.offset + own + judge.noise * random.normal();
  return Math.round(Math.min(10, Math.max(0, score)) * 10) / 10;
}
