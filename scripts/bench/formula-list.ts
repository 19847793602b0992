import { FORMULAS } from "../../src/lib/code/formula/registry.ts";
import { padText } from "../../src/lib/picture/text.ts";
import { register } from "./command.ts";

/** Lists the formulas that `bench formula <name>` knows. */
export const formulaList = register<{ json?: boolean }>({
  words: ["formula", "list"],
  summary: "list the formulas, with the section of the methodology that each is from",
  declare: (command) => command.option("--json", "as JSON"),
  async action({ json }, { stdout }) {
    const rows = FORMULAS.map(({ name, title, section, formula }) => ({ name, title, section, formula }));
    if (json === true) {
      stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
      return [];
    }
    const width = Math.max(...rows.map(({ name }) => name.length));
    for (const { name, title, section } of rows)
      stdout.write(`${padText(name, width)}  ${title} (${section})\n`);
    return [];
  },
});
