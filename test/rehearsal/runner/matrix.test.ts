import { expect, test } from "vitest";
import { combinationLabel, expandMatrix } from "../../../rehearsal/runner/matrix.ts";

test("the documented example of include", () => {
  // "Expanding or adding matrix configurations" in GitHub's documentation.
  expect(
    expandMatrix({
      fruit: ["apple", "pear"],
      animal: ["cat", "dog"],
      include: [
        { color: "green" },
        { color: "pink", animal: "cat" },
        { fruit: "apple", shape: "circle" },
        { fruit: "banana" },
        { fruit: "banana", animal: "cat" },
      ],
    }),
  ).toEqual([
    { fruit: "apple", animal: "cat", color: "pink", shape: "circle" },
    { fruit: "apple", animal: "dog", color: "green", shape: "circle" },
    { fruit: "pear", animal: "cat", color: "pink" },
    { fruit: "pear", animal: "dog", color: "green" },
    { fruit: "banana" },
    { fruit: "banana", animal: "cat" },
  ]);
});

test("the documented example of exclude: part of a combination is enough", () => {
  expect(
    expandMatrix({
      os: ["macos-latest", "windows-latest"],
      version: [12, 14, 16],
      environment: ["staging", "production"],
      exclude: [
        { os: "macos-latest", version: 12, environment: "production" },
        { os: "windows-latest", version: 16 },
      ],
    }),
  ).toHaveLength(9);
});

test("include alone, and objects as values", () => {
  expect(expandMatrix({ include: [{ site: "a" }, { site: "b" }] })).toEqual([{ site: "a" }, { site: "b" }]);
  const [first] = expandMatrix({ node: [{ version: 20 }, { version: 24, env: "X=1" }] });
  expect(combinationLabel(first!)).toBe("20");
  expect(combinationLabel({ os: "linux", node: { version: 24, env: "X=1" } })).toBe("linux, 24, X=1");
});

test("what GitHub refuses", () => {
  expect(() => expandMatrix({ n: [] })).toThrow("Matrix vector 'n' does not contain any values");
  expect(() => expandMatrix({ n: "x" })).toThrow("matrix vector 'n' is not an array");
  expect(() => expandMatrix({ n: [1], exclude: [{ m: 1 }] })).toThrow("'m' does not match any key");
  expect(() => expandMatrix({ n: [1], exclude: [{ n: 1 }] })).toThrow("does not contain any combination");
  const many = Array.from({ length: 20 }, (_, index) => index);
  expect(() => expandMatrix({ a: many, b: many })).toThrow("may not exceed 256 jobs");
});
