import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dateTest, sectionKind, splitSections } from "../../../src/io/xlsx/number-format.ts";
import { readWorkbook } from "../../../src/io/xlsx/read.ts";
import { isoToSerial, shownDate } from "../../../src/io/xlsx/serial-date.ts";
import { formatStyles, makeWorkbook } from "./make-workbook.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe("shownDate", () => {
  it("knows the fixed points of both systems", () => {
    expect(shownDate(1, false)).toBe("1900-01-01");
    expect(shownDate(59, false)).toBe("1900-02-28");
    // Excel's 29 February 1900 never was; a cell that stores it stays a number.
    expect(shownDate(60, false)).toBeNull();
    expect(shownDate(60.5, false)).toBeNull();
    expect(shownDate(61, false)).toBe("1900-03-01");
    expect(shownDate(25_569, false)).toBe("1970-01-01");
    expect(shownDate(45_473, false)).toBe("2024-06-30");
    expect(shownDate(2_958_465, false)).toBe("9999-12-31");
    expect(shownDate(2_958_466, false)).toBeNull();
    expect(shownDate(0, true)).toBe("1904-01-01");
    expect(shownDate(44_011, true)).toBe("2024-06-30");
    expect(shownDate(2_957_003, true)).toBe("9999-12-31");
    expect(shownDate(2_957_004, true)).toBeNull();
  });

  it("names no day for times alone, negatives and what is no number", () => {
    for (const serial of [0, 0.25, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(shownDate(serial, false)).toBeNull();
    }
    expect(shownDate(0.25, true)).toBe("1904-01-01T06:00:00");
  });

  it("gives the time of day to the second, carrying over midnight", () => {
    expect(shownDate(45_473.5, false)).toBe("2024-06-30T12:00:00");
    expect(shownDate(45_473.427_083_333_3, false)).toBe("2024-06-30T10:15:00");
    expect(shownDate(45_473.999_999_99, false)).toBe("2024-07-01");
  });

  it("agrees with the platform's calendar on every day, by an independent way", () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_465 }), (serial) => {
        const expected = new Date((serial - 25_569) * 86_400_000).toISOString().slice(0, 10);
        expect(shownDate(serial, false)).toBe(expected);
        if (serial >= 1462) expect(shownDate(serial - 1462, true)).toBe(expected);
        expect(isoToSerial(expected, false)).toEqual({ iso: expected, serial });
      }),
    );
  });
});

describe("isoToSerial", () => {
  it("reads ISO date cells and refuses what is no date", () => {
    expect(isoToSerial("2024-06-30T10:15:00Z", false)).toEqual({
      iso: "2024-06-30T10:15:00",
      serial: 45_473 + 615 / 1440,
    });
    expect(isoToSerial("1900-01-31", false)?.serial).toBe(31);
    expect(isoToSerial("1900-03-01", false)?.serial).toBe(61);
    expect(isoToSerial("1904-01-01", true)?.serial).toBe(0);
    for (const text of [
      "2024-02-30",
      "2024-13-01",
      "2024-06-30T25:00",
      "2024-06-30T10:00+02:00",
      "30.6.2024",
      "",
    ]) {
      expect(isoToSerial(text, false)).toBeNull();
    }
  });
});

