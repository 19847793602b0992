import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import { readWorkbook } from "../../../src/io/xlsx/read.ts";
import type { Cell, Sheet } from "../../../src/lib/sheet/model.ts";
import { BANK_IDS, bankRecord, bankWorkbook } from "../../bank/bank.ts";

/**
 * Every cell of every bank workbook, read by us and by SheetJS, an independent reader: type, value,
 * number format, comment; and per sheet its merges, hidden rows and columns. Comparisons are collected
 * and counted, so that a reader that silently gave nothing could not pass.
 */
describe("the bank's workbooks read as SheetJS reads them", () => {
  for (const id of BANK_IDS) {
    it(id, async (context) => {
      const bytes = bankWorkbook(context, id);
      const started = performance.now();
      const outcome = await readWorkbook(bytes, { path: `${id}.xlsx` });
      const elapsed = performance.now() - started;
      expect(outcome.findings).toEqual([]);
      if (!outcome.ok) return;
      const oracle = XLSX.read(bytes, { cellNF: true, cellStyles: true, sheetStubs: true, cellText: true });
      expect(outcome.value.sheets.map(({ name }) => name)).toEqual(oracle.SheetNames);
      const differences: string[] = [];
      let compared = 0;
      for (const [index, sheet] of outcome.value.sheets.entries()) {
        const other = oracle.Sheets[sheet.name];
        if (other === undefined) throw new Error(`the oracle has no sheet ${sheet.name}`);
        const state = ["visible", "hidden", "veryHidden"][oracle.Workbook?.Sheets?.[index]?.Hidden ?? 0];
        if (state !== sheet.state) differences.push(`${sheet.name}: ${sheet.state} against ${state}`);
        compared += compareSheets(sheet, other, differences);
      }
      expect(differences.slice(0, 20)).toEqual([]);
      // Counted once more by whoever wrote the bank's record.
      expect(compared).toBe(bankRecord(id).opens_in.cells_compared);
      expect(elapsed).toBeLessThan(3000);
    });
  }
});

function compareSheets(sheet: Sheet, other: XLSX.WorkSheet, differences: string[]): number {
  let compared = 0;
  const ours = new Map<string, Cell>();
  for (const cells of sheet.rows.values()) {
    for (const cell of cells) ours.set(XLSX.utils.encode_cell({ r: cell.row - 1, c: cell.column - 1 }), cell);
  }
  for (const [address, cell] of Object.entries(other) as [string, XLSX.CellObject][]) {
    if (address.startsWith("!")) continue;
    const mine = ours.get(address);
    const where = `${sheet.name}!${address}`;
    const note = cell.c === undefined ? null : noteText(cell.c.map(({ t }) => t).join(""));
    if (cell.t === "z" || cell.v === undefined) {
      if (mine !== undefined && mine.type !== "blank")
        differences.push(`${where}: ${mine.type}, oracle blank`);
      if (note !== null && comment(mine) !== note)
        differences.push(
          `${where}: comment ${JSON.stringify(comment(mine))} against ${JSON.stringify(note)}`,
        );
      continue;
    }
    if (cell.v !== "") compared++;
    if (mine === undefined) {
      differences.push(`${where}: missing`);
      continue;
    }
    // XML says that a reader sees CR LF in a file as LF; SheetJS keeps the bytes.
    const expected = cell.t === "e" ? cell.w : typeof cell.v === "string" ? lineFeeds(cell.v) : cell.v;
    const type = { n: "number", s: "text", b: "boolean", e: "error", d: "date", z: "blank" }[cell.t];
    const value = mine.type === "date" ? mine.serial : mine.value;
    if (value !== expected) {
      differences.push(`${where}: ${JSON.stringify(value)} against ${JSON.stringify(expected)}`);
    }
    if ((mine.type === "date" ? "number" : mine.type) !== type) {
      differences.push(`${where}: type ${mine.type} against ${type}`);
    }
    if (comment(mine) !== note)
      differences.push(`${where}: comment ${JSON.stringify(comment(mine))} against ${JSON.stringify(note)}`);
    if (mine.formula !== (cell.f !== undefined || cell.F !== undefined)) {
      differences.push(`${where}: formula ${mine.formula} against ${cell.f}`);
    }
    if (cell.z !== undefined && mine.format !== cell.z) {
      differences.push(`${where}: format ${mine.format} against ${cell.z}`);
    }
  }
  for (const [address, cell] of ours) {
    if (cell.type !== "blank" && other[address] === undefined) {
      differences.push(`${sheet.name}!${address}: the oracle has no such cell`);
    }
  }
  compareSets(
    differences,
    `${sheet.name} merges`,
    sheet.merges.map((m) => `${m.top}:${m.left}:${m.bottom}:${m.right}`),
    (other["!merges"] ?? []).map((m) => `${m.s.r + 1}:${m.s.c + 1}:${m.e.r + 1}:${m.e.c + 1}`),
  );
  const hiddenRows = (other["!rows"] ?? []).flatMap((row, index) => (row?.hidden ? [index + 1] : []));
  compareSets(
    differences,
    `${sheet.name} hidden rows`,
    [...sheet.hiddenRows].map(String),
    hiddenRows.map(String),
  );
  const hiddenColumns = (other["!cols"] ?? []).flatMap((column, index) =>
    column?.hidden ? [index + 1] : [],
  );
  const last = (other["!cols"] ?? []).length;
  compareSets(
    differences,
    `${sheet.name} hidden columns`,
    sheet.hiddenColumns.flatMap(({ first, last: end }) => {
      const list: string[] = [];
      for (let column = first; column <= Math.min(end, last); column++) list.push(String(column));
      return list;
    }),
    hiddenColumns.map(String),
  );
  return compared;
}

const comment = (cell: Cell | undefined): string | null =>
  cell === undefined || cell.comment === null ? null : noteText(cell.comment);

/** In comments SheetJS makes two line breaks of `_x000D_` before a CR LF. */
const noteText = (text: string): string => lineFeeds(text).replace(/\n+/g, "\n");

const lineFeeds = (text: string): string => text.replace(/\r+\n?/g, "\n");

function compareSets(differences: string[], what: string, ours: string[], theirs: string[]): void {
  const a = [...ours].sort().join(" ");
  const b = [...theirs].sort().join(" ");
  if (a !== b) differences.push(`${what}: ${a.slice(0, 200)} against ${b.slice(0, 200)}`);
}
