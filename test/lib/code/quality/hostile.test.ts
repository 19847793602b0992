import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSyntaxReader } from "../../../../src/io/code/grammars.ts";
import { lex } from "../../../../src/lib/code/quality/lex.ts";
import { measureDeliverable } from "../../../../src/lib/code/quality/measure.ts";
import { qualitySchema } from "../../../../src/lib/code/schema/quality-schema.ts";
import { LANGUAGES } from "../../../../src/lib/code/schema/task-schema.ts";
import { digestOf } from "../../../../src/lib/digest.ts";
import { complexities, measure, NAMES } from "./measure.ts";

/** Texts that make careless programs slow or overflow their stack. */
const nasty = (many: number): [what: string, text: string][] => [
  ["open brackets", "(".repeat(many)],
  ["nested blocks", `fn f() ${"{".repeat(many)}${"}".repeat(many)}`],
  ["nested functions", `${"fn f() { ".repeat(many / 5)}${"}".repeat(many / 5)}`],
  ["nested JavaScript functions", `${"function f() { ".repeat(many / 5)}${"}".repeat(many / 5)}`],
  ["nested comments", "/*".repeat(many) + "*/".repeat(many)],
  ["nested templates", "`${".repeat(many)],
  ["nested interpolations", '"#{'.repeat(many)],
  ["nested f-strings", 'f"{'.repeat(many)],
  ["quotes", "'\"".repeat(many)],
  ["raw strings", 'r#"'.repeat(many)],
  ["attributes", "#[cfg(all(".repeat(many)],
  ["modules", "#[cfg(test)] mod a; ".repeat(many / 10)],
  ["generics", "fn f<".repeat(many)],
  ["patterns", "\n case (".repeat(many)],
  ["directives", "#if A\n".repeat(many)],
  ["branches", "#if A\n{\n#else\n".repeat(many / 5) + "#endif\n".repeat(many / 5)],
  ["heads", "f(a) {\n".repeat(many)],
  ["backslashes", "\\\n".repeat(many)],
  ["slashes", "/".repeat(many)],
  ["one long line", "a ".repeat(many * 4)],
  ["empty lines", "\n".repeat(many * 4)],
  ["half characters", "\ud800\udc00\ud800".repeat(many / 10)],
  ["nothing", ""],
];

describe("hostile deliverables", () => {
  // Without a grammar, so that only our own passes are measured: a quadratic one takes minutes here.
  it.each(nasty(50_000))(
    "%s: every pass of ours is done in time linear in the text",
    (_, text) => {
      const bytes = new TextEncoder().encode(text);
      const started = performance.now();
      for (const language of LANGUAGES) {
        const delivered = [{ path: NAMES[language], bytes, sha256: digestOf(bytes) }];
        const { quality } = measureDeliverable(delivered, {
          language,
          at: "2026-12-01T10:00:00.000Z",
          grammar: "none",
          syntax: new Map(),
        });
        expect(qualitySchema.safeParse(quality).error).toBeUndefined();
      }
      expect(performance.now() - started).toBeLessThan(10_000);
    },
    30_000,
  );

  it("with their grammars, too, every language comes to an end", async () => {
    for (const [, text] of nasty(400)) {
      for (const language of LANGUAGES) {
        const { quality } = await measure({ [NAMES[language]]: text }, language);
        expect(qualitySchema.safeParse(quality).error).toBeUndefined();
      }
    }
  }, 120_000);

  it("a text that breaks the parser is measured by its tokens, and the next one is parsed again", async () => {
    const hurried = openSyntaxReader(3_000);
    const text = `fn f() { if a {} }\n${'r#"'.repeat(40_000)}`;
    const broken = await measure({ "a.rs": text, "b.rs": "fn g() { if b {} }" }, "rust", hurried);
    expect(broken.findings).toMatchObject([{ code: "code-quality-not-parsed", path: "a.rs" }]);
    expect(broken.quality.complexity).toEqual({
      functions: [
        [0, 1, 2, "f"],
        [1, 1, 2, "g"],
      ],
      syntax_errors: 1,
    });
    await hurried.close();
  }, 60_000);

  it("the tokens of any text come in order, do not overlap and leave out nothing but white space", () => {
    const pieces = fc.constantFrom(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it is about.
      ...'" \' ` \'\'\' """ / // /* */ # #{ ${ { } ( ) [ ] \\ \n \r a if f r b r#" "# ~s( ? : ; @doc && || fn def \'a 1 é \u{1F600} \ufeff'.split(
        " ",
      ),
      " ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.constantFrom(...LANGUAGES), (parts, language) => {
        const text = parts.join("");
        let end = 0;
        for (const token of lex(text, language)) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          expect(token.end).toBeGreaterThan(token.start);
          expect(token.end).toBeLessThanOrEqual(text.length);
          end = token.end;
        }
        const outside = lex(text, language).reduceRight(
          (rest, token) => rest.slice(0, token.start) + rest.slice(token.end),
          text,
        );
        // Braces and colons of f-strings stand between tokens.
        expect(outside.replace(/[\s\ufeff]/g, "")).toMatch(language === "python" ? /^[{}:]*$/ : /^$/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("code that does not parse", () => {
  it("is counted by its tokens, with a warning that says where", async () => {
    const text = "fn a() { if x {} }\n\nfn b( { if x && y {} }\n}}}\nfn c() { if z {} }\n";
    const { quality, findings } = await measure({ "src/lib.rs": text }, "rust");
    expect(findings).toEqual([
      expect.objectContaining({
        code: "code-quality-syntax",
        severity: "warning",
        path: "src/lib.rs",
        line: 3,
      }),
    ]);
    expect(quality.complexity).toMatchObject({ functions: expect.arrayContaining([[0, 1, 2, "a"]]) });
    expect(await complexities(text, "rust")).toContain("c 2");
  });

  it("finds C functions around braces that depend on #if, and behind macros without a semicolon", async () => {
    const text = `
int before(int x) { return x ? 1 : 2; }
void t(void) { MACRO(1) }
TEST(group, name) { if (x) {} }
int k(a) int a; { if (a && b) return 1; }
int odd(void) {
#ifdef A
  if (x) {
#elif B
  if (y && z) {
# if C
    if (q) {
# else
    {
# endif
    }
#else
  for (;;) {
#endif
  }
}
#ifdef A
int either(void) { return a ? 1 : 2; }
#else
int or(void) { return a ? 1 : 2; }
#endif
int after(void) { FOREACH(x) { if (a) {} } return 1; }
`;
    const found = await complexities(text, "c");
    expect(found).toEqual(["before 2", "t 1", "TEST 2", "k 3", "odd 9", "either 2", "or 2", "after 2"]);
  });

  it("warns of bytes that are no UTF-8 and of a deliverable without implementation", async () => {
    const latin1 = new Uint8Array([...new TextEncoder().encode("package p\n// "), 0xe9, 0x0a]);
    const { findings, quality } = await measure({ "a.go": latin1 }, "go");
    expect(findings).toMatchObject([{ code: "code-quality-not-utf8", path: "a.go" }]);
    expect(quality.lines).toMatchObject({ implementation: 1, comment: 1 });
    expect((await measure({ "README.md": "x" }, "go")).findings).toMatchObject([
      { code: "code-quality-no-implementation", severity: "warning" },
    ]);
  });
});
