import { sandboxAbility } from "../../src/io/sandbox/ability.ts";
import { padText } from "../../src/lib/picture/text.ts";
import { register } from "./command.ts";

/** Tells whether hostile code may be run on this host. */
export const sandboxCheck = register<{ json?: boolean }>({
  words: ["sandbox", "check"],
  summary: "say what this host can isolate hostile code from, by trying it",
  declare: (command) => command.option("--json", "as JSON"),
  async action({ json }, { stdout }) {
    const { isolates, ways, findings } = await sandboxAbility();
    if (json === true) stdout.write(`${JSON.stringify({ isolates, ways }, null, 2)}\n`);
    else {
      const width = Math.max(0, ...ways.map(({ what }) => what.length));
      for (const { what, by } of ways) stdout.write(`${padText(what, width)}  ${by}\n`);
      stdout.write(
        isolates ? "The self-test found no hole.\n" : "Nothing hostile may be run on this host.\n",
      );
    }
    return [...findings];
  },
});
