import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asText,
  evaluateCondition,
  evaluateExpression,
  fromData,
  type Scope,
  toData,
} from "../../../rehearsal/runner/expressions.ts";

const scope: Scope = {
  contexts: {
    github: toData({
      ref: "refs/heads/main",
      event_name: "push",
      event: {
        issue: { labels: [{ name: "bug" }, { name: "help wanted" }] },
        pull_request: { number: 7 },
      },
    }),
    env: toData({ DAY: "monday", constructor: "kept", __proto__x: "kept too" }),
    matrix: toData({ node: 20, list: ["a", "b"] }),
    needs: toData({ plan: { result: "success", outputs: { parts: "[1,2]" } } }),
  },
  status: { success: () => true, failure: () => false, cancelled: () => false },
};

const value = (text: string) => fromData(evaluateExpression(text, scope));

/** Expected values are those of "Evaluate expressions in workflows and actions" in GitHub's documentation. */
describe("documented values", () => {
  test.each([
    // Literals
    ["null", null],
    ["false", false],
    ["711", 711],
    ["-9.2", -9.2],
    ["0xff", 255],
    ["-2.99e-2", -0.0299],
    ["'Mona the Octocat'", "Mona the Octocat"],
    ["'It''s open source!'", "It's open source!"],
    ["'''a'' and ''b'''", "'a' and 'b'"],
    // Operators
    ["github.event_name == 'PUSH'", true],
    ["1 < 2 && 3 >= 3", true],
    ["false || 'fallback'", "fallback"],
    ["github.ref == 'refs/heads/main' && 'value_for_main' || 'other'", "value_for_main"],
    ["!(1 != 1)", true],
    ["null == 0", true],
    ["true == 1", true],
    ["'1' == 1", true],
    ["'' == 0", true],
    ["'abc' == 0", false],
    ["matrix.list[1]", "b"],
    ["matrix['node']", 20],
    ["github.event.missing.deeper", null],
    ["github.event.issue.labels.*.name", ["bug", "help wanted"]],
    // Functions
    ["contains('Hello world', 'llo')", true],
    ["contains(github.event.issue.labels.*.name, 'bug')", true],
    ['contains(fromJSON(\'["push", "pull_request"]\'), github.event_name)', true],
    ["startsWith('Hello world', 'he')", true],
    ["endsWith('Hello world', 'LD')", true],
    ["format('Hello {0} {1} {2}', 'Mona', 'the', 'Octocat')", "Hello Mona the Octocat"],
    ["format('{{Hello {0} {1} {2}!}}', 'Mona', 'the', 'Octocat')", "{Hello Mona the Octocat!}"],
    ["join(github.event.issue.labels.*.name, ', ')", "bug, help wanted"],
    ["join(matrix.list)", "a,b"],
    ["fromJSON(needs.plan.outputs.parts)", [1, 2]],
    ["fromJSON('true') && 1", 1],
    ["toJSON(matrix.list)", '[\n  "a",\n  "b"\n]'],
    ["success()", true],
    ["always()", true],
    ["failure() || cancelled()", false],
    // Names that an object in JavaScript already has
    ["env.constructor", "kept"],
    ["env.toString", null],
    ["fromJSON('{\"constructor\": 1}').constructor", 1],
  ])("%s", (text, expected) => {
    expect(value(text)).toEqual(expected);
  });
});

test("numbers print without an exponent or trailing zeros, null as nothing", () => {
  expect(asText(0.1 + 0.2, "x")).toBe("0.3");
  expect(asText(20, "x")).toBe("20");
  expect(asText(null, "x")).toBe("");
  expect(asText(false, "x")).toBe("false");
  expect(() => asText([1], "x")).toThrow("x must be text");
});

test("mistakes name the expression", () => {
  expect(() => value("github.")).toThrow(/cannot evaluate \$\{\{ github\. \}\}: Unexpected symbol/);
  expect(() => value("nope.x")).toThrow("Unrecognized named-value: 'nope'");
  expect(() => value("fromJSON('{')")).toThrow("fromJSON: not JSON");
  expect(() => value("hashFiles('a')")).toThrow("hashFiles() is not supported by the rehearsal runner");
  expect(() => evaluateExpression("success()", { contexts: {} })).toThrow("Unrecognized function: 'success'");
});

test("only false, 0, nothing and the empty text do not hold", () => {
  const holds = ["true", "1", "'0'", "'false'", "github.event", "matrix.list"];
  const fails = ["false", "0", "null", "''", "github.nothing", "NaN"];
  expect(holds.filter((text) => !evaluateCondition(text, scope))).toEqual([]);
  expect(fails.filter((text) => evaluateCondition(text, scope))).toEqual([]);
});

test("any text survives as a literal, and any JSON through toJSON and fromJSON", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(value(`'${text.replaceAll("'", "''")}'`)).toBe(text);
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (json) => {
      // Objects in GitHub's contexts are case-insensitive, so JSON that differs only by case is out.
      const folded = new Set<string>();
      const unique = JSON.stringify(json, (key, member) => {
        folded.add(key);
        return member;
      });
      const lower = new Set([...folded].map((key) => key.toLowerCase()));
      fc.pre(lower.size === folded.size && !folded.has("__proto__"));
      const through = fromData(
        evaluateExpression("fromJSON(toJSON(matrix))", { contexts: { matrix: toData(json) } }),
      );
      expect(JSON.stringify(through)).toBe(unique);
    }),
  );
});
