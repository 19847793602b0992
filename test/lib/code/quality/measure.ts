import { openSyntaxReader, runMeasurement } from "../../../../src/io/code/grammars.ts";
import type { Measurement } from "../../../../src/lib/code/quality/measure.ts";
import type { Language } from "../../../../src/lib/code/schema/task-schema.ts";
import { digestOf } from "../../../../src/lib/digest.ts";

const patient = openSyntaxReader();

/** Measures texts as a deliverable. */
export function measure(
  files: Record<string, string | Uint8Array>,
  language: Language,
  reader = patient,
): Promise<Measurement> {
  const delivered = Object.entries(files).map(([path, content]) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return { path, bytes, sha256: digestOf(bytes) };
  });
  return runMeasurement(
    delivered,
    { language, at: "2026-12-01T10:00:00.000Z", grammar: "grammars 1" },
    reader,
  );
}

export const NAMES: Record<Language, string> = {
  rust: "src/lib.rs",
  c: "main.c",
  typescript: "main.ts",
  python: "main.py",
  go: "main.go",
  elixir: "main.ex",
  "aarch64-assembly": "main.s",
};

/** Each function's name and complexity, in the order of their heads. */
export async function complexities(
  text: string,
  language: Language,
  path = NAMES[language],
): Promise<string[]> {
  const { complexity } = (await measure({ [path]: text }, language)).quality;
  if ("unsupported" in complexity) return [complexity.unsupported];
  return complexity.functions.map(([, , ccn, name]) => `${name} ${ccn}`);
}

/** Counts of one file. */
export async function linesOf(text: string, language: Language, path = NAMES[language]) {
  return (await measure({ [path]: text }, language)).quality.lines;
}
