import { readFileSync } from "node:fs";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect } from "vitest";
import { readEngine } from "../../src/io/engine.ts";
import { judge, openPullRequest } from "../../src/jobs/result-pr.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { type Report, reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { renderComment } from "../../src/lib/result-pr/words.ts";
import { type CheckWords, renderCheck } from "../../src/lib/result-pr/words-check.ts";
import { runAction } from "../actions/bundle.ts";
import type { Pull } from "../fixtures/attacks/attack.ts";
import { raggedTables, surprises } from "../lib/words/safe.ts";
import { ARRIVED, type Scene } from "./scene.ts";

/** From a pull request to what people see of it. */

export interface Judged {
  readonly report: Report;
  /** The report's bytes. */
  readonly text: string;
  readonly comment: string;
  readonly check: CheckWords;
}

const NUMBER = 7;
/** The repository's address: nothing else may be linked. */
const HERE = "https://github.com/example/board";

/** In this process, by the same steps as the workflow. */
export async function judged(scene: Scene, pull: Pull): Promise<Judged> {
  const { project } = scene;
  const source = await openPullRequest(
    { pullRequest: NUMBER, base: pull.base ?? scene.base, head: pull.head, merge: pull.merge ?? null },
    pull.fetched === true ? { remote: { url: `file://${project.gitDir}` } } : { repository: project.gitDir },
  );
  try {
    const report = await judge({
      source,
      grader: { suites: pull.withoutBank === true ? project.bareCheckout : project.checkout },
      engine: await readEngine(),
      arrivedAt: ARRIVED,
    });
    return shown(report);
  } finally {
    await source.close();
  }
}

/** By the bundles that ship: the report's bytes. */
export function judgedByBundles(scene: Scene, pull: Pull): string {
  const { project } = scene;
  const validated = runAction("validate-results", {
    "pull-request": String(NUMBER),
    "base-sha": pull.base ?? scene.base,
    "head-sha": pull.head,
    "merge-sha": pull.merge ?? "",
    "arrived-at": ARRIVED,
    repository: project.gitDir,
  });
  expect([validated.code, validated.stderr]).toEqual([0, ""]);
  const joined = runAction(
    "recompute-scores",
    { mode: "all", suites: project.checkout, "head-sha": pull.head },
    { temp: validated.temp },
  );
  expect([joined.code, joined.stderr]).toEqual([0, ""]);
  return readFileSync(joined.outputs.report ?? "", "utf8");
}

/** What a report becomes on the pull request. */
export function shown(report: Report): Judged {
  const text = canonicalDocument(report);
  expect(canonicalDocument(reportSchema.parse(JSON.parse(text)))).toBe(text);
  return {
    report,
    text,
    comment: renderComment(report, {
      head: report.head_sha ?? "",
      merge: null,
      acceptedBy: null,
      repositoryUrl: HERE,
      run: 1,
    }),
    check: renderCheck(report, false, HERE),
  };
}

export const codesOf = (report: Report): string[] =>
  [...new Set(report.findings.map(({ code }) => code))].sort();

/** The office's own words in a text of Markdown: everything but what it quotes in code. */
export function ownWords(markdown: string): string {
  const words: string[] = [];
  const walk = (node: { type: string; value?: string; children?: readonly unknown[] }): void => {
    if (node.type !== "inlineCode" && node.value !== undefined) words.push(node.value);
    for (const child of node.children ?? []) walk(child as typeof node);
  };
  walk(fromMarkdown(markdown));
  return words.join("\n");
}

/** What holds for everything that the bot writes, whoever sent what. */
export function expectSafeWords({ report, comment, check }: Judged): void {
  expect(surprises(comment, HERE)).toEqual([]);
  expect(surprises(check.summary, HERE)).toEqual([]);
  expect(raggedTables(comment)).toEqual([]);
  for (const { message, title } of check.annotations)
    expect(`${title} ${message}`).not.toMatch(/@|(?!\n)[\p{Cc}\p{Cf}]/u);
  // F36: whatever is wrong has a code that is written down, words, and where it can be, a place.
  for (const finding of report.findings) {
    expect(finding.code).toMatch(/^[a-z]+(-[a-z0-9]+)+$/);
    expect(finding.message).not.toBe("");
    expect(comment.includes("did not fit") || comment.includes(finding.code)).toBe(true);
  }
}
