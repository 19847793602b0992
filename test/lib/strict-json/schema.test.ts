import { describe, expect, it } from "vitest";
import { z } from "zod";
import { closestTo, editDistance } from "../../../src/lib/strict-json/closest.ts";
import { checkAgainst, parseWithSchema } from "../../../src/lib/strict-json/schema.ts";

const schema = z.strictObject({
  version: z.literal(1),
  mode: z.enum(["drop", "keep"]).optional(),
  items: z
    .array(
      z.union([z.string().max(5), z.strictObject({ direction: z.string(), until: z.boolean().optional() })]),
    )
    .max(3),
});
const check = (text: string) => {
  const outcome = parseWithSchema(text, schema, { path: "f.json", code: "thing" });
  return outcome.ok ? outcome.value : outcome.findings;
};

describe("parseWithSchema", () => {
  it("gives the value", () => {
    expect(check('{"version":1,"items":["a",{"direction":"up"}]}')).toEqual({
      version: 1,
      items: ["a", { direction: "up" }],
    });
  });

  it("names an unknown key, what it may have meant, and where it is", () => {
    expect(check('{\n "version": 1,\n "itmes": [],\n "items": []\n}')).toEqual([
      {
        code: "thing-unknown-key",
        severity: "error",
        message: "This key is not part of the format.",
        pointer: "/itmes",
        actual: "itmes",
        expected: "one of: version, mode, items",
        hint: 'Did you mean "items"?',
        path: "f.json",
        line: 3,
        column: 11,
      },
    ]);
  });

  it("looks into the branch of a union that fits", () => {
    expect(check('{"version":1,"items":[{"directoin":"up","direction":"up"}]}')).toMatchObject([
      { code: "thing-unknown-key", pointer: "/items/0/directoin", hint: 'Did you mean "direction"?' },
    ]);
    expect(check('{"version":1,"items":["abcdef"]}')).toMatchObject([
      { code: "thing-too-big", pointer: "/items/0", expected: "at most 5" },
    ]);
    expect(check('{"version":1,"items":[7]}')).toMatchObject([
      { code: "thing-invalid-value", pointer: "/items/0", expected: "string, or object", actual: "7" },
    ]);
  });

  it("tells missing keys from wrong types and values", () => {
    expect(check("{}")).toMatchObject([
      { code: "thing-missing-key", pointer: "/version", line: 1, column: 1 },
      { code: "thing-missing-key", pointer: "/items" },
    ]);
    expect(check('{"version":2,"mode":"kep","items":{}}')).toMatchObject([
      { code: "thing-invalid-value", expected: "one of: 1", actual: "2" },
      { code: "thing-invalid-value", pointer: "/mode", hint: 'Did you mean "keep"?' },
      { code: "thing-wrong-type", pointer: "/items", expected: "array", actual: "an object with 0 keys" },
    ]);
    expect(check("null")).toMatchObject([{ code: "thing-wrong-type", pointer: "" }]);
  });

  it("passes on what strict JSON refuses", () => {
    expect(check('{"version":1,"version":1}')).toMatchObject([
      { code: "json-duplicate-key", path: "f.json" },
    ]);
  });

  it("shows the first problems of very many", () => {
    const many = z.array(z.string());
    const outcome = parseWithSchema(JSON.stringify(Array(500).fill(1)), many, { code: "thing" });
    expect(outcome.findings).toHaveLength(51);
    expect(outcome.findings.at(-1)).toMatchObject({ code: "thing-more" });
  });

  it("shows the first unknown keys of very many, each of them short", () => {
    const long = "k".repeat(5000);
    const keys = Array.from({ length: 3000 }, (_, index) => `"x${index}":0`).join(",");
    const findings = check(`{"version":1,"items":[],"${long}":0,${keys}}`);
    if (!Array.isArray(findings)) throw new Error("not refused");
    expect(findings).toHaveLength(51);
    expect(findings.at(-1)).toMatchObject({ code: "thing-more", message: expect.stringContaining("3001") });
    expect(findings[0]?.actual?.length).toBeLessThan(100);
  });

  it("stops at a list that is too long, before anybody looks at its items", () => {
    const seen: unknown[] = [];
    const item = z.unknown().refine((value) => seen.push(value) > 0);
    const nested = z.strictObject({
      rows: z.array(z.strictObject({ cells: z.array(item).max(2) })),
      by: z.record(z.string(), z.array(item).max(1)).nullable(),
    });
    expect(
      checkAgainst({ rows: [{ cells: [1, 2] }, { cells: [1, 2, 3] }], by: {} }, nested, "thing"),
    ).toEqual({
      ok: false,
      findings: [
        {
          code: "thing-too-big",
          severity: "error",
          message: "The array is too long.",
          pointer: "/rows/1/cells",
          expected: "at most 2",
          actual: "an array of 3",
        },
      ],
    });
    expect(checkAgainst({ rows: [], by: { a: [], b: [1, 2] } }, nested, "thing").findings).toMatchObject([
      { code: "thing-too-big", pointer: "/by/b" },
    ]);
    expect(seen).toEqual([]);
    expect(checkAgainst({ rows: [{ cells: [1, 2] }], by: null }, nested, "thing").ok).toBe(true);
    // Where a choice is left, the length is judged with the rest.
    expect(check('{"version":1,"items":["a","b","c","d"]}')).toMatchObject([{ code: "thing-too-big" }]);
  });

  it("does not throw where zod does", () => {
    type Nest = Nest[];
    const nest: z.ZodType<Nest> = z.lazy(() => z.array(nest));
    let deep: unknown[] = [];
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(checkAgainst(deep, nest, "thing").findings).toMatchObject([{ code: "thing-invalid" }]);
  });
});

describe("closestTo", () => {
  it("finds slips, and leaves strangers alone", () => {
    expect(closestTo("Tabel 1", ["Table 1", "Table 2", "Contents"])).toBe("Table 1");
    expect(closestTo("dropRow", ["drop-row", "blank"])).toBe("drop-row");
    expect(closestTo("entirely different", ["Table 1"])).toBeNull();
  });

  it("counts edits", () => {
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("ab", "ba")).toBe(1);
    expect(editDistance("", "abc")).toBe(3);
  });
});
