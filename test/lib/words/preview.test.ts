import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { variants, writePreview } from "../../../scripts/dev/preview-words.ts";
import { VERDICTS } from "../../../src/lib/result-pr/report-schema.ts";
import { utf8Length } from "../../../src/lib/result-pr/words-text.ts";
import { raggedTables, surprises, widestTable } from "./safe.ts";

const source = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, "../../../src/lib/result-pr", name), "utf8");
/** The literals that a key has in the types of a module: `kind: "help"` gives `help`. */
const literals = (text: string, key: string): string[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`readonly ${key}: "([a-z-]+)"`, "g"))].map(([, word = ""]) => word),
  ),
];

describe("the preview", () => {
  it("is written whole: every variant is a page, light and dark", async () => {
    const folder = await mkdtemp(join(tmpdir(), "words-"));
    try {
      const index = await readFile(await writePreview(folder), "utf8");
      const all = variants();
      for (const { name } of all)
        expect(index).toContain(name.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
      const files = await readdir(folder);
      for (const ending of ["-light.html", "-dark.html", ".md"])
        expect(files.filter((file) => file.endsWith(ending))).toHaveLength(all.length);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each(variants())("$group: $name is within the budget, narrow, and safe", ({ markdown }) => {
    expect(markdown.length).toBeLessThan(60_000);
    expect(utf8Length(markdown)).toBeLessThan(60_000);
    expect(surprises(markdown, "https://github.com/example/board")).toEqual([]);
    expect(raggedTables(markdown)).toEqual([]);
    expect(widestTable(markdown)).toBeLessThanOrEqual(5);
  });

  it("holds every kind of reply, phase and refusal of a merge, verdict and failure that the source has", async () => {
    const names = variants().map(({ group, name }) => `${group} ${name}`);
    const has = (part: string): void =>
      expect(
        names.some((name) => name.includes(part)),
        part,
      ).toBe(true);
    const [replies, merge, words] = await Promise.all(
      ["words-replies.ts", "words-merge.ts", "words.ts"].map(source),
    );
    const kinds = literals(replies ?? "", "kind");
    const [phases, refusals] = [literals(merge ?? "", "phase"), literals(merge ?? "", "why")];
    const failures = [...(/RunFailure =([^;]*);/.exec(words ?? "")?.[1] ?? "").matchAll(/"([a-z-]+)"/g)];
    for (const found of [kinds, phases, refusals, failures]) expect(found.length).toBeGreaterThan(3);
    for (const kind of kinds) has(`Reply ${kind}`);
    for (const verdict of VERDICTS)
      for (const mode of ["head", "merge", "local"]) {
        has(`Verdict ${verdict}, mode ${mode}, merge not asked for`);
        for (const phase of phases) has(`Verdict ${verdict}, mode ${mode}, merge ${phase}`);
      }
    for (const refusal of refusals) has(`refused: ${refusal} (`);
    for (const [, failure = ""] of failures) has(`our own failure: ${failure}`);
  });
});
