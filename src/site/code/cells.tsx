import type { ComponentChildren, JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { Measure } from "../../lib/code/aggregate/nest.ts";
import { numberText, UNKNOWN } from "../../lib/code/aggregate/numbers-text.ts";
import { cutText, safeText } from "../../lib/picture/text.ts";
import type { Known } from "../../lib/stats/known.ts";
import { type VendorLook, VendorMark } from "../ui/model-name.tsx";
import type { Column } from "../ui/table.tsx";
import { Hidden, Text } from "../ui/text.tsx";
import { Tip } from "../ui/tip.tsx";

/** A number that is not known, and why. */
export const Unknown = ({ reason }: { readonly reason: string }): JSX.Element => (
  <Tip text={<Text>{reason}</Text>}>
    <span aria-hidden="true">{UNKNOWN}</span>
    <Hidden>unknown</Hidden>
  </Tip>
);

interface KnownCellProps {
  readonly known: Known;
  readonly text: (value: number) => string;
}

/** A number, or why there is none. */
export const KnownCell = ({ known, text }: KnownCellProps): ComponentChildren =>
  known.value === null ? <Unknown reason={known.reason} /> : text(known.value);

interface MeasureCellProps {
  readonly measure: Measure;
  readonly text: (value: number | null) => string;
  /** Why it may be unknown. */
  readonly reason: string;
}

/** A measure with the deviation between its repeat runs, and what it comes from on hover. */
export function MeasureCell({ measure, text, reason }: MeasureCellProps): JSX.Element {
  const { value, n, spread } = measure;
  if (value === null) return <Unknown reason={reason} />;
  const entries = `${n} ${n === 1 ? "entry" : "entries"}`;
  if (spread === null)
    return <Tip text={`Mean of ${entries}; no repeat runs that cover the same work.`}>{text(value)}</Tip>;
  return (
    <Tip
      text={
        <>
          {`${entries}; from ${text(spread.min)} to ${text(spread.max)} over ${spread.n} repeat runs: `}
          {spread.replicates.map(({ replicate, value: own }) => `run ${replicate} ${text(own)}`).join(", ")}
        </>
      }
    >
      {text(value)} <span class="soft">±{text(spread.sd)}</span>
    </Tip>
  );
}

/** What the page knows of a vendor; one that the catalogue lost stays recognisable by its id. */
export const vendorLook = (index: DataIndex, id: string): VendorLook =>
  index.vendors.get(id) ?? { id, name: id, marker: "ring", mark: "?" };

/** So much of a name stands in a column's title. */
const TITLE_WIDTH = 28;

/** A name that somebody gave, as a column's title: in full on hover where it is too long to stand there. */
export function nameColumn(name: string): Pick<Column, "title" | "hint"> {
  const title = cutText(safeText(name), TITLE_WIDTH);
  return title === name ? { title } : { title, hint: safeText(name) };
}

/** A judge by its name, with the mark of its vendor. */
export function JudgeName({
  index,
  judge,
}: {
  readonly index: DataIndex;
  readonly judge: string;
}): JSX.Element {
  const known = index.judges.get(judge);
  return (
    <span class="model">
      {known === undefined ? null : <VendorMark vendor={vendorLook(index, known.vendor)} />}
      <span class="model-name">
        <Text>{known?.name ?? judge}</Text>
      </span>
    </span>
  );
}

/** `0.62`, with its sign. */
export const signedNumber = (value: number): string => `${value > 0 ? "+" : ""}${numberText(value)}`;
