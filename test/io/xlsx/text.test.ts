import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { readWorkbook } from "../../../src/io/xlsx/read.ts";
import { makeWorkbook } from "./make-workbook.ts";

/** What a strict XML parser makes of a text; null when it refuses it. */
function bySaxes(raw: string): string | null {
  const parser = new SaxesParser();
  let text = "";
  let failed = false;
  parser.on("error", () => {
    failed = true;
  });
  parser.on("text", (piece) => {
    text += piece;
  });
  parser.on("cdata", (piece) => {
    text += piece;
  });
  parser.write(`<t>${raw}</t>`).close();
  return failed ? null : text;
}

const PIECES =
  "&amp;|&lt;|&gt;|&quot;|&apos;|&#65;|&#x41;|&#x0000041;|&#13;|&#10;|&#x1F600;|&#xD800;|&#xFFFE;|&#0;|&nbsp;|&|&;|&#;|&#x;|]]>|]]|>|<![CDATA[<a> & b]]>|<![CDATA[]]>|\r\n|\r|\n|\t| |\u0001|\u000b|\f|\ufffe|\uffff|\u0085|\u2028|\u00a0|é|東|\u{1f600}|x|0|'|\"".split(
    "|",
  );

async function textsOf(raw: string): Promise<unknown[]> {
  const outcome = await readWorkbook(
    makeWorkbook({
      strings: `<si><t>${raw}</t></si>`,
      sheets: [
        {
          data: `<row r="1"><c r="A1" t="s"><v>0</v></c></row>`,
        },
      ],
    }),
  );
  const inSheet = await readWorkbook(
    makeWorkbook({
      sheets: [
        {
          data: `<row r="1"><c r="A1" t="str"><v>${raw}</v></c><c r="B1" t="inlineStr"><is><t>${raw}</t></is></c></row>`,
        },
      ],
    }),
  );
  return [outcome, inSheet].flatMap((read) =>
    read.ok
      ? (read.value.sheets[0]?.rows.get(1) ?? []).map(({ value }) => value)
      : read.findings.map(({ code }) => code),
  );
}

describe("texts of cells", () => {
  it("F50: are what a strict XML parser reads, or refused where it refuses", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }),
        async (pieces) => {
          const raw = pieces.join("");
          const text = bySaxes(raw);
          const refused = "xlsx-malformed-xml";
          expect(await textsOf(raw)).toEqual(text === null ? [refused, refused] : [text, text, text]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("are refused in numbers, errors and runs as well when no XML text may hold them", async () => {
    const cells = [
      '<c r="A1"><v>1\f</v></c>',
      '<c r="A1" t="b"><v>\u000b1</v></c>',
      '<c r="A1" t="e"><v>#N/A\u0001</v></c>',
      '<c r="A1" t="e"><v>#N/A&bogus;</v></c>',
      '<c r="A1" t="inlineStr"><is><r><t>a]]></t></r></is></c>',
    ];
    for (const cell of cells) {
      const outcome = await readWorkbook(makeWorkbook({ sheets: [{ data: `<row r="1">${cell}</row>` }] }));
      expect(outcome.findings.map(({ code }) => code)).toEqual(["xlsx-malformed-xml"]);
    }
  });
});
