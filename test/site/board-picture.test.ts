import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexData } from "../../src/lib/code/aggregate/index-data.ts";
import { numberText } from "../../src/lib/code/aggregate/numbers-text.ts";
import { deriveView } from "../../src/lib/code/aggregate/view.ts";
import { codeCard, suiteCard } from "../../src/site/board-cards.ts";
import { type BoardCard, drawBoardPicture } from "../../src/site/board-picture.ts";
import { renderSite, type SiteFile } from "../../src/site/site.tsx";
import { LOCAL_SITE } from "../../src/site/site-info.ts";
import { FIRST_STATE } from "../../src/site/state.ts";
import { readFixture, readSuite, type Staged, solved, stage, unstage, variant } from "./sheet/stage.ts";
import { syntheticData } from "./synthetic.ts";

const honest = readFixture("honest-result.json");
const suite = readSuite("rehearsal-1");
let staged: Staged;
beforeAll(async () => {
  staged = await stage([
    honest,
    variant(honest, "anthropic/claude-sonnet-4", (member) => solved(member, suite)),
  ]);
});
afterAll(() => unstage(staged));

const row = (share: number, more = {}) => ({
  place: "1",
  name: "A model",
  mark: "A",
  colour: "#112233",
  score: "0.500000",
  share,
  ...more,
});
const card = (more: Partial<BoardCard> = {}): BoardCard => ({
  benchmark: "Sheet benchmark",
  title: "A suite",
  first: [row(0.5)],
  unit: "Composite of 0 to 1",
  note: "There is nothing to compare it with.",
  newest: "2026-11-30",
  synthetic: false,
  ...more,
});

/** Width, height and pixels of a file of ours: one IDAT chunk, no filter. */
function decode(file: Uint8Array): { width: number; height: number; at(x: number, y: number): string } {
  const bytes = Buffer.from(file);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const data = inflateSync(bytes.subarray(bytes.indexOf("IDAT") + 4));
  const at = (x: number, y: number): string => {
    const from = y * (3 * width + 1) + 1 + 3 * x;
    return `#${data.subarray(from, from + 3).toString("hex")}`;
  };
  return { width, height, at };
}

describe("the picture of a board", () => {
  it("is 1200 × 630, and the same bytes for the same card", () => {
    const file = drawBoardPicture(card());
    expect(decode(file)).toMatchObject({ width: 1200, height: 630 });
    expect(drawBoardPicture(card())).toEqual(file);
    expect(drawBoardPicture(card({ first: [row(0.5, { score: "0.500001" })] }))).not.toEqual(file);
    expect(file.length).toBeLessThan(150_000);
  });

  it("draws bars as long as the scores, in the labs' colours", () => {
    const { at } = decode(drawBoardPicture(card({ first: [row(0.25), row(1, { colour: "#445566" })] })));
    const bar = (index: number): { colour: string; length: number } => {
      const y = 296 + 76 * index + 58;
      const colour = at(156, y);
      let length = 0;
      while (at(156 + length, y) === colour) length += 1;
      return { colour, length };
    };
    expect(bar(0)).toEqual({ colour: "#112233", length: 243 });
    expect(bar(1)).toEqual({ colour: "#445566", length: 972 });
    expect(at(156, 296 + 76 * 2 + 58)).toBe("#ffffff");
  });

  it("says that data are synthetic, and holds names of any length and letters of any script", () => {
    expect(decode(drawBoardPicture(card({ synthetic: true }))).at(1130, 60)).toBe("#fff3d6");
    expect(decode(drawBoardPicture(card())).at(1130, 60)).toBe("#ffffff");
    const odd = card({
      title: "שלום ".repeat(60),
      first: [row(0.1, { name: "x".repeat(200) }), row(0, { name: "漢字 \ud800", mark: "" })],
    });
    const { at } = decode(drawBoardPicture(odd));
    for (let y = 0; y < 630; y += 1) expect(at(1180, y)).toBe("#ffffff");
  });
});

describe("what it shows", () => {
  it("of the code board is its first view's first three, and whether the first is clearly better", async () => {
    const data = await syntheticData();
    const view = deriveView(indexData(data), FIRST_STATE.selection);
    const shown = codeCard(data);
    expect(shown.synthetic).toBe(true);
    expect(shown.first.map(({ score }) => score)).toEqual(
      view.rows.slice(0, 3).map((each) => numberText(each[view.selection.column].value)),
    );
    for (const [index, each] of shown.first.entries())
      expect(each.name).toContain(view.rows[index]?.model_name ?? "nothing");
    expect(shown.note).toMatch(/clearly (?:better|different)/);
    expect(shown.newest).toBe(
      data.runs
        .map(({ started_at }) => started_at.slice(0, 10))
        .sort()
        .at(-1),
    );
  });

  it("of a suite's board are its curated models; of one without results, that there are none", () => {
    const board = staged.boards.find(({ suite: { id } }) => id === suite.id);
    if (board === undefined) throw new Error("no board");
    const ranked = board.rows.filter(({ rank }) => rank !== null);
    const shown = suiteCard(board, [{ id: "anthropic", mark: "A", colour: { light: "#123456" } }]);
    expect(shown.first.map(({ place, score }) => [place, score])).toEqual(
      ranked.slice(0, 3).map(({ rank, composite }) => [String(rank), composite.toFixed(6)]),
    );
    expect(shown.first[0]).toMatchObject({ mark: "A", colour: "#123456" });
    expect(shown.newest).toBe(honest.finished_at.slice(0, 10));
    const empty = suiteCard({ ...board, rows: [] }, []);
    expect(empty).toMatchObject({
      first: [],
      newest: null,
      note: expect.stringContaining("No curated model"),
    });
    expect(() => drawBoardPicture(empty)).not.toThrow();
  });
});

it("pages of a site with an address name a picture that is there; without an address there is none", () => {
  const site = (url: string | null): SiteFile[] =>
    renderSite({
      info: { ...LOCAL_SITE, url },
      code: null,
      methodology: null,
      suites: staged.suites,
      history: null,
      vendors: [],
      assets: [],
    });
  const files = site("https://o.example/assay/");
  const paths = files.map(({ path }) => path);
  const named = files.flatMap(({ path, data }) => {
    const picture = /<meta property="og:image" content="([^"]*)"/.exec(String(data))?.[1];
    return picture === undefined ? [] : [[path, picture] as const];
  });
  expect(named.map(([path]) => path)).toEqual(
    expect.arrayContaining(["index.html", `sheet/${suite.id}/index.html`]),
  );
  for (const [, picture] of named) {
    expect(picture).toMatch(/^https:\/\/o\.example\/assay\//);
    expect(paths).toContain(picture.slice("https://o.example/assay/".length));
  }
  expect(site(null).filter(({ path }) => path.endsWith(".png"))).toEqual([]);
});
