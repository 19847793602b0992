import { describe, expect, it } from "vitest";
import type { Language } from "../../../../src/lib/code/schema/task-schema.ts";
import { complexities } from "./measure.ts";

/** Sources with the numbers that lizard 1.24.0 gave for them. */
const REFERENCE: [Language, source: string, expected: string[]][] = [
  ["rust", "fn f(x: i32) -> i32 { match x { 0 => 1, 1 => 2, _ => 3 } }", ["f 2"]],
  ["rust", "fn f() -> R { let a = h()?; let b = k()?; Ok(a + b) }", ["f 3"]],
  ["rust", "fn w<T>(t: T) -> i32 where T: Into<i32>, { if t.into() > 0 && true { 1 } else { 0 } }", ["w 4"]],
  ["rust", "fn f(o: Option<i32>) -> i32 { if let Some(v) = o { v } else { 0 } }", ["f 2"]],
  ["rust", "fn f() { while let Some(_) = it.next() {} loop { break; } for i in 0..3 {} }", ["f 3"]],
  [
    "rust",
    "fn f(v: &[i32]) -> i32 { v.iter().filter(|x| **x > 0 || **x < -5).map(|x| if *x > 1 {1} else {0}).sum() }",
    ["f 3"],
  ],
  ["rust", "fn f(x: i32) -> i32 { match x { n if n > 0 => 1, _ => 0 } }", ["f 3"]],
  ["rust", "fn q<T: ?Sized>(t: &T) {}", ["q 2"]],
  ["rust", 'fn f() { assert!(a && b); println!("{}", if x {1} else {2}); }', ["f 3"]],
  ["rust", "fn f() -> i32 { let Some(v) = o else { return 0; }; v }", ["f 1"]],
  [
    "c",
    "int f(int x) { switch (x) { case 0: return 1; case 1: case 2: return 2; default: return 3; } }",
    ["f 4"],
  ],
  ["c", "int f(int x) { do { x--; } while (x > 0 && x != 5); return x ? 1 : 2; }", ["f 4"]],
  ["c", "int f(int x) { again: if(x) goto again; else if (x==2) return 2; return 0; }", ["f 3"]],
  ["c", "int f(void) {\n#ifdef A\n  a();\n#elif B\n  b();\n#else\n  c();\n#endif\n  return 0;\n}", ["f 3"]],
  ["c", 'void f(int x) { assert(x > 0 && "msg"); }', ["f 2"]],
  ["c", "void f(void) { for(int i = 0; i < 9; i++){ if(i%2 || i==3) continue; } }", ["f 4"]],
  ["typescript", "function f(a) { return a ? 1 : 2 }", ["f 2"]],
  ["typescript", "function f(a) { return a?1:2 }", ["f 1"]],
  ["typescript", "function f(a?: string) { return b?.c }", ["f 1"]],
  ["typescript", "function f(a) { return a ?? 0 }", ["f 3"]],
  ["typescript", "function f(a) { a ||= 1; a &&= 2; a ??= 3; }", ["f 5"]],
  [
    "typescript",
    "function f(a) { switch (a) { case 1: return 1; case 2: return 2; default: return 3 } }",
    ["f 3"],
  ],
  [
    "typescript",
    "async function f(a) { try {} catch (e) {} for (const b of a) {} for await (const b of a) {} while (a) {} do {} while (a) }",
    ["f 6"],
  ],
  ["typescript", "const g = (x) => { if (x > 0 && x < 9) { return 1 } }", ["g 3"]],
  ["go", "package p\nfunc f(x int) { if x > 0 && x < 9 {}\n for {}\n for i := range x {} }", ["f 5"]],
  [
    "go",
    "package p\nfunc f(x int) int { switch x { case 1: return 1\n case 2, 3: return 2\n default: return 3 } }",
    ["f 3"],
  ],
  ["go", "package p\nfunc f() { select { case <-a: b()\n case c <- 1: d()\n default: e() } }", ["f 3"]],
  [
    "go",
    "package p\nfunc f(x any) { switch x.(type) { case int: g() }\n defer func() { if r := recover(); r != nil {} }() }",
    ["f 2", "(anonymous) 2"],
  ],
  [
    "python",
    "def f(a=1 if x else 2):\n    def g():\n        if a: pass\n    if a and b or not c: pass\n    return [x for x in y if x]\n",
    ["f 7", "g 2"],
  ],
  [
    "python",
    "class A:\n    async def m(self):\n        try: pass\n        except E: pass\n        finally: pass\n        match x:\n            case 1: pass\n            case _: pass\n        return lambda q: q if q else 0\n",
    ["m 6"],
  ],
  [
    "python",
    'def h():\n    s = f"{a if b else c}"\n    """doc if"""\n    assert a and b\n    while 1:\n        break\n',
    ["h 4"],
  ],
];

describe("Methodology: Code metrics, cyclomatic complexity", () => {
  it.each(REFERENCE)("is lizard's number for %s: %s", async (language, source, expected) => {
    expect(await complexities(source, language)).toEqual(expected);
  });

  it("is unknown, never 0, for Elixir and assembly", async () => {
    expect(await complexities("defmodule A do\nend\n", "elixir")).toEqual(["cannot parse elixir"]);
    expect(await complexities("f:\n  ret\n", "aarch64-assembly")).toEqual(["cannot parse aarch64-assembly"]);
  });
});

