import type { JSX } from "preact";
import {
  countWords,
  type DifferenceKind,
  type Differences,
  headerText,
  type RowDifference,
  summaryWords,
} from "../../lib/explain/differences.ts";
import type { MemberExplanation } from "../../lib/explain/explanation.ts";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Code } from "./parts.tsx";

const KINDS: Readonly<Record<DifferenceKind, string>> = {
  missing: "− missing",
  extra: "+ extra",
  cells: "≠ other cells",
  headers: "≈ other headers",
  moved: "↕ another row",
};

/** What a recipe made of a sheet in words: how many values of each kind, and some of them cell by cell. */
export function DifferenceWords({
  explanation,
  who,
}: {
  readonly explanation: MemberExplanation;
  readonly who: string;
}): JSX.Element | null {
  const { differences, sizes, cells } = explanation;
  if (differences === null || sizes === null) return null;
  const { counts, headers, rows } = differences;
  return (
    <>
      <p>
        Reference {sizes.reference[0]} rows and {sizes.reference[1]} columns, produced {sizes.produced[0]}{" "}
        rows and {sizes.produced[1]} columns. Values: {countWords(counts)}.
      </p>
      <Names title="Columns that are missing" names={namesWithout(differences, "produced")} />
      <Names title="Columns that are extra" names={namesWithout(differences, "reference")} />
      {headers.length === 0 ? null : (
        <>
          <p>Headers that were resolved otherwise:</p>
          <ul>
            {headers.map((header) => (
              <li key={header.name}>
                <Code>{header.name}</Code> in {summaryWords(header)}
              </li>
            ))}
          </ul>
        </>
      )}
      <DataTable
        caption={`${who}: some differences, the first of each kind`}
        none="Nothing differs."
        columns={[
          { id: "cell", title: "Value cell" },
          { id: "kind", title: "What differs" },
          { id: "shows", title: "The sheet shows" },
          { id: "reference", title: "Reference" },
          { id: "produced", title: "Produced" },
        ]}
        rows={rows.map((row, index) => {
          const address = (row.reference ?? row.produced)?.address ?? "";
          const [reference, produced] = sides(row, differences);
          return {
            key: String(index),
            cells: [
              <Code key="address">{address}</Code>,
              KINDS[row.kind],
              <Text key="shows">{cells.get(address) ?? ""}</Text>,
              <Side key="reference" lines={reference} />,
              <Side key="produced" lines={produced} />,
            ],
          };
        })}
      />
    </>
  );
}

const namesWithout = ({ columns }: Differences, side: "reference" | "produced"): string[] =>
  columns.filter((column) => column[side] === null).map(({ name }) => name);

const Names = ({
  title,
  names,
}: {
  readonly title: string;
  readonly names: readonly string[];
}): JSX.Element | null =>
  names.length === 0 ? null : (
    <p>
      {title}:{" "}
      {names.map((name, index) => (
        <span key={name}>
          {index === 0 ? "" : ", "}
          <Code>{name}</Code>
        </span>
      ))}
    </p>
  );

const Side = ({ lines }: { readonly lines: readonly string[] }): JSX.Element =>
  lines.length === 0 ? (
    <span class="none">does not take it</span>
  ) : (
    <ul class="sheet-plain">
      {lines.map((line) => (
        <li key={line}>
          <Code>{line}</Code>
        </li>
      ))}
    </ul>
  );

/** What either side says of the value: its whole row where only one has it, else what differs. */
function sides(
  { kind, reference, produced, headers }: RowDifference,
  { columns }: Differences,
): readonly [readonly string[], readonly string[]] {
  const whole = (side: NonNullable<RowDifference["reference"]>): string[] =>
    columns.flatMap(({ name }, index) => {
      const cell = side.cells[index] ?? null;
      return cell === null ? [] : [`${name} = ${cell}`];
    });
  if (reference === null || produced === null)
    return [reference === null ? [] : whole(reference), produced === null ? [] : whole(produced)];
  if (kind === "moved") return [[`row ${reference.row}`], [`row ${produced.row}`]];
  if (kind === "headers")
    return [
      headers.map((header) => `${header.name}: ${header.reference.map(headerText).join(" | ") || "none"}`),
      headers.map((header) => `${header.name}: ${header.produced.map(headerText).join(" | ") || "none"}`),
    ];
  const differing = columns.flatMap(({ name }, index) => {
    const [left, right] = [reference.cells[index] ?? null, produced.cells[index] ?? null];
    return left === right ? [] : [{ name, left, right }];
  });
  const said = (name: string, cell: string | null): string =>
    cell === null ? `no column ${name}` : `${name} = ${cell}`;
  return [
    differing.map(({ name, left }) => said(name, left)),
    differing.map(({ name, right }) => said(name, right)),
  ];
}
