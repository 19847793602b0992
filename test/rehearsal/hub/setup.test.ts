import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { LocalHub } from "../../../rehearsal/hub/index.ts";
import { startHub } from "../../../rehearsal/hub/index.ts";
import {
  APP_PERMISSIONS,
  asInstallation,
  asToken,
  asUser,
  clone,
  git,
  receiver,
  refused,
  start,
} from "./helpers.ts";

let hub: LocalHub | null = null;
afterEach(async () => {
  await hub?.close();
  hub = null;
});

const minimal = { users: [{ login: "ada" }, { login: "bob" }] };

describe("setup", () => {
  it("seeds main with the history of a checkout, or with a folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "hub-seed-"));
    await writeFile(join(folder, "a.txt"), "a\n");
    await writeFile(join(folder, ".gitignore"), "ignored\n");
    await writeFile(join(folder, "ignored"), "x\n");
    await git(folder, "init", "--quiet", "-b", "work");
    await git(folder, "add", "--all");
    await git(folder, "commit", "--quiet", "-m", "One");
    await git(folder, "commit", "--quiet", "--allow-empty", "-m", "Two");
    hub = await startHub({
      ...minimal,
      repositories: [
        { owner: "ada", name: "history", seed: { checkout: folder } },
        { owner: "ada", name: "snapshot", seed: { folder } },
        { owner: "ada", name: "empty" },
      ],
    });
    const history = await clone(`${hub.url}/ada/history`);
    expect(await history.git("log", "--format=%s")).toBe("Two\nOne");
    const snapshot = await clone(`${hub.url}/ada/snapshot`);
    expect(await snapshot.git("ls-files")).toBe(".gitignore\na.txt");
    expect(await snapshot.git("rev-list", "--count", "HEAD")).toBe("1");
    await Promise.all([history.remove(), snapshot.remove(), rm(folder, { recursive: true })]);
  });

  it("hides a private repository from whoever has no role in it, in the API and in git", async () => {
    hub = await startHub({
      ...minimal,
      app: { slug: "assay", account: "ada", permissions: { issues: "read" } },
      repositories: [{ owner: "ada", name: "closed", private: true, seed: { files: { "a.txt": "a" } } }],
    });
    const where = { owner: "ada", repo: "closed" };
    expect((await refused(asUser(hub, "bob").rest.repos.get(where))).status).toBe(404);
    await expect(clone(`${hub.url}/ada/closed`)).rejects.toThrow(/could not read Username/);
    await expect(clone(hub.cloneUrl("bob", "ada", "closed"))).rejects.toThrow(/not found/i);
    const app = await asInstallation(hub);
    expect((await refused(app.rest.repos.getContent({ ...where, path: "a.txt" }))).status).toBe(403);
    await asUser(hub, "ada").rest.repos.addCollaborator({ ...where, username: "bob", permission: "triage" });
    expect((await asUser(hub, "bob").rest.issues.create({ ...where, title: "Now I may" })).status).toBe(201);
    const made = await clone(hub.cloneUrl("bob", "ada", "closed"));
    await made.remove();
  });

  it("refuses contradictory options", async () => {
    await expect(startHub({ ...minimal, repositories: [{ owner: "eve", name: "x" }] })).rejects.toThrow(
      /no account eve/,
    );
    const app = { slug: "assay", account: "bob", permissions: APP_PERMISSIONS };
    await expect(startHub({ ...minimal, app, repositories: [{ owner: "ada", name: "x" }] })).rejects.toThrow(
      /owns no repository/,
    );
  });

  it("stops entirely, twice if need be, also while a webhook is under way", async () => {
    const made = await start();
    const door = await receiver("other secret");
    made.setWebhookUrl(door.url);
    await asUser(made, "mia").rest.issues.create({
      owner: "assay-office",
      repo: "assay",
      title: "Signed for another",
    });
    await made.settled();
    expect(door.received.map((entry) => entry.signed)).toEqual([false]);
    made.redeliver(made.deliveries[0]?.id ?? "");
    await made.settled();
    expect(new Set(door.received.map((entry) => entry.delivery)).size).toBe(1);
    expect(door.received).toHaveLength(2);
    await Promise.all([made.close(), made.close()]);
    await door.close();
    await expect(asToken(made, "x").request("GET /meta")).rejects.toThrow();
  });
});
