import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findInstructions } from "../../../../src/lib/code/council/instructions.ts";
import { findLeaks } from "../../../../src/lib/code/council/leak.ts";
import { matchesIn } from "../../../../src/lib/code/council/names.ts";
import { scrubEntry } from "../../../../src/lib/code/council/scrub.ts";
import { bookOf, VENDORS } from "./catalogue.ts";

const scrub = (path: string, content: string, book = bookOf()) => {
  const { files, notes } = scrubEntry([{ path, content }], book);
  return { text: files[0]?.content as string, path: files[0]?.path, notes };
};
const rust = (content: string): string => scrub("src/lib.rs", content).text;
const rulesOf = (content: string, path = "src/lib.rs"): string[] => [
  ...new Set(scrub(path, content).notes.map(({ rule }) => rule)),
];

describe("Methodology: Council judges the work and not its maker: names", () => {
  it.each([
    ["// Written for Claude Opus 5.5 by hand.", "// Written for Anon1 by hand."],
    ["// as gpt-6.1-sol does", "// as anon1 does"],
    ["// as GPT‑6.1 Sol does", "// as Anon1 does"],
    ["// DeepSeek, Deep Seek and deepseek are one name", "// Anon1, Anon1 and anon1 are one name"],
    ["// OpenAI's way", "// Anon1's way"],
    ["// Opus would do", "// Anon1 would do"],
    ["// Meta says", "// Anon1 says"],
    ["// see Z.ai and xAI", "// see Anon1 and anon2"],
  ])("%s", (before, after) => {
    expect(rust(`${before}\nfn f() {}\n`)).toBe(`${after}\nfn f() {}\n`);
  });

  it.each([
    "// A codec, codecs, codexes and the codec's codes.",
    "// The Geminids are meteors; geminispore is one word.",
    "// One may wonder at the core of meta data: a bolt, the cursor, terra incognita.",
    "// opus, in lower case, is a word; magnum opus too.",
    "// claudestine is none, nor is subclaude.",
    "use core::mem; use meta::core; let cursor = bolt(opus, sol);",
    "let grokking = 1; let llamas_of = 2; let o3 = k2 - 5;",
    "let gptable = 3; let maxAi = 1; let run = run-1;",
    'let v = "max AI"; // high, low, pro, mini, flash',
    "// NFT_META_MARK, SOL_SOCKET and META are constants; a Solver, an Opusculum.",
    "// minimax search; the mini_max of all",
    "// created with meta data",
    "// RFC 6716 of September 2012, RFC 1952 (1996-05-01).",
  ])("leaves what is no name: %s", (line) => {
    expect(rust(`${line}\n`)).toBe(`${line}\n`);
  });

  it("gives one name one word in all files of an entry, in identifiers, texts and paths too", () => {
    const { files } = scrubEntry(
      [
        { path: "src/claude_tables.rs", content: "pub const CLAUDE_MAX: u8 = 1;\npub fn geminiStep() {}\n" },
        {
          path: "src/lib.rs",
          content: 'mod claude_tables;\n// claude_tables has it\nlet x = CLAUDE_MAX; f("gemini");\n',
        },
      ],
      bookOf(),
    );
    expect(files.map(({ path, content }) => [path, content])).toEqual([
      ["src/anon1_tables.rs", "pub const ANON1_MAX: u8 = 1;\npub fn anon2Step() {}\n"],
      ["src/lib.rs", 'mod anon1_tables;\n// anon1_tables has it\nlet x = ANON1_MAX; f("anon2");\n'],
    ]);
    expect(files[0]?.original).toBe("src/claude_tables.rs");
  });

  it("takes a word that the entry does not use itself", () => {
    expect(rust("let anon1 = claude;\n")).toBe("let anon1 = nobody1;\n");
  });

  it("leaves the names that the task's contract uses", () => {
    const book = bookOf({ spec: "Write a decoder for Opus, as Gemini archives hold it." });
    expect(book.exempt).toEqual(["gemini", "opus"]);
    const line = "// Opus frames of a gemini archive\n";
    expect(scrub("src/lib.rs", line, book).text).toBe(line);
    expect(scrub("src/lib.rs", "// by Claude Opus 5.5\n", book).text).toBe("// by Anon1\n");
  });

  it("takes ids of the run out of prose, and leaves subtractions", () => {
    expect(rust("// see run-1\nlet x = run-1;\n")).toBe("// see anon-id\nlet x = run-1;\n");
  });
});

