import ExcelJS from "exceljs";
import { describe, expect, it } from "vitest";
import { readWorkbook } from "../../../src/io/xlsx/read.ts";
import type { Cell, Sheet, Workbook } from "../../../src/lib/sheet/model.ts";
import { formatStyles, makeWorkbook, relationship, type WorkbookSource } from "./make-workbook.ts";

async function readSheet(source: WorkbookSource, name = "Sheet1"): Promise<Sheet> {
  const workbook = await readOk(source);
  const sheet = workbook.sheets.find((candidate) => candidate.name === name);
  if (sheet === undefined) throw new Error(`no sheet ${name}`);
  return sheet;
}

async function readOk(source: WorkbookSource): Promise<Workbook> {
  const outcome = await readWorkbook(makeWorkbook(source));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
  return outcome.value;
}

const cellAt = (sheet: Sheet, row: number, column: number): Cell => {
  const cell = sheet.rows.get(row)?.find((candidate) => candidate.column === column);
  if (cell === undefined) throw new Error(`no cell R${row}C${column}`);
  return cell;
};

const valueAt = (sheet: Sheet, row: number, column: number): Cell["value"] =>
  cellAt(sheet, row, column).value;

/** What exceljs alone makes of the same bytes: shows that the adapter's work is still needed. */
async function exceljsAlone(source: WorkbookSource): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(makeWorkbook(source) as unknown as ExcelJS.Buffer);
  return workbook;
}

const row = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;

