import { describe, expect, it } from "vitest";
import type { Language } from "../../../../src/lib/code/schema/task-schema.ts";
import { linesOf } from "./measure.ts";

/** Source, and for each of its lines what it is: `c` code, `b` code that is a lone bracket, `/` comment, `-` blank. */
const CASES: [Language, what: string, source: string[], expected: string][] = [
  [
    "rust",
    "nested block comments, and comment marks in strings",
    [
      "/* one /* two */ still */ fn f() {",
      '    let a = "// no"; /* yes */',
      "    /* from /* here",
      "",
      "    */ to here */",
      '    let b = r#"/* " no"#;',
      "    let c = '\"'; // '\"'",
      '    let d = "goes',
      "// on",
      '";',
      "    /// doc",
      "}, // end",
    ],
    "cc/-/ccccc/b",
  ],
  [
    "rust",
    "attributes are code; lifetimes open no string",
    ["#[inline]", "fn f<'a>(x: &'a str) -> &'a str { x } // it's", "#![allow(x)]", "});"],
    "cccb",
  ],
  [
    "c",
    "line comments that go on, directives, strings",
    [
      "#include <a.h> // why",
      "#define A(x) \\",
      "  /* in */ x",
      "// goes \\",
      "   on",
      'char *s = "/*"; char c = \'"\';',
      "/* a",
      "   b */",
      "{",
      "} ;",
      "#if A /* x",
      "y */ && B",
      "int b;",
    ],
    "ccc//c//bbccc",
  ],
  [
    "typescript",
    "templates, regular expressions and JSDoc",
    [
      "#!/usr/bin/env node",
      "/** doc",
      " * doc */",
      "const a = `// no",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it is about.
      "/* no */ ${b ? `x // ${'`'}` : /* in */ 1}",
      "`;",
      "const r = /[/*]/; const d = a / b; // yes",
      "]);",
      "const u = 'http://x';",
    ],
    "///ccccbc",
  ],
  [
    "python",
    "docstrings are comment, other strings are code",
    [
      "# comment",
      '"""Module',
      "",
      'doc."""',
      "def f(a):",
      "    r'''doc'''  # more",
      '    x = """',
      "# code",
      '"""',
      "    'alone'",
      '    return g("""a""",',
      '        "b"',
      "    )",
      '    y = f"""# {a["#"]}',
      '# no"""',
      '    z = "a" \\',
      '        "b"',
      "    'a'.b()",
      '    """a',
      '    b""".c()',
    ],
    "//-/c/ccc/ccbccccccc",
  ],
  [
    "go",
    "raw strings",
    ["// a", "package p", "/* b", "*/ var s = `// no", "/* no`", "var r = '\"' // yes", "}"],
    "/c/cccb",
  ],
  [
    "elixir",
    "documentation, heredocs, sigils, characters and interpolation",
    [
      "defmodule A do",
      '  @moduledoc """',
      "  Text # here",
      '  """',
      "  @doc false",
      '  @doc "short"',
      "  # comment",
      '  def f(a), do: "#{g("#", a)} # no"',
      '  @x """',
      "  # no",
      '  """',
      "  def c, do: ~r/#[\"']/ # yes",
      '  def d, do: ?" # yes',
      "  @doc ~S'''",
      "  #{",
      "  '''",
      "end",
    ],
    "c///c//cccccc///c",
  ],
  [
    "aarch64-assembly",
    "both assemblers' comments",
    [
      "// a",
      "; b it's",
      "# c",
      "#define N 4",
      "/* d",
      "e */",
      "f: mov x0, #1 // g",
      "  add x0, x0, #0x10 ; ret",
      '  .ascii "// no"',
      "",
      "  ret",
    ],
    "///c//ccc-c",
  ],
];

describe("Methodology: Slop score, implementation lines and comment share", () => {
  it.each(CASES)("%s: %s", async (language, _, source, expected) => {
    const count = (letters: string): number =>
      [...expected].filter((letter) => letters.includes(letter)).length;
    expect(expected).toHaveLength(source.length);
    for (const end of ["\n", "\r\n"]) {
      expect(await linesOf(source.join(end), language)).toMatchObject({
        implementation: count("cb"),
        comment: count("/"),
        significant: count("c"),
      });
    }
  });
});
