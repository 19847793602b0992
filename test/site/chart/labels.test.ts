import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Box,
  boxesOverlap,
  crossesBox,
  type LabelRequest,
  placeLabels,
} from "../../../src/site/chart/labels.ts";

const within: Box = { x: 0, y: 0, width: 600, height: 400 };
const request = (key: string, x: number, y: number, text = `Model ${key}`): LabelRequest => ({
  key,
  texts: [text],
  x,
  y,
  radius: 6,
  bold: false,
  far: true,
});
const boxOf = ({ x, y, radius }: LabelRequest): Box => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
});
const place = (requests: readonly LabelRequest[], lines: Parameters<typeof placeLabels>[1]["lines"] = []) =>
  placeLabels(requests, { within, obstacles: requests.map(boxOf), lines, fontSize: 12, must: true });

describe("labels", () => {
  it("a label on its own stands right of its mark, without a leader line", () => {
    const { placed } = place([request("a", 100, 100)]);
    expect(placed).toHaveLength(1);
    expect(placed[0]).toMatchObject({ anchor: "start", leader: null });
    expect(placed[0]!.box.x).toBeGreaterThan(106);
  });
  it("at the right edge it stands left, and its end is anchored", () => {
    expect(place([request("a", 590, 100)]).placed[0]).toMatchObject({ anchor: "end" });
  });
  it("several marks at one place all get a label, those further away with a leader line", () => {
    const spot = Array.from({ length: 12 }, (_, n) => request(`m${n}`, 300, 200, "A rather long name"));
    const { placed, unplaced } = place(spot);
    expect(unplaced).toEqual([]);
    expect(placed.filter(({ leader }) => leader !== null).length).toBeGreaterThan(0);
  });
  it("one that may not stand away is left out rather than led to", () => {
    const spot = Array.from({ length: 12 }, (_, n) => ({
      ...request(`m${n}`, 300, 200, "A rather long name"),
      far: false,
    }));
    const { placed, unplaced } = place(spot);
    expect(placed.every(({ leader }) => leader === null)).toBe(true);
    expect(unplaced.length).toBeGreaterThan(0);
    expect(placed.length + unplaced.length).toBe(12);
  });
  it("a line is crossed only where nothing else is free", () => {
    const line = { x1: 0, y1: 100, x2: 600, y2: 100 };
    const { placed } = place([request("a", 300, 100)], [line]);
    expect(crossesBox(line, placed[0]!.box)).toBe(false);
  });
  it("what need not be there is left out where it could only stand badly", () => {
    const spot = Array.from({ length: 30 }, (_, n) => request(`m${n}`, 300, 200, "A rather long name"));
    const room = { within, obstacles: spot.map(boxOf), lines: [], fontSize: 12 };
    const all = placeLabels(spot, { ...room, must: true });
    const some = placeLabels(spot, { ...room, must: false });
    expect(some.placed.length).toBeGreaterThan(3);
    expect(some.placed.length).toBeLessThan(all.placed.length);
  });
  it("a label never takes the place beside a mark that another could have without any disturbance", () => {
    // The first could stand right of its mark only across a line; there it would cover the place of the second.
    const [first, second] = [
      request("first", 100, 100, "A rather long name"),
      request("second", 100, 118, "Short"),
    ];
    const line = { x1: 150, y1: 0, x2: 150, y2: 100 };
    const room = { within, obstacles: [first, second].map(boxOf), lines: [line], fontSize: 12 };
    const { placed } = placeLabels([first, second], { ...room, must: false });
    expect(placed.find(({ key }) => key === "second")).toMatchObject({ anchor: "start", leader: null });
    expect(placed).toHaveLength(2);
  });
  it("a shorter text is taken where the long one has no room", () => {
    const narrow = { ...request("a", 50, 50), texts: ["n".repeat(100), "short"] };
    expect(place([narrow]).placed[0]?.text).toBe("short");
  });
  it("for any marks: none lies on a mark or another label or leaves the room, and none is lost", () => {
    const requests = fc
      .array(
        fc.record({
          x: fc.double({ min: 0, max: 600, noNaN: true }),
          y: fc.double({ min: 0, max: 400, noNaN: true }),
          text: fc.oneof(fc.string({ minLength: 1, maxLength: 30 }), fc.constant("長い名前のモデル")),
        }),
        { maxLength: 40 },
      )
      .map((dots) => dots.map(({ x, y, text }, index) => request(String(index), x, y, text)));
    fc.assert(
      fc.property(requests, (given) => {
        const { placed, unplaced } = place(given);
        expect([...placed.map(({ key }) => key), ...unplaced].toSorted()).toEqual(
          given.map(({ key }) => key).toSorted(),
        );
        for (const [index, { box }] of placed.entries()) {
          expect(box.x).toBeGreaterThanOrEqual(within.x);
          expect(box.y).toBeGreaterThanOrEqual(within.y);
          expect(box.x + box.width).toBeLessThanOrEqual(within.x + within.width);
          expect(box.y + box.height).toBeLessThanOrEqual(within.y + within.height);
          for (const mark of given) expect(boxesOverlap(box, boxOf(mark))).toBe(false);
          for (const other of placed.slice(index + 1)) expect(boxesOverlap(box, other.box)).toBe(false);
        }
      }),
    );
  });
});

describe("a segment and a box", () => {
  const box: Box = { x: 10, y: 10, width: 10, height: 10 };
  it.each([
    ["through it", { x1: 0, y1: 15, x2: 40, y2: 15 }, true],
    ["inside it", { x1: 12, y1: 12, x2: 14, y2: 18 }, true],
    ["past a corner", { x1: 0, y1: 15, x2: 15, y2: 40 }, false],
    ["along an edge", { x1: 0, y1: 10, x2: 40, y2: 10 }, false],
    ["slanting through it", { x1: 0, y1: 0, x2: 40, y2: 40 }, true],
    ["slanting past its corner", { x1: 0, y1: 15, x2: 15, y2: 0 }, false],
    ["ending before it", { x1: 0, y1: 15, x2: 9, y2: 15 }, false],
  ])("%s", (_, segment, crosses) => {
    expect(crossesBox(segment, box)).toBe(crosses);
  });
});
