/** A cell as a prompt tells of it. */
export interface ListedCell {
  readonly kind: "text" | "number" | "date" | "boolean" | "error" | "blank";
  /** Plain text of the value; for dates the ISO text. */
  readonly text: string;
  /** Present for numbers. */
  readonly number?: number;
  readonly bold: boolean;
  /** Superscript parts of the text, if the listing marks any. */
  readonly marks: string;
}

/** The text of a JSON string; what is none stands for itself. */
export function parseText(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}

/** A value as the listing writes it. */
export function parseValue(value: string): Pick<ListedCell, "kind" | "text" | "number"> {
  if (value.startsWith('"')) return { kind: "text", text: parseText(value) };
  if (value === "blank") return { kind: "blank", text: "" };
  if (value === "true" || value === "false") return { kind: "boolean", text: value };
  const date = /^date\((.*)\)$/.exec(value)?.[1];
  if (date !== undefined) return { kind: "date", text: date };
  if (value.startsWith("error(")) return { kind: "error", text: value };
  return { kind: "number", text: value, number: Number(value) };
}
