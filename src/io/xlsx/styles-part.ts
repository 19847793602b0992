import { builtInFormat, dateTest } from "./number-format.ts";
import { CLOSE, END, OPEN, type XmlScanner } from "./xml-scan.ts";

/** What the cell model keeps of one cell format (`xf`). */
export interface CellStyle {
  readonly format: string;
  readonly showsDate: (value: number) => boolean;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly superscript: boolean;
  readonly indent: number;
  readonly fill: string | null;
}

export const PLAIN_STYLE: CellStyle = {
  format: "General",
  showsDate: () => false,
  bold: false,
  italic: false,
  superscript: false,
  indent: 0,
  fill: null,
};

interface Font {
  bold: boolean;
  italic: boolean;
  superscript: boolean;
}

/** The default palette of indexed colours (ECMA-376 Part 1, 18.8.27); 0–7 repeat 8–15. */
const PALETTE = (
  "000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF " +
  "800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF " +
  "000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 " +
  "3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 003366 339966 003300 333300 993300 993366 333399 333333"
).split(" ");

/** Reads `styles.xml` to one resolved style per cell format, in file order. @throws XlsxFault */
export function readStyles(scanner: XmlScanner): CellStyle[] {
  const formats = new Map<number, string>();
  const fonts: Font[] = [];
  const fills: ({ kind: "plain" } | { kind: "solid"; colour: RawColour })[] = [];
  const formatsOfCells: { format: number; font: number; fill: number; indent: number }[] = [];
  let palette: string[] = PALETTE;
  let event = scanner.next();
  while (event !== END) {
    if (event === OPEN) {
      switch (scanner.name) {
        case "numFmt": {
          scanner.hold(1);
          const id = integer(scanner.attribute("numFmtId"));
          const code = scanner.value("formatCode");
          if (code !== undefined) formats.set(id, code);
          break;
        }
        case "fonts":
          eachChild(scanner, "font", () => fonts.push(readFont(scanner)));
          break;
        case "fills":
          eachChild(scanner, "fill", () => fills.push(readFill(scanner)));
          break;
        case "cellXfs":
          eachChild(scanner, "xf", () => formatsOfCells.push(readCellFormat(scanner)));
          break;
        case "indexedColors": {
          const own: string[] = [];
          eachChild(scanner, "rgbColor", () => {
            own.push((scanner.value("rgb") ?? "").slice(-6).toUpperCase());
            scanner.skip();
          });
          palette = own;
          break;
        }
        case "cellStyleXfs":
        case "cellStyles":
        case "dxfs":
        case "tableStyles":
        case "extLst":
          scanner.skip();
          break;
        default:
          break;
      }
    }
    event = scanner.next();
  }
  const tests = new Map<string, (value: number) => boolean>();
  return formatsOfCells.map((xf) => {
    const format = formats.get(xf.format) ?? builtInFormat(xf.format);
    const showsDate = tests.get(format) ?? dateTest(format);
    tests.set(format, showsDate);
    const fill = fills[xf.fill];
    return {
      format,
      showsDate,
      bold: fonts[xf.font]?.bold ?? false,
      italic: fonts[xf.font]?.italic ?? false,
      superscript: fonts[xf.font]?.superscript ?? false,
      indent: xf.indent,
      fill: fill?.kind === "solid" ? resolveColour(fill.colour, palette) : null,
    };
  });
}

/** Calls `visit` at each child so named of the element just opened; `visit` must consume the child. */
function eachChild(scanner: XmlScanner, name: string, visit: () => void): void {
  const depth = scanner.depth;
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === name) {
        scanner.hold(1);
        visit();
      } else scanner.skip();
    } else if (event === CLOSE && scanner.depth === depth) return;
  }
}

function readFont(scanner: XmlScanner): Font {
  const font: Font = { bold: false, italic: false, superscript: false };
  const depth = scanner.depth;
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === "b") font.bold = isOn(scanner.attribute("val"));
      else if (scanner.name === "i") font.italic = isOn(scanner.attribute("val"));
      else if (scanner.name === "vertAlign") font.superscript = scanner.attribute("val") === "superscript";
    } else if (event === CLOSE && scanner.depth === depth) return font;
  }
}

interface RawColour {
  rgb?: string | undefined;
  theme?: string | undefined;
  tint?: string | undefined;
  indexed?: string | undefined;
}

function readFill(scanner: XmlScanner): { kind: "plain" } | { kind: "solid"; colour: RawColour } {
  const depth = scanner.depth;
  let solid = false;
  let colour: RawColour = {};
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === "patternFill") solid = scanner.attribute("patternType") === "solid";
      else if (scanner.name === "fgColor") {
        colour = {
          rgb: scanner.attribute("rgb"),
          theme: scanner.attribute("theme"),
          tint: scanner.attribute("tint"),
          indexed: scanner.attribute("indexed"),
        };
      }
    } else if (event === CLOSE && scanner.depth === depth) {
      return solid ? { kind: "solid", colour } : { kind: "plain" };
    }
  }
}

function resolveColour(colour: RawColour, palette: readonly string[]): string | null {
  if (colour.rgb !== undefined && /^(?:[0-9A-Fa-f]{2})?[0-9A-Fa-f]{6}$/.test(colour.rgb)) {
    return colour.rgb.slice(-6).toUpperCase();
  }
  if (colour.theme !== undefined) {
    const tint = Number(colour.tint ?? 0);
    const theme = integer(colour.theme);
    return Number.isFinite(tint) && tint !== 0 ? `theme:${theme}:${tint}` : `theme:${theme}`;
  }
  // 64 and 65 are the system's own colours: no fill that a person would see as one.
  if (colour.indexed !== undefined) return palette[integer(colour.indexed)] ?? null;
  return null;
}

function readCellFormat(scanner: XmlScanner): { format: number; font: number; fill: number; indent: number } {
  const result = {
    format: integer(scanner.attribute("numFmtId")),
    font: integer(scanner.attribute("fontId")),
    fill: integer(scanner.attribute("fillId")),
    indent: 0,
  };
  const depth = scanner.depth;
  for (;;) {
    const event = scanner.next();
    if (event === OPEN && scanner.name === "alignment") result.indent = integer(scanner.attribute("indent"));
    else if (event === CLOSE && scanner.depth === depth) return result;
  }
}

/** A non-negative integer attribute; anything else is 0, the value every such attribute defaults to. */
function integer(text: string | undefined): number {
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
}

/** `<b/>` is on, `<b val="0"/>` is off. */
export const isOn = (value: string | undefined): boolean =>
  value === undefined || value === "1" || value === "true" || value === "on";
