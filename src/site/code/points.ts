import { numberText } from "../../lib/code/aggregate/numbers-text.ts";
import type { EntryData, RunData } from "../../lib/code/derive/data-schema.ts";
import { SLOP_COST } from "../../lib/code/score/final.ts";
import { hiddenShare } from "../../lib/code/score/hidden.ts";

/** One step from 10 points to the final score. */
export interface PointStep {
  readonly id: "start" | "council" | "hidden" | "slop" | "final";
  readonly title: string;
  /** Points that the step takes away (negative) or leaves at; null when unknown. */
  readonly change: number | null;
  /** Points left after it; null when unknown, and then in every later step. */
  readonly left: number | null;
  /** Where the points went, with the numbers put in. */
  readonly why: string;
}

const FULL = 10;

/**
 * Where an entry's points went: 10 − what the council took, − the share of failed hidden categories, − half its slop
 * = final score. Each step's numbers are unrounded. (Methodology, "Final score".)
 */
export function pointSteps(entry: EntryData, { panel }: Pick<RunData, "panel">): PointStep[] {
  const { council, hidden, slop, final } = entry;
  const share = hiddenShare(hidden);
  const afterHidden = council === null || share === null ? null : council * share;
  const known = (value: number | null, text: (value: number) => string, reason: string): string =>
    value === null ? reason : text(value);
  return [
    { id: "start", title: "Possible", change: null, left: FULL, why: "Every entry starts from 10 points." },
    {
      id: "council",
      title: "Council",
      change: council === null ? null : council - FULL,
      left: council,
      why: known(
        council,
        (score) =>
          `The panel's ${counted(panel.length, "judge")} ${panel.length === 1 ? "gives" : "give"} ${numberText(score)} of 10${panel.length > 1 ? " on average" : ""}.`,
        `No council score: ${unscored(entry)}.`,
      ),
    },
    {
      id: "hidden",
      title: "Hidden suite",
      change: council === null || afterHidden === null ? null : afterHidden - council,
      left: afterHidden,
      why: hiddenWords(entry, share),
    },
    {
      id: "slop",
      title: "Slop",
      change: slop === null ? null : -SLOP_COST * slop,
      left: afterHidden === null || slop === null ? null : afterHidden - SLOP_COST * slop,
      why: known(
        slop,
        (points) =>
          points === 0
            ? "No seat reported slop."
            : `${numberText(points)} slop points a seat, and each costs half a point.`,
        "No seat reviewed it, so slop is unknown.",
      ),
    },
    {
      id: "final",
      title: "Final score",
      change: null,
      left: final,
      why: known(
        final,
        (score) =>
          `${numberText(council)} × ${hidden?.passed} ÷ ${hidden?.total} − ${SLOP_COST} × ${numberText(slop)} = ${numberText(score)}${score < 0 ? "; it may be negative" : ""}.`,
        `No final score: ${entry.final_reason ?? unscored(entry)}.`,
      ),
    },
  ];
}

function unscored({ dnf, council_reason }: EntryData): string {
  return dnf === null ? (council_reason ?? "no panel scored it") : `it did not finish (${dnf})`;
}

function hiddenWords({ hidden, council }: EntryData, share: number | null): string {
  if (hidden === null || share === null) return "The hidden suite was not run.";
  const failed = hidden.total - hidden.passed;
  if (failed === 0) return `It passes all ${hidden.total} hidden categories.`;
  const kept = council === null ? "" : `, so it keeps ${hidden.passed}/${hidden.total} of its council score`;
  return `It fails ${failed} of ${hidden.total} hidden categories${kept}.`;
}

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;
