import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesSource } from "../../src/io/files.ts";
import { openRepository, readCheckout } from "../../src/io/git.ts";
import { readLandings } from "../../src/io/git-history.ts";
import { computeFeed } from "../../src/jobs/feed.ts";
import { readHistory } from "../../src/jobs/history.ts";
import { documentDigest } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { mergeMessage } from "../../src/lib/bot/merge.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import type { History } from "../../src/lib/feed/history.ts";
import { withdrawalPath } from "../../src/lib/feed/withdrawal.ts";
import { historyPage } from "../../src/site/pages/history.tsx";
import { LOCAL_SITE } from "../../src/site/site-info.ts";
import { NO_FRAME, renderDocument } from "../../src/site/ui/document.tsx";
import { session } from "../lib/code/facts.ts";
import { rowsIn } from "../site/code/html.ts";
import { committedRuns, dataFiles, delivering, pretty, runFiles } from "./data-folder.ts";
import {
  commit,
  honestDocument,
  recipe,
  SUITE_ID,
  type TempRepository,
  tempRepository,
} from "./temp-suite.ts";

/** A repository whose main took results and facts by merged pull requests, each later than the one before. */

let repository: TempRepository;
let history: History;
let seconds = 0;
const heads: string[] = [];

function git(...args: string[]): string {
  seconds += 1;
  const date = `@${1_796_100_000 + seconds} +0000`;
  return execFileSync(
    "git",
    ["-C", repository.root, "-c", "user.name=t", "-c", "user.email=t@e.e", ...args],
    {
      encoding: "utf8",
      env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
    },
  ).trim();
}

/** Merges what lies in the folder as a pull request of two commits. */
function merge(pull: number, message?: string): void {
  const main = git("rev-parse", "HEAD");
  git("add", "-A");
  git("commit", "-q", "-m", "Words of the submitter (#999)");
  git("commit", "-q", "--allow-empty", "-m", "More of them");
  const head = git("rev-parse", "HEAD");
  const tree = git("rev-parse", "HEAD^{tree}");
  const text = message ?? mergeMessage(pull, head);
  git("update-ref", "HEAD", git("commit-tree", tree, "-p", main, "-p", head, "-m", text));
  heads.push(git("rev-parse", "HEAD"));
}

const wrong = recipe({ stateName: "region" });
const documentOf = (
  model: string,
  right: number,
  minute: number,
  more: Partial<ResultDocument> = {},
): Promise<ResultDocument> => {
  const ids = ["tt-one", "tt-two", "tt-bank"];
  return honestDocument(
    repository.root,
    Object.fromEntries(ids.map((id, at) => [id, at < right ? recipe() : wrong])),
    {
      model: { id: model, parameters: { temperature: null, max_tokens: null, response_format: "none" } },
      started_at: "2026-11-30T10:00:00.000Z",
      finished_at: `2026-11-30T10:${minute}:00.000Z`,
      ...more,
    },
  );
};
const [ONE, TWO] = ["openai/gpt-4o", "baseline/heuristic"];

beforeAll(async () => {
  repository = await tempRepository();
  for (const [path, { data }] of Object.entries(dataFiles({ runs: [] })))
    await repository.write(path, data ?? "");
  await repository.write("METHODOLOGY.md", "# How\n");
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "The beginning");
  const first = await documentOf(ONE, 1, 20);
  await commit(repository, first);
  merge(1);
  await commit(repository, await documentOf(TWO, 2, 21));
  merge(2, "Merge pull request #2 from somebody/results\n\nA result");
  const better = await documentOf(ONE, 3, 22);
  await commit(repository, better);
  merge(3);
  const run = committedRuns()[0];
  if (run === undefined) throw new Error("no run");
  const bare = delivering({ ...run, council: { sessions: [], revisions: [] } });
  for (const [path, { data }] of Object.entries(runFiles(bare))) await repository.write(path, data ?? "");
  merge(4);
  const reviewed = { ...bare, council: { sessions: [session("s1", "j-alpha", [9, 7, 6])], revisions: [] } };
  await repository.write(`data/runs/${run.id}.json`, pretty(reviewed));
  merge(5);
  await repository.write("docs/notes.md", "no result\n");
  merge(6);
  const withdrawal = {
    schema_version: 1 as const,
    kind: "withdrawal" as const,
    suite: better.suite,
    model: ONE,
    withdraws: { digest: documentDigest(better), reason: "Another model <b>answered</b>." },
    withdrawn_at: "2026-12-01T00:00:00.000Z",
  };
  await repository.write(withdrawalPath(withdrawal), canonicalDocument(withdrawal));
  merge(7);
  const { repository: objects, commit: tip } = await readCheckout(repository.root);
  const computed = await computeFeed({ root: repository.root, sourceTree: tip.tree });
  if (!computed.ok) throw new Error(JSON.stringify(computed.findings.slice(0, 3)));
  history = await readHistory({
    repository: objects,
    commit: tip.sha,
    index: filesSource(computed.value.files),
    feed: computed.value.feed,
  });
});
afterAll(() => repository.remove());

