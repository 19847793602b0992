import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalHub } from "../../../rehearsal/hub/index.ts";
import {
  asInstallation,
  asUser,
  type Checkout,
  clone,
  commitFiles,
  OWNER,
  REPO,
  refused,
  repo,
  start,
  tip,
} from "./helpers.ts";

let hub: LocalHub;
const open: Checkout[] = [];
const checkout = async (url: string): Promise<Checkout> => {
  const made = await clone(url);
  open.push(made);
  return made;
};

beforeAll(async () => {
  hub = await start();
});
afterAll(async () => {
  await Promise.all(open.map((made) => made.remove()));
  await hub.close();
});

describe("smart HTTP", () => {
  it("clones without credentials, with and without .git, also a single commit by sha", async () => {
    const made = await checkout(`${hub.url}/${OWNER}/${REPO}.git`);
    expect(await made.git("show", "HEAD:README.md")).toBe("# Assay");
    const sha = await made.git("rev-parse", "HEAD");
    await made.git("fetch", "--depth=1", `${hub.url}/${OWNER}/${REPO}`, sha);
    expect(await made.git("rev-parse", "FETCH_HEAD")).toBe(sha);
  });

  it("lets writers push branches, keeps readers and strangers out, and protects main", async () => {
    const made = await checkout(hub.cloneUrl("mia", OWNER, REPO));
    await made.git("commit", "--quiet", "--allow-empty", "-m", "More");
    await made.git("push", "--quiet", "origin", "HEAD:refs/heads/mia/more");
    expect(await tip(asUser(hub, "mia"), "mia/more")).toBe(await made.git("rev-parse", "HEAD"));
    await expect(made.git("push", "origin", "HEAD:main")).rejects.toThrow(
      /GH006: Protected branch update failed for refs\/heads\/main/,
    );
    await expect(made.git("push", "origin", "HEAD:refs/pull/9/head")).rejects.toThrow(/hidden ref/);
    await expect(made.git("push", hub.cloneUrl("sam", OWNER, REPO), "HEAD:refs/heads/sam")).rejects.toThrow(
      /403/,
    );
    await expect(made.git("push", `${hub.url}/${OWNER}/${REPO}.git`, "HEAD:refs/heads/x")).rejects.toThrow(
      /could not read Username/,
    );
  });

  it("takes a push of two branches when one of them is protected, and moves only the other", async () => {
    const made = await checkout(hub.cloneUrl("mia", OWNER, REPO));
    const before = await made.git("rev-parse", "HEAD");
    await made.git("commit", "--quiet", "--allow-empty", "-m", "Both");
    await expect(made.git("push", "origin", "HEAD:main", "HEAD:refs/heads/mia/both")).rejects.toThrow(
      /GH006/,
    );
    expect(await tip(asUser(hub, "mia"))).toBe(before);
    expect(await tip(asUser(hub, "mia"), "mia/both")).toBe(await made.git("rev-parse", "HEAD"));
  });

  it("takes a push larger than git's post buffer, which arrives in chunks", async () => {
    const made = await checkout(hub.cloneUrl("mia", OWNER, REPO));
    await writeFile(join(made.dir, "big.bin"), randomBytes(3 * 1024 * 1024));
    await made.git("add", "--all");
    await made.git("commit", "--quiet", "-m", "Big");
    await made.git("push", "--quiet", "origin", "HEAD:refs/heads/mia/big");
    const again = await checkout(hub.url.concat(`/${OWNER}/${REPO}.git`));
    expect(await again.git("rev-parse", "origin/mia/big")).toBe(await made.git("rev-parse", "HEAD"));
    const raw = await fetch(`${hub.url}/repos/${OWNER}/${REPO}/contents/big.bin?ref=mia/big`);
    expect(await raw.json()).toMatchObject({ size: 3 * 1024 * 1024, encoding: "none", content: "" });
  });

  it("lets the app push main forward, but neither rewrite nor delete it; a lock branch is all its own", async () => {
    const token = String(
      ((await (await asInstallation(hub)).auth({ type: "installation" })) as { token: string }).token,
    );
    const url = hub.url.replace("http://", `http://x-access-token:${token}@`).concat(`/${OWNER}/${REPO}.git`);
    const made = await checkout(url);
    const before = await made.git("rev-parse", "HEAD");
    await made.git("commit", "--quiet", "--allow-empty", "-m", "Forward");
    await made.git("push", "--quiet", "origin", "HEAD:main");
    await made.git("commit", "--quiet", "--amend", "--allow-empty", "-m", "Rewritten");
    await expect(made.git("push", "--force", "origin", "HEAD:main")).rejects.toThrow(/Cannot force-push/);
    await expect(made.git("push", "origin", ":main")).rejects.toThrow(
      /deletion of the current branch prohibited/,
    );
    await made.git("push", "--quiet", "origin", `${before}:refs/heads/assay/held`);
    await expect(
      made.git("push", hub.cloneUrl("mia", OWNER, REPO), "HEAD:refs/heads/assay/held"),
    ).rejects.toThrow(/GH006/);
    await made.git("push", "--quiet", "--force", "origin", "HEAD:refs/heads/assay/held");
    await made.git("push", "--quiet", "origin", ":refs/heads/assay/held");
  });

  it("refuses a token that nobody has", async () => {
    const made = await checkout(`${hub.url}/${OWNER}/${REPO}`);
    const header = `http.extraheader=AUTHORIZATION: basic ${Buffer.from("x-access-token:ghp_unknown").toString("base64")}`;
    await expect(made.git("-c", header, "fetch", "origin")).rejects.toThrow(
      /Authentication failed|could not read Username/,
    );
  });
});

