import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readWorkbook, type XlsxCaps } from "../../../src/io/xlsx/read.ts";
import { makeWorkbook, type WorkbookSource, workbookParts } from "./make-workbook.ts";

const cell = '<row r="1"><c r="A1"><v>1</v></c></row>';
const sound = makeWorkbook({ sheets: [{ data: cell }], strings: "<si><t>x</t></si>" });

async function codeOf(bytes: Uint8Array, caps?: Partial<XlsxCaps>): Promise<string> {
  const outcome = await readWorkbook(bytes, { path: "w.xlsx", ...(caps === undefined ? {} : { caps }) });
  if (outcome.ok) return "ok";
  const [finding] = outcome.findings;
  expect(finding?.path).toBe("w.xlsx");
  expect(finding?.severity).toBe("error");
  expect(finding?.message).toMatch(/\.$/);
  return finding?.code ?? "none";
}

/** A changed copy of the sound workbook. */
function patched(change: (bytes: Uint8Array, view: DataView) => void): Uint8Array {
  const copy = sound.slice();
  change(copy, new DataView(copy.buffer));
  return copy;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;

/** Offset of the nth record with this signature. */
function record(bytes: Uint8Array, signature: number, index: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let seen = -1;
  for (let at = 0; at + 4 <= bytes.length; at++) {
    if (view.getUint32(at, true) === signature && ++seen === index) return at;
  }
  throw new Error("no such record");
}

describe("what is no sound workbook gives a finding", () => {
  it("accepts the sound one", async () => {
    expect(await codeOf(sound)).toBe("ok");
  });

  it.each<[string, Uint8Array]>([
    ["xlsx-not-a-zip", new Uint8Array()],
    ["xlsx-not-a-zip", new TextEncoder().encode("<html>not a workbook</html>")],
    ["xlsx-not-a-zip", new TextEncoder().encode("PK")],
    [
      "xlsx-legacy-xls",
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Array(600).fill(0)]),
    ],
    [
      "xlsx-encrypted",
      new Uint8Array([
        ...[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
        ...Buffer.from("EncryptedPackage", "utf16le"),
      ]),
    ],
    ["xlsx-not-a-workbook", zipSync({ "readme.txt": new Uint8Array([65]) })],
    ["xlsx-not-a-workbook", zipSync({})],
    ["xlsx-binary-workbook", zipSync({ "xl/workbook.bin": new Uint8Array([1]) })],
    ["xlsx-truncated", sound.slice(0, sound.length - 30)],
    ["xlsx-truncated", sound.slice(0, 100)],
    ["xlsx-truncated", new Uint8Array([...sound, 0])],
  ])("%s (%#)", async (code, bytes) => {
    expect(await codeOf(bytes)).toBe(code);
  });

  it("names a Word document for what it is", async () => {
    const bytes = makeWorkbook({ parts: { "xl/workbook.xml": "<w:document xmlns:w='u'/>" } });
    expect(await codeOf(bytes)).toBe("xlsx-not-a-workbook");
  });
});

