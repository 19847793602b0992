import { COST_FORMULAS } from "./cost.ts";
import { COUNCIL_FORMULAS } from "./council.ts";
import type { RegisteredFormula } from "./formula.ts";
import { JUDGE_FORMULAS } from "./judges.ts";
import { QUALITY_FORMULAS } from "./quality.ts";
import { RUN_FORMULAS } from "./runs.ts";
import { SCORE_FORMULAS } from "./scores.ts";
import { SPEED_FORMULAS } from "./speed.ts";

/** Every formula that `bench formula` knows and docs/formulas.md shows, in the order of the methodology. */
export const FORMULAS: readonly RegisteredFormula[] = [
  ...COUNCIL_FORMULAS,
  ...COST_FORMULAS,
  ...SPEED_FORMULAS,
  ...SCORE_FORMULAS,
  ...RUN_FORMULAS,
  ...QUALITY_FORMULAS,
  ...JUDGE_FORMULAS,
];
