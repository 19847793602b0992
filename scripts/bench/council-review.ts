import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InvalidArgumentError } from "commander";
import { COUNCIL_FOLDER } from "../../src/io/code/council-files.ts";
import { folderData } from "../../src/io/code/data-source.ts";
import { userPath, whenWritten } from "../../src/io/user-files.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { DEFAULT_BASE_URL } from "../../src/lib/run/settings.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface ReviewOptions {
  pack: string;
  judge: string;
  model?: string;
  baseUrl: string;
  timeoutS: number;
  maxTokens?: number;
  out?: string;
  root?: string;
}

const wholeNumber =
  (most: number) =>
  (text: string): number => {
    const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`a whole number from 1 to ${most}`);
  };

/** Has a judge that is a model review a pack. */
export const councilReview = register<ReviewOptions>({
  words: ["council", "review"],
  summary: "ask a judge about a pack through an OpenAI-compatible address; goes on where it stopped",
  declare: (command) =>
    command
      .argument("<pack>", "the pack's folder")
      .requiredOption("--judge <id>", "the judge: an id of data/judges.json")
      .option(
        "--model <name>",
        "how the address calls the judge's model (default: its id in data/models.json)",
      )
      .option("--base-url <url>", "OpenAI-compatible address", DEFAULT_BASE_URL)
      .option("--timeout-s <n>", "time for one call", wholeNumber(7200), 3600)
      .option(
        "--max-tokens <n>",
        "completion tokens to allow (default: the provider's)",
        wholeNumber(1_000_000),
      )
      .option("--out <folder>", `where reviews/ goes (default: ${COUNCIL_FOLDER}/)`)
      .option("--root <folder>", "the folder that holds data/ (default: this repository)")
      .addHelpText(
        "after",
        "\nThe key comes from the environment: OPENROUTER_API_KEY, or OPENAI_API_KEY for other addresses.\nThe command refuses to run where CI is set.",
      ),
  async action(options, { stdout, stderr }) {
    const ci = process.env.CI;
    if (ci !== undefined && ci !== "")
      return [
        {
          code: "code-council-in-ci",
          severity: "error",
          message: "council review does not run where CI is set: judges are asked on a maintainer's machine.",
          hint: "On your own machine, unset CI.",
        },
      ];
    const { runReview } = await import("./council-review-run.ts");
    const root = rootOf(options.root);
    const council = options.out === undefined ? join(root, COUNCIL_FOLDER) : userPath(options.out);
    const pack = userPath(options.pack);
    const letters = await lettersOf(pack, root);
    let findings: Finding[] = [];
    const refused = await whenWritten(council, async () => {
      findings = await runReview(
        folderData(root),
        { ...options, pack, council, letters },
        { stdout, stderr },
      );
    });
    return [...findings, ...refused];
  },
});

/** The letters map of a pack that lies in `packs/` with `letters/` beside it; null where `council import` finds it unasked. */
async function lettersOf(pack: string, root: string): Promise<string | null> {
  const within = ["letters", `${basename(pack)}.json`];
  const beside = join(dirname(dirname(pack)), ...within);
  if (beside === join(root, COUNCIL_FOLDER, ...within)) return null;
  return (await stat(beside).catch(() => null)) === null ? null : beside;
}
