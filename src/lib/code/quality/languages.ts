import type { Language } from "../schema/task-schema.ts";
import type { GrammarName } from "./syntax.ts";

/** Why a delivered file is not part of the implementation. */
export type LeftOut = "test" | "bench" | "example" | "vendored" | "other-language";

interface LanguageRules {
  /** File names of this language end so. */
  readonly extensions: readonly string[];
  /** What marks a test file's name, without its extension. */
  readonly testName: RegExp | null;
}

const WORDS = /^(?:tests?|test[_-].*|.*[_-]tests?)$/;

/** By language: which files are source, and which of those are tests by their name. */
const RULES: Readonly<Record<Language, LanguageRules>> = {
  rust: { extensions: [".rs"], testName: WORDS },
  c: { extensions: [".c", ".h"], testName: WORDS },
  typescript: {
    extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"],
    testName: /^(?:.*\.)?(?:test|tests|spec)$/,
  },
  python: { extensions: [".py", ".pyi"], testName: /^(?:tests?|test_.*|.*_tests?|conftest)$/ },
  go: { extensions: [".go"], testName: /_test$/ },
  elixir: { extensions: [".ex", ".exs"], testName: /^(?:.*_test|test_helper)$/ },
  "aarch64-assembly": { extensions: [".s", ".S", ".asm", ".inc"], testName: WORDS },
};

const FOLDERS: Readonly<Record<string, LeftOut>> = {
  test: "test",
  tests: "test",
  __tests__: "test",
  spec: "test",
  specs: "test",
  testdata: "test",
  fuzz: "test",
  bench: "bench",
  benches: "bench",
  benchmarks: "bench",
  example: "example",
  examples: "example",
  vendor: "vendored",
  third_party: "vendored",
  node_modules: "vendored",
  target: "vendored",
};

const BENCH_NAME = /^(?:bench|benchmarks?|bench[_-].*|.*[._-]bench)$/;

/**
 * Why a file of a deliverable does not count as implementation, by its path alone; null when it does. Folders say it first
 * (`tests/`, `benches/`, `examples/`, `vendor/` …, at any depth), then the language's own names for test files.
 */
export function leftOutByPath(path: string, language: Language): LeftOut | null {
  const folders = path.split("/");
  const name = folders.pop() as string;
  for (const folder of folders) {
    if (Object.hasOwn(FOLDERS, folder)) return FOLDERS[folder] as LeftOut;
  }
  const { extensions, testName } = RULES[language];
  const extension = extensions.find((ending) => name.endsWith(ending));
  if (extension === undefined) return "other-language";
  const stem = name.slice(0, -extension.length);
  if (testName?.test(stem)) return "test";
  return BENCH_NAME.test(stem) ? "bench" : null;
}

/** The grammar that reads a file; null for languages without one. */
export function grammarOf(path: string, language: Language): GrammarName | null {
  switch (language) {
    case "typescript":
      return /\.(?:tsx|jsx|js|mjs|cjs)$/.test(path) ? "tsx" : "typescript";
    case "elixir":
    case "aarch64-assembly":
      return null;
    default:
      return language;
  }
}
