import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countDuplicatedLines } from "../../../../src/lib/code/quality/duplicates.ts";
import { measure } from "./measure.ts";

/** The definition word by word: every block of six or more lines is looked for at every other place. */
function slowly(files: readonly (readonly string[])[]): number {
  const places = files.flatMap((lines, file) => lines.map((_, at) => ({ file, at })));
  const marked = new Set<string>();
  for (const [index, a] of places.entries()) {
    for (const b of places.slice(index + 1)) {
      let length = 0;
      for (;;) {
        const one = files[a.file]?.[a.at + length];
        if (one === undefined || one !== files[b.file]?.[b.at + length]) break;
        length++;
      }
      if (length < 6) continue;
      for (let step = 0; step < length; step++) {
        marked.add(`${a.file}:${a.at + step}`);
        marked.add(`${b.file}:${b.at + step}`);
      }
    }
  }
  return marked.size;
}

const ENC = `fn enc(b: &mut B) {
    b.put(1);
    b.put(2);

    b.put(3);
    // tail
    b.put(4);
    b.put(5);
    b.flush();
}
`;
const DEC = `fn dec(b: &mut B) {
        b.put(1);
    b.put(2);
    b.put(3);
    b.put(4);
    b.put(5);
    b.flush();
    b.done();
}
`;

describe("Methodology: Code metrics, duplicated lines", () => {
  it.each([
    ["in one file", { "src/lib.rs": `${ENC}\n${DEC}` }],
    ["in two files", { "src/enc.rs": ENC, "src/dec.rs": DEC }],
  ])("finds 12 of the 15 significant lines of an encoder and a decoder %s", async (_, files) => {
    const { lines } = (await measure(files, "rust")).quality;
    expect(lines).toMatchObject({ significant: 15, duplicated: 12 });
  });

  it("needs six lines, and both copies count", () => {
    const five = ["a", "b", "c", "d", "e"];
    expect(countDuplicatedLines([[...five, "x", ...five]])).toBe(0);
    const six = [...five, "f"];
    expect(countDuplicatedLines([[...six, "x", ...six, "y", ...six]])).toBe(18);
  });

  it("lets no block go from one file into the next", () => {
    const six = ["a", "b", "c", "d", "e", "f"];
    expect(countDuplicatedLines([six, six.slice(0, 3), six.slice(3)])).toBe(0);
    expect(countDuplicatedLines([six, six])).toBe(12);
  });

  it("counts blocks that overlap themselves: seven equal lines hold the same six twice", () => {
    expect(countDuplicatedLines([Array(6).fill("x")])).toBe(0);
    expect(countDuplicatedLines([Array(7).fill("x")])).toBe(7);
  });

  it("says what the definition says, tried slowly", () => {
    const line = fc.constantFrom("a", "b", "c");
    const block = fc.array(line, { maxLength: 9 });
    // Files made of few blocks, so that copies are common.
    const files = fc
      .tuple(
        fc.array(block, { minLength: 1, maxLength: 3 }),
        fc.array(fc.array(fc.nat(2), { maxLength: 5 }), { maxLength: 3 }),
      )
      .map(([blocks, uses]) =>
        uses.map((indexes) => indexes.flatMap((index) => blocks[index % blocks.length] ?? [])),
      );
    fc.assert(
      fc.property(files, (given) => {
        expect(countDuplicatedLines(given)).toBe(slowly(given));
      }),
      { numRuns: 400 },
    );
  });

  it("does not depend on the order of the files", () => {
    const lines = fc.array(fc.constantFrom("a", "b"), { maxLength: 20 });
    fc.assert(
      fc.property(lines, lines, lines, (a, b, c) => {
        expect(countDuplicatedLines([a, b, c])).toBe(countDuplicatedLines([c, a, b]));
      }),
    );
  });

  it("takes 100,000 equal lines in one pass", () => {
    const started = performance.now();
    expect(countDuplicatedLines([Array(100_000).fill("x")])).toBe(100_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("normalises white space, and leaves comment-only lines and lone brackets out of blocks", async () => {
    const body = ["a();", "b();", "c();", "d();", "e();", "f();"];
    const tabs = `void x(void)\n{\n${body.map((line) => `\t${line}`).join("\n")}\n}\n`;
    const apart = `void y(void) {\n${body.map((line) => `  ${line}\n  // why\n\n  {\n  }\n`).join("")}}\n`;
    const { lines } = (await measure({ "a.c": tabs, "b.c": apart }, "c")).quality;
    expect(lines).toMatchObject({ significant: 14, duplicated: 12 });
  });
});