describe("Methodology: Council judges the work and not its maker: marks", () => {
  it.each([
    ["// 🤖 Generated with [Claude Code](https://claude.com/claude-code)", "// [removed]", "attribution"],
    ["/* Generated with love */", "/* [removed] */", "attribution"],
    ["// This file was written by an AI assistant.", "// This file was [removed]", "attribution"],
    ["// Implemented with help from gemini", "// [removed]", "attribution"],
    ["// Co-Authored-By: Claude <noreply@anthropic.com>", "// Co-Authored-By: [removed]", "author"],
    ["/// @author Jane Doe", "/// @author [removed]", "author"],
    ["// Author: Jane Doe", "// Author: [removed]", "author"],
    ["// Copyright (c) 2026 Jane Doe", "// Copyright (c) [removed]", "author"],
    ["// ask jane@example.org", "// ask [email]", "email"],
    ["// as of 2026-11-05T09:00:00Z", "// as of [date]", "date"],
    ["// on Nov 5, 2026", "// on [date]", "date"],
    ["// from /home/jane/work/run-1/src/lib.rs", "// from /removed/path", "path"],
    ["// see https://claude.ai/chat/1234", "// see [link]", "link"],
  ])("%s", (before, after, rule) => {
    expect(rust(`${before}\n`)).toBe(`${after}\n`);
    expect(rulesOf(`${before}\n`)).toContain(rule);
  });

  it.each([
    "// Written by the encoder, created with capacity 8, generated by build.rs.",
    "// The author of a block: see authorOf().",
    "// Copyright notices are skipped.",
    "// The path /usr/include/stdio.h, and http://example.org/.",
    "// commit: writes the block",
    "// writes `2026-11-05T09:00:00Z`, and reads `a@b.example`",
    'let t = "/tmp/a"; let d = "2026-11-05"; let m = "a@b.example";',
  ])("leaves documentation and data: %s", (line) => {
    expect(rust(`${line}\n`)).toBe(`${line}\n`);
  });

  it("takes home folders out of code and literals, and keeps what tells them apart", () => {
    expect(scrub("run.sh", "cd /home/jane/a\n./x '/Users/jane/b'\n").text).toBe(
      "cd /removed/a\n./x '/removed/b'\n",
    );
    expect(rust('let a = x / home / y; let b = "/tmp/z";\n')).toBe(
      'let a = x / home / y; let b = "/tmp/z";\n',
    );
  });

  it("knows a user by the home folder, and takes the name out elsewhere", () => {
    expect(rust("// /Users/janedoe/x\n// janedoe's idea\n")).toBe("// /removed/path\n// [user]'s idea\n");
  });

  it("takes people out of a package's description", () => {
    const { text } = scrub("Cargo.toml", '[package]\nname = "coder"\nauthors = ["Jane <j@x.org>"]\n');
    expect(text).toBe('[package]\nname = "coder"\nauthors = []\n');
    expect(scrub("Cargo.toml", 'authors = [\n  "Jane <j@x.org>",\n]\nedition = "2021"\n').text).toBe(
      'authors = [\n  "",\n]\nedition = "2021"\n',
    );
    expect(scrub("package.json", '{\n  "author": {\n    "name": "Jane"\n  },\n  "main": "x"\n}\n').text).toBe(
      '{\n  "author": {\n    "name": ""\n  },\n  "main": "x"\n}\n',
    );
    expect(scrub("package.json", '{\n  "author": "Jane",\n  "main": "x"\n}\n').text).toBe(
      '{\n  "author": "",\n  "main": "x"\n}\n',
    );
  });

  it("leaves files out that only a harness has", () => {
    const { files, notes } = scrubEntry(
      ["CLAUDE.md", "src/AGENTS.md", ".codex/config.toml", "opencode.json", "src/lib.rs"].map((path) => ({
        path,
        content: "x\n",
      })),
      bookOf(),
    );
    expect(files.map(({ path }) => path)).toEqual(["src/lib.rs"]);
    expect(notes.map(({ rule }) => rule)).toEqual(Array(4).fill("harness-file"));
  });

  it("takes off formatting that tells a harness, but not from the program's own texts", () => {
    expect(rust('\ufefflet a = 1;  \r\n// b\u200bc \t\r\nlet d = "e  \n  f";\r\n')).toBe(
      'let a = 1;\n// bc\nlet d = "e  \n  f";\n',
    );
  });

  it("logs file, line and rule, and never what stood there", () => {
    const { notes } = scrub("src/lib.rs", "fn f() {}\n// by Claude\nlet claude_x = 1;\n");
    expect(notes).toEqual([
      { file: "src/lib.rs", line: 2, rule: "name" },
      { file: "src/lib.rs", line: 3, rule: "identifier" },
    ]);
    expect(JSON.stringify(notes)).not.toMatch(/claude/i);
  });
});

