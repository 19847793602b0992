import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { DefectEntry, DefectRow } from "../../lib/code/aggregate/defects.ts";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { type Column, DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Name } from "./names.tsx";

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

/** So many are shown at first: a round has a hundred. */
const FIRST = 12;

/** Verified defects: where they are, and which judges saw them. */
export function DefectsSection({ index, defects, entryHref }: DefectsSectionProps): JSX.Element {
  const [all, setAll] = useState(false);
  return (
    <>
      <DataTable
        caption="Verified defects"
        columns={COLUMNS}
        rows={(all ? defects : defects.slice(0, FIRST)).map((row) => ({
          key: `${row.task}/${row.id}`,
          cells: [
            <>
              <Text>{row.title}</Text> <span class="soft nowrap">{row.id}</span>
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
      {defects.length <= FIRST ? null : (
        <More
          all={all}
          onMore={setAll}
          less="Show fewer defects"
          more={`Show all ${defects.length} defects`}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column[] = [
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
];

interface MoreProps {
  readonly all: boolean;
  readonly onMore: (all: boolean) => void;
  readonly less: string;
  readonly more: string;
}

const More = ({ all, onMore, less, more }: MoreProps): JSX.Element => (
  <button type="button" class="more" aria-expanded={all} onClick={() => onMore(!all)}>
    {all ? less : more}
  </button>
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

function DefectEntries({ index, entries, entryHref }: DefectEntriesProps): JSX.Element {
  const [all, setAll] = useState(entries.length === 1);
  return (
    <>
      {entries.length === 1 ? null : (
        <More all={all} onMore={setAll} less="Hide them" more={`${entries.length} entries`} />
      )}
      {all ? (
        <ul class="plain">
          {entries.map((each) => (
            <DefectPlace key={`${each.run}/${each.entry}`} index={index} place={each} entryHref={entryHref} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

interface DefectPlaceProps extends Pick<DefectEntriesProps, "index" | "entryHref"> {
  readonly place: DefectEntry;
}

const DefectPlace = ({ index, place, entryHref }: DefectPlaceProps): JSX.Element => (
  <li>
    <a href={entryHref(place.run, place.entry)}>
      <Name index={index} configuration={place.configuration} />
    </a>{" "}
    <span class="soft">
      {`brief by ${place.lead}, run ${place.replicate}; reported by ${place.found_by.length} of ${place.reviewed_by.length}`}
      {place.found_by.length === 0 ? null : (
        <>
          {": "}
          <Text>{namesOf(index, place.found_by)}</Text>
        </>
      )}
    </span>
  </li>
);