describe("number formats", () => {
  it.each([
    ["General", "number"],
    ["0.00E+00", "number"],
    ["#,##0.0_);[Red]-#,##0", "number"],
    ['"day "0', "number"],
    ["0\\d", "number"],
    ["[Magenta]0", "number"],
    ["_d0", "number"],
    ['0.0"±"', "number"],
    ["mmm\\-yyyy", "date"],
    ["yyyy", "date"],
    ["[$-409]d-mmm-yy", "date"],
    ["[$-C09]dddd, d mmmm yyyy", "date"],
    ['yyyy"年"m"月"', "date"],
    ["m/d/yy h:mm", "date"],
    ["dd/mm/yyyy hh:mm:ss AM/PM", "date"],
    ["mmm", "date"],
    ["ggge", "date"],
    ["h:mm", "time"],
    ["h:mm AM/PM", "time"],
    ["mm:ss.0", "time"],
    ["[h]:mm", "time"],
    ["[mm]:ss", "time"],
    ["[hh]:mm:ss", "time"],
    ["DD/MM/YYYY", "date"],
  ])("%s shows a %s", (code, kind) => {
    expect(sectionKind(splitSections(code)[0] ?? "")).toBe(kind);
  });

  it("chooses the section that applies to the value", () => {
    expect(dateTest("d/m/yyyy;@")(5)).toBe(true);
    expect(dateTest("0;d/m/yyyy")(5)).toBe(false);
    expect(dateTest("[<100]0;d/m/yyyy")(5)).toBe(false);
    expect(dateTest("[<100]0;d/m/yyyy")(45_000)).toBe(true);
    expect(dateTest('yyyy;-0;"-"')(0)).toBe(false);
    expect(dateTest('0;0;0;"dmy"')(1)).toBe(false);
  });

  it("ends on any code", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ymdhs0#;[]"\\_*@<>=1gebAP/M+- ') }),
        fc.double(),
        (code, value) => {
          expect(typeof dateTest(code)(value)).toBe("boolean");
        },
      ),
    );
  });
});

/** Serials under several formats in both date systems, as text: what each time zone must give alike. */
const PROBE = `
import { readWorkbook } from "./src/io/xlsx/read.ts";
import { readFileSync } from "node:fs";
const outcome = await readWorkbook(new Uint8Array(readFileSync(0)));
process.stdout.write(JSON.stringify(outcome.ok ? outcome.value.sheets[0].rows.get(1).map(({ type, value, serial }) => [type, value, serial]) : outcome.findings));
`;

describe("dates in workbooks", () => {
  const data =
    '<row r="1"><c r="A1" s="0"><v>45473</v></c><c r="B1" s="1"><v>45473.5</v></c><c r="C1" s="2"><v>0.3</v></c><c r="D1" s="3"><v>1.5</v></c><c r="E1" t="d"><v>2024-06-30T00:00:00</v></c><c r="F1" s="0"><f>x</f><v>1</v></c><c r="G1" s="4"><v>60</v></c><c r="H1" s="0"><v>1.1000000000000001</v></c></row>';
  const styles = formatStyles("mmm-yyyy", 22, 20, "[h]:mm", 14);
  const bytes = makeWorkbook({ styles, sheets: [{ data }] });
  const expected = [
    ["date", "2024-06-30", 45_473],
    ["date", "2024-06-30T12:00:00", 45_473.5],
    ["number", 0.3, undefined],
    ["number", 1.5, undefined],
    ["date", "2024-06-30", 45_473],
    ["date", "1900-01-01", 1],
    ["number", 60, undefined],
    ["date", "1900-01-01T02:24:00", 1.1],
  ];

  it("become ISO text, with the stored serial beside it", async () => {
    const outcome = await readWorkbook(bytes);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
    expect(
      outcome.value.sheets[0]?.rows.get(1)?.map(({ type, value, serial }) => [type, value, serial]),
    ).toEqual(expected);
  });

  it("count from 1904 when the workbook says so", async () => {
    const outcome = await readWorkbook(makeWorkbook({ styles, sheets: [{ data }], date1904: true }));
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings));
    expect(outcome.value.date1904).toBe(true);
    const cells = outcome.value.sheets[0]?.rows.get(1) ?? [];
    expect(cells.map(({ value }) => value)).toEqual([
      "2028-07-01",
      "2028-07-01T12:00:00",
      0.3,
      1.5,
      "2024-06-30",
      "1904-01-02",
      "1904-03-01",
      "1904-01-02T02:24:00",
    ]);
    expect(cells[4]?.serial).toBe(45_473 - 1462);
  });

  it.each(["Pacific/Auckland", "America/New_York", "UTC", "Asia/Kathmandu"])("are the same in %s", (zone) => {
    const child = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", PROBE], {
      cwd: root,
      input: bytes,
      env: { ...process.env, TZ: zone },
      encoding: "utf8",
    });
    expect(child.stderr).toBe("");
    expect(JSON.parse(child.stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
  });
});