describe("scrubbing knows its languages", () => {
  it.each([
    ["a.rs", 'let l: &\'static str = r#"// Opus"#; // Opus', 'let l: &\'static str = r#"// Opus"#; // Anon1'],
    ["a.rs", "let q = '\"'; // Opus", "let q = '\"'; // Anon1"],
    ["a.rs", "/* a /* Opus */ Opus */ let Opus = 1;", "/* a /* Anon1 */ Anon1 */ let Opus = 1;"],
    ["a.c", 'char *s = "\\"// Opus"; /* Opus */ int Opus;', 'char *s = "\\"// Opus"; /* Anon1 */ int Opus;'],
    [
      "a.py",
      'def f():\n    """Opus."""\n    x = """Opus"""  # Opus',
      'def f():\n    """Anon1."""\n    x = """Opus"""  # Anon1',
    ],
    ["a.ex", '@doc """\nOpus\n"""\ndef f, do: Opus # Opus', '@doc """\nAnon1\n"""\ndef f, do: Opus # Anon1'],
    ["a.go", "s := `// Opus` // Opus", "s := `// Opus` // Anon1"],
    ["a.S", "# Opus\nadd x0, x0, #1 // Opus", "# Anon1\nadd x0, x0, #1 // Anon1"],
    ["Makefile", "Opus: # Opus", "Opus: # Anon1"],
    ["README.md", "Opus", "Anon1"],
    ["data.json", '{"Opus": "Opus"}', '{"Opus": "Opus"}'],
  ])("%s: %s", (path, before, after) => {
    expect(scrub(path, `${before}\n`).text).toBe(`${after}\n`);
  });
});

describe("the leak scan", () => {
  const leaksIn = (content: string | Uint8Array, path = "A/src/lib.rs") =>
    findLeaks([{ path, content }], bookOf()).map(({ line, code }) => [code, line]);
  it.each([
    "x Claude y",
    "let claude_x = 1;",
    "// Сlаude", // Cyrillic letters
    "// cla\u200bude",
    "// C l a u d e",
    "// g.e.m.i.n.i",
    "// ｃｌａｕｄｅ",
    "// made by opus",
    "// in 2026-11-05-coder-lead-two",
    "// Generated with love",
    "// Co-authored-by: Jane",
    '"/home/jane/x"',
  ])("finds %s and does not quote it", (line) => {
    expect(leaksIn(`fn f() {}\n${line}\n`)).toEqual([["code-council-leak", 2]]);
    const [leak] = findLeaks([{ path: "a", content: line }], bookOf());
    expect(leak?.message).not.toMatch(/claude|gemini|opus|jane/i);
  });
  it("looks into bytes and names of files", () => {
    expect(leaksIn(new Uint8Array([0, 1, 10, ...new TextEncoder().encode("..Anthropic..")]))).toEqual([
      ["code-council-leak", 2],
    ]);
    expect(leaksIn("", "A/src/grok.rs")).toEqual([["code-council-leak", undefined]]);
  });
  it.each([
    "// codec, opus, core, meta",
    "test(mutual recursion with meta)",
    "/* going down with meta flush */",
    '"Generated with seed {}"',
    'f("Co-authored-by: {}")',
    "let opus = sol;",
    "// made by the encoder",
    "/tmp/x",
    "run-1",
  ])("is content with %s", (line) => expect(leaksIn(line)).toEqual([]));
});

