import type { SuiteSource } from "../member.ts";
import { BANK_MEMBERS } from "./bank/index.ts";
import { CONFORMANCE_A } from "./conformance/index-a.ts";
import { CONFORMANCE_B } from "./conformance/index-b.ts";

/** The published composition, re-created: twelve published workbooks and eighteen conformance members. */
export const GOLD_2026_07: SuiteSource = {
  id: "gold-2026.07",
  title: "Gold suite 2026.07",
  note: "This project's own re-creation of the published composition of gold-2026.07, with members and a digest of its own: scores on it are not comparable with scores on any other suite of that name. Bank members are published workbooks that models may have been trained on; there is no held-out slice in v1.",
  also_checked: ({ id }) =>
    id === "gc12-time-pressure-levels"
      ? "SheetJS agrees on every value cell; it does not read indents, so the levels rest on the generator."
      : "SheetJS with a loop written from the task's words gives the same bytes (test/suites/gold-conformance.test.ts).",
  members: [...BANK_MEMBERS, ...CONFORMANCE_A, ...CONFORMANCE_B],
};
