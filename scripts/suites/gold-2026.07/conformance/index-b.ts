import type { ConformanceMember } from "../../member.ts";

export const CONFORMANCE_B: readonly ConformanceMember[] = [];
