import type { Finding } from "../../findings.ts";
import type { CodePrFacts, Deliverable, Listing } from "../code-facts.ts";
import { ENTRIES_FOLDER } from "../code-paths.ts";
import type { CodeRule } from "./rule.ts";

/** Findings of one kind that are given one by one. */
const NAMED = 200;

/** F06: what judges saw is what is committed: each listed file is there byte for byte, and none that is not listed. */
export const deliverables: CodeRule = {
  id: "facts-deliverables",
  title: "Deliverables are the files that their runs list, by digest.",
  check: (facts) => [
    ...unlisted(facts).slice(0, NAMED),
    ...facts.listings.flatMap((each) => missing(each, facts)),
  ],
};

/** Files that no entry lists. */
const unlisted = ({ deliverables, listings }: CodePrFacts): Finding[] => {
  const listed = new Set(
    listings.flatMap(({ run, entries }) =>
      entries.flatMap(({ id, files }) => files.map(({ path }) => pathOf(run, id, path))),
    ),
  );
  return deliverables
    .filter(({ path }) => !listed.has(path))
    .map(({ path, run, entry }) => ({
      code: "code-entry-unlisted",
      severity: "error",
      message: "No run lists this file.",
      path,
      hint: `List it in the deliverable of entry ${entry} in data/runs/${run}.json with digest and size, or remove it.`,
    }));
};

const pathOf = (run: string, entry: string, file: string): string =>
  `${ENTRIES_FOLDER}${run}/${entry}/${file}`;

/** Listed files that are nowhere, or have other bytes. */
function missing({ run, entries, there }: Listing, { deliverables }: CodePrFacts): Finding[] {
  const added = new Map(deliverables.filter((each) => each.run === run).map((each) => [each.path, each]));
  const findings: Finding[] = [];
  for (const [index, { id, fresh, files }] of entries.entries())
    for (const [number, file] of files.entries()) {
      const path = pathOf(run, id, file.path);
      const brought = added.get(path);
      if (brought === undefined && (!fresh || there.has(`${id}/${file.path}`))) continue;
      const actual = brought === undefined ? "no such file" : bytesOf(brought);
      const expected = `${file.sha256}, ${file.bytes} bytes`;
      if (actual === expected || (brought !== undefined && brought.sha256 === null)) continue;
      if (findings.length >= NAMED) return findings;
      findings.push({
        code: "code-entry-digest",
        severity: "error",
        message: `The deliverable ${path} is not the file that its run lists.`,
        path: `data/runs/${run}.json`,
        pointer: `/entries/${index}/deliverable/${number}`,
        expected,
        actual,
        hint: "Commit the file as it was judged, at that path, or correct digest and size.",
      });
    }
  return findings;
}

const bytesOf = ({ sha256, bytes }: Deliverable): string => `${sha256}, ${bytes} bytes`;
