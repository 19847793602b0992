import { CLOSE, END, OPEN, wellFormed, type XmlScanner } from "./xml-scan.ts";

/** Reads a comments part (notes) to plain text by cell address. @throws XlsxFault */
export function readComments(scanner: XmlScanner): Map<string, string> {
  const comments = new Map<string, string>();
  for (;;) {
    const event = scanner.next();
    if (event === END) return comments;
    if (event !== OPEN || scanner.name !== "comment") continue;
    scanner.hold(1);
    const address = scanner.value("ref") ?? "";
    comments.set(address, readTexts(scanner));
  }
}

/**
 * Reads a threaded-comments part: the replies to one cell joined by line breaks, in file order. The
 * notes part of such a workbook only holds a copy with advice for older programs around it.
 * @throws XlsxFault
 */
export function readThreadedComments(scanner: XmlScanner): Map<string, string> {
  const comments = new Map<string, string>();
  for (;;) {
    const event = scanner.next();
    if (event === END) return comments;
    if (event !== OPEN || scanner.name !== "threadedComment") continue;
    scanner.hold(1);
    const address = scanner.value("ref") ?? "";
    const text = readTexts(scanner);
    const before = comments.get(address);
    comments.set(address, before === undefined ? text : `${before}\n${text}`);
  }
}

/** All text of the element just opened (in `<t>`, or directly in `<text>`), phonetic readings left out. */
function readTexts(scanner: XmlScanner): string {
  const depth = scanner.depth;
  let text = "";
  let inText = 0;
  for (;;) {
    const event = scanner.next();
    if (event === OPEN) {
      if (scanner.name === "rPh" || scanner.name === "extLst" || scanner.name === "mentions") scanner.skip();
      else if (scanner.name === "t") text += wellFormed(unescapeX(scanner.content()));
      else if (scanner.name === "text") inText = scanner.depth;
    } else if (event === CLOSE) {
      if (scanner.depth === depth) return text;
      if (scanner.depth === inText) inText = 0;
    } else if (event !== END && inText === scanner.depth && !isIndentation(scanner.rawText())) {
      text += scanner.decode(scanner.rawText());
    }
  }
}

const isIndentation = (raw: string): boolean => raw.trim() === "";

/** Spreadsheet strings write control characters as `_x000D_`. */
const unescapeX = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
