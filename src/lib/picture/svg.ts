import type { Picture, PictureCell, Track } from "./layout.ts";
import { cellKey } from "./roles.ts";
import { cutText, safeText, textWidth } from "./text.ts";

/** Drawing units (CSS pixels). */
const ROW = 22;
const GUTTER = 56;
const PAD = 12;
const CHARACTER = 7.2;
const MIN_WIDTH = 44;
const MAX_WIDTH = 190;

const escapeText = (text: string): string =>
  safeText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** Light and dark by the reader's own setting; every role also differs in line and weight, never in colour alone. */
const STYLE = `
.bg{fill:#fff}.t{fill:#1c1c1c}.m{fill:#595959}.g{stroke:#d4d4d4;fill:none}
.value{fill:#d9f2d9;stroke:#1a7f37;stroke-width:2}.header{fill:#d8ecff;stroke:#0550ae;stroke-width:1.5;stroke-dasharray:6 2}
.unused{fill:#f4f4f4;stroke:#8a8a8a;stroke-dasharray:1.5 2.5}.bad{stroke:#b35900;stroke-width:3;fill:none}
.b{font-weight:700}.i{font-style:italic}text{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px}
@media (prefers-color-scheme:dark){.bg{fill:#16181d}.t{fill:#ececec}.m{fill:#a8adb7}.g{stroke:#3a3f4a}
.value{fill:#143d20;stroke:#57d97a}.header{fill:#12304f;stroke:#79c0ff}.unused{fill:#22252c;stroke:#8a8f99}.bad{stroke:#ffb15c}}
`;

/**
 * The picture as a stand-alone SVG document: no scripts, no external resources, text escaped. Values have a
 * solid frame and bold text, headers a dashed frame and their output's letter, unused cells a dotted frame
 * and italic text.
 */
export function renderSvg(picture: Picture): string {
  const widths = picture.columns.map((track) => columnWidth(picture, track));
  const lefts: number[] = [];
  let right = PAD + GUTTER;
  for (const width of widths) {
    lefts.push(right);
    right += width;
  }
  const legend = legendLines(picture);
  const top = PAD + 26;
  const bottom = top + ROW * (picture.rows.length + 1);
  const legendWidth = Math.max(...legend.map(({ text }) => PAD * 2 + 40 + text.length * CHARACTER));
  const width = Math.ceil(Math.max(right + PAD, legendWidth, 320));
  const height = Math.ceil(bottom + 12 + legend.length * ROW + PAD);
  const { region } = picture;
  const title = `${picture.sheet}, R${region.top}C${region.left} to R${region.bottom}C${region.right}`;
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escapeText(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="bg" width="${width}" height="${height}"/>`,
    label(PAD, PAD + 12, "t b", title, Math.floor((width - 2 * PAD) / CHARACTER)),
  ];
  for (const [index, track] of picture.columns.entries()) {
    out.push(label((lefts[index] ?? 0) + 4, top + 15, "m", trackTitle(track, "C"), 12));
  }
  for (const [index, row] of picture.rows.entries()) {
    const y = top + ROW * (index + 1);
    out.push(label(PAD, y + 15, "m", trackTitle(row, "R"), 9));
    if (row.kind === "fold") {
      out.push(label(PAD + GUTTER + 4, y + 15, "m i", `${row.last - row.first + 1} rows alike`, 40));
      continue;
    }
    for (const [position, column] of picture.columns.entries()) {
      if (column.kind === "fold") continue;
      const cell = picture.cells.get(cellKey(row.index, column.index));
      out.push(
        drawCell(
          cell,
          lefts[position] ?? 0,
          y,
          widths[position] ?? MIN_WIDTH,
          cellKey(row.index, column.index),
        ),
      );
    }
  }
  for (const [index, { kind, text }] of legend.entries()) {
    const y = bottom + 12 + index * ROW;
    if (kind !== null) out.push(`<rect class="${kind}" x="${PAD + 1}" y="${y + 3}" width="26" height="15"/>`);
    out.push(label(PAD + 36, y + 15, "t", text, Math.floor((width - PAD - 40) / CHARACTER)));
  }
  out.push("</svg>");
  return `${out.join("\n")}\n`;
}

const label = (x: number, y: number, kind: string, text: string, characters: number): string =>
  `<text class="${kind}" x="${Math.round(x * 10) / 10}" y="${y}">${escapeText(cutText(safeText(text), Math.max(1, characters)))}</text>`;

const trackTitle = (track: Track, letter: string): string =>
  track.kind === "line" ? `${letter}${track.index}` : `⋯ ${track.last - track.first + 1}`;

function columnWidth(picture: Picture, track: Track): number {
  if (track.kind === "fold") return MIN_WIDTH;
  let characters = trackTitle(track, "C").length;
  for (const row of picture.rows) {
    if (row.kind === "fold") continue;
    const cell = picture.cells.get(cellKey(row.index, track.index));
    if (cell !== undefined) characters = Math.max(characters, textWidth(cellLabel(cell)));
    if (characters * CHARACTER > MAX_WIDTH) return MAX_WIDTH;
  }
  return Math.max(MIN_WIDTH, Math.ceil(characters * CHARACTER) + 12);
}

const cellLabel = (cell: PictureCell): string => {
  const text = safeText(cell.text);
  const mark = cell.problem ? " !" : "";
  return cell.letters === "" ? `${text}${mark}` : `${cell.letters}: ${text}${mark}`;
};

function drawCell(cell: PictureCell | undefined, x: number, y: number, width: number, key: string): string {
  if (cell === undefined) return `<rect class="g" x="${x}" y="${y}" width="${width}" height="${ROW}"/>`;
  const weight = cell.role === "value" ? "t b" : cell.role === "unused" ? "m i" : "t";
  const text = cellLabel(cell);
  const characters = Math.floor((width - 8) / CHARACTER);
  const full = cell.text.length > 200 ? `${cell.text.slice(0, 200)}…` : cell.text;
  const parts = [
    `<g><title>${escapeText(`${key}, ${cell.role}: ${full}`)}</title>`,
    `<rect class="${cell.role}" x="${x + 1.5}" y="${y + 1.5}" width="${width - 3}" height="${ROW - 3}"/>`,
  ];
  if (cell.problem) parts.push(`<path class="bad" d="M${x + 3} ${y + ROW - 3}h${width - 6}"/>`);
  parts.push(label(x + 5, y + 15, weight, text, characters), "</g>");
  return parts.join("");
}

function legendLines(picture: Picture): { kind: "value" | "header" | "unused" | null; text: string }[] {
  const lines: { kind: "value" | "header" | "unused" | null; text: string }[] = [];
  if (picture.counts.values > 0) {
    lines.push({ kind: "value", text: `value, solid frame, bold (${picture.counts.values})` });
  }
  for (const { letters, name, direction } of picture.outputs) {
    lines.push({
      kind: "header",
      text: `${letters}: header "${cutText(safeText(name), 60)}" (${direction}), dashed frame`,
    });
  }
  lines.push({ kind: "unused", text: `not used, dotted frame, italic (${picture.counts.unused})` });
  if ([...picture.cells.values()].some(({ problem }) => problem)) {
    lines.push({ kind: null, text: "! the value has a missing or ambiguous header" });
  }
  const { cut } = picture;
  if (cut.rows > 0 || cut.columns > 0) {
    lines.push({
      kind: null,
      text: `not shown: ${cut.rows} rows below, ${cut.columns} columns to the right`,
    });
  }
  return lines;
}
