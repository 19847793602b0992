import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { variants, writePreview } from "../../../scripts/dev/preview-words.ts";
import { raggedTables, surprises } from "./safe.ts";

it("every variant is previewed, within the budget, and safe", async () => {
  const folder = await mkdtemp(join(tmpdir(), "words-"));
  try {
    const index = await readFile(await writePreview(folder), "utf8");
    for (const { name, markdown } of variants()) {
      expect(index).toContain(name.replaceAll("<", "&lt;").replaceAll("&", "&amp;"));
      expect(markdown.length).toBeLessThan(60_000);
      expect(surprises(markdown)).toEqual([]);
      expect(raggedTables(markdown)).toEqual([]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
