import type { ComponentChildren, JSX } from "preact";
import type { DefectEntry, DefectRow } from "../../lib/code/aggregate/defects.ts";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { ConfigurationName } from "./cells.tsx";

/** The address that opens an entry's drawer. */
export type EntryHref = (run: string, entry: string) => string;

/** How a defect was confirmed, in words. */
export const METHODS: Readonly<Record<DefectRow["method"], string>> = {
  probe: "probe that builds and runs it",
  "hidden-suite": "failing hidden category",
  inspection: "reading",
};

interface DefectsSectionProps {
  readonly index: DataIndex;
  readonly defects: readonly DefectRow[];
  readonly entryHref: EntryHref;
}

/** Verified defects: where they are, and which judges saw them. */
export const DefectsSection = ({ index, defects, entryHref }: DefectsSectionProps): JSX.Element => (
  <DataTable
    caption="Verified defects"
    columns={[
      { id: "defect", title: "Defect" },
      { id: "task", title: "Task" },
      { id: "severity", title: "Severity" },
      { id: "category", title: "Category" },
      { id: "method", title: "Confirmed by" },
      { id: "entries", title: "Entries that have it" },
      {
        id: "judges",
        title: "Reported by",
        hint: "Judges who reported it in at least one of these entries, of those who reviewed any.",
      },
    ]}
    rows={defects.map((row) => ({
      key: `${row.task}/${row.id}`,
      cells: [
        <>
          <Text>{row.title}</Text> <span class="soft">{row.id}</span>
        </>,
        <Text>{index.tasks.get(row.task)?.title ?? row.task}</Text>,
        row.severity,
        row.category,
        METHODS[row.method],
        <DefectEntries index={index} entries={row.entries} entryHref={entryHref} />,
        judgesWords(index, row.found_by, row.entries),
      ],
    }))}
    none="No verified defect in the entries of this selection."
  />
);

const namesOf = (index: DataIndex, judges: readonly string[]): string =>
  judges.map((id) => index.judges.get(id)?.name ?? id).join(", ");

function judgesWords(
  index: DataIndex,
  found: readonly string[],
  entries: readonly DefectEntry[],
): ComponentChildren {
  const reviewers = new Set(entries.flatMap(({ reviewed_by }) => reviewed_by)).size;
  const share = `${found.length} of ${reviewers}`;
  if (reviewers === 0) return "nobody reviewed them";
  return found.length === 0 ? (
    share
  ) : (
    <>
      {`${share}: `}
      <Text>{namesOf(index, found)}</Text>
    </>
  );
}

interface DefectEntriesProps {
  readonly index: DataIndex;
  readonly entries: readonly DefectEntry[];
  readonly entryHref: EntryHref;
}

const DefectEntries = ({ index, entries, entryHref }: DefectEntriesProps): JSX.Element => (
  <details>
    <summary>{`${entries.length} ${entries.length === 1 ? "entry" : "entries"}`}</summary>
    <ul class="plain">
      {entries.map(({ run, entry, configuration, lead, replicate, reviewed_by, found_by }) => (
        <li key={`${run}/${entry}`}>
          <a href={entryHref(run, entry)}>
            <ConfigurationName index={index} configuration={configuration} />
          </a>{" "}
          <span class="soft">
            {`brief by ${lead}, run ${replicate}; reported by ${found_by.length} of ${reviewed_by.length}`}
            {found_by.length === 0 ? null : (
              <>
                {": "}
                <Text>{namesOf(index, found_by)}</Text>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  </details>
);