describe("which function a condition belongs to", () => {
  it("Rust: nested functions and those of traits, impls and macros are their own; closures are not", async () => {
    const source = `
impl A { pub async fn f(&self) -> u8 { x.map(|y| if y { 1 } else { 2 }) } fn h() { fn n() { if a {} } if b && c {} } }
trait T { fn declared(&self); fn given(&self) { if a {} } }
macro_rules! q { () => { fn made() { if a {} } fn $name(x: u8) { for a in b {} } } }
cfg_if! { if #[cfg(unix)] { fn on_unix<T: Fn() -> u8>(t: T) -> u8 { if a {} 1 } } }
`;
    expect(await complexities(source, "rust")).toEqual([
      "f 2",
      "h 3",
      "n 2",
      "given 2",
      "made 2",
      "$name 2",
      "on_unix 2",
    ]);
  });

  it("TypeScript: methods, arrows, generators, accessors and fields", async () => {
    const source = `
const o = { m(x) { return x ? 1 : 2 }, k: (x) => x && 1, get v() { return 1 || 2 } };
class A { x = (y) => { if (y) return 1 }; static s() { for (;;) {} } #p(a) { return a && 1 } async *gen<T>() { while (1) {} } constructor(a) { if (a) {} } }
function outer() { if (1) {} function inner() { if (2) {} } return () => { if (3) {} } }
abstract class B { abstract m(): void; n(): void; n(x?: number) { if (x) {} } }
[1].map((x) => x ? 1 : 2).filter((x) => x || 1);
declare function d(a: string): void;
`;
    expect(await complexities(source, "typescript")).toEqual(
      "m 2|k 2|v 2|x 2|s 2|#p 2|gen 2|constructor 2|outer 2|inner 2|(anonymous) 2|n 2|(anonymous) 2|(anonymous) 2".split(
        "|",
      ),
    );
  });

  it("TypeScript with JSX, and JavaScript, go by the rules of TypeScript", async () => {
    const source = "const K = (p?: P) => <div onClick={() => a && b()}>{p?.a ? 1 : 2}</div>;";
    expect(await complexities(source, "typescript", "k.tsx")).toEqual(["K 2", "(anonymous) 2"]);
    const text = "const T = () => <p>It's {a && b} // it</p>;";
    expect(await complexities(text, "typescript", "t.tsx")).toEqual(["T 2"]);
    expect(await complexities("export const f = async (a) => a || 1;", "typescript", "f.mjs")).toEqual([
      "f 2",
    ]);
  });

  it("C: pointers, old-style parameters, functions that give functions; no macros", async () => {
    const source = `
#define M(x) do { if (x && y) { } } while (0)
static inline char *const *a(int x) { return x ? 0 : 1; }
int k(a, b) int a; int b; { if (a) return b; }
int (*z(int q))(int) { return q ? a : 0; }
int declared(int x);
`;
    expect(await complexities(source, "c")).toEqual(["a 2", "k 2", "z 2"]);
  });

  it("Go: methods, generics and function literals", async () => {
    const source =
      "package p\nfunc (s *S[T]) M() { if a {} }\nfunc G[T any](x T) func() { return func() { if b && c {} } }\n";
    expect(await complexities(source, "go")).toEqual(["M 2", "G 1", "(anonymous) 3"]);
  });

  it("Python: a name called case is no keyword, a pattern with a guard is one", async () => {
    const source =
      "def f(case):\n    case = 1\n    case.x()\n    case(2)\n    match case:\n        case (a, b) if a:\n            pass\n        case -1: pass\n";
    expect(await complexities(source, "python")).toEqual(["f 4"]);
  });
});

describe("where a condition counts", () => {
  it("C: #ifndef, #else and #define count nowhere, nor do operators inside a directive", async () => {
    const source =
      "int f(void) {\n#ifndef A\n#define B (a && b)\n#else\n#endif\n# if defined(A) && /* or */ defined(B)\n#endif\n  return 0;\n}\n";
    expect(await complexities(source, "c")).toEqual(["f 2"]);
  });

  it("right behind a nested function it is the outer one's", async () => {
    const source = "function o() { function f(){}if (a) {} }";
    expect(await complexities(source, "typescript")).toEqual(["o 2", "f 1"]);
  });

  it("outside of all functions it counts nowhere", async () => {
    expect(await complexities("const a = b ? 1 : 2;\nif (a) {}\n", "typescript")).toEqual([]);
  });

  it("nothing inside a template string is a function", async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it is about.
    const source = "function f() { return `${a.map((x) => x && 1)}`; }";
    expect(await complexities(source, "typescript")).toEqual(["f 1"]);
  });
});

describe("what looks like a condition and is none", () => {
  it.each<[Language, string]>([
    [
      "rust",
      `fn f() { let s = "if && ?"; let r = r#"if " && "#; /* if /* && */ || */ let c = '?'; let l: &'a u8; r#match(); }`,
    ],
    [
      "c",
      `void f(void) { char *s = "if \\" && ?"; /* if */ // && \\\n || still\n char c = '?'; int n = 1'000; }`,
    ],
    [
      "typescript",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it is about.
      "function f() { const s = `if ${a ? `&& ${b || c}` : 1} ?`; const r = /[/?]&&|\\/if/; /* if */ }",
    ],
    ["go", "package p\nfunc f() { s := `if \" &&`; r := '?'; /* if */ }"],
    [
      "python",
      'def f():\n    """if and or"""\n    s = "if \\" and"  # if\n    t = rb\'\'\'while " or\'\'\'\n    u = f"{{if}} {a:{b}>if} and"\n',
    ],
  ])("in strings, characters and comments of %s", async (language, source) => {
    expect(await complexities(source, language)).toEqual(["f 1"]);
  });
});
