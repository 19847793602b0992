import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { held, median, plain, type Row, renderTable } from "../../../scripts/bench-self/table.ts";
import { REPOSITORY } from "../../jobs/temp-suite.ts";

it("says met or missed, and of what", () => {
  expect(held("a", 1.5, "x", "most", 1.5).met).toBe(true);
  expect(held("a", 1.6, "x", "most", 1.5).met).toBe(false);
  expect(held("a", 1.6, "x", "least", 1.7).met).toBe(false);
  expect(plain("a", 1, "x").met).toBeNull();
  const little = [held("a", 1, "x", "most", 1.5, "20 documents")];
  expect(renderTable([{ id: "r", what: "", ran: "", measures: little }])).toContain(
    "met (20 documents only)",
  );
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1])).toBe(2.5);
  const measures = [held("one", 2, "x", "most", 1.5), plain("two", 1, "s")];
  const table = renderTable([{ id: "r", what: "what", ran: "this", measures }]);
  expect(table).toBe("what\n  ran: this\n  one  2 x  ≤ 1.5 x  missed\n  two  1 s");
});

it("runs, writes every row and leaves nothing behind", { timeout: 120_000 }, () => {
  const scratch = mkdtempSync(join(tmpdir(), "assay-self-test-"));
  const json = join(scratch, "self.json");
  const temp = mkdtempSync(join(scratch, "tmp-"));
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "scripts/bench-self/main.ts", "--quick", "--json", json],
    { cwd: REPOSITORY, encoding: "utf8", env: { ...process.env, TMPDIR: temp } },
  );
  expect([status, stderr]).toEqual([0, ""]);
  const written = JSON.parse(readFileSync(json, "utf8")) as { mode: string; documents: number; rows: Row[] };
  expect(written).toMatchObject({ mode: "quick", documents: 20 });
  expect(written.rows.map(({ id }) => id)).toEqual([
    "validate",
    "suite",
    "cold-start",
    "feed",
    "code-data",
    "site",
    "burst",
  ]);
  for (const { measures } of written.rows)
    for (const { value } of measures) expect(Number.isFinite(value) && value >= 0).toBe(true);
  expect(readdirSync(temp).filter((name) => name.startsWith("assay-bench-self-"))).toEqual([]);
  rmSync(scratch, { recursive: true });
});