describe("a hostile file does not take long", () => {
  const N = 200_000;
  it.each([
    ["a word without end", `// ${"a".repeat(N)}`],
    ["names without end", `// ${"claude".repeat(N / 6)}`],
    ["an identifier without end", "claude_".repeat(N / 7)],
    ["spaces inside a line", `// ${" ".repeat(N)}x`],
    ["dates without end", `// ${"2026-11-05".repeat(N / 10)}`],
    ["addresses without end", `// ${"a@".repeat(N / 2)}`],
    ["openings without end", "/*".repeat(N / 2)],
    ["quotes without end", '"\\'.repeat(N / 2)],
    ["an attribution without end", `// generated by ${"x ".repeat(N / 2)}`],
  ])(
    "%s",
    (_, content) => {
      for (const path of ["a.rs", "b.md"]) {
        const { text } = scrub(path, content);
        findLeaks([{ path, content: text }], bookOf());
        findInstructions(path, content);
      }
    },
    5000,
  );
});

const name = fc.constantFrom(
  ...Object.entries(VENDORS).flatMap(([vendor, models]) => [
    vendor,
    ...models,
    ...models.map((id) => id.replaceAll("-", " ")),
  ]),
  "Claude Code",
  "Codex CLI",
  "ChatGPT",
);
const spelled = fc
  .tuple(name, fc.constantFrom("as", "upper", "lower"), fc.constantFrom(" ", "-", "_", "."))
  .map(([text, how, gap]) => {
    const cased = how === "upper" ? text.toUpperCase() : how === "lower" ? text.toLowerCase() : text;
    return cased.replaceAll(/[ -]/g, gap);
  });
const piece = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z(){};=+"'/*# \t]{0,12}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\n", "// ", "/* ", " */", '"', "\r\n", "'a ", 'r#"', "`", '"""', "# "),
  },
  { weight: 2, arbitrary: spelled.map((text) => ` ${text} `) },
);
const file = fc.record({
  path: fc.constantFrom("a.rs", "b.c", "c.py", "d.ts", "e.md", "f.toml", "g.S", "h.unknown"),
  content: fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
});
const linesOf = (text: string): number => text.split("\n").length;

describe("scrubbing, whatever the file", () => {
  const book = bookOf();
  it("keeps the number of lines", () => {
    fc.assert(
      fc.property(file, ({ path, content }) => {
        expect(linesOf(scrub(path, content, book).text)).toBe(linesOf(content));
      }),
      { numRuns: 200 },
    );
  });
  it("leaves no distinct name inside a comment, a text or an identifier", () => {
    fc.assert(
      fc.property(file, ({ path, content }) => {
        const { text } = scrub(path, content, book);
        // Between tokens of code a gap may be an operator: `gpt - 6`. Names are what stands in words.
        for (const line of text.split("\n"))
          expect(matchesIn(line.replaceAll(/[^\p{L}\p{N}_]+/gu, "  "), book.identifiers)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(file, ({ path, content }) => {
        const once = scrub(path, content, book).text;
        const again = scrubEntry([{ path, content: once }], book).files[0]?.content;
        expect(again).toBe(once);
      }),
      { numRuns: 200 },
    );
  });
});
