import type { SuiteSource } from "../member.ts";
import { datesAcross } from "./dates-across.ts";
import { gluedFootnotes } from "./glued-footnotes.ts";
import { mergedBands } from "./merged-bands.ts";
import { pivotFill } from "./pivot-fill.ts";
import { regionByYear } from "./region-by-year.ts";
import { seriesSheet } from "./series-sheet.ts";
import { sideBySideYears } from "./side-by-side-years.ts";
import { sisterSheets } from "./sister-sheets.ts";
import { stackedStates } from "./stacked-states.ts";
import { twoTables } from "./two-tables.ts";

/** Adding a member: a file, a line here, a recipe under `benchmarks/members/`. */
export const REHEARSAL_1: SuiteSource = {
  id: "rehearsal-1",
  title: "Rehearsal over conformance workbooks",
  note: "Ten conformance members with invented values, for rehearsing the path in any clone. Not a gold suite: too small and too plain to choose a model by.",
  members: [
    regionByYear,
    seriesSheet,
    mergedBands,
    stackedStates,
    sideBySideYears,
    pivotFill,
    gluedFootnotes,
    twoTables,
    sisterSheets,
    datesAcross,
  ],
};
