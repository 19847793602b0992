import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "../../../src/lib/strict-json/parse.ts";
import { pointerOf } from "../../../src/lib/strict-json/pointer.ts";

const codeOf = (text: string | Uint8Array, options = {}): string => {
  const outcome = parseStrictJson(text, { path: "x.json", ...options });
  return outcome.ok ? "ok" : (outcome.findings[0]?.code ?? "none");
};
const parsedValue = (text: string): unknown => {
  const outcome = parseStrictJson(text);
  return outcome.ok ? outcome.value.value : outcome.findings;
};

describe("parseStrictJson", () => {
  it.each([
    ["duplicate key", '{"a":1,"a":2}', "json-duplicate-key"],
    ["duplicate key after unescaping", '{"foo":1,"f\\u006fo":2}', "json-duplicate-key"],
    ["prototype key", '{"__proto__":{}}', "json-forbidden-key"],
    ["escaped prototype key", '{"\\u005f_proto__":{}}', "json-forbidden-key"],
    ["constructor key", '{"a":[{"constructor":1}]}', "json-forbidden-key"],
    ["overflowing number", "[1e400]", "json-number-range"],
    ["underflowing number", "[1e-400]", "json-number-range"],
    ["integer beyond 2^53", "9007199254740993", "json-number-precision"],
    ["negative integer beyond 2^53", "-9007199254740993", "json-number-precision"],
    ["integer by exponent", "1e20", "json-number-precision"],
    ["18 digits", "0.123456789012345678", "json-number-precision"],
    ["byte order mark", "\ufeff{}", "json-bom"],
    ["lone high surrogate", '"\\ud800"', "json-lone-surrogate"],
    ["lone low surrogate", '"\\udc00"', "json-lone-surrogate"],
    ["high surrogate before a letter", '"\\ud800a"', "json-lone-surrogate"],
    ["two high surrogates", '"\\ud800\\ud800"', "json-lone-surrogate"],
    ["raw lone surrogate", '"\ud800"', "json-lone-surrogate"],
    ["text after the document", "{} {}", "json-syntax"],
    ["nothing", "", "json-syntax"],
    ["trailing comma", "[1,]", "json-syntax"],
    ["trailing comma in an object", '{"a":1,}', "json-syntax"],
    ["leading zero", "01", "json-syntax"],
    ["leading plus", "+1", "json-syntax"],
    ["bare point", "1.", "json-syntax"],
    ["NaN", "NaN", "json-syntax"],
    ["comment", "/* */ 1", "json-syntax"],
    ["single quotes", "{'a':1}", "json-syntax"],
    ["control character in a string", '"a\nb"', "json-syntax"],
    ["unknown escape", '"\\x41"', "json-syntax"],
    ["short escape", '"\\u12"', "json-syntax"],
    ["open string", '"abc', "json-syntax"],
    ["open array", "[1", "json-syntax"],
    ["wrong bracket", "[1}", "json-syntax"],
    ["no-break space as white space", "\u00a01", "json-syntax"],
  ])("refuses %s", (_, text, code) => {
    expect(codeOf(text)).toBe(code);
    expect(codeOf(Buffer.from(text, "utf8"))).toBe(
      code === "json-lone-surrogate" && text.includes("\ud800") ? "ok" : code,
    );
  });

  it("accepts the exact edges", () => {
    expect(parsedValue("[9007199254740992,-9007199254740992,0.12345678901234567,5e-324]")).toEqual([
      9007199254740992, -9007199254740992, 0.12345678901234566, 5e-324,
    ]);
    expect(parsedValue('"\\ud83d\\ude00 😀 \\/ \\b\\f\\n\\r\\t"')).toBe("😀 😀 / \b\f\n\r\t");
  });

  it("refuses invalid UTF-8, with its line", () => {
    const outcome = parseStrictJson(Uint8Array.from([0x5b, 0x0a, 0x22, 0xc3, 0x28, 0x22, 0x5d]), {
      path: "x.json",
    });
    expect(outcome).toMatchObject({
      ok: false,
      findings: [
        { code: "json-not-utf8", path: "x.json", line: 2, actual: "byte 5 is part of no character" },
      ],
    });
    expect(codeOf(Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe("json-not-utf8");
    expect(codeOf(Uint8Array.from([0x22, 0xe2, 0x82]))).toBe("json-not-utf8");
  });

  it("counts bytes, not characters", () => {
    expect(codeOf('"é"', { maxBytes: 3 })).toBe("json-too-large");
    expect(codeOf('"é"', { maxBytes: 4 })).toBe("ok");
    expect(codeOf('"😀"', { maxBytes: 5 })).toBe("json-too-large");
    expect(codeOf('"😀"', { maxBytes: 6 })).toBe("ok");
  });

  it("bounds depth, and a million levels end at once", () => {
    expect(codeOf(`${"[".repeat(32)}${"]".repeat(32)}`)).toBe("ok");
    expect(codeOf(`${"[".repeat(33)}${"]".repeat(33)}`)).toBe("json-too-deep");
    const start = performance.now();
    expect(codeOf("[".repeat(1_000_000))).toBe("json-too-deep");
    expect(codeOf('{"a":'.repeat(1_000_000))).toBe("json-too-deep");
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it("does not overflow even where a caller allows any depth", () => {
    const depth = 200_000;
    const outcome = parseStrictJson(`${"[".repeat(depth)}${"]".repeat(depth)}`, { maxDepth: depth });
    expect(outcome.ok).toBe(true);
  });

  it("says where: line, column and pointer", () => {
    const text = '{\n  "a": [\n    1,\n    {"b/~": 2, "b/~": 3}\n  ]\n}';
    expect(parseStrictJson(text, { path: "p" })).toEqual({
      ok: false,
      findings: [
        {
          code: "json-duplicate-key",
          severity: "error",
          message: "An object has the same key twice (compared after unescaping).",
          pointer: "/a/1/b~1~0",
          path: "p",
          line: 4,
          column: 16,
          actual: "b/~",
          hint: "Keep one of the two.",
        },
      ],
    });
  });

  it("keeps positions in memory of the document's size, however long the keys above the values are", () => {
    const text = `{"${"k".repeat(120_000)}":[${"0,".repeat(60_000)}0]}`;
    const outcome = parseStrictJson(text);
    if (!outcome.ok) throw new Error("sound");
    const before = process.memoryUsage().rss;
    expect(outcome.value.position(`/${"k".repeat(120_000)}/59999`)?.column).toBe(120_006 + 2 * 59_999);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it("knows the position of every value", () => {
    const outcome = parseStrictJson('{\n  "a": [1, {"": true}],\n  "b": "x"}');
    if (!outcome.ok) throw new Error("must parse");
    const { position } = outcome.value;
    expect(position("")).toEqual({ line: 1, column: 1 });
    expect(position("/a")).toEqual({ line: 2, column: 8 });
    expect(position("/a/1/")).toEqual({ line: 2, column: 17 });
    expect(position("/b")).toEqual({ line: 3, column: 8 });
    expect(position("/c")).toBeUndefined();
  });

  it("agrees with JSON.parse on whatever both accept", () => {
    const safe = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(safe, fc.constantFrom(0, 1, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const outcome = parseStrictJson(text);
        if (outcome.ok) {
          expect(outcome.value.value).toEqual(JSON.parse(text));
          for (const path of pathsOf(JSON.parse(text))) {
            expect(outcome.value.position(pointerOf(path))).toBeDefined();
          }
        } else {
          expect(outcome.findings[0]?.code).toMatch(/^json-(forbidden-key|number-precision|lone-surrogate)$/);
        }
      }),
    );
  });

  it("never accepts what JSON.parse refuses, and never throws", () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "u",
        "0",
        "1",
        "e",
        "-",
        ".",
        " ",
        "a",
        "true",
        "null",
        '"a"',
        "\ud800",
      ),
      maxLength: 40,
    });
    fc.assert(
      fc.property(soup, (text) => {
        const outcome = parseStrictJson(text);
        if (outcome.ok) expect(outcome.value.value).toEqual(JSON.parse(text));
        else expect(outcome.findings.length).toBeGreaterThan(0);
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(typeof parseStrictJson(bytes).ok).toBe("boolean");
      }),
    );
  });

  it("reads a document of some megabytes quickly", () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => ({
      id: index,
      name: `row ${index}`,
      list: [1, 2.5, null],
    }));
    const text = JSON.stringify(rows);
    const start = performance.now();
    expect(codeOf(text)).toBe("ok");
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (Array.isArray(value)) return [path, ...value.flatMap((each, index) => pathsOf(each, [...path, index]))];
  if (typeof value === "object" && value !== null) {
    return [path, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))];
  }
  return [path];
}
