import { folderSource } from "../../src/io/files.ts";
import { readPricing } from "../../src/jobs/code-prices.ts";
import { renderCard, renderCards } from "../../src/lib/code/cost/show.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface ShowOptions {
  card?: string;
  root?: string;
}

/** Price cards as people read them. */
export const pricesShow = register<ShowOptions>({
  words: ["prices", "show"],
  summary: "show all price cards as they hold now, or one with its history",
  declare: (command) =>
    command
      .argument("[card]", "a card, such as anthropic/claude-opus-5-5")
      .option("--root <folder>", "the folder that holds data/ (default: this repository)"),
  async action({ card: id, root }, { stdout }) {
    const pricing = await readPricing(folderSource(rootOf(root)));
    if (!pricing.ok) return pricing.findings;
    const { cards } = pricing.value;
    if (id === undefined) {
      stdout.write(`${renderCards(pricing.value, new Date().toISOString()).join("\n")}\n`);
      return [];
    }
    const card = cards.find((each) => each.id === id);
    if (card === undefined)
      return [
        {
          code: "code-data-unknown-card",
          severity: "error",
          message: "data/pricing.json has no such card.",
          expected: cards.map((each) => each.id).join(", "),
          actual: id,
        },
      ];
    stdout.write(`${renderCard(card).join("\n")}\n`);
    return [];
  },
});
