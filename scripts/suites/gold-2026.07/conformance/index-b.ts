import type { ConformanceMember } from "../../member.ts";
import { businessesByState } from "./gc10-businesses-by-state.ts";
import { studentsPivot } from "./gc11-students-pivot.ts";
import { timePressureLevels } from "./gc12-time-pressure-levels.ts";
import { turnoverByYear } from "./gc13-turnover-by-year.ts";

export const CONFORMANCE_B: readonly ConformanceMember[] = [
  businessesByState,
  studentsPivot,
  timePressureLevels,
  turnoverByYear,
];
