import { folderData } from "../../src/io/code/data-source.ts";
import { userPath } from "../../src/io/user-files.ts";
import { publishCode } from "../../src/jobs/code-publish.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";
import { noFacts } from "./facts-root.ts";

interface PublishOptions {
  out: string;
  root?: string;
}

/** Writes the public tree of the code benchmark. */
export const publish = register<PublishOptions>({
  words: ["publish"],
  summary: "write the public tree: data.json, pricing.json and METHODOLOGY.md, nothing private",
  declare: (command) =>
    command
      .requiredOption("--out <folder>", "the folder to write: new, empty, or an earlier public tree")
      .option("--root <folder>", "the repository (default: this one)"),
  async action({ out, root }, { stdout }) {
    const folder = rootOf(root);
    const missing = await noFacts(folder);
    if (missing !== null) return [missing];
    const published = await publishCode(folderData(folder), userPath(out));
    if (published.ok) stdout.write(`${published.value.join("\n")}\n`);
    return published.findings;
  },
});
