import { safeText } from "../../lib/picture/text.ts";
import type { VendorLook } from "../ui/model-name.tsx";

/** How a configuration, or whatever a chart draws one mark for, is named. */
export interface MarkLook {
  /** The model's name. */
  readonly name: string;
  /** Level of effort; null where there is none to tell. */
  readonly effort: string | null;
  readonly vendor: VendorLook;
  /** Where its mark leads, such as `#row-…`; null for marks that lead nowhere. */
  readonly href: string | null;
}

/** The look of each configuration of a chart. */
export type LookOf = (configuration: string) => MarkLook;

/** Name and effort in one line of safe text. */
export function fullName({ name, effort }: Pick<MarkLook, "name" | "effort">): string {
  const level = effort === null || effort === "default" ? "" : ` ${effort}`;
  return safeText(`${name}${level}`);
}

/** Fill or stroke of a vendor's marks. */
export const vendorPaint = ({ id }: Pick<VendorLook, "id">): string => `var(--vendor-${id}, currentColor)`;
