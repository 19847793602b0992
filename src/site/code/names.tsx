import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { ModelName, type VendorLook } from "../ui/model-name.tsx";
import { Text } from "../ui/text.tsx";

/** What a configuration looks like wherever it is named. */
export interface Look {
  readonly configuration: string;
  readonly name: string;
  readonly effort: string;
  readonly vendor: VendorLook;
}

/** For a vendor that the catalogue does not have. */
const OTHER: Omit<VendorLook, "id" | "name"> = { marker: "ring", mark: "?" };

/** @param configuration `model@effort`, split at the last `@` */
export function lookOf(index: DataIndex, configuration: string): Look {
  const at = configuration.lastIndexOf("@");
  const id = at === -1 ? configuration : configuration.slice(0, at);
  const model = index.models.get(id);
  const vendor = index.vendors.get(model?.vendor ?? "");
  return {
    configuration,
    name: model?.name ?? id,
    effort: at === -1 ? "default" : configuration.slice(at + 1),
    vendor: vendor ?? { id: model?.vendor ?? "other", name: model?.vendor ?? "unknown vendor", ...OTHER },
  };
}

interface NameProps {
  readonly index: DataIndex;
  readonly configuration: string;
  readonly fast?: boolean;
}

/** A configuration with its lab's mark. */
export const Name = ({ index, configuration, fast = false }: NameProps): JSX.Element => (
  <ModelName {...lookOf(index, configuration)} fast={fast} />
);

/** A configuration in running text and in options: `GPT-6.1 Sol max`. */
export function plainName(index: DataIndex, configuration: string): string {
  const { name, effort } = lookOf(index, configuration);
  return effort === "default" ? name : `${name} ${effort}`;
}

/** The same, as text that cannot turn a line around. */
export const PlainName = ({ index, configuration }: NameProps): JSX.Element => (
  <Text>{plainName(index, configuration)}</Text>
);

/** Anchor of a configuration's row. */
export const rowAnchor = (configuration: string): string =>
  `c-${configuration.replaceAll(/[^A-Za-z0-9._-]/g, "_")}`;
