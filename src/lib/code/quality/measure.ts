import type { Finding } from "../../findings.ts";
import type { Quality } from "../schema/quality-schema.ts";
import type { Language } from "../schema/task-schema.ts";
import { canMeasureComplexity } from "./complexity.ts";
import { countDuplicatedLines } from "./duplicates.ts";
import { grammarOf, type LeftOut, leftOutByPath } from "./languages.ts";
import { type FileMeasure, MAX_PARSED, measureFile, normaliseText } from "./measure-file.ts";
import { moduleFiles } from "./rust-tests.ts";
import type { GrammarName, SyntaxFacts } from "./syntax.ts";

/** Version of these rules: rises whenever the same deliverable may be measured differently. */
export const RULES_VERSION = "1";

export interface DeliveredFile {
  readonly path: string;
  /** `sha256:…` of its bytes. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface MeasureOptions {
  readonly language: Language;
  /** When it is measured; instant. */
  readonly at: string;
  /** What the grammars are: name and version. */
  readonly grammar: string;
  /** What the grammars say of the texts that `textsToParse` named, by path. */
  readonly syntax: ReadonlyMap<string, SyntaxFacts | null>;
}

export interface Measurement {
  readonly quality: Quality;
  /** Delivered files that do not count, by path. */
  readonly leftOut: readonly { readonly path: string; readonly reason: LeftOut }[];
  /** Rust's test modules inside files that count. */
  readonly testModules: readonly { readonly path: string; readonly modules: number }[];
  readonly findings: readonly Finding[];
}

/** The texts of a deliverable that a grammar has to read before it can be measured. */
export function textsToParse(
  delivered: readonly DeliveredFile[],
  language: Language,
): { readonly path: string; readonly text: string; readonly grammar: GrammarName }[] {
  return delivered.flatMap((file) => {
    const grammar = grammarOf(file.path, language);
    if (grammar === null || leftOutByPath(file.path, language) !== null) return [];
    const text = decode(file, []);
    return text.length > MAX_PARSED ? [] : [{ path: file.path, text, grammar }];
  });
}

/** Measures a deliverable (methodology, "Code metrics"). The order of the files does not matter. */
export function measureDeliverable(
  delivered: readonly DeliveredFile[],
  { language, at, grammar, syntax }: MeasureOptions,
): Measurement {
  const leftOut = new Map<string, LeftOut>();
  const measures = new Map<string, FileMeasure>();
  const sorted = [...delivered].sort((a, b) => (a.path < b.path ? -1 : 1));
  const encoding: Finding[] = [];
  for (const file of sorted) {
    const reason = leftOutByPath(file.path, language);
    if (reason === null) {
      const facts = syntax.get(file.path) ?? null;
      measures.set(file.path, measureFile(file.path, decode(file, encoding), language, facts));
    } else leftOut.set(file.path, reason);
  }
  for (const path of testFilesOf(measures)) {
    leftOut.set(path, "test");
    measures.delete(path);
  }
  const counted = [...measures.values()];
  const sum = (of: (measure: FileMeasure) => number): number =>
    counted.reduce((total, measure) => total + of(measure), 0);
  const significant = counted.map(({ lines }) =>
    lines.code.filter((line) => line.significant).map(({ text }) => text),
  );
  const parsable = canMeasureComplexity(language);
  const quality: Quality = {
    at,
    tool: { name: "tree", version: RULES_VERSION, ...(parsable ? { grammar } : {}) },
    files: sorted.filter(({ path }) => measures.has(path)).map(({ path, sha256 }) => ({ path, sha256 })),
    lines: {
      implementation: sum(({ lines }) => lines.code.length),
      comment: sum(({ lines }) => lines.comment),
      significant: significant.reduce((total, lines) => total + lines.length, 0),
      duplicated: countDuplicatedLines(significant),
    },
    complexity: parsable
      ? {
          functions: counted.flatMap(({ functions }, file) =>
            functions.map(({ name, line, ccn }): [number, number, number, string] => [file, line, ccn, name]),
          ),
          syntax_errors: sum(({ syntaxErrors }) => syntaxErrors),
        }
      : { unsupported: `cannot parse ${language}` },
  };
  return {
    quality,
    leftOut: sorted.flatMap(({ path }) => {
      const reason = leftOut.get(path);
      return reason === undefined ? [] : [{ path, reason }];
    }),
    testModules: [...measures].flatMap(([path, { tests }]) =>
      tests.ranges.length === 0 ? [] : [{ path, modules: tests.ranges.length }],
    ),
    findings: [
      ...encoding.filter(({ path }) => path !== undefined && measures.has(path)),
      ...counted.flatMap(({ findings }) => findings),
      ...(counted.length === 0 ? [nothingFound(language)] : []),
    ],
  };
}

/** Files that Rust's `#[cfg(test)] mod name;` declares, with all that lies in such a module's folder. */
function testFilesOf(measures: ReadonlyMap<string, FileMeasure>): string[] {
  const declared = [...measures].flatMap(([path, { tests }]) =>
    tests.files.flatMap((module) => moduleFiles(path, module)),
  );
  const files = new Set(declared);
  const folders = declared.map((path) => `${path.replace(/(?:\/mod)?\.rs$/, "")}/`);
  return [...measures.keys()].filter((path) => {
    // A file that is all test code is left out as well.
    const whole = measures.get(path)?.tests.ranges.some(({ start }) => start === 0) ?? false;
    const empty = measures.get(path)?.lines.code.length === 0;
    return files.has(path) || folders.some((folder) => path.startsWith(folder)) || (whole && empty);
  });
}

function decode(file: DeliveredFile, findings: Finding[]): string {
  try {
    return normaliseText(new TextDecoder("utf-8", { fatal: true }).decode(file.bytes));
  } catch {
    findings.push({
      code: "code-quality-not-utf8",
      severity: "warning",
      path: file.path,
      message: "This source file is not UTF-8.",
      hint: "It was measured with a replacement sign for each byte that cannot be read.",
    });
    return normaliseText(new TextDecoder("utf-8").decode(file.bytes));
  }
}

const nothingFound = (language: Language): Finding => ({
  code: "code-quality-no-implementation",
  severity: "warning",
  message: `The deliverable has no implementation file of ${language}.`,
  hint: "Every count is 0. Check the language, and that the implementation does not lie in a folder for tests.",
});
