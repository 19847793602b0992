import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CodeRun } from "../../../src/lib/code/schema/run-schema.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import { hosts, judges, models, pricing, run, task } from "./facts.ts";

/** Text of every deliverable's file in `writeFacts`. */
export const DELIVERED = "fn f() {}\n";

/** A whole, valid data folder by path; `change` adds or replaces documents, null leaves one out. */
export function factFiles(
  runs: readonly CodeRun[] = [run()],
  change: Readonly<Record<string, unknown>> = {},
): Map<string, string> {
  const documents: Record<string, unknown> = {
    "data/models.json": models(),
    "data/judges.json": judges(),
    "data/hosts.json": hosts(),
    "data/pricing.json": pricing(),
    "tasks/coder/task.json": task(),
  };
  const files = new Map<string, string>();
  for (const given of runs) {
    const delivered = {
      ...given,
      entries: given.entries.map((entry) => ({
        ...entry,
        deliverable: entry.deliverable.map((file) => ({
          ...file,
          sha256: digestOf(DELIVERED),
          bytes: DELIVERED.length,
        })),
      })),
    };
    documents[`data/runs/${given.id}.json`] = delivered;
    for (const entry of given.entries)
      for (const { path } of entry.deliverable)
        files.set(`data/entries/${given.id}/${entry.id}/${path}`, DELIVERED);
  }
  for (const [path, document] of Object.entries({ ...documents, ...change }))
    if (document === null) files.delete(path);
    else files.set(path, typeof document === "string" ? document : `${JSON.stringify(document, null, 2)}\n`);
  return files;
}

/** Writes files into a new temporary folder, and gives its path. */
export function writeFacts(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-facts-"));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
