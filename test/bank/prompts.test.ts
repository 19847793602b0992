import { describe, expect, it } from "vitest";
import { readWorkbook } from "../../src/io/xlsx/read.ts";
import { answerConversation } from "../../src/lib/baseline/contestant.ts";
import { isListed } from "../../src/lib/run/listing.ts";
import { layOutPrompt } from "../../src/lib/run/member-prompt.ts";
import { MAX_DIGEST_CHARACTERS, promptMessages } from "../../src/lib/run/prompt.ts";
import { parseRecipe } from "../../src/lib/sheet/check.ts";
import { executeRecipe } from "../../src/lib/sheet/execute.ts";
import { BANK_IDS, bankWorkbook } from "./bank.ts";

describe("digests of the bank's workbooks", () => {
  it.for(BANK_IDS)("every sheet of %s fits, and every cell of it is accounted for", async (id, context) => {
    const book = await readWorkbook(bankWorkbook(context, id));
    if (!book.ok) throw new Error(JSON.stringify(book.findings));
    for (const sheet of book.value.sheets) {
      const laid = layOutPrompt({ ...book.value, sheets: [sheet] }, "All.", "digest-1");
      if (!laid.ok) throw new Error(`${sheet.name}: ${laid.message}`);
      const cells = [...sheet.rows.values()].reduce((sum, row) => sum + row.filter(isListed).length, 0);
      expect(laid.prompt.listing, sheet.name).toContain(`\ncells: ${cells} = `);
      expect(laid.prompt.listing.length).toBeLessThanOrEqual(MAX_DIGEST_CHARACTERS);
    }
  });

  it("the largest one is too long for a listing, and the baseline reads it from its digest", async (context) => {
    const book = await readWorkbook(bankWorkbook(context, "abs-6291-labour-force-detailed-table-05"));
    if (!book.ok) throw new Error(JSON.stringify(book.findings));
    const task =
      "Sheets 'Data1', 'Data2' and 'Data3' hold one table. Outputs in this order: date, series, unit, series_id, persons.";
    expect(layOutPrompt(book.value, task, "listing-1").ok).toBe(false);
    const laid = layOutPrompt(book.value, task, "auto-1");
    if (!laid.ok) throw new Error(laid.message);
    expect(laid.prompt.form).toBe("digest-1");
    const recipe = parseRecipe(answerConversation(promptMessages(laid.prompt, "json_schema", null)));
    if (!recipe.ok) throw new Error(JSON.stringify(recipe.findings));
    const execution = executeRecipe(book.value, recipe.value);
    if (!execution.ok) throw new Error(JSON.stringify(execution.findings));
    // 154 quarters of 250, 250 and 40 series.
    expect(execution.value.table.rows).toHaveLength(154 * 540);
    expect(execution.value.table.columns).toEqual(["date", "series", "unit", "series_id", "persons"]);
  });
});
