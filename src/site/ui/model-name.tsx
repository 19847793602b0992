import type { JSX } from "preact";
import { Hidden, Text } from "./text.tsx";

/** What tells a vendor's marks apart: never its colour alone. From `data/models.json`. */
export interface VendorLook {
  readonly id: string;
  readonly name: string;
  /** Shape of its marks in charts. */
  readonly marker: string;
  /** One to three letters. */
  readonly mark: string;
}

/** The lab's mark: its letters on a ground edged in its colour. */
export const VendorMark = ({ vendor }: { readonly vendor: VendorLook }): JSX.Element => (
  <span class={`mark v-${vendor.id}`} title={vendor.name}>
    <span aria-hidden="true">{vendor.mark}</span>
    <Hidden>{`${vendor.name}: `}</Hidden>
  </span>
);

export interface ModelNameProps {
  readonly configuration: string;
  readonly name: string;
  /** Null where no level of effort is meant. */
  readonly effort: string | null;
  readonly vendor: VendorLook;
  /** Whether any of its runs was on a faster service tier. */
  readonly fast?: boolean;
}

/** A configuration as every table names it. */
export const ModelName = ({ name, effort, vendor, fast = false }: ModelNameProps): JSX.Element => (
  <span class="model">
    <VendorMark vendor={vendor} />
    <span class="model-name">
      <Text>{name}</Text>
      {effort === null || effort === "default" ? null : (
        <>
          {" "}
          <span class="effort">
            <Text>{effort}</Text>
          </span>
        </>
      )}
      {fast ? (
        <span class="fast" title="ran on a faster service tier">
          {" "}
          <span aria-hidden="true">⚡</span>
          <Hidden>on a faster service tier</Hidden>
        </span>
      ) : null}
    </span>
  </span>
);