describe("zips that readers could read in two ways are refused", () => {
  it("duplicate entries, also by case", async () => {
    // fflate cannot make a duplicate; rename one entry to another of the same length, in both headers.
    const parts = {
      ...workbookParts({ sheets: [{ data: cell }] }),
      "xl/worksheets/sheet9.xml": new Uint8Array([60]),
    };
    for (const name of [
      "xl/worksheets/sheet1.xml",
      "XL/worksheets/sheet1.xml",
      "xl\\worksheets/sheet1.xml",
    ]) {
      const text = Buffer.from(zipSync(parts))
        .toString("latin1")
        .replaceAll("xl/worksheets/sheet9.xml", name);
      expect(await codeOf(new Uint8Array(Buffer.from(text, "latin1")))).toBe("xlsx-duplicate-entry");
    }
  });

  it("local headers that disagree with the directory", async () => {
    const changes: ((view: DataView, at: number) => void)[] = [
      (view, at) => view.setUint8(at + 30, 0x58),
      (view, at) => view.setUint16(at + 8, 0, true),
      (view, at) => view.setUint32(at + 22, 5, true),
      (view, at) => view.setUint32(at + 14, 5, true),
    ];
    for (const change of changes) {
      expect(await codeOf(patched((bytes, view) => change(view, record(bytes, LOCAL, 2))))).toBe(
        "xlsx-entry-mismatch",
      );
    }
    expect(
      await codeOf(patched((bytes, view) => view.setUint32(record(bytes, CENTRAL, 1) + 42, 7, true))),
    ).toBe("xlsx-entry-mismatch");
  });

  it("two entries over the same bytes", async () => {
    const bytes = patched((copy, view) => {
      // The second directory entry points to the first file, with its header's facts and name length.
      const first = record(copy, CENTRAL, 0);
      const second = record(copy, CENTRAL, 1);
      view.setUint32(second + 42, view.getUint32(first + 42, true), true);
    });
    expect(["xlsx-entry-mismatch", "xlsx-bad-zip"]).toContain(await codeOf(bytes));
  });

  it("encrypted entries, unknown compression, damage", async () => {
    expect(
      await codeOf(patched((bytes, view) => view.setUint16(record(bytes, CENTRAL, 3) + 8, 1, true))),
    ).toBe("xlsx-encrypted");
    expect(
      await codeOf(
        patched((bytes, view) => {
          view.setUint16(record(bytes, CENTRAL, 3) + 10, 14, true);
          view.setUint16(record(bytes, LOCAL, 3) + 8, 14, true);
        }),
      ),
    ).toBe("xlsx-unsupported-compression");
    const crc = patched((bytes, view) => {
      for (const [signature, offset] of [
        [CENTRAL, 16],
        [LOCAL, 14],
      ] as const) {
        for (let index = 0; index < 5; index++)
          view.setUint32(record(bytes, signature, index) + offset, 1, true);
      }
    });
    expect(await codeOf(crc)).toBe("xlsx-corrupt-entry");
  });

  it("any single byte changed gives a finding or the same workbook, never an exception", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(sound.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = patched((copy) => {
          copy[at] = ((copy[at] ?? 0) + by) % 256;
        });
        expect(await codeOf(bytes)).toMatch(/^(?:ok|xlsx-[a-z0-9-]+)$/);
      }),
      { numRuns: 300 },
    );
  });

  it("any prefix and any bytes give a finding", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(sound.length - 1), async (length) => {
        expect(await codeOf(sound.slice(0, length))).toMatch(/^xlsx-/);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect(await codeOf(bytes)).toMatch(/^xlsx-/);
      }),
    );
  });
});

