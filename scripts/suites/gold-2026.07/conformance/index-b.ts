import type { ConformanceMember } from "../../member.ts";
import { businessesByState } from "./gc10-businesses-by-state.ts";
import { studentsPivot } from "./gc11-students-pivot.ts";
import { timePressureLevels } from "./gc12-time-pressure-levels.ts";
import { turnoverByYear } from "./gc13-turnover-by-year.ts";
import { visitsWithRemarks } from "./gc14-visits-with-remarks.ts";
import { surveyGroups } from "./gc15-survey-groups.ts";
import { permitsByYear } from "./gc16-permits-by-year.ts";
import { manufacturingBlocks } from "./gc17-manufacturing-blocks.ts";
import { codesSheet } from "./gc18-codes-sheet.ts";

export const CONFORMANCE_B: readonly ConformanceMember[] = [
  businessesByState,
  studentsPivot,
  timePressureLevels,
  turnoverByYear,
  visitsWithRemarks,
  surveyGroups,
  permitsByYear,
  manufacturingBlocks,
  codesSheet,
];