describe("cells", () => {
  it("reads each kind of cell", async () => {
    const sheet = await readSheet({
      strings: "<si><t>shared</t></si><si><t/></si>",
      sheets: [
        {
          data: row(
            1,
            '<c r="A1" t="s"><v>0</v></c><c r="B1"><v>0.1</v></c><c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#N/A</v></c><c r="E1" t="s"><v>1</v></c><c r="F1" s="0"/><c r="G1" t="inlineStr"><is><t>inline</t></is></c><c r="H1" t="b"><v>0</v></c><c r="I1"><v>-1.5E-3</v></c>',
          ),
        },
      ],
    });
    expect(sheet.rows.get(1)?.map(({ type, value }) => [type, value])).toEqual([
      ["text", "shared"],
      ["number", 0.1],
      ["boolean", true],
      ["error", "#N/A"],
      ["text", ""],
      ["blank", null],
      ["text", "inline"],
      ["boolean", false],
      ["number", -0.0015],
    ]);
    expect(sheet.used).toEqual({ top: 1, left: 1, bottom: 1, right: 9 });
  });

  it("tells empty strings from blanks, also inline and as formula results", async () => {
    const sheet = await readSheet({
      strings: "<si/>",
      sheets: [
        {
          data: row(
            2,
            '<c r="A2" t="inlineStr"><is><t></t></is></c><c r="B2" t="str"><f>""</f><v></v></c><c r="C2" t="str"><f>""</f></c><c r="D2" t="s"><v>0</v></c><c r="E2" t="str"/>',
          ),
        },
      ],
    });
    expect(sheet.rows.get(2)?.map(({ type, value }) => [type, value])).toEqual([
      ["text", ""],
      ["text", ""],
      ["text", ""],
      ["text", ""],
      ["blank", null],
    ]);
  });

  it("gives formulas their cached value of any type, and says when there is none", async () => {
    const data = row(
      1,
      '<c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"a"</f><v>a</v></c><c r="C1" t="b"><f>TRUE()</f><v>1</v></c><c r="D1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="E1"><f t="shared" ref="E1:F1" si="0">A1</f><v>7</v></c><c r="F1"><f t="shared" si="0"/><v>8</v></c><c r="G1"><f>NOW()</f></c>',
    );
    const outcome = await readWorkbook(makeWorkbook({ sheets: [{ data }] }), { path: "w.xlsx" });
    if (!outcome.ok) throw new Error("unreadable");
    const cells = outcome.value.sheets[0]?.rows.get(1) ?? [];
    expect(cells.map(({ type, value, formula }) => [type, value, formula])).toEqual([
      ["number", 2, true],
      ["text", "a", true],
      ["boolean", true, true],
      ["error", "#DIV/0!", true],
      ["number", 7, true],
      ["number", 8, true],
      ["blank", null, true],
    ]);
    expect(outcome.findings).toMatchObject([
      { code: "xlsx-formula-without-value", severity: "warning", path: "w.xlsx" },
    ]);
    expect(outcome.findings[0]?.message).toContain("G1");
  });

  it("reads a shared formula whose master is missing", async () => {
    const source: WorkbookSource = {
      sheets: [{ data: row(1, '<c r="A1"><f t="shared" si="9"/><v>3</v></c>') }],
    };
    expect(valueAt(await readSheet(source), 1, 1)).toBe(3);
  });

  it("does not decode a formula's text twice", async () => {
    const source: WorkbookSource = {
      sheets: [{ data: row(1, '<c r="A1" t="str"><f>x</f><v>a &amp;lt; b</v></c>') }],
    };
    expect(valueAt(await readSheet(source), 1, 1)).toBe("a &lt; b");
    const alone = await exceljsAlone(source);
    expect(alone.worksheets[0]?.getCell("A1").result).toBe("a < b");
  });

  it("keeps rich text's runs, with superscripts, and drops phonetic readings", async () => {
    const sheet = await readSheet({
      strings:
        '<si><r><rPr><b/></rPr><t>Total</t></r><r><rPr><vertAlign val="superscript"/></rPr><t xml:space="preserve"> (a)</t></r></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><r><t>plain</t></r><r><rPr><b val="0"/></rPr><t>!</t></r></si>',
      styles:
        '<fonts><font/><font><b/><i/></font></fonts><fills><fill/></fills><cellXfs><xf/><xf fontId="1"/></cellXfs>',
      sheets: [
        {
          data: row(
            1,
            '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" s="1" t="s"><v>2</v></c>',
          ),
        },
      ],
    });
    expect(cellAt(sheet, 1, 1)).toMatchObject({
      value: "Total (a)",
      runs: [
        { text: "Total", bold: true, italic: false, superscript: false },
        { text: " (a)", bold: false, italic: false, superscript: true },
      ],
    });
    expect(cellAt(sheet, 1, 2)).toMatchObject({ value: "東京" });
    expect(cellAt(sheet, 1, 2).runs).toBeUndefined();
    // A run without a font of its own looks like its cell.
    expect(cellAt(sheet, 1, 3).runs).toEqual([
      { text: "plain", bold: true, italic: true, superscript: false },
      { text: "!", bold: false, italic: false, superscript: false },
    ]);
  });

  it("reads inline rich text, which exceljs alone leaves as runs without a value type", async () => {
    const sheet = await readSheet({
      sheets: [
        {
          data: row(1, '<c r="A1" t="inlineStr"><is><r><t>a</t></r><r><rPr><b/></rPr><t>b</t></r></is></c>'),
        },
      ],
    });
    expect(cellAt(sheet, 1, 1)).toMatchObject({ type: "text", value: "ab" });
    expect(cellAt(sheet, 1, 1).runs).toHaveLength(2);
  });

  it("reads escapes, entities, CDATA and line ends", async () => {
    const sheet = await readSheet({
      strings:
        "<si><t>a_x000D_\nb</t></si><si><t>1 &lt; 2 &amp;&#233;&#x1F600;</t></si><si><t><![CDATA[<x> & y]]></t></si><si><t>a\r\nb</t></si><si><t>_x005F_x000D_</t></si><si><t>  two  </t></si>",
      sheets: [
        {
          data: row(
            1,
            ["A", "B", "C", "D", "E", "F"].map((c, i) => `<c r="${c}1" t="s"><v>${i}</v></c>`).join(""),
          ),
        },
      ],
    });
    expect(sheet.rows.get(1)?.map(({ value }) => value)).toEqual([
      "a\r\nb",
      "1 < 2 &é😀",
      "<x> & y",
      "a\nb",
      "_x000D_",
      "  two  ",
    ]);
  });

  it("gives a linked cell its text, and a linked number its number", async () => {
    const source: WorkbookSource = {
      strings: "<si><t>see here</t></si>",
      sheets: [
        {
          data: row(
            1,
            '<c r="A1" t="s"><v>0</v></c><c r="B1"><v>5</v></c><c r="C1" t="str"><f>HYPERLINK("u","go")</f><v>go</v></c>',
          ),
          after:
            '<hyperlinks><hyperlink ref="A1" r:id="rId9"/><hyperlink ref="B1" r:id="rId9"/></hyperlinks>',
          rels: '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.org" TargetMode="External"/>',
        },
      ],
    };
    const sheet = await readSheet(source);
    expect(sheet.rows.get(1)?.map(({ type, value }) => [type, value])).toEqual([
      ["text", "see here"],
      ["number", 5],
      ["text", "go"],
    ]);
  });

  it("keeps percentages, thousands and signs as stored", async () => {
    const sheet = await readSheet({
      styles: formatStyles(9, "#,##0,", '"±"0.0'),
      sheets: [
        {
          data: row(
            1,
            '<c r="A1" s="0"><v>0.125</v></c><c r="B1" s="1"><v>1234567</v></c><c r="C1" s="2"><v>3</v></c>',
          ),
        },
      ],
    });
    expect(sheet.rows.get(1)?.map(({ value, format }) => [value, format])).toEqual([
      [0.125, "0%"],
      [1234567, "#,##0,"],
      [3, '"±"0.0'],
    ]);
  });

  it("reads fonts, indents and fills", async () => {
    const sheet = await readSheet({
      styles:
        '<fonts><font/><font><b/><vertAlign val="superscript"/></font><font><i val="1"/><b val="0"/></font></fonts><fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFffe699"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor theme="4" tint="-0.25"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor indexed="13"/></patternFill></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor indexed="64"/></patternFill></fill></fills><cellXfs><xf fontId="1" fillId="1"/><xf fontId="2" fillId="2"><alignment horizontal="left" indent="3"/></xf><xf fillId="3"/><xf fillId="4"/><xf fillId="5"/><xf fillId="99" fontId="99" numFmtId="9999"/></cellXfs>',
      sheets: [
        {
          data: row(
            1,
            "ABCDEFG"
              .split("")
              .map((c, i) => `<c r="${c}1" s="${i}"><v>1</v></c>`)
              .join(""),
          ),
        },
      ],
    });
    const cells = sheet.rows.get(1) ?? [];
    expect(cells[0]).toMatchObject({
      bold: true,
      italic: false,
      superscript: true,
      indent: 0,
      fill: "FFE699",
    });
    expect(cells[1]).toMatchObject({
      bold: false,
      italic: true,
      superscript: false,
      indent: 3,
      fill: "theme:4:-0.25",
    });
    expect(cells.slice(2).map(({ fill }) => fill)).toEqual(["FFFF00", null, null, null, null]);
    // A style that the file does not define is a plain one.
    expect(cells[6]).toMatchObject({ format: "General", bold: false });
  });
});

