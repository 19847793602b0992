import { XlsxFault } from "./fault.ts";
import { CLOSE, decodePart, END, OPEN, XmlScanner } from "./xml-scan.ts";
import type { ZipArchive } from "./zip.ts";

/** One worksheet as the workbook part lists it. */
export interface SheetEntry {
  readonly name: string;
  readonly state: "visible" | "hidden" | "veryHidden";
  /** Zip name of its part. */
  readonly part: string;
}

/** The parts of a workbook that are read; names are resolved, nothing is inflated yet. */
export interface WorkbookParts {
  readonly sheets: readonly SheetEntry[];
  /** Sheets that hold no cells (charts, dialogs, macros). */
  readonly skipped: readonly { readonly name: string; readonly kind: string }[];
  readonly date1904: boolean;
  readonly sharedStrings: string | null;
  readonly styles: string | null;
}

interface Relationship {
  readonly id: string;
  /** Last segment of the relationship type: `worksheet`, `sharedStrings`. Transitional and strict agree on it. */
  readonly kind: string;
  readonly target: string;
}

/** Opens a scanner on a part. @throws XlsxFault */
export const scanPart = (zip: ZipArchive, part: string): XmlScanner =>
  new XmlScanner(decodePart(zip.read(part), part), part, zip.hold);

/**
 * Finds the workbook part and what it refers to, by relationships and not by file names: real files do
 * not all call their first sheet `xl/worksheets/sheet1.xml`.
 * @throws XlsxFault
 */
export function readParts(zip: ZipArchive): WorkbookParts {
  const workbook = findWorkbook(zip);
  const relationships = new Map(readRelationships(zip, workbook).map((item) => [item.id, item]));
  const sheets: SheetEntry[] = [];
  const skipped: { name: string; kind: string }[] = [];
  const seen = new Set<string>();
  const { entries, date1904 } = readWorkbookPart(zip, workbook);
  for (const { name, state, id } of entries) {
    const relationship = relationships.get(id);
    if (relationship === undefined) {
      throw new XlsxFault("xlsx-missing-part", `The workbook lists sheet "${name}" but does not hold it.`, {
        hint: "Open the file in a spreadsheet program and save it again.",
      });
    }
    if (relationship.kind !== "worksheet") {
      skipped.push({ name, kind: relationship.kind });
      continue;
    }
    if (seen.has(name.toLowerCase())) {
      throw new XlsxFault("xlsx-duplicate-sheet-name", `Two sheets are called "${name}".`, {
        hint: "Rename one of them.",
      });
    }
    seen.add(name.toLowerCase());
    if (!zip.has(relationship.target)) {
      throw new XlsxFault(
        "xlsx-missing-part",
        `The part of sheet "${name}" is missing: ${relationship.target}.`,
      );
    }
    sheets.push({ name, state, part: relationship.target });
  }
  const find = (kind: string): string | null => {
    for (const item of relationships.values()) {
      if (item.kind === kind && zip.has(item.target)) return item.target;
    }
    return null;
  };
  return { sheets, skipped, date1904, sharedStrings: find("sharedStrings"), styles: find("styles") };
}

/** Notes and threaded comments parts of a sheet. @throws XlsxFault */
export function commentParts(zip: ZipArchive, sheetPart: string): { notes: string[]; threads: string[] } {
  const notes: string[] = [];
  const threads: string[] = [];
  for (const { kind, target } of readRelationships(zip, sheetPart)) {
    if (!zip.has(target)) continue;
    if (kind === "comments") notes.push(target);
    else if (kind === "threadedComment") threads.push(target);
  }
  return { notes, threads };
}

function findWorkbook(zip: ZipArchive): string {
  const root = readRelationships(zip, "").find(({ kind }) => kind === "officeDocument")?.target;
  const workbook = root ?? "xl/workbook.xml";
  if (workbook.toLowerCase().endsWith(".bin") || (!zip.has(workbook) && zip.has("xl/workbook.bin"))) {
    throw new XlsxFault("xlsx-binary-workbook", "This is a binary workbook (.xlsb).", {
      hint: "Save it as .xlsx.",
    });
  }
  if (!zip.has(workbook)) {
    throw new XlsxFault("xlsx-not-a-workbook", "This zip archive holds no workbook.", {
      hint: zip.has("content.xml")
        ? "It may be an OpenDocument file; save it as .xlsx."
        : "Send an .xlsx file.",
    });
  }
  return workbook;
}

interface ListedSheet {
  readonly name: string;
  readonly state: SheetEntry["state"];
  readonly id: string;
}

function readWorkbookPart(zip: ZipArchive, part: string): { entries: ListedSheet[]; date1904: boolean } {
  const scanner = scanPart(zip, part);
  const entries: ListedSheet[] = [];
  let date1904 = false;
  for (let event = scanner.next(); event !== END; event = scanner.next()) {
    if (event !== OPEN) continue;
    if (scanner.depth === 1 && scanner.name !== "workbook") {
      throw new XlsxFault("xlsx-not-a-workbook", `This file is a <${scanner.name}>, not a workbook.`, {
        hint: "Send an .xlsx file.",
      });
    }
    if (scanner.name === "workbookPr") {
      const flag = scanner.attribute("date1904");
      date1904 = flag === "1" || flag === "true";
    } else if (scanner.name === "sheets") readSheetList(scanner, entries);
    else if (scanner.depth === 2) scanner.skip();
  }
  return { entries, date1904 };
}

/** Adds the sheets of the `<sheets>` element just opened. */
function readSheetList(scanner: XmlScanner, sheets: ListedSheet[]): void {
  const depth = scanner.depth;
  for (;;) {
    const event = scanner.next();
    if (event === OPEN && scanner.name === "sheet") {
      const state = scanner.attribute("state");
      scanner.hold(1);
      sheets.push({
        name: scanner.value("name") ?? "",
        state: state === "hidden" || state === "veryHidden" ? state : "visible",
        // `r:id`, whatever prefix the file binds; `sheetId` is another attribute.
        id: scanner.prefixedAttribute("id") ?? "",
      });
    } else if (event === CLOSE && scanner.depth === depth) return;
  }
}

/** Relationships of a part (`""` is the package), with targets resolved to zip names; external ones left out. */
function readRelationships(zip: ZipArchive, part: string): Relationship[] {
  const slash = part.lastIndexOf("/");
  const folder = part.slice(0, slash + 1);
  const name = `${folder}_rels/${part.slice(slash + 1)}.rels`;
  if (!zip.has(name)) return [];
  const scanner = scanPart(zip, name);
  const relationships: Relationship[] = [];
  for (let event = scanner.next(); event !== END; event = scanner.next()) {
    if (event !== OPEN || scanner.name !== "Relationship") continue;
    if (scanner.attribute("TargetMode")?.toLowerCase() === "external") continue;
    scanner.hold(1);
    const type = scanner.value("Type") ?? "";
    relationships.push({
      id: scanner.value("Id") ?? "",
      kind: type.slice(type.lastIndexOf("/") + 1),
      target: resolveTarget(folder, scanner.value("Target") ?? ""),
    });
  }
  return relationships;
}

/** A relationship target as a zip name: relative to its part's folder, or absolute from the package root. */
function resolveTarget(folder: string, target: string): string {
  let path = target.replaceAll("\\", "/");
  try {
    path = decodeURIComponent(path);
  } catch {
    // A stray percent sign is meant literally.
  }
  const segments: string[] = [];
  for (const segment of (path.startsWith("/") ? path : `${folder}${path}`).split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments.join("/");
}
