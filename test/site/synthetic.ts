import { folderData } from "../../src/io/code/data-source.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import type { Data } from "../../src/lib/code/derive/data-schema.ts";
import { syntheticFiles } from "../../src/lib/code/synthetic/round.ts";
import { writeFacts } from "../lib/code/write-facts.ts";

/** The data of a full-size synthetic round, as `bench data build` gives them. */
export async function syntheticData(seed = 1): Promise<Data> {
  const plan = { seed, start: "2026-11-02T09:00:00.000Z", rounds: 1, deliverables: false };
  const files = new Map([...syntheticFiles(plan)].map(({ path, text }) => [path, text]));
  const { data } = await readCodeData(folderData(writeFacts(files)), {
    synthetic: true,
    deliverables: false,
  });
  if (data === null) throw new Error("nothing was derived");
  return data;
}
