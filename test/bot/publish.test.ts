import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  commit,
  completeRun,
  moveMain,
  repo,
  type Stage,
  startStage,
  takeTrigger,
  tip,
  writes,
} from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(async () => {
  await stage.close();
});

const workflowPath = ".github/workflows/feed.yml";
const treeOf = async (sha: string) =>
  (await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: sha })).data.tree.sha;
const published = async () => {
  const { data } = await stage.user("mia").rest.git.listMatchingRefs({ ...repo, ref: "heads/published" });
  return data[0]?.object.sha ?? null;
};
const feed = (tree: string, note = "") => ({
  "assay-published": {
    "feed.json": JSON.stringify({ schema_version: 1, source_tree: tree, note }),
    "board/index.md": "# Board\n",
    "logo.bin": new Uint8Array([0, 255, 1, 254]),
  },
});

describe("a feed run", () => {
  it("of main's tree becomes one commit on published, with exactly its files", async () => {
    const sha = await moveMain(stage);
    completeRun(stage, takeTrigger(stage, "push"), feed(await treeOf(sha)), { workflowPath });
    await stage.rest();
    const first = await published();
    expect(first).not.toBeNull();
    const { data } = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: first ?? "" });
    expect(data.parents).toEqual([]);
    expect(data.message).toContain(`Assay-Source-Tree: ${await treeOf(sha)}`);
    const tree = await stage
      .user("mia")
      .rest.git.getTree({ ...repo, tree_sha: data.tree.sha, recursive: "1" });
    expect(tree.data.tree.filter(({ type }) => type === "blob").map(({ path }) => path)).toEqual([
      "board/index.md",
      "feed.json",
      "logo.bin",
    ]);
    const binary = tree.data.tree.find(({ path }) => path === "logo.bin");
    const blob = await stage.user("mia").rest.git.getBlob({ ...repo, file_sha: binary?.sha ?? "" });
    expect([...Buffer.from(blob.data.content, "base64")]).toEqual([0, 255, 1, 254]);
  });

  it("sends only what has changed, and leaves the rest as it is", async () => {
    const before = await published();
    const sha = await moveMain(stage);
    stage.taken();
    completeRun(stage, takeTrigger(stage, "push"), feed(await treeOf(sha), "news"), { workflowPath });
    await stage.rest();
    const posts = stage.taken().filter(({ method }) => method === "POST");
    expect(posts.filter(({ path }) => path.endsWith("/git/trees"))).toHaveLength(1);
    // The picture did not change; sent again, its bytes would have needed a request of their own.
    expect(posts.filter(({ path }) => path.endsWith("/git/blobs"))).toEqual([]);
    expect(await published()).not.toBe(before);
    const read = async (path: string) =>
      stage.user("mia").rest.repos.getContent({ ...repo, path, ref: "published" });
    for (const path of ["board/index.md", "feed.json", "logo.bin"])
      expect((await read(path)).status).toBe(200);
  });

  it("of the same tree again writes nothing", async () => {
    const sha = await moveMain(stage);
    const trigger = takeTrigger(stage, "push");
    completeRun(stage, trigger, feed(await treeOf(sha)), { workflowPath });
    await stage.rest();
    const before = await published();
    stage.taken();
    completeRun(stage, trigger, feed(await treeOf(sha)), { workflowPath });
    await stage.rest();
    expect(writes(stage.taken())).toEqual([]);
    expect(await published()).toBe(before);
  });

  it("goes on top of what is published", async () => {
    const before = await published();
    const sha = await moveMain(stage);
    completeRun(stage, takeTrigger(stage, "push"), feed(await treeOf(sha)), { workflowPath });
    await stage.rest();
    const after = await published();
    const { data } = await stage.user("mia").rest.git.getCommit({ ...repo, commit_sha: after ?? "" });
    expect(data.parents.map((parent) => parent.sha)).toEqual([before]);
  });

  it("that names another tree, was made from an older one, failed, or ran elsewhere is left alone", async () => {
    const before = await published();
    const old = await tip(stage.user("mia"));
    const sha = await moveMain(stage);
    const trigger = takeTrigger(stage, "push");
    completeRun(stage, trigger, feed("1".repeat(40)), { workflowPath });
    completeRun(stage, trigger, { "assay-published": { "feed.json": "{}" } }, { workflowPath });
    completeRun(stage, { ...trigger, sha: old, headSha: old }, feed(await treeOf(old)), { workflowPath });
    completeRun(stage, trigger, feed(await treeOf(sha)), { workflowPath, conclusion: "failure" });
    completeRun(stage, { ...trigger, headBranch: "other" }, feed(await treeOf(sha)), { workflowPath });
    completeRun(stage, trigger, feed(await treeOf(sha)), { workflowPath: ".github/workflows/other.yml" });
    completeRun(stage, trigger, { "assay-published": { "../evil": "x" } }, { workflowPath });
    await stage.rest();
    expect(await published()).toBe(before);
  });

  it("F19: is asked for by reconciling when published is behind, and taken when its webhook was lost", async () => {
    stage.triggers.length = 0;
    const sha = await moveMain(stage);
    await stage.rest();
    await stage.bot.reconcile();
    await stage.rest();
    const dispatched = takeTrigger(
      stage,
      "workflow_dispatch",
      (trigger) => trigger.workflowPath === workflowPath,
    );
    stage.hub.setWebhookUrl(null);
    completeRun(stage, dispatched, feed(await treeOf(sha)), { workflowPath });
    await stage.rest();
    stage.hub.setWebhookUrl(stage.bot.webhookUrl);
    const before = await published();
    await stage.bot.reconcile();
    await stage.rest();
    expect(await published()).not.toBe(before);
  });

  it("F17: loses a race for the branch, and tries again on what is there then", async () => {
    const sha = await moveMain(stage);
    const trigger = takeTrigger(stage, "push");
    let raced = 0;
    let other = "";
    stage.wire.delay = ({ method, path }) => {
      if (method !== "PATCH" || !path.includes("published") || raced > 0) return null;
      raced += 1;
      return (async () => {
        const mia = stage.user("mia");
        other = await commit(mia, repo, (await published()) ?? "", { "other.txt": "x" });
        await mia.rest.git.updateRef({ ...repo, ref: "heads/published", sha: other });
      })();
    };
    completeRun(stage, trigger, feed(await treeOf(sha)), { workflowPath });
    await stage.rest();
    stage.wire.delay = null;
    expect(raced).toBe(1);
    const { data } = await stage
      .user("mia")
      .rest.git.getCommit({ ...repo, commit_sha: (await published()) ?? "" });
    expect(data.parents.map((parent) => parent.sha)).toEqual([other]);
  });
});
