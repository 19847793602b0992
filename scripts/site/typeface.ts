// node --import tsx scripts/site/typeface.ts <regular.ttf> <bold.ttf>: writes the outlines that pictures are drawn with.
// They were made from Inter 4 (SIL Open Font License 1.1): 400Regular and 600SemiBold of the npm package
// @expo-google-fonts/inter 0.4.2. The font is needed for this alone, so it is no dependency.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../benchmarks/root.ts";
import { type Outline, type OutlinePoint, readTrueType } from "./truetype.ts";

/** Outlines are kept in whole thousandths of the font's size. */
const EM = 1000;

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

/** Latin letters, and the signs that numbers and sentences here need. */
const CHARACTERS = [...range(0x20, 0x7e), ...range(0xa0, 0x17f), ..."‐‑–—‘’‚“”„•…€→←↑↓−×÷±≤≥≠≈"];

const [regular, bold] = process.argv.slice(2);
if (regular === undefined || bold === undefined) throw new Error("two fonts: regular and bold");
const lines = [
  ["regular", regular],
  ["bold", bold],
].map(([name = "", path = ""]) => {
  const bytes = readFileSync(path);
  const font = readTrueType(bytes);
  const scale = EM / font.unitsPerEm;
  const glyphs = CHARACTERS.flatMap((character) => {
    const outline = font.outline(character);
    return outline === null ? [] : [[character, ...packed(outline, scale)]];
  });
  const rows = glyphs.map((row) => JSON.stringify(row));
  return `"${name}":{"sha256":"sha256:${createHash("sha256").update(bytes).digest("hex")}","glyphs":[\n${rows.join(",\n")}]}`;
});
writeFileSync(join(REPOSITORY, "src/lib/picture/typeface/outlines.json"), `{${lines.join(",\n")}}\n`);

/** Its advance, and its contours: `x y` of each point after another, a control point marked with `~`. */
function packed({ advance, contours }: Outline, scale: number): [number, string] {
  const point = ({ x, y, on }: OutlinePoint): string =>
    `${on ? "" : "~"}${Math.round(x * scale)} ${Math.round(y * scale)}`;
  return [Math.round(advance * scale), contours.map((contour) => contour.map(point).join(" ")).join("/")];
}
