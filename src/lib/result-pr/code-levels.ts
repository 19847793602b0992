import { equalJson } from "../code/append-only/compare.ts";
import type { Data, EntryData } from "../code/derive/data-schema.ts";
import type { CodePart } from "./code-report-schema.ts";

export type CodeLevels = CodePart["levels"];
type Level = CodeLevels[string];

const WORST: readonly Level[] = ["declared", "attested", "recomputed"];

/** How well each kind of number of new and changed entries is known: as well as the least known of them. */
export function levelsOf(before: Data | null, after: Data): CodeLevels {
  const was = new Map((before?.entries ?? []).map((entry) => [keyOf(entry), entry]));
  const entries = after.entries.filter((entry) => !equalJson(was.get(keyOf(entry)), entry));
  const kinds: Record<string, readonly Level[]> = {
    reviews: entries.flatMap(({ seats }): Level[] => (seats.length === 0 ? [] : ["declared"])),
    hidden: entries.flatMap(({ hidden }) => hidden?.level ?? []),
    speed: entries.flatMap(({ speed }) => speed?.level ?? []),
    cost: entries.flatMap(({ cost, cost_level }) => (cost === null ? [] : [cost_level])),
    // What follows from all of these is computed here, by the formulas.
    scores: entries.flatMap(({ final }): Level[] => (final === null ? [] : ["recomputed"])),
  };
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, levels]) => {
      const worst = WORST.find((level) => levels.includes(level));
      return worst === undefined ? [] : [[kind, worst]];
    }),
  );
}

const keyOf = ({ run, id }: EntryData): string => `${run}\0${id}`;
