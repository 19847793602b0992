import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { COUNCIL_FOLDER } from "../../src/io/code/council-files.ts";
import { folderData } from "../../src/io/code/data-source.ts";
import { userPath, whenWritten } from "../../src/io/user-files.ts";
import { packRun } from "../../src/jobs/code-council-pack.ts";
import { MAX_PACK } from "../../src/lib/code/check/council-rules.ts";
import { seedSchema } from "../../src/lib/code/council/pack-schema.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { plural } from "../../src/lib/result-pr/words-text.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";
import { readRubric } from "./council-rubric.ts";

interface PackOptions {
  run: string;
  judge: string;
  size: number;
  seed?: string;
  missing?: boolean;
  out?: string;
  root?: string;
}

function sizeOf(text: string): number {
  const size = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (size >= 1 && size <= MAX_PACK) return size;
  throw new InvalidArgumentError(`a whole number from 1 to ${MAX_PACK}`);
}

function seedOf(text: string): string {
  if (seedSchema.safeParse(text).success) return text;
  throw new InvalidArgumentError("1 to 80 letters, digits, dots, dashes and underscores");
}

/** Makes a judge's packs of a run. */
export const councilPack = register<PackOptions>({
  words: ["council", "pack"],
  summary: "make a judge's packs of a run: shuffled, re-lettered, with anchors and without identities",
  declare: (command) =>
    command
      .argument("<run>", "id of the run: data/runs/<run>.json")
      .requiredOption("--judge <id>", "who will judge: an id of data/judges.json")
      .option(
        "--size <n>",
        `most entries in a pack, anchors not counted (default ${MAX_PACK})`,
        sizeOf,
        MAX_PACK,
      )
      .option("--seed <s>", "what shuffle and letters are drawn by (default: a random one, recorded)", seedOf)
      .option("--missing", "only entries that the judge has not scored in this run yet")
      .option("--out <folder>", `where packs/, letters/ and scrubbed/ go (default: ${COUNCIL_FOLDER}/)`)
      .option("--root <folder>", "the folder that holds data/ and tasks/ (default: this repository)"),
  async action(
    { run, judge, size, seed = randomBytes(8).toString("hex"), missing = false, out, root },
    { stdout },
  ) {
    const folder = rootOf(root);
    const target = out === undefined ? join(folder, COUNCIL_FOLDER) : userPath(out);
    let findings: Finding[] = [];
    const refused = await whenWritten(target, async () => {
      const packs = await packRun(folderData(folder), {
        ...{ run, judge, size, seed, missing, out: target },
        rubric: await readRubric(),
        now: new Date().toISOString(),
      });
      findings = packs.findings;
      if (!packs.ok) return;
      stdout.write(`Seed ${seed}; ${plural(packs.value.length, "pack")}:\n`);
      for (const { name, document, letters } of packs.value) {
        const entries = letters.order.filter((place) => "entry" in place).length;
        const anchors = letters.order.length - entries;
        stdout.write(
          `${join(target, "packs", name)}  ${plural(entries, "entry", "entries")}, ${plural(anchors, "anchor")}, ${document.sha256}\n`,
        );
      }
      stdout.write(`The letters maps lie in ${join(target, "letters")}: keep them from the judge.\n`);
    });
    return [...findings, ...refused];
  },
});
