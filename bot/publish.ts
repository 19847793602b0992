import { ArtifactError, PUBLISHED_LIMITS, readArtifact } from "../src/io/github/artifacts.ts";
import {
  createBranch,
  forwardBranch,
  postCommit,
  postTree,
  readBranch,
  readCommit,
  readTreeFiles,
} from "../src/io/github/refs.ts";
import {
  decidePublish,
  namedTrees,
  PUBLISHED_BRANCH,
  parseSourceTree,
  publishMessage,
} from "../src/lib/bot/publish.ts";
import { PUBLISHED_ARTIFACT, type RunFacts } from "../src/lib/bot/trust.ts";
import { parseStrictJson } from "../src/lib/strict-json/parse.ts";
import type { BotContext } from "./context.ts";

/** Tries to win a race for the branch; each begins with a new look. */
const TRIES = 5;

/** Commits what a trusted feed run computed to `published`, unless that stands there already. True when it did. */
export async function publish(context: BotContext, run: RunFacts): Promise<boolean> {
  const { repository, log } = context;
  if (run.conclusion !== "success") {
    log.warn({ run: run.id }, "the feed run did not succeed: nothing is published");
    return false;
  }
  const files = await publishedFiles(context, run);
  if (files === null) return false;
  const named = namedTrees(
    [...files]
      .filter(([name]) => name.endsWith(".json"))
      .map(([, data]) => {
        const parsed = parseStrictJson(data, { maxBytes: PUBLISHED_LIMITS.bytes });
        return parsed.ok ? parsed.value.value : { source_tree: "unreadable" };
      }),
  );
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const mainSha = await readBranch(repository, repository.defaultBranch);
    if (mainSha === null) return false;
    const main = await readCommit(repository, mainSha);
    const runTree = mainSha === run.headSha ? main.tree : (await readCommit(repository, run.headSha)).tree;
    const tip = await readBranch(repository, PUBLISHED_BRANCH);
    const before = tip === null ? null : await readCommit(repository, tip);
    const decision = decidePublish({
      runSha: run.headSha,
      runTree,
      mainSha,
      mainTree: main.tree,
      namedTrees: named,
      publishedSource: before === null ? null : parseSourceTree(before.message),
    });
    if (decision.do !== "commit") {
      const level = decision.do === "reject" ? "error" : "info";
      log[level]({ run: run.id, reason: decision.reason }, "nothing was published");
      return false;
    }
    const tree = await postTree(
      repository,
      [...files].map(([path, data]) => ({ path, data })),
      before === null ? undefined : await readTreeFiles(repository, before.tree),
    );
    const message = publishMessage(runTree, run.headSha);
    const commit = await postCommit(repository, { message, tree, parents: tip === null ? [] : [tip] });
    const done =
      tip === null
        ? await createBranch(repository, PUBLISHED_BRANCH, commit)
        : await forwardBranch(repository, PUBLISHED_BRANCH, commit);
    if (done) {
      log.info({ run: run.id, commit }, "published");
      return true;
    }
  }
  throw new Error(`the branch ${PUBLISHED_BRANCH} could not be moved in ${TRIES} tries`);
}

async function publishedFiles(
  context: BotContext,
  run: RunFacts,
): Promise<ReadonlyMap<string, Uint8Array> | null> {
  try {
    const files = await readArtifact(context.repository, run.id, PUBLISHED_ARTIFACT, PUBLISHED_LIMITS);
    if (files === null || files.size === 0) {
      context.log.error({ run: run.id }, "the feed run left nothing to publish");
      return null;
    }
    return files;
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    context.log.error({ run: run.id, reason: error.message }, "what the feed run left could not be unpacked");
    return null;
  }
}
