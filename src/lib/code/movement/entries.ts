import type { Data, EntryData } from "../derive/data-schema.ts";
import { ENTRY_VALUES, type EntryMove, LISTED, type Moved } from "./movement-schema.ts";
import { byText, cutTo, distance, hasMoved, moveOf } from "./moves.ts";

const keyOf = ({ run, id }: Pick<EntryData, "run" | "id">): string => `${run}\0${id}`;

const numberOf = (entry: EntryData | undefined, value: (typeof ENTRY_VALUES)[number]): number | null => {
  if (entry === undefined) return null;
  return value === "cost_usd" ? (entry.cost?.usd ?? null) : entry[value];
};

const hiddenOf = (entry: EntryData | undefined) =>
  entry?.hidden == null ? null : { passed: entry.hidden.passed, total: entry.hidden.total };

/** Entries with a number that moved, the largest change of the final score first; new ones before all. */
export function moveEntries(before: Data | null, after: Data): { rows: EntryMove[]; total: number } {
  const was = new Map((before?.entries ?? []).map((entry) => [keyOf(entry), entry]));
  const now = new Map(after.entries.map((entry) => [keyOf(entry), entry]));
  const rows: EntryMove[] = [];
  for (const [key, entry] of now) {
    const row = moveEntry(was.get(key), entry);
    if (row !== null) rows.push(row);
  }
  for (const [key, entry] of was) if (!now.has(key)) rows.push(moveEntry(entry, undefined) as EntryMove);
  return cutTo(rows.sort(byWeight), LISTED.entries);
}

/** What moved of one entry; null when nothing did. */
function moveEntry(was: EntryData | undefined, now: EntryData | undefined): EntryMove | null {
  const entry = now ?? was;
  if (entry === undefined) return null;
  const values: Partial<Record<(typeof ENTRY_VALUES)[number], Moved>> = {};
  for (const value of ENTRY_VALUES) {
    const move = moveOf(numberOf(was, value), numberOf(now, value));
    if (hasMoved(move)) values[value] = move;
  }
  const hidden = { before: hiddenOf(was), after: hiddenOf(now) };
  const counted =
    hidden.before?.passed === hidden.after?.passed && hidden.before?.total === hidden.after?.total
      ? null
      : hidden;
  const state = was === undefined ? "new" : now === undefined ? "gone" : "changed";
  if (state === "changed" && counted === null && Object.keys(values).length === 0) return null;
  return {
    run: entry.run,
    entry: entry.id,
    configuration: entry.configuration,
    state,
    values,
    hidden: counted,
    reason: now?.final == null ? (now?.dnf ?? now?.final_reason ?? null) : null,
  };
}

const STATES: Readonly<Record<EntryMove["state"], number>> = { new: 0, gone: 1, changed: 2 };

function byWeight(a: EntryMove, b: EntryMove): number {
  const order = STATES[a.state] - STATES[b.state];
  if (order !== 0) return order;
  if (a.state === "changed")
    for (const value of ENTRY_VALUES) {
      const further = distance(b.values[value]) - distance(a.values[value]);
      if (further !== 0) return further;
    }
  return byText(a.run, b.run) || byText(a.entry, b.entry);
}
