import { CHECKS } from "../../src/lib/bot/memos.ts";
import { boardSuiteSchema } from "../../src/lib/feed/board-schema.ts";
import { type Feed, feedSchema } from "../../src/lib/feed/schema.ts";
import { parseStickyTag, STICKY_MARKER } from "../../src/lib/result-pr/words.ts";
import { type Brought, MAINTAINER, OWNER, type People, REPO } from "./people.ts";

/** What a burst left behind, looked at as a person would: over the API, without the bot. */
export interface Outcome {
  readonly pulls: number;
  readonly merged: number;
  readonly open: number;
  /** Everything that is not as it should be, in words. */
  readonly wrong: readonly string[];
}

const where = { owner: OWNER, repo: REPO };

/**
 * Each pull request with a result has exactly one comment of the bot's own, about its head, with the right verdict, and a check
 * run that says the same; nothing dishonest is on main; everything merged is in the index that is published.
 */
export async function readOutcome(people: People): Promise<Outcome> {
  const mia = people.as(MAINTAINER);
  const wrong: string[] = [];
  let merged = 0;
  let open = 0;
  const main = (await mia.rest.git.getRef({ ...where, ref: "heads/main" })).data.object.sha;
  const tree = (await mia.rest.git.getTree({ ...where, tree_sha: main, recursive: "1" })).data.tree;
  const onMain = new Set(tree.map(({ path }) => path));
  for (const sent of people.sent.values()) {
    const { data: pull } = await mia.rest.pulls.get({ ...where, pull_number: sent.number });
    if (pull.merged) merged += 1;
    else if (pull.state === "open") open += 1;
    const brought = sent.heads.get(pull.head.sha);
    if (brought === undefined) wrong.push(`#${sent.number} has a head that nobody pushed`);
    else wrong.push(...(await lookAt(people, sent.number, pull, brought)));
    for (const [head, { path }] of sent.heads) {
      const landed = pull.merged && head === pull.head.sha;
      if (path !== null && landed !== onMain.has(path))
        wrong.push(
          `${path} of #${sent.number} is ${landed ? "merged and not on main" : "on main and was not merged"}`,
        );
    }
  }
  wrong.push(...(await lookAtPublished(people, main)));
  return { pulls: people.sent.size, merged, open, wrong };
}

interface Pull {
  readonly state: string;
  readonly merged: boolean;
  readonly head: { readonly sha: string };
}

async function lookAt(
  people: People,
  number: number,
  { state, merged, head }: Pull,
  { honest, path }: Brought,
): Promise<string[]> {
  const mia = people.as(MAINTAINER);
  const name = `#${number}`;
  const all = await mia.paginate(mia.rest.issues.listComments, {
    ...where,
    issue_number: number,
    per_page: 100,
  });
  const ours = all.filter(({ user, body }) => user?.type === "Bot" && body?.startsWith(STICKY_MARKER));
  const wrong: string[] = [];
  if (ours.length > 1) wrong.push(`${name} has ${ours.length} comments of the bot's`);
  if (merged && !honest) wrong.push(`${name} was merged with a number that does not hold`);
  // What is closed and was not merged gets no verdict any more.
  if (state !== "open" && !merged) return wrong;
  const { data } = await mia.rest.checks.listForRef({ ...where, ref: head.sha, check_name: CHECKS.result });
  const [check] = data.check_runs;
  if (data.check_runs.length !== 1 || check === undefined)
    return [...wrong, `${name} has ${data.check_runs.length} check runs`];
  if (path === null) {
    if (ours.length > 0) wrong.push(`${name} brings no result and has a comment`);
    if (check.conclusion === null) wrong.push(`${name} brings no result and its check is not over`);
    return wrong;
  }
  const tag = parseStickyTag(ours[0]?.body ?? "");
  if (tag === null) return [...wrong, `${name} has no comment`];
  if (tag.kind !== "verdict" || tag.head !== head.sha)
    wrong.push(`${name}: the comment is about ${tag.kind} of ${tag.head}`);
  const passed = check.conclusion === "success";
  if (passed !== honest) wrong.push(`${name}: the check says ${check.conclusion}, honest is ${honest}`);
  return wrong;
}

/** What is published is made from main's tree, and the feed names what the boards say. */
async function lookAtPublished(people: People, main: string): Promise<string[]> {
  const mia = people.as(MAINTAINER);
  const read = async (path: string): Promise<unknown> => {
    const { data } = await mia.rest.repos.getContent({
      ...where,
      ref: "published",
      path,
      mediaType: { format: "raw" },
    });
    return JSON.parse(String(data));
  };
  const { data: commit } = await mia.rest.git.getCommit({ ...where, commit_sha: main });
  let feed: Feed;
  try {
    feed = feedSchema.parse(await read("feed.json"));
  } catch (error) {
    return [`the feed cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}`];
  }
  const wrong: string[] = [];
  if (feed.source_tree !== commit.tree.sha)
    wrong.push(`the feed is of tree ${feed.source_tree}, main has ${commit.tree.sha}`);
  const [suite] = feed.suites;
  const board = boardSuiteSchema.parse(await read(`board/${suite?.id}.json`));
  const standing = new Set(board.rows.map(({ result }) => result.path));
  const named = feed.models.flatMap(({ benchmark }) => (benchmark ?? []).map(({ path }) => path));
  for (const path of named)
    if (!standing.has(path)) wrong.push(`the feed names ${path}, which is on no board`);
  return wrong;
}
