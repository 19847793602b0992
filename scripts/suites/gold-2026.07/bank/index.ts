import type { BankMember } from "../../member.ts";

export const BANK_MEMBERS: readonly BankMember[] = [];