describe("addresses", () => {
  it("counts rows and cells that carry no address, where exceljs alone loses them", async () => {
    const source: WorkbookSource = {
      sheets: [
        {
          data: '<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row><row r="9"><c r="C9"><v>4</v></c><c><v>5</v></c></row><row><c><v>6</v></c></row>',
        },
      ],
    };
    const sheet = await readSheet(source);
    const found = [...sheet.rows.values()].flat().map(({ row: r, column, value }) => [r, column, value]);
    expect(found).toEqual([
      [1, 1, 1],
      [1, 2, 2],
      [2, 1, 3],
      [9, 3, 4],
      [9, 4, 5],
      [10, 1, 6],
    ]);
    await expect(exceljsAlone(source)).rejects.toThrow();
  });

  it("reads prefixed XML, where exceljs alone finds nothing or fails", async () => {
    const source: WorkbookSource = {
      parts: {
        "xl/workbook.xml":
          '<x:workbook xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:rel="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><x:sheets><x:sheet name="Sheet1" sheetId="1" rel:id="rId1"/></x:sheets></x:workbook>',
        "xl/sharedStrings.xml":
          '<x:sst xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:si><x:t>hello</x:t></x:si></x:sst>',
      },
      strings: "",
      sheets: [
        {
          xml: '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:cols><x:col min="2" max="3" hidden="1"/></x:cols><x:sheetData><x:row r="1" hidden="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1"><x:v>2</x:v></x:c></x:row></x:sheetData><x:mergeCells><x:mergeCell ref="A1:A2"/></x:mergeCells></x:worksheet>',
        },
      ],
    };
    const sheet = await readSheet(source);
    expect(sheet.rows.get(1)?.map(({ value }) => value)).toEqual(["hello", 2]);
    expect([...sheet.hiddenRows]).toEqual([1]);
    expect(sheet.hiddenColumns).toEqual([{ first: 2, last: 3 }]);
    expect(sheet.merges).toEqual([{ top: 1, left: 1, bottom: 2, right: 1 }]);
    const alone = await exceljsAlone(source).then(
      (workbook) => workbook.worksheets[0]?.getCell("A1").value ?? null,
      () => null,
    );
    expect(alone).toBeNull();
  });

  it("finds sheets by relationship, whatever their parts are called", async () => {
    const source: WorkbookSource = {
      parts: {
        "xl/_rels/workbook.xml.rels": null,
        "xl/worksheets/sheet1.xml": null,
        "book/main.xml":
          '<workbook xmlns="m" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Daten &amp; Co" sheetId="7" r:id="z1"/><sheet name="Chart" sheetId="8" r:id="z2"/><sheet name="Geheim" state="veryHidden" sheetId="9" r:id="z3"/></sheets></workbook>',
        "_rels/.rels":
          '<Relationships xmlns="p"><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/book/main.xml"/></Relationships>',
        "book/_rels/main.xml.rels": `<Relationships xmlns="p">${relationship("z1", "worksheet", "../tabs/first%20tab.xml")}${relationship("z2", "chartsheet", "c.xml")}${relationship("z3", "worksheet", "/tabs/second.xml")}</Relationships>`,
        "tabs/first tab.xml":
          '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
        "tabs/second.xml": "<worksheet><sheetData/></worksheet>",
      },
    };
    const outcome = await readWorkbook(makeWorkbook(source));
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
    expect(outcome.value.sheets.map(({ name, state }) => [name, state])).toEqual([
      ["Daten & Co", "visible"],
      ["Geheim", "veryHidden"],
    ]);
    expect(outcome.value.sheets[1]?.used).toBeNull();
    expect(outcome.findings).toMatchObject([{ code: "xlsx-skipped-sheet", severity: "notice" }]);
  });

  it("takes sheet names that exceljs refuses", async () => {
    const source: WorkbookSource = {
      sheets: [{ name: "a/b [1] of a name that is longer than the 31 allowed" }, { name: "History" }],
    };
    expect((await readOk(source)).sheets.map(({ name }) => name)).toEqual([
      "a/b [1] of a name that is longer than the 31 allowed",
      "History",
    ]);
    await expect(exceljsAlone(source)).rejects.toThrow();
  });

  it("finds a sheet's relationship by its attribute, not by what the sheet is called", async () => {
    const workbook = await readOk({
      sheets: [
        { name: "a", data: '<row><c t="str"><v>first</v></c></row>' },
        { name: "b", data: '<row><c t="str"><v>second</v></c></row>' },
      ],
      parts: {
        "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name='x r:id="rId2" id="rId2"' sheetId="1" r:id="rId1"/></sheets></workbook>`,
      },
    });
    expect(workbook.sheets[0]?.rows.get(1)?.[0]?.value).toBe("first");
  });

  it("reads half of a surrogate pair as the character that stands for none", async () => {
    const workbook = await readOk({
      strings: "<si><t>a_xD800_b</t></si><si><r><t>_xDC00_</t></r></si><si><t>_xD83D__xDE00_</t></si>",
      sheets: [
        {
          data: '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row>',
        },
      ],
    });
    expect(workbook.sheets[0]?.rows.get(1)?.map(({ value }) => value)).toEqual([
      "a\ufffdb",
      "\ufffd",
      "\u{1f600}",
    ]);
  });

  it("reads rows and cells out of order, and UTF-16 parts", async () => {
    const xml =
      '<worksheet><sheetData><row r="3"><c r="B3"><v>32</v></c><c r="A3"><v>31</v></c></row><row r="1"><c r="A1"><v>11</v></c></row></sheetData></worksheet>';
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${xml}`, "utf16le"));
    const sheet = await readSheet({ parts: { "xl/worksheets/sheet1.xml": utf16 } });
    expect(sheet.rowNumbers).toEqual([1, 3]);
    expect(sheet.rows.get(3)?.map(({ value }) => value)).toEqual([31, 32]);
  });
});

describe("what surrounds the cells", () => {
  it("keeps merges as ranges: a merge over A1:XFD1 makes no cell", async () => {
    const source: WorkbookSource = {
      sheets: [
        {
          data: row(1, '<c r="A1"><v>1</v></c>'),
          after: '<mergeCells count="2"><mergeCell ref="A1:XFD1"/><mergeCell ref="B5:B5"/></mergeCells>',
        },
      ],
    };
    const sheet = await readSheet(source);
    expect(sheet.merges).toEqual([{ top: 1, left: 1, bottom: 1, right: 16_384 }]);
    expect(sheet.rows.get(1)).toHaveLength(1);
    const alone = await exceljsAlone(source);
    expect(alone.worksheets[0]?.getRow(1).cellCount).toBe(16_384);
  });

  it("reads notes and threaded comments, also on cells that do not exist, without their drawings", async () => {
    const sheet = await readSheet({
      sheets: [
        {
          data: row(1, '<c r="A1"><v>1</v></c><c r="C1"><v>3</v></c>'),
          rels:
            relationship("c", "comments", "../comments1.xml") +
            '<Relationship Id="t" Type="http://schemas.microsoft.com/office/2017/10/relationships/threadedComment" Target="../threadedComments/threadedComment1.xml"/>' +
            relationship("v", "vmlDrawing", "../drawings/missing.vml"),
        },
      ],
      parts: {
        "xl/comments1.xml":
          '<comments><authors><author>x</author></authors><commentList><comment ref="A1" authorId="0"><text><r><rPr><b/></rPr><t>Note:</t></r><r><t xml:space="preserve"> revised &amp; checked</t></r></text></comment><comment ref="B1"><text><t>on nothing</t></text></comment><comment ref="C1"><text><t>[Threaded comment] advice</t></text></comment><comment ref="Z9"><text><t>far</t></text></comment></commentList></comments>',
        "xl/threadedComments/threadedComment1.xml":
          '<ThreadedComments><threadedComment ref="C1" id="1"><text>first</text></threadedComment><threadedComment ref="C1" id="2"><text>answer</text></threadedComment></ThreadedComments>',
      },
    });
    expect(sheet.rows.get(1)?.map(({ column, type, comment }) => [column, type, comment])).toEqual([
      [1, "number", "Note: revised & checked"],
      [2, "blank", "on nothing"],
      [3, "number", "first\nanswer"],
    ]);
    expect(cellAt(sheet, 9, 26)).toMatchObject({ type: "blank", comment: "far" });
    expect(sheet.used).toEqual({ top: 1, left: 1, bottom: 1, right: 3 });
  });

  it("reads hidden rows and columns without making them", async () => {
    const sheet = await readSheet({
      sheets: [
        {
          before: '<cols><col min="1" max="1"/><col min="3" max="16384" hidden="1"/></cols>',
          data: `<row r="2" hidden="1"/><row r="3" hidden="true"><c r="A3"><v>1</v></c></row>`,
        },
      ],
    });
    expect([...sheet.hiddenRows]).toEqual([2, 3]);
    expect(sheet.hiddenColumns).toEqual([{ first: 3, last: 16_384 }]);
    expect(sheet.rowNumbers).toEqual([3]);
  });

  it("passes over what it does not need, however broken", async () => {
    const sheet = await readSheet({
      sheets: [
        {
          data: row(1, '<c r="A1"><v>1</v></c>'),
          after:
            '<conditionalFormatting sqref="A1"><cfRule type="expression" dxfId="99"><formula>1</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation sqref="A1:XFD1048576"/></dataValidations><drawing r:id="nowhere"/><legacyDrawing r:id="nowhere"/><tableParts><tablePart r:id="nowhere"/></tableParts><extLst><ext><x14:x xmlns:x14="u"/></ext></extLst>',
          rels: relationship("p", "pivotTable", "../pivotTables/gone.xml"),
        },
      ],
      parts: {
        "xl/externalLinks/externalLink1.xml": "<not closed",
        "xl/pivotCache/pivotCacheRecords1.xml": "<not closed",
        "xl/media/image1.png": new Uint8Array([1, 2, 3]),
        "docProps/app.xml": "<broken",
      },
    });
    expect(valueAt(sheet, 1, 1)).toBe(1);
  });

  it("costs what it holds, not what it declares", async () => {
    const started = performance.now();
    const sheet = await readSheet({
      sheets: [
        {
          before:
            '<dimension ref="A1:XFD1048576"/><cols><col min="1" max="16384" width="9" style="1"/></cols>',
          data: `${row(1, '<c r="A1"><v>1</v></c>')}${row(1_048_576, '<c r="XFD1048576"><v>2</v></c>')}`,
        },
      ],
    });
    expect(sheet.used).toEqual({ top: 1, left: 1, bottom: 1_048_576, right: 16_384 });
    expect(sheet.rowNumbers).toEqual([1, 1_048_576]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
