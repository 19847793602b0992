import type { ConformanceMember } from "../../member.ts";
import { businessesByState } from "./gc10-businesses-by-state.ts";
import { studentsPivot } from "./gc11-students-pivot.ts";

export const CONFORMANCE_B: readonly ConformanceMember[] = [businessesByState, studentsPivot];
