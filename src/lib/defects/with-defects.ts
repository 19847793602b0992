import type { Data } from "../code/derive/data-schema.ts";
import { startDefects } from "../code/derive/defects.ts";
import type { Defects } from "../code/schema/defects-schema.ts";

/**
 * Derived data in which a task's verified defects are those of another document, with the judges' findings that report them linked anew: what
 * would be derived from the same facts with that document in place of its own. Entries that are not in the data have no reports in it.
 */
export function withDefects(data: Data, document: Defects): Data {
  const runs = new Set(data.runs.filter(({ task }) => task === document.task).map(({ id }) => id));
  const links = startDefects(new Map([[document.task, document]]));
  const entries = data.entries.map((entry) => {
    if (!runs.has(entry.run)) return entry;
    const findings = entry.findings.map((finding) => ({ ...finding, defect: null }));
    return links.link({ ...entry, findings });
  });
  const defects = [...data.defects.filter(({ task }) => task !== document.task), ...links.finish()];
  return { ...data, entries, defects };
}
