import { InvalidArgumentError } from "commander";
import { readUserFile } from "../../src/io/user-files.ts";
import { CATALOGUE_BYTES, updatePrices } from "../../src/jobs/code-prices.ts";
import { instantMs } from "../../src/lib/benchmarks/instant.ts";
import { plural } from "../../src/lib/result-pr/words-text.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface UpdateOptions {
  catalogue: string;
  add?: string[];
  from?: string;
  root?: string;
}

const instant = (text: string): string => {
  if (instantMs(text) === null) throw new InvalidArgumentError("an instant such as 2026-12-01T00:00:00.000Z");
  return text;
};

/** Brings the price cards up to a catalogue. */
export const pricesUpdate = register<UpdateOptions>({
  words: ["prices", "update"],
  summary: "append to data/pricing.json what a models.dev catalogue says differently",
  declare: (command) =>
    command
      .argument("<catalogue>", "a copy of https://models.dev/api.json")
      .option("--add <card...>", "begin cards for these models (provider/model)")
      .option("--from <instant>", "from when its prices hold (default: now)", instant)
      .option("--root <folder>", "the folder that holds data/ (default: this repository)"),
  async action({ catalogue, add = [], from, root }, { stdout }) {
    const read = await readUserFile(catalogue, CATALOGUE_BYTES);
    if (!read.ok) return read.findings;
    const now = new Date().toISOString();
    const updated = await updatePrices(
      rootOf(root),
      { label: catalogue, bytes: read.value },
      { validFrom: from ?? now, recordedAt: now, add },
    );
    if (!updated.ok) return updated.findings;
    const { changes, unchanged } = updated.value;
    for (const { card, what } of changes) stdout.write(`${card}: ${what}\n`);
    stdout.write(`${plural(changes.length, "card")} changed, ${unchanged} as they were.\n`);
    return updated.findings;
  },
});
