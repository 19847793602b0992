import { describe, expect, it } from "vitest";
import { findSeatbeltProblems, renderSeatbeltProfile } from "../../../src/lib/sandbox/seatbelt.ts";

type Expression = string | Expression[];

/** Reads the language of profiles: lists of words and quoted strings. Strings keep their quotes. */
function parse(text: string): Expression[] {
  const token = /[()]|"(?:[^"\\]|\\.)*"|[^\s()"]+/gs;
  // Nothing stands between the tokens but space.
  expect(text.replaceAll(token, "").trim()).toBe("");
  const tokens = text.match(token) ?? [];
  const stack: Expression[][] = [[]];
  for (const word of tokens) {
    if (word === "(") stack.push([]);
    else if (word === ")") {
      const list = stack.pop() ?? [];
      const outer = stack.at(-1);
      if (outer === undefined) throw new Error("a bracket too many");
      outer.push(list);
    } else stack.at(-1)?.push(word);
  }
  if (stack.length !== 1) throw new Error("a bracket is missing");
  return stack[0] ?? [];
}

const order = { inputs: ["/private/var/in/entry", "/private/var/in/tools"], work: "/private/var/work" };
const rules = parse(renderSeatbeltProfile(order)) as [string, string, ...Expression[]][];
const allowed = (operation: string): Expression[] =>
  rules
    .filter(([verb, name]) => verb === "allow" && name === operation)
    .flatMap(([, , ...filters]) => filters);

describe("the profile for macOS (a contract on its text: no Mac has run it)", () => {
  it("denies everything first, and the network last", () => {
    expect(rules.slice(0, 2)).toEqual([
      ["version", "1"],
      ["deny", "default"],
    ]);
    expect(rules).toContainEqual(["deny", "network*"]);
    expect(
      rules.filter(([verb, name]) => verb === "allow" && /^(?:network|mach|ipc|iokit|system)/.test(name)),
    ).toEqual([]);
    const lastAllowed = rules.findLastIndex(([verb]) => verb === "allow");
    expect(rules.findIndex(([verb, name]) => verb === "deny" && name === "network*")).toBeGreaterThan(
      lastAllowed,
    );
  });

  it("lets only the work folder be written", () => {
    expect(allowed("file-write*")).toEqual([
      ["subpath", '"/private/var/work"'],
      ["literal", '"/dev/null"'],
    ]);
  });

  it("lets only the system, the inputs and the work folder be read, and of the way there only that it exists", () => {
    const paths = (allowed("file-read*") as [string, string][]).map(([, path]) => JSON.parse(path) as string);
    const own = paths.filter((path) => !/^\/(?:System|usr|bin|dev|Library\/Developer)(?:\/|$)/.test(path));
    expect(own).toEqual([...order.inputs, order.work]);
    for (const folder of ["/Users", "/private", "/private/var", "/", "/usr", "/Library", "/System"])
      expect(paths).not.toContain(folder);
    expect((allowed("file-read-metadata") as [string, string][]).every(([kind]) => kind === "literal")).toBe(
      true,
    );
  });

  it("gives no operation without a filter but forking and reading system values", () => {
    const open = rules.filter(([verb, , ...filters]) => verb === "allow" && filters.length === 0);
    expect(open.map(([, name]) => name)).toEqual(["process-fork", "sysctl-read"]);
  });

  it("takes a path for a path, whatever is in it", () => {
    const work = '/private/a" (allow network*) "b\\c';
    const text = renderSeatbeltProfile({ inputs: [], work });
    const parsed = parse(text) as [string, string, ...Expression[]][];
    expect(parsed.map(([verb, name]) => `${verb} ${name}`)).toEqual(
      rules.map(([verb, name]) => `${verb} ${name}`),
    );
    expect(text).toContain(JSON.stringify(work));
  });

  it.each(["relative", "/", "/a/../b", "/a/.", "/a//b", "/a/", "/line\nbreak"])(
    "refuses the path %j",
    (path) => {
      expect(findSeatbeltProblems({ inputs: [path], work: "/private/work" })).toHaveLength(1);
      expect(() => renderSeatbeltProfile({ inputs: [], work: path })).toThrow(RangeError);
    },
  );
});
