import { describe, expect, it } from "vitest";
import { leftOutByPath } from "../../../../src/lib/code/quality/languages.ts";
import type { Language } from "../../../../src/lib/code/schema/task-schema.ts";
import { measure } from "./measure.ts";

describe("Methodology: Code metrics, only the implementation counts", () => {
  it.each<[Language, path: string, reason: string | null]>([
    ["rust", "src/lib.rs", null],
    ["rust", "src/latest.rs", null],
    ["rust", "src/testing_ground/contest.rs", null],
    ["rust", "build.rs", null],
    ["rust", "tests/api.rs", "test"],
    ["rust", "src/tests.rs", "test"],
    ["rust", "src/codec_test.rs", "test"],
    ["rust", "benches/speed.rs", "bench"],
    ["rust", "examples/demo.rs", "example"],
    ["rust", "vendor/x/src/lib.rs", "vendored"],
    ["rust", "Cargo.toml", "other-language"],
    ["rust", "README.md", "other-language"],
    ["c", "coder.h", null],
    ["c", "test_coder.c", "test"],
    ["c", "attest.c", null],
    ["c", "bench.c", "bench"],
    ["typescript", "src/a.test.ts", "test"],
    ["typescript", "src/a.spec.tsx", "test"],
    ["typescript", "src/spec.tsx", "test"],
    ["typescript", "src/inspect.mjs", null],
    ["typescript", "__tests__/a.ts", "test"],
    ["python", "pkg/test_a.py", "test"],
    ["python", "conftest.py", "test"],
    ["python", "pkg/testament.py", null],
    ["go", "a_test.go", "test"],
    ["go", "test.go", null],
    ["elixir", "test/a_test.exs", "test"],
    ["elixir", "lib/a.ex", null],
    ["aarch64-assembly", "src/range.S", null],
    ["aarch64-assembly", "driver.c", "other-language"],
  ])("%s: %s is %s", (language, path, reason) => {
    expect(leftOutByPath(path, language)).toBe(reason);
  });

  it("names what it left out, and measures only files that it lists", async () => {
    const { quality, leftOut } = await measure(
      { "src/lib.rs": "fn f() {}\n", "tests/a.rs": "fn t() { if a {} }\n", "README.md": "# A\n" },
      "rust",
    );
    expect(quality.files.map(({ path }) => path)).toEqual(["src/lib.rs"]);
    expect(quality.lines.implementation).toBe(1);
    expect(leftOut).toEqual([
      { path: "README.md", reason: "other-language" },
      { path: "tests/a.rs", reason: "test" },
    ]);
  });
});

describe("Rust's #[cfg(test)] module", () => {
  const counted = async (text: string) => {
    const { quality } = await measure({ "src/lib.rs": `fn a() { if x {} }\n${text}\nfn z() {}\n` }, "rust");
    const { complexity, lines } = quality;
    return {
      lines: lines.implementation - 2,
      functions:
        "functions" in complexity ? complexity.functions.map(([, , , name]) => name).join(" ") : null,
    };
  };

  it.each([
    ["plain", "#[cfg(test)]\nmod tests {\n  use super::*;\n  #[test]\n  fn t() { if a {} }\n}"],
    [
      "with other attributes around",
      "#[allow(x)]\n#[cfg(test)]\n#[rustfmt::skip]\npub(crate) mod t { fn t() {} }",
    ],
    ["with a condition that needs test", '#[cfg(all(feature = "std", test))]\nmod t { fn t() {} }'],
    [
      "with braces in its strings",
      "#[cfg(test)]\nmod t {\n  fn t() { let s = \"}\"; let c = '}'; /* } */ }\n}",
    ],
    ["in a file of its own", "#[cfg(test)]\nmod t;"],
    ["with comments of its own", "#[cfg(test)] // tests\nmod t {\n  // only comment\n}"],
  ])("%s: no line and no function of it counts", async (_, module) => {
    expect(await counted(module)).toEqual({ lines: 0, functions: "a z" });
  });

  it.each([
    ["a module without it", "mod t { fn t() {} }", 1],
    ["another condition", '#[cfg(feature = "test")]\nmod t { fn t() {} }', 2],
    ["not(test)", "#[cfg(not(test))]\nmod t { fn t() {} }", 2],
    [
      "any(test, …): the module is there without tests, too",
      "#[cfg(any(test, fuzzing))]\nmod t { fn t() {} }",
      2,
    ],
    ["an item that is no module", "#[cfg(test)]\nfn t() {}", 2],
  ])("%s counts", async (_, item, lines) => {
    expect(await counted(item)).toEqual({ lines, functions: "a t z" });
  });

  it("its text in a comment or a string begins no module", async () => {
    const text = 'fn t() { let s = "#[cfg(test)] mod t {"; }\n// #[cfg(test)] mod t {';
    expect(await counted(text)).toEqual({ lines: 1, functions: "a t z" });
  });

  it("leaves out the files that hold it, and all below", async () => {
    const { quality, leftOut } = await measure(
      {
        "src/lib.rs": '#[cfg(test)]\nmod checks;\n#[cfg(test)]\n#[path = "more/other.rs"]\nmod m;\nmod a;\n',
        "src/a.rs": "#[cfg(test)]\nmod inner;\nfn f() {}\n",
        "src/a/inner.rs": "fn t() {}\n",
        "src/checks/mod.rs": "fn t() {}\n",
        "src/checks/deep.rs": "fn t() {}\n",
        "src/more/other.rs": "fn t() {}\n",
        "src/whole.rs": "#![cfg(test)]\nfn t() {}\n",
      },
      "rust",
    );
    expect(quality.files.map(({ path }) => path)).toEqual(["src/a.rs", "src/lib.rs"]);
    expect(leftOut.every(({ reason }) => reason === "test")).toBe(true);
    expect(quality.lines.implementation).toBe(2);
  });
});
