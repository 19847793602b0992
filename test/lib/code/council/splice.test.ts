import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendToList } from "../../../../src/lib/code/council/splice.ts";

const LAYOUTS: Readonly<Record<string, (value: unknown) => string>> = {
  "one line": (value) => JSON.stringify(value),
  "one line and a line break": (value) => `${JSON.stringify(value)}\n`,
  "two spaces": (value) => `${JSON.stringify(value, null, 2)}\n`,
  tabs: (value) => JSON.stringify(value, null, "\t"),
  "line ends of Windows": (value) => JSON.stringify(value, null, 2).replaceAll("\n", "\r\n"),
};

/** Values as our documents hold them. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z"\\[\]]{1,5}$/), tie("value"), { maxKeys: 3 }),
  ),
}));

describe("appending to a list in a JSON text", () => {
  it.each(Object.entries(LAYOUTS))("changes nothing else, in a document of %s", (_, layout) => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), value, fc.string(), (list, item, text) => {
        const document = { a: { "]": text, list }, z: ["]", { list: [1] }] };
        const before = layout(document);
        const after = appendToList(before, "/a/list", { x: item });
        expect(JSON.parse(after)).toEqual({
          ...document,
          a: { ...document.a, list: [...list, { x: item }] },
        });
        // Taking the insertion out gives the document back.
        const same = [...before].findIndex((_, index) => before[index] !== after[index]);
        const rest = before.length - same;
        expect(before.slice(0, same) + after.slice(after.length - rest)).toBe(before);
      }),
      { numRuns: 200 },
    );
  });
  it("lays a new item out as its neighbours", () => {
    const before = '{\n  "list": [\n    {\n      "a": 1\n    }\n  ],\n  "odd" :   2\n}\n';
    expect(appendToList(before, "/list", { b: 2 })).toBe(
      '{\n  "list": [\n    {\n      "a": 1\n    },\n    {\n      "b": 2\n    }\n  ],\n  "odd" :   2\n}\n',
    );
    expect(appendToList('{\n  "list": []\n}\n', "/list", 1)).toBe('{\n  "list": [\n    1\n  ]\n}\n');
  });
  it("refuses what is no list", () => {
    expect(() => appendToList('{"list": {}}', "/list", 1)).toThrow(RangeError);
    expect(() => appendToList("{}", "/list", 1)).toThrow(RangeError);
  });
});
