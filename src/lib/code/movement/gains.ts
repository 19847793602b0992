import type { Data, DefectData, RunData } from "../derive/data-schema.ts";
import { LISTED, type Movement } from "./movement-schema.ts";
import { byText, cutTo } from "./moves.ts";

/** What the facts hold now and did not before. */
export function gainsOf(before: Data | null, after: Data): Movement["added"] {
  const runs = new Map((before?.runs ?? []).map((run) => [run.id, run]));
  const newRuns = after.runs.filter(({ id }) => !runs.has(id));
  const configurations = new Set(before?.entries.map(({ configuration }) => configuration));
  const judges = new Set(before?.judges.map(({ id }) => id));
  const defects = new Set(before?.defects.map(keyOf));
  const entriesOf = countBy(after.entries.map(({ run }) => run));
  return {
    runs: cutTo(
      newRuns.map(({ id, task, lead, replicate, excluded }) => ({
        id,
        task,
        lead,
        replicate,
        entries: entriesOf.get(id) ?? 0,
        excluded: excluded !== null,
      })),
      LISTED.runs,
    ),
    // Sessions of a new run come with it.
    sessions: cutTo(
      after.runs.flatMap((run) => newSessions(runs.get(run.id), run)),
      LISTED.sessions,
    ),
    defects: cutTo(
      after.defects
        .filter((defect) => !defects.has(keyOf(defect)))
        .map(({ task, id, title, severity, category, method, entries, reports }) => ({
          task,
          id,
          title,
          severity,
          category,
          method,
          entries: entries.length,
          reports: reports.length,
        })),
      LISTED.defects,
    ),
    configurations: cutTo(
      [...new Set(after.entries.map(({ configuration }) => configuration))]
        .filter((configuration) => !configurations.has(configuration))
        .sort(byText),
      LISTED.configurations,
    ),
    judges: cutTo(
      after.judges.map(({ id }) => id).filter((id) => !judges.has(id)),
      LISTED.judges,
    ),
  };
}

const keyOf = ({ task, id }: Pick<DefectData, "task" | "id">): string => `${task}\0${id}`;

function newSessions(was: RunData | undefined, { id: run, sessions }: RunData) {
  if (was === undefined) return [];
  const known = new Set(was.sessions.map(({ id }) => id));
  return sessions
    .filter(({ id }) => !known.has(id))
    .map(({ id, judge, scored }) => ({ run, id, judge, scored }));
}

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
