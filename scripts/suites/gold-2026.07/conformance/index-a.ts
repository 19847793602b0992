import type { ConformanceMember } from "../../member.ts";
import { manufacturingByClass } from "./gc01-manufacturing-by-class.ts";

/** gc01 to gc09: layouts of the Australian Bureau of Statistics with side-by-side, stacked and further tables. */
export const CONFORMANCE_A: readonly ConformanceMember[] = [manufacturingByClass];
