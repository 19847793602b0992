import { join } from "node:path";
import { folderData } from "../../src/io/code/data-source.ts";
import { writePieces } from "../../src/io/code/write-pieces.ts";
import { userPath } from "../../src/io/user-files.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { renderData } from "../../src/lib/code/derive/render-data.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface BuildOptions {
  root?: string;
  out?: string;
  synthetic?: boolean;
}

/** Derives `data.json` from the facts. */
export const dataBuild = register<BuildOptions>({
  words: ["data", "build"],
  summary: "derive data.json from the facts of the code benchmark (docs/data.md)",
  declare: (command) =>
    command
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)")
      .option("--out <file>", "where to write (default: published/data.json under the root)")
      .option("--synthetic", "accept runs that a generator made"),
  async action({ root, out, synthetic = false }, { stdout }) {
    const folder = rootOf(root);
    const { data, runs, findings } = await readCodeData(folderData(folder), {
      synthetic,
      deliverables: false,
    });
    if (data === null) {
      if (runs === 0) stdout.write("No run is committed: there is nothing to derive.\n");
      return [...findings];
    }
    const file = out === undefined ? join(folder, "published", "data.json") : userPath(out);
    await writePieces(file, renderData(data));
    stdout.write(`${data.entries.length} entries of ${data.runs.length} runs: ${file}\n`);
    return [...findings];
  },
});