describe("git data", () => {
  it("writes blobs, nested trees and commits that git itself accepts", async () => {
    const mia = asUser(hub, "mia");
    const base = await tip(mia);
    const sha = await commitFiles(mia, repo, base, {
      "docs/a/b.md": null,
      "docs/a/c/d.txt": "ä\n",
      "README.md/x": "now a folder",
    });
    const tree = await mia.rest.git.getTree({ ...repo, tree_sha: sha, recursive: "1" });
    const paths = tree.data.tree.filter((entry) => entry.type === "blob").map((entry) => entry.path);
    expect(paths).toEqual([
      ".github/workflows/ci.yml",
      ".github/workflows/result-pr.yml",
      "README.md/x",
      "docs/a/c/d.txt",
    ]);
    const file = await mia.rest.repos.getContent({ ...repo, path: "docs/a/c/d.txt", ref: sha });
    expect(Buffer.from((file.data as { content: string }).content, "base64").toString()).toBe("ä\n");
    const raw = await mia.rest.repos.getContent({
      ...repo,
      path: "docs/a/c/d.txt",
      ref: sha,
      mediaType: { format: "raw" },
    });
    expect(raw.data).toBe("ä\n");
    const blob = tree.data.tree.find((entry) => entry.path === "docs/a/c/d.txt");
    const read = await mia.rest.git.getBlob({ ...repo, file_sha: blob?.sha ?? "" });
    expect(read.data).toMatchObject({ size: 3, encoding: "base64" });
    const commit = await mia.rest.git.getCommit({ ...repo, commit_sha: sha });
    expect(commit.data).toMatchObject({
      message: "Change files",
      author: { name: "mia" },
      parents: [{ sha: base }],
    });
  });

  it("replaces a subtree by a tree, and refuses paths that git refuses", async () => {
    const mia = asUser(hub, "mia");
    const inner = await mia.rest.git.createTree({
      ...repo,
      tree: [{ path: "only.txt", mode: "100644", type: "blob", content: "1" }],
    });
    const base = (await mia.rest.git.getCommit({ ...repo, commit_sha: await tip(mia) })).data.tree.sha;
    const outer = await mia.rest.git.createTree({
      ...repo,
      base_tree: base,
      tree: [{ path: "docs", mode: "040000", type: "tree", sha: inner.data.sha }],
    });
    const whole = await mia.rest.git.getTree({ ...repo, tree_sha: outer.data.sha, recursive: "1" });
    expect(whole.data.tree.map((entry) => entry.path)).toContain("docs/only.txt");
    expect(whole.data.tree.map((entry) => entry.path)).not.toContain("docs/a/b.md");
    for (const path of ["../x", ".git/config", "/x", "a//b"]) {
      const call = mia.rest.git.createTree({
        ...repo,
        tree: [{ path, mode: "100644", type: "blob", content: "1" }],
      });
      expect((await refused(call)).status, path).toBe(422);
    }
  });

  it("says 422 where GitHub does: taken, absent, unreachable, badly named", async () => {
    const app = await asInstallation(hub);
    const sha = await tip(app);
    const ref = "refs/heads/assay/merge";
    await app.rest.git.createRef({ ...repo, ref, sha });
    expect(await refused(app.rest.git.createRef({ ...repo, ref, sha }))).toMatchObject({
      status: 422,
      message: expect.stringContaining("already exists"),
    });
    const missing = "1".repeat(40);
    expect(
      (await refused(app.rest.git.createRef({ ...repo, ref: "refs/heads/new", sha: missing }))).message,
    ).toContain("Object does not exist");
    for (const name of ["heads/x", "refs/heads/a..b", "refs/pull/1/head"]) {
      expect((await refused(app.rest.git.createRef({ ...repo, ref: name, sha }))).status, name).toBe(422);
    }
    const other = await commitFiles(app, repo, sha, { "x.txt": "1" });
    const rewritten = await commitFiles(app, repo, sha, { "y.txt": "1" });
    await app.rest.git.updateRef({ ...repo, ref: "heads/assay/merge", sha: other });
    expect(
      await refused(app.rest.git.updateRef({ ...repo, ref: "heads/assay/merge", sha: rewritten })),
    ).toMatchObject({ status: 422, message: expect.stringContaining("not a fast forward") });
    await app.rest.git.updateRef({ ...repo, ref: "heads/assay/merge", sha: rewritten, force: true });
    await app.rest.git.deleteRef({ ...repo, ref: "heads/assay/merge" });
    expect((await refused(app.rest.git.deleteRef({ ...repo, ref: "heads/assay/merge" }))).status).toBe(422);
    expect((await refused(app.rest.git.getRef({ ...repo, ref: "heads/assay/merge" }))).status).toBe(404);
    expect((await refused(app.rest.git.getRef({ ...repo, ref: "heads/mai" }))).status).toBe(404);
  });

  it("lets exactly one of many creations, and one of two competing updates, win", async () => {
    const app = await asInstallation(hub);
    const sha = await tip(app);
    const created = await Promise.allSettled(
      Array.from({ length: 6 }, () => app.rest.git.createRef({ ...repo, ref: "refs/heads/assay/lock", sha })),
    );
    expect(created.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    const rivals = await Promise.all(
      ["a", "b"].map((name) => commitFiles(app, repo, sha, { [`${name}.txt`]: name })),
    );
    const moved = await Promise.allSettled(
      rivals.map((rival) => app.rest.git.updateRef({ ...repo, ref: "heads/main", sha: rival, force: false })),
    );
    expect(moved.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(
      (
        await refused(
          Promise.reject(
            (moved.find((result) => result.status === "rejected") as PromiseRejectedResult).reason,
          ),
        )
      ).status,
    ).toBe(422);
    expect(rivals).toContain(await tip(app));
  });

  it("keeps main from people, from force and from deletion, whoever asks", async () => {
    const app = await asInstallation(hub);
    const mia = asUser(hub, "mia");
    const sha = await tip(app);
    const next = await commitFiles(mia, repo, sha, { "mia.txt": "1" });
    expect(await refused(mia.rest.git.updateRef({ ...repo, ref: "heads/main", sha: next }))).toMatchObject({
      status: 422,
      message: expect.stringContaining("through a pull request"),
    });
    const parent = (await mia.rest.git.getCommit({ ...repo, commit_sha: sha })).data.parents[0]?.sha ?? "";
    expect(
      (await refused(app.rest.git.updateRef({ ...repo, ref: "heads/main", sha: parent, force: true })))
        .status,
    ).toBe(422);
    expect((await refused(app.rest.git.deleteRef({ ...repo, ref: "heads/main" }))).status).toBe(422);
    expect(await tip(app)).toBe(sha);
  });
});

describe("branches, commits, comparisons", () => {
  it("lists branches, commits by path, and compares from the merge base", async () => {
    const app = await asInstallation(hub);
    const sha = await tip(app);
    const side = await commitFiles(
      app,
      repo,
      sha,
      { "docs/a/b.md": "deeper\n", "new/ü.txt": "1\n2\n" },
      "Side",
    );
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/feature/side", sha: side });
    await app.rest.git.updateRef({
      ...repo,
      ref: "heads/main",
      sha: await commitFiles(app, repo, sha, { "main.txt": "m" }, "Main"),
    });
    const branch = await app.rest.repos.getBranch({ ...repo, branch: "feature/side" });
    expect(branch.data).toMatchObject({ name: "feature/side", protected: false, commit: { sha: side } });
    expect((await app.rest.repos.listBranches(repo)).data.find((row) => row.name === "main")?.protected).toBe(
      true,
    );
    const compared = await app.rest.repos.compareCommitsWithBasehead({
      ...repo,
      basehead: "main...feature/side",
    });
    expect(compared.data).toMatchObject({
      status: "diverged",
      ahead_by: 1,
      behind_by: 1,
      merge_base_commit: { sha },
    });
    expect(
      compared.data.files?.map((file) => [file.filename, file.status, file.additions, file.deletions]),
    ).toEqual([
      ["docs/a/b.md", "modified", 1, 1],
      ["new/ü.txt", "added", 2, 0],
    ]);
    expect(compared.data.files?.[0]?.patch).toBe("@@ -1 +1 @@\n-deep\n+deeper");
    const touching = await app.rest.repos.listCommits({ ...repo, sha: "feature/side", path: "docs/a/b.md" });
    expect(touching.data.map((row) => row.commit.message)).toEqual(["Side", "Start"]);
    const one = await app.rest.repos.getCommit({ ...repo, ref: "feature/side" });
    expect(one.data.files?.map((file) => file.filename)).toEqual(["docs/a/b.md", "new/ü.txt"]);
    expect((await refused(app.rest.repos.getContent({ ...repo, path: "nowhere" }))).status).toBe(404);
  });
});

describe("merges", () => {
  it("answers 201 with a merge commit, 204 when there is nothing to do, 409 on conflict, 404 for unknown ends", async () => {
    const app = await asInstallation(hub);
    const base = await tip(app);
    await app.rest.git.createRef({ ...repo, ref: "refs/heads/assay/stack", sha: base });
    const left = await commitFiles(app, repo, base, { "left.txt": "1\n", "README.md": "# Left\n" }, "Left");
    const right = await commitFiles(app, repo, base, { "right.txt": "1\n" }, "Right");
    const clash = await commitFiles(app, repo, base, { "README.md": "# Clash\n" }, "Clash");
    const merge = (head: string): ReturnType<typeof app.rest.repos.merge> =>
      app.rest.repos.merge({ ...repo, base: "assay/stack", head, commit_message: "Merge\n\nAssay-Head: x" });
    const first = await merge(left);
    expect(first.status).toBe(201);
    expect(first.data.parents.map((parent) => parent.sha)).toEqual([base, left]);
    expect(first.data.commit.message).toBe("Merge\n\nAssay-Head: x");
    expect((await merge(left)).status).toBe(204);
    const second = await merge(right);
    expect(second.data.parents[0]?.sha).toBe(first.data.sha);
    expect((await refused(merge(clash))).status).toBe(409);
    expect((await refused(merge("nowhere"))).message).toContain("Head does not exist");
    expect((await refused(app.rest.repos.merge({ ...repo, base: "none", head: left }))).message).toContain(
      "Base does not exist",
    );
    const tree = await app.rest.git.getTree({ ...repo, tree_sha: second.data.sha });
    expect(tree.data.tree.map((entry) => entry.path)).toEqual(
      expect.arrayContaining(["left.txt", "right.txt"]),
    );
  });
});
