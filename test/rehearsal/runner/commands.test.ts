import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCommand } from "../../../rehearsal/runner/commands.ts";
import { parseEnvFile, parsePathFile } from "../../../rehearsal/runner/env-files.ts";
import { Masks } from "../../../rehearsal/runner/masks.ts";

test("reads commands in both spellings and leaves other lines alone", () => {
  expect(parseCommand("::error file=a.js,line=1::Missing%3A semicolon%0A100%25")).toEqual({
    name: "error",
    properties: new Map([
      ["file", "a.js"],
      ["line", "1"],
    ]),
    message: "Missing%3A semicolon\n100%",
  });
  expect(parseCommand("  ::group::Title")?.name).toBe("group");
  expect(parseCommand("##[warning]old")?.message).toBe("old");
  expect(parseCommand("::notice title=a%2Cb%3Ac::x")?.properties.get("title")).toBe("a,b:c");
  expect(parseCommand("text ::error::x")).toBeNull();
  expect(parseCommand(":: error::x")).toBeNull();
  expect(parseCommand("std::vector<int>")).toBeNull();
});

test("whatever escaping a message has gone through comes back", () => {
  const escaped = (text: string) =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("%", "0", "A", "D", "2", "5", "\n", "\r", ":", "x") }),
      (text) => {
        expect(parseCommand(`::debug::${escaped(text)}`)?.message).toBe(text);
      },
    ),
  );
});

test("environment files: one line, several lines, and what is neither", () => {
  expect(parseEnvFile("a=1\nb=x=y\r\n\nc<<EOF\nline 1\n\n=<<\nEOF\nd<<X\nX\ne=<<no heredoc\n")).toEqual([
    ["a", "1"],
    ["b", "x=y"],
    ["c", "line 1\n\n=<<"],
    ["d", ""],
    ["e", "<<no heredoc"],
  ]);
  expect(() => parseEnvFile("novalue\n")).toThrow("Invalid format 'novalue'");
  expect(() => parseEnvFile("=x\n")).toThrow("Name must not be empty");
  expect(() => parseEnvFile("a<<EOF\nx\nEOF2\n")).toThrow("Matching delimiter not found 'EOF'");
  expect(parsePathFile("/a\r\n\n/b c\n")).toEqual(["/a", "/b c"]);
});

test("any value survives a heredoc with a delimiter that is not in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "=", "<", "\n", " ", "E") }), (value) => {
      expect(parseEnvFile(`name<<ghadelimiter\n${value}\nghadelimiter\n`)).toEqual([["name", value]]);
    }),
  );
});

test("masks the longest first, and every line of a secret", () => {
  const masks = new Masks();
  masks.add("abc");
  masks.add("abcdef");
  masks.add("first line\nsecond line\n");
  masks.add("x");
  masks.add("  ");
  expect(masks.apply("abcdef abc first line|second line x")).toBe("*** *** ***|*** x");
  expect(masks.found("say second line")).toBe(true);
  expect(masks.found("nothing")).toBe(false);
});
