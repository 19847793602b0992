import { readFileSync } from "node:fs";
import { folderData } from "../../src/io/code/data-source.ts";
import { buildCodeData } from "../../src/jobs/code-build.ts";
import { indexData } from "../../src/lib/code/aggregate/index-data.ts";
import { FIRST_SELECTION } from "../../src/lib/code/aggregate/selection.ts";
import { deriveView } from "../../src/lib/code/aggregate/view.ts";
import type { Data } from "../../src/lib/code/derive/data-schema.ts";
import { childInput, peakMegabytes, report } from "./child.ts";

export interface CodeDataInput {
  readonly root: string;
  readonly out: string;
  /** Whether a view of it is timed too. */
  readonly view: boolean;
}

export interface CodeDataMeasured {
  readonly seconds: number;
  readonly peak: number;
  readonly entries: number;
  /** Milliseconds from the parsed data.json to the first view; null when it was not asked for. */
  readonly view: number | null;
}

const { root, out, view } = childInput<CodeDataInput>();
const started = performance.now();
const { entries, findings } = await buildCodeData(folderData(root), out, { synthetic: true });
if (entries === null) throw new Error(JSON.stringify(findings.slice(0, 3)));
const measured = { seconds: (performance.now() - started) / 1000, peak: peakMegabytes(), entries };
report({ ...measured, view: view ? firstView(out) : null } satisfies CodeDataMeasured);

function firstView(file: string): number {
  const data = JSON.parse(readFileSync(file, "utf8")) as Data;
  const before = performance.now();
  deriveView(indexData(data), FIRST_SELECTION);
  return performance.now() - before;
}
