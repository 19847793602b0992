import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { folderData } from "../../src/io/code/data-source.ts";
import { userPath } from "../../src/io/user-files.ts";
import { buildCodeData } from "../../src/jobs/code-build.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";
import { noFacts } from "./facts-root.ts";

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
    const missing = await noFacts(folder);
    if (missing !== null) return [missing];
    const file = out === undefined ? join(folder, "published", "data.json") : userPath(out);
    const built = await buildCodeData(folderData(folder), file, { synthetic, giveBack: collector() });
    if (built.entries === null) {
      if (built.runs === 0) stdout.write("No run is committed: there is nothing to derive.\n");
    } else stdout.write(`${built.entries} entries of ${built.runs} runs: ${file}\n`);
    return [...built.findings];
  },
});

/** The engine's own collector, which scripts see only when it is asked for. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
