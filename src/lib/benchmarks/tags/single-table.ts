import type { TagPredicate } from "./evidence.ts";

/** The recipe gives exactly one table, whether on one sheet or spread over several. */
export const singleTable: TagPredicate = ({ recipe }) => recipe.tables.length === 1;
