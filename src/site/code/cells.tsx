import type { ComponentChildren, JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { Measure } from "../../lib/code/aggregate/nest.ts";
import { numberText, UNKNOWN } from "../../lib/code/aggregate/numbers-text.ts";
import { cutText, safeText } from "../../lib/picture/text.ts";
import type { Known } from "../../lib/stats/known.ts";
import { ModelName, type VendorLook, VendorMark } from "../ui/model-name.tsx";
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
export function vendorLook(index: DataIndex, id: string): VendorLook {
  const vendor = index.vendors.get(id);
  return vendor === undefined
    ? { id, name: id, marker: "circle", mark: id.slice(0, 2) }
    : { id, name: vendor.name, marker: vendor.marker, mark: vendor.mark };
}

interface ConfigurationNameProps {
  readonly index: DataIndex;
  /** `model@effort`. */
  readonly configuration: string;
  readonly fast?: boolean;
}

/** A configuration by its id, as every table names it. */
export function ConfigurationName({
  index,
  configuration,
  fast = false,
}: ConfigurationNameProps): JSX.Element {
  const at = configuration.lastIndexOf("@");
  const id = at < 0 ? configuration : configuration.slice(0, at);
  const model = index.models.get(id);
  const effort = at < 0 ? null : configuration.slice(at + 1);
  if (model === undefined)
    return (
      <span class="model-name">
        <Text>{configuration}</Text>
      </span>
    );
  return (
    <ModelName
      configuration={configuration}
      name={model.name}
      effort={effort}
      vendor={vendorLook(index, model.vendor)}
      fast={fast}
    />
  );
}

/** So much of a name stands in a column's title. */
const TITLE_WIDTH = 28;

/** A name that somebody gave, as a column's title: in full on hover where it is too long to stand there. */
export function nameColumn(name: string): Pick<Column, "title" | "hint"> {
  const title = cutText(safeText(name), TITLE_WIDTH);
  return title === name ? { title } : { title, hint: safeText(name) };
}

/** A configuration by its name, as plain text. */
export function configurationText(index: DataIndex, configuration: string): string {
  const at = configuration.lastIndexOf("@");
  const model = index.models.get(configuration.slice(0, Math.max(0, at)));
  return model === undefined ? configuration : `${model.name} ${configuration.slice(at + 1)}`;
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
