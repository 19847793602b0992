import { strToU8, zipSync } from "fflate";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE_REL = "http://schemas.openxmlformats.org/package/2006/relationships";

export interface SheetSource {
  readonly name?: string;
  readonly state?: string;
  /** Inside `<sheetData>`. */
  readonly data?: string;
  /** Before `<sheetData>`: `<cols>` and the like. */
  readonly before?: string;
  /** After `<sheetData>`: `<mergeCells>` and the like. */
  readonly after?: string;
  /** The whole part, instead of the three above. */
  readonly xml?: string;
  /** Relationships of the sheet: `<Relationship …/>` elements. */
  readonly rels?: string;
}

export interface WorkbookSource {
  readonly sheets?: readonly SheetSource[];
  /** Inside `<sst>`. */
  readonly strings?: string;
  /** Inside `<styleSheet>`. */
  readonly styles?: string;
  readonly date1904?: boolean;
  /** More parts, or other texts for the standard ones; null leaves one out. */
  readonly parts?: Readonly<Record<string, string | Uint8Array | null>>;
}

export const relationship = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${REL}/${kind}" Target="${target}"/>`;

export const relationships = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="${PACKAGE_REL}">${inner}</Relationships>`;

/** The parts of a small workbook, written out by hand. */
export function workbookParts(source: WorkbookSource): Record<string, Uint8Array> {
  const sheets = source.sheets ?? [{}];
  const parts: Record<string, string | Uint8Array | null> = {
    "[Content_Types].xml": `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    "_rels/.rels": relationships(relationship("rId1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="${MAIN}" xmlns:r="${REL}">${source.date1904 === true ? '<workbookPr date1904="1"/>' : ""}<sheets>${sheets
      .map(
        ({ name, state }, index) =>
          `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}"${state === undefined ? "" : ` state="${state}"`} r:id="rId${index + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships(
      sheets
        .map((_, index) => relationship(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`))
        .join("") +
        (source.strings === undefined ? "" : relationship("rIdS", "sharedStrings", "sharedStrings.xml")) +
        (source.styles === undefined ? "" : relationship("rIdT", "styles", "styles.xml")),
    ),
    ...source.parts,
  };
  for (const [index, sheet] of sheets.entries()) {
    const name = `xl/worksheets/sheet${index + 1}.xml`;
    if (!(name in parts)) {
      parts[name] =
        sheet.xml ??
        `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${MAIN}" xmlns:r="${REL}">${sheet.before ?? ""}<sheetData>${sheet.data ?? ""}</sheetData>${sheet.after ?? ""}</worksheet>`;
    }
    if (sheet.rels !== undefined) {
      parts[`xl/worksheets/_rels/sheet${index + 1}.xml.rels`] = relationships(sheet.rels);
    }
  }
  if (source.strings !== undefined && !("xl/sharedStrings.xml" in parts)) {
    parts["xl/sharedStrings.xml"] =
      `<?xml version="1.0" encoding="UTF-8"?><sst xmlns="${MAIN}">${source.strings}</sst>`;
  }
  if (source.styles !== undefined && !("xl/styles.xml" in parts)) {
    parts["xl/styles.xml"] =
      `<?xml version="1.0" encoding="UTF-8"?><styleSheet xmlns="${MAIN}">${source.styles}</styleSheet>`;
  }
  const result: Record<string, Uint8Array> = {};
  for (const [name, data] of Object.entries(parts)) {
    if (data !== null) result[name] = typeof data === "string" ? strToU8(data) : data;
  }
  return result;
}

/** A small workbook, written out by hand and zipped by fflate (not by the code under test). */
export const makeWorkbook = (source: WorkbookSource): Uint8Array => zipSync(workbookParts(source));

/** Styles: one `xf` per number format given, ids from 0; custom codes get ids from 164. */
export function formatStyles(...formats: readonly (number | string)[]): string {
  const custom = formats.filter((format) => typeof format === "string");
  const quoted = (text: string): string =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  return `<numFmts count="${custom.length}">${custom
    .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${quoted(code)}"/>`)
    .join(
      "",
    )}</numFmts><fonts><font/></fonts><fills><fill><patternFill patternType="none"/></fill></fills><borders><border/></borders><cellXfs>${formats
    .map(
      (format) =>
        `<xf numFmtId="${typeof format === "number" ? format : 164 + custom.indexOf(format)}" fontId="0" fillId="0" borderId="0"/>`,
    )
    .join("")}</cellXfs>`;
}