describe("bombs stop at a cap", () => {
  it("counts inflated bytes as they come, whatever the headers declare", async () => {
    const spaces = " ".repeat(3_000_000);
    const bytes = makeWorkbook({ sheets: [{ data: cell, after: `<x>${spaces}</x>` }] });
    expect(bytes.length).toBeLessThan(20_000);
    expect(await codeOf(bytes, { inflatedBytes: 1_000_000 })).toBe("xlsx-too-large");
    expect(await codeOf(bytes)).toBe("ok");
    // Declared small, really large: the declared size must not be believed.
    const liar = bytes.slice();
    const view = new DataView(liar.buffer);
    for (let index = 0; ; index++) {
      const at = record(liar, CENTRAL, index);
      if (view.getUint32(at + 24, true) < 1_000_000) continue;
      view.setUint32(at + 24, 10, true);
      view.setUint32(view.getUint32(at + 42, true) + 22, 10, true);
      break;
    }
    expect(await codeOf(liar, { inflatedBytes: 1_000_000 })).toBe("xlsx-too-large");
  });

  it("stops a gigabyte of zeros in well under a second", async () => {
    const huge = deflateRawSync(new Uint8Array(300_000_000));
    const parts = zipSync({ ...workbookParts({}), "xl/worksheets/sheet1.xml": [huge, { level: 0 }] });
    // Stored by fflate as it is; mark it as deflated with a matching size in both headers.
    const view = new DataView(parts.buffer);
    for (const [signature, method, size] of [
      [LOCAL, 8, 22],
      [CENTRAL, 10, 24],
    ] as const) {
      for (let index = 0; ; index++) {
        const at = record(parts, signature, index);
        if (view.getUint32(at + size, true) !== huge.length) continue;
        view.setUint16(at + method, 8, true);
        view.setUint32(at + size, 300_000_000, true);
        break;
      }
    }
    const started = performance.now();
    expect(await codeOf(parts)).toBe("xlsx-too-large");
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it.each<[string, WorkbookSource]>([
    ["empty shared texts", { strings: "<si/>".repeat(2000) }],
    ["runs of one text", { strings: `<si>${"<r><t>a</t></r>".repeat(600)}</si>` }],
    ["cell formats", { styles: `<cellXfs>${"<xf/>".repeat(2000)}</cellXfs>` }],
    ["fonts", { styles: `<fonts>${"<font/>".repeat(2000)}</fonts>` }],
    [
      "merges",
      { sheets: [{ after: `<mergeCells>${'<mergeCell ref="A1:B2"/>'.repeat(2000)}</mergeCells>` }] },
    ],
    [
      "hidden columns",
      { sheets: [{ before: `<cols>${'<col min="1" max="2" hidden="1"/>'.repeat(2000)}</cols>` }] },
    ],
    ["relationships", { sheets: [{ rels: "<Relationship/>".repeat(2000) }] }],
    [
      "sheets",
      {
        parts: {
          "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${'<sheet name="a" r:id="rId1"/>'.repeat(2000)}</sheets></workbook>`,
        },
      },
    ],
  ])("counts what is kept besides cells: %s", async (_, source) => {
    expect(await codeOf(makeWorkbook(source), { items: 1000 })).toBe("xlsx-too-large");
  });

  it("reads a number of any length in time that grows with its length", async () => {
    const value = `${"1".repeat(200_000)}x`;
    const { user } = process.cpuUsage();
    expect(
      await codeOf(makeWorkbook({ sheets: [{ data: `<row r="1"><c r="A1"><v>${value}</v></c></row>` }] })),
    ).toBe("xlsx-bad-value");
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
  });

  it("caps entries, rows, columns and cells", async () => {
    const many: Record<string, Uint8Array> = { ...workbookParts({ sheets: [{ data: cell }] }) };
    for (let index = 0; index < 30; index++) many[`x/${index}`] = new Uint8Array();
    expect(await codeOf(zipSync(many), { entries: 20 })).toBe("xlsx-too-many-entries");
    const data = (inner: string): Uint8Array => makeWorkbook({ sheets: [{ data: inner }] });
    expect(await codeOf(data('<row r="1048577"/>'))).toBe("xlsx-too-many-rows");
    expect(await codeOf(data('<row r="1048576"/><row/>'))).toBe("xlsx-too-many-rows");
    expect(await codeOf(data('<row r="1"><c r="XFE1"><v>1</v></c></row>'))).toBe("xlsx-too-many-columns");
    expect(await codeOf(data('<row r="1"><c r="XFD1"/><c/></row>'))).toBe("xlsx-too-many-columns");
    expect(await codeOf(data('<row r="11"/>'), { rows: 10 })).toBe("xlsx-too-many-rows");
    expect(await codeOf(data("<row><c/><c/><c/></row>"), { cells: 2 })).toBe("xlsx-too-many-cells");
  });
});

describe("unsound XML gives a finding that names the part", () => {
  const sheet = (xml: string): WorkbookSource => ({ sheets: [{ xml }] });
  it.each<[string, WorkbookSource]>([
    ["xlsx-malformed-xml", sheet("<worksheet><sheetData>")],
    ["xlsx-malformed-xml", sheet("<worksheet><sheetData></worksheet>")],
    ["xlsx-malformed-xml", sheet("<worksheet><sheetData/></worksheet><worksheet/>")],
    ["xlsx-malformed-xml", sheet("<worksheet a=1><sheetData/></worksheet")],
    ["xlsx-malformed-xml", sheet("")],
    ["xlsx-malformed-xml", sheet("just text")],
    ["xlsx-malformed-xml", sheet("<chartsheet/>")],
    [
      "xlsx-malformed-xml",
      { ...sheet('<worksheet><sheetData><row><c t="str"><v>&nbsp;</v></c></row></sheetData></worksheet>') },
    ],
    ["xlsx-malformed-xml", { strings: "<si><t>\u0001</t></si>", sheets: [{ data: cell }] }],
    ["xlsx-doctype", sheet('<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>')],
    [
      "xlsx-bad-encoding",
      { parts: { "xl/worksheets/sheet1.xml": new Uint8Array([0x3c, 0x61, 0xff, 0xfe]) } },
    ],
    ["xlsx-bad-address", { sheets: [{ data: '<row r="0"/>' }] }],
    ["xlsx-bad-address", { sheets: [{ data: '<row r="1e3"/>' }] }],
    ["xlsx-bad-address", { sheets: [{ data: '<row r="1"><c r="1A"/></row>' }] }],
    ["xlsx-bad-address", { sheets: [{ data: '<row r="1"><c r="A2"/></row>' }] }],
    [
      "xlsx-bad-address",
      { sheets: [{ data: "", after: '<mergeCells><mergeCell ref="A1:ZZZZ9"/></mergeCells>' }] },
    ],
    [
      "xlsx-duplicate-cell",
      { sheets: [{ data: '<row r="1"><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>' }] },
    ],
    ["xlsx-duplicate-row", { sheets: [{ data: `${cell}${cell}` }] }],
    ["xlsx-bad-value", { sheets: [{ data: "<row><c><v>abc</v></c></row>" }] }],
    ["xlsx-bad-value", { sheets: [{ data: "<row><c><v>INF</v></c></row>" }] }],
    ["xlsx-bad-value", { sheets: [{ data: "<row><c><v>1e999</v></c></row>" }] }],
    ["xlsx-bad-value", { sheets: [{ data: '<row><c><v>1</v><y:v xmlns:y="urn:y">7</y:v></c></row>' }] }],
    ["xlsx-malformed-xml", sheet(`<worksheet>${"<a>".repeat(300)}${"</a>".repeat(300)}</worksheet>`)],
    ["xlsx-malformed-xml", { sheets: [{ name: "half &#xD800;", data: cell }] }],
    ["xlsx-bad-value", { sheets: [{ data: '<row><c t="b"><v>2</v></c></row>' }] }],
    ["xlsx-bad-value", { sheets: [{ data: '<row><c t="d"><v>2024-02-30</v></c></row>' }] }],
    ["xlsx-bad-value", { sheets: [{ data: '<row><c t="zz"><v>1</v></c></row>' }] }],
    ["xlsx-bad-shared-string", { sheets: [{ data: '<row><c t="s"><v>0</v></c></row>' }] }],
    ["xlsx-bad-shared-string", { strings: "<si/>", sheets: [{ data: '<row><c t="s"><v>-1</v></c></row>' }] }],
    ["xlsx-missing-part", { sheets: [{ data: cell }], parts: { "xl/worksheets/sheet1.xml": null } }],
    ["xlsx-missing-part", { sheets: [{ data: cell }], parts: { "xl/_rels/workbook.xml.rels": null } }],
    ["xlsx-no-sheets", { sheets: [] }],
    ["xlsx-duplicate-sheet-name", { sheets: [{ name: "A" }, { name: "a" }] }],
  ])("%s (%#)", async (code, source) => {
    expect(await codeOf(makeWorkbook(source))).toBe(code);
  });

  it("never throws on a sheet of any text", async () => {
    const piece = fc.constantFrom(
      ..."<worksheet>|</worksheet>|<sheetData>|</sheetData>|<row r='1'>|</row>|<c r='A1' t='s'>|</c>|<v>|</v>|0|&amp;|<![CDATA[|]]>|<!--|-->|<|>|/|\"|<f/>|<is>|<t>|a".split(
        "|",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        expect(await codeOf(makeWorkbook({ sheets: [{ xml: pieces.join("") }] }))).toMatch(
          /^(?:ok|xlsx-[a-z0-9-]+)$/,
        );
      }),
      { numRuns: 300 },
    );
  });
});
