import { describe, expect, it } from "vitest";
import { COMPOSITE_VERSION, type Components } from "../../../src/lib/benchmarks/result-schema.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import type { BoardRow, BoardSuite } from "../../../src/lib/feed/board-schema.ts";
import type { SheetInput } from "../../../src/site/sheet/input.ts";
import { sheetPages } from "../../../src/site/sheet/pages.ts";
import { LOCAL_SITE } from "../../../src/site/site-info.ts";
import { NO_FRAME, renderDocument } from "../../../src/site/ui/document.tsx";
import { suiteMember, suiteOf } from "../../lib/benchmarks/documents.ts";
import { byTag, type Element, parseHtml, tableOf, textOf } from "./html.ts";

const suite = suiteOf([suiteMember("a"), suiteMember("b", { source_kind: "bank_asset" })]);
const ZERO: Components = {
  deterministic_pass_rate: 0,
  exact_output_match: 0,
  cell_match_rate: 0,
  value_address_f1: 0,
  header_accuracy: 0,
};
const row = (rank: number | null, model: string, changes: Partial<BoardRow> = {}): BoardRow => ({
  rank,
  model,
  name: rank === null ? null : `Model ${model}`,
  result: { digest: digestOf(model), path: "p.json", blob: "c".repeat(40) },
  finished_at: "2026-11-30T10:15:00.250Z",
  components: ZERO,
  composite: 0,
  composite_version: COMPOSITE_VERSION,
  solved: 0,
  members: 2,
  tags: { single_table: { passed: 0, total: 2 } },
  cost: { total_usd: 0, complete: true, per_solved_usd: null },
  levels: {
    scores: "recomputed",
    model: "declared",
    provenance: "declared",
    usage: "declared",
    cost: "declared",
    times: "declared",
  },
  previous: null,
  by_member: suite.members.map(({ id }) => ({ id, status: "skipped", components: ZERO })),
  ...changes,
});
const inputOf = (rows: readonly BoardRow[], of = suite): SheetInput => {
  const board: BoardSuite = {
    schema_version: 1,
    source_tree: null,
    results_tree: null,
    suite_tree: null,
    suite: { id: of.id, digest: of.digest, title: of.title, note: of.note, frozen_at: of.frozen_at },
    members: of.members.map((member) => ({
      id: member.id,
      title: member.title,
      source_kind: member.source_kind,
      publisher: member.publisher,
      difficulty: member.difficulty,
      feature_tags: member.feature_tags,
      published_in_bank: member.published_in_bank,
      private: member.source_kind === "bank_asset",
    })),
    tags: [{ id: "single_table", definition: "One table.", members: of.members.length }],
    rows: [...rows],
    withdrawn: [],
  };
  const vocabulary: SheetInput["suites"][number]["vocabulary"] = {
    schema_version: 1,
    difficulties: [],
    tags: [{ id: "single_table", definition: "One table." }],
  };
  return {
    site: LOCAL_SITE,
    vendors: [],
    suites: [{ board, suite: of, vocabulary, results: [], evidence: [] }],
  };
};
const read = (input: SheetInput): Map<string, Element> =>
  new Map(
    sheetPages(input).map((page) => [page.path, parseHtml(renderDocument(page, input.site, NO_FRAME))]),
  );
const boardOf = (rows: readonly BoardRow[]): Element =>
  read(inputOf(rows)).get("sheet/test-1/index.html") as Element;

describe("a board", () => {
  it("without results says so, and how to make the first one", () => {
    const text = textOf(boardOf([]));
    expect(text).toContain("No model has a result in this suite yet.");
    expect(text).toContain("npm run bench:run -- --suite test-1 --model <provider/model>");
    expect(text).not.toContain("By difficulty");
  });

  it("with one result says that there is nothing to compare it with", () => {
    const html = boardOf([row(1, "a/one")]);
    expect(textOf(html)).toContain("there is nothing to compare it with");
    expect(textOf(html)).not.toContain("Against the next rank");
  });

  it("on which everything was skipped shows nothing as solved and no cost for it", () => {
    const [, first] = tableOf(boardOf([row(1, "a/one"), row(2, "b/two")]), "Curated models");
    expect(first?.[3]).toBe("0 of 2");
    expect(first?.[4]).toBe("none: no sheet was solved");
    expect(first?.[2]).toContain("not clearly different");
  });

  it("of models that are not curated alone has no ranks", () => {
    const html = boardOf([row(null, "x/y")]);
    expect(textOf(html)).toContain("No curated model has a result here.");
    expect(tableOf(html, "Models without a rank")).toHaveLength(2);
  });

  it("shows a name from right to left within bounds of its own, and no controls in it", () => {
    const html = boardOf([row(1, "a/one", { name: "\u05de\u05d5\u05d3\u05dc \u202eevil" })]);
    const names = byTag(html, "bdi").map(textOf);
    expect(names).toContain("\u05de\u05d5\u05d3\u05dc \ufffdevil");
  });

  it("with more than a thousand rows comes in parts that lead to each other", () => {
    const rows = Array.from({ length: 1001 }, (_, index) =>
      row(index + 1, `m/${String(index).padStart(4, "0")}`),
    );
    const pages = read(inputOf(rows));
    const parts = [...pages.keys()].filter((path) => /^sheet\/test-1\/(index|rows-\d+)\.html$/.test(path));
    expect(parts).toHaveLength(6);
    const shown = parts.flatMap((path) =>
      tableOf(pages.get(path) as Element, "Curated models")
        .slice(1)
        .map(([model]) => model),
    );
    expect(shown).toHaveLength(1001);
    expect(new Set(shown).size).toBe(1001);
    const links = byTag(pages.get("sheet/test-1/index.html") as Element, "a").map(
      ({ attributes }) => attributes.href,
    );
    expect(links).toEqual(expect.arrayContaining(["rows-2.html", "rows-6.html"]));
    // The last rank of a part is compared with the first one of the next.
    const last = tableOf(pages.get("sheet/test-1/index.html") as Element, "Curated models").at(-1);
    expect(last?.[2]).toContain("not clearly different");
  });

  it("with a thousand rows is one page", () => {
    const rows = Array.from({ length: 1000 }, (_, index) => row(index + 1, `m/${index}`));
    expect([...read(inputOf(rows)).keys()].filter((path) => path.includes("rows-"))).toEqual([]);
  });
});

it("a suite of private members alone has pages for all of them, without a sheet", () => {
  const secret = suiteOf([suiteMember("b", { source_kind: "bank_asset", task: "Sheet 'Canary'." })]);
  const html = read(inputOf([], secret)).get("sheet/test-1/members/b.html") as Element;
  expect(textOf(html)).toContain("only statuses and rounded components are shown");
  expect(textOf(html)).not.toContain("Canary");
});
