import type { ConformanceMember } from "../../member.ts";

export const CONFORMANCE_A: readonly ConformanceMember[] = [];