describe("the history of the boards", () => {
  it("says what each merged result moved, newest first, by its merge commit and pull request", () => {
    expect(history.complete).toBe(true);
    expect(
      history.sheet.map(({ kind, pull, model, suite, before, after }) => [
        kind,
        pull,
        model,
        suite,
        before?.rank ?? null,
        after?.rank ?? null,
      ]),
    ).toEqual([
      ["withdrawn", 7, ONE, SUITE_ID, 1, 2],
      ["overtakes", 3, ONE, SUITE_ID, 2, 1],
      ["new-model", 2, TWO, SUITE_ID, null, 1],
      ["new-model", 1, ONE, SUITE_ID, null, 1],
    ]);
    expect(history.sheet[1]).toMatchObject({
      commit: heads[2],
      passed: [expect.stringMatching(/heuristic/i)],
      after: { composite: 1 },
    });
    expect(history.sheet.map(({ at }) => at)).toEqual(
      history.sheet
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    expect(history.at).toBe(history.sheet[0]?.at);
  });

  it("says which runs and reviews came to the code benchmark, and not what else changed", () => {
    expect(
      history.code.map(({ pull, runs }) => [
        pull,
        ...runs.map(({ arrived, entries, reviews }) => [arrived, entries, reviews]),
      ]),
    ).toEqual([[5, [false, 0, 3]], [4, [true, 3, 0]], [null]]);
    expect(history.code[2]?.judges.length).toBeGreaterThan(0);
  });

  it("is a page whose rows lead to the pull request, the commit and the document", () => {
    const site = { ...LOCAL_SITE, repository: "o/n", server: "https://host.example", commit: "a".repeat(40) };
    const [change] = history.sheet;
    const resultPages = new Map([[history.sheet[1]?.digest ?? "", "sheet/temp-1/results/x.html"]]);
    const html = renderDocument(historyPage({ site, history, resultPages }), site, NO_FRAME);
    const rows = rowsIn(html);
    expect(rows).toHaveLength(history.sheet.length + history.code.length);
    expect(rows[0]?.[1]).toBe("Withdrawn: Another model <b>answered</b>.");
    expect(rows[0]?.[4]).toBe("1 →, now 2");
    expect(rows[2]?.[4]).toBe("1");
    for (const address of [
      "https://host.example/o/n/pull/7",
      `https://host.example/o/n/commit/${change?.commit}`,
      `https://host.example/o/n/blob/${"a".repeat(40)}/${change?.path}`,
      "sheet/temp-1/results/x.html",
    ])
      expect(html).toContain(`href="${address}"`);
  });

  it("says so where the commits are not known", () => {
    const input = { site: LOCAL_SITE, history: null, resultPages: new Map<string, string>() };
    expect(renderDocument(historyPage(input), LOCAL_SITE, NO_FRAME)).toContain(
      "The history is not known here",
    );
  });
});

it("a commit's message cannot be taken for commits or files", async () => {
  const folder = await openRepository(repository.root);
  await repository.write("data/judges.json", "{}");
  merge(8, `${"f".repeat(40)} 1\n\n${"e".repeat(40)} 2\ndata/runs/forged.json\n`);
  const landings = await readLandings(folder, heads[7] ?? "", ["data"], { limit: 1, changed: true });
  expect(landings.map(({ sha, files }) => [sha, files])).toEqual([[heads[7], ["data/judges.json"]]]);
});
