import { crc32, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Canvas, colourOf, rectangle } from "../../../src/lib/picture/canvas.ts";
import { encodePng } from "../../../src/lib/picture/png.ts";
import { breakText, fitText, measureText, textContours } from "../../../src/lib/picture/typeface/typeface.ts";

const WHITE = colourOf("#ffffff");
const BLACK = colourOf("#000000");
const pixel = (canvas: Canvas, x: number, y: number): number[] => [
  ...canvas.pixels.subarray(3 * (y * canvas.width + x), 3 * (y * canvas.width + x) + 3),
];
/** How much of the picture is black, in pixels. */
const ink = (canvas: Canvas): number => {
  let sum = 0;
  for (let at = 0; at < canvas.pixels.length; at += 3) sum += (255 - (canvas.pixels[at] ?? 255)) / 255;
  return sum;
};

describe("areas", () => {
  it("cover whole pixels wholly, and parts of pixels by their share", () => {
    const canvas = new Canvas(6, 6, WHITE);
    canvas.fill([rectangle(1, 1, 2, 2)], BLACK);
    canvas.fill([rectangle(4, 0, 0.5, 1)], BLACK);
    canvas.fill([rectangle(4, 2, 1, 0.25)], BLACK);
    expect(pixel(canvas, 1, 1)).toEqual([0, 0, 0]);
    expect(pixel(canvas, 2, 2)).toEqual([0, 0, 0]);
    expect(pixel(canvas, 3, 1)).toEqual([255, 255, 255]);
    expect(pixel(canvas, 4, 0)).toEqual([128, 128, 128]);
    expect(pixel(canvas, 4, 2)).toEqual([191, 191, 191]);
    expect(ink(canvas)).toBeCloseTo(4.75, 1);
  });

  it("have holes where a contour turns the other way, and are as dark as ever where contours overlap", () => {
    const canvas = new Canvas(12, 6, WHITE);
    canvas.fill([rectangle(0, 0, 6, 6), rectangle(2, 2, 2, 2).toReversed()], BLACK);
    canvas.fill([rectangle(6, 0, 3, 6), rectangle(8, 0, 3, 6)], BLACK);
    expect(pixel(canvas, 2, 2)).toEqual([255, 255, 255]);
    expect(pixel(canvas, 8, 3)).toEqual([0, 0, 0]);
    expect(ink(canvas)).toBeCloseTo(36 - 4 + 30, 5);
  });

  it("slant as they should: a triangle covers half of its rectangle", () => {
    const canvas = new Canvas(40, 40, WHITE);
    canvas.fill(
      [
        [
          { x: 3.3, y: 2.7 },
          { x: 35.1, y: 20.2 },
          { x: 3.3, y: 37.9 },
        ],
      ],
      BLACK,
    );
    expect(ink(canvas)).toBeCloseTo((31.8 * 35.2) / 2, 0);
  });

  it("beyond the picture are not drawn, and no colour is no colour", () => {
    const canvas = new Canvas(4, 4, WHITE);
    canvas.fill([rectangle(-5, -5, 6, 6), rectangle(9, 9, 3, 3)], BLACK);
    canvas.fill([], BLACK);
    expect(ink(canvas)).toBe(1);
    expect(() => colourOf("red")).toThrow(RangeError);
  });
});

