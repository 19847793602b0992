import { cutText, safeText, textWidth } from "../../lib/picture/text.ts";
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

/** The name cut to so many columns, in which the effort stays whole where that leaves the name some room. */
export function shortName(look: MarkLook, columns: number): string {
  const effort = fullName({ name: "", effort: look.effort });
  const left = columns - textWidth(effort);
  const name = fullName({ name: look.name, effort: null });
  return left < 4 ? cutText(name + effort, columns) : cutText(name, left) + effort;
}

/** Fill or stroke of a vendor's marks. */
export const vendorPaint = ({ id }: Pick<VendorLook, "id">): string => `var(--vendor-${id}, currentColor)`;