it("a PNG file holds the very pixels, with checksums that hold", () => {
  const canvas = new Canvas(5, 3, colourOf("#102030"));
  canvas.fill([rectangle(1, 1, 2, 1)], colourOf("#fedcba"));
  const file = Buffer.from(encodePng(canvas));
  expect([...file.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString("latin1", 0, 4), body.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(["IHDR", "IDAT", "IEND"]);
  expect([...(chunks.get("IHDR") ?? [])]).toEqual([0, 0, 0, 5, 0, 0, 0, 3, 8, 2, 0, 0, 0]);
  const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  const pixels = [0, 1, 2].flatMap((y) => {
    expect(rows[16 * y]).toBe(0);
    return [...rows.subarray(16 * y + 1, 16 * (y + 1))];
  });
  expect(pixels).toEqual([...canvas.pixels]);
});

describe("text", () => {
  const draw = (text: string, weight: "regular" | "bold" = "regular"): Canvas => {
    const canvas = new Canvas(400, 60, WHITE);
    canvas.fill(textContours(text, 10, 45, 40, weight), BLACK);
    return canvas;
  };
  /** The first and the last column with any ink. */
  const reach = (canvas: Canvas): [number, number] => {
    const columns = Array.from({ length: canvas.width }, (_, x) => x).filter((x) =>
      Array.from({ length: canvas.height }, (_, y) => pixel(canvas, x, y)[0] ?? 255).some(
        (value) => value < 200,
      ),
    );
    return [columns[0] ?? -1, columns[columns.length - 1] ?? -1];
  };

  it("stands between where it begins and its measured width", () => {
    for (const text of ["Hamburg", "1.234 ± 0.5", "Größe €", "Łódź"]) {
      const [left, right] = reach(draw(text));
      expect(left).toBeGreaterThanOrEqual(9);
      expect(right).toBeLessThanOrEqual(11 + measureText(text, 40, "regular"));
      expect(right).toBeGreaterThan(measureText(text, 40, "regular") - 4);
    }
  });

  it("has an o with a hole, a dot over its ä, and more ink when bold", () => {
    const width = measureText("o", 40, "regular");
    const middle = Math.round(10 + width / 2);
    const o = draw("o");
    expect(pixel(o, middle, 34)).toEqual([255, 255, 255]);
    const column = Array.from({ length: 60 }, (_, y) => pixel(o, middle, y)[0] ?? 255);
    expect(Math.min(...column.slice(15, 30))).toBeLessThan(40);
    expect(Math.min(...column.slice(38, 50))).toBeLessThan(40);
    expect(ink(draw("ä"))).toBeGreaterThan(1.05 * ink(draw("a")));
    expect(ink(draw("Assay", "bold"))).toBeGreaterThan(1.15 * ink(draw("Assay")));
  });

  it("has round letters without a corner", () => {
    for (const contour of textContours("o", 0, 0, 1000, "regular")) {
      const steps = contour.flatMap((from, at) => {
        const to = contour[(at + 1) % contour.length] ?? from;
        const [x, y] = [to.x - from.x, to.y - from.y];
        return x === 0 && y === 0 ? [] : [Math.atan2(y, x)];
      });
      const turns = steps.map((angle, at) => {
        const turn = Math.abs((steps[(at + 1) % steps.length] ?? angle) - angle);
        return Math.min(turn, 2 * Math.PI - turn);
      });
      expect((Math.max(...turns) * 180) / Math.PI).toBeLessThan(20);
    }
  });

  it("has every printable character of ASCII as a shape of its own, and one box for what it lacks", () => {
    const shapes = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).map(
      (character) => JSON.stringify(textContours(character, 0, 0, 1000, "regular")),
    );
    expect(new Set(shapes).size).toBe(shapes.length);
    const [one, other] = ["漢", "\u202e"].map((text) => textContours(text, 0, 0, 40, "regular"));
    expect(one).toEqual(other);
    expect(one?.length).toBe(2);
  });

  it("is cut with an ellipsis, and broken at spaces, so that it fits", () => {
    expect(fitText("short", 400, 40, "bold")).toBe("short");
    const cut = fitText("very-long-model-name-".repeat(10), 300, 40, "bold");
    expect(cut).toMatch(/^very-long.*…$/);
    expect(measureText(cut, 40, "bold")).toBeLessThanOrEqual(300);
    const lines = breakText(
      "Spreadsheets as offices publish them, with all their faults",
      300,
      30,
      "regular",
      2,
    );
    expect(lines).toHaveLength(2);
    expect(lines.join(" ")).toMatch(/^Spreadsheets as .*…$/);
    for (const line of lines) expect(measureText(line, 30, "regular")).toBeLessThanOrEqual(300);
    expect(breakText("", 300, 30, "regular", 2)).toEqual([]);
  });
});
