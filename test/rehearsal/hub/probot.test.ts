import { createServer, type Server } from "node:http";
import { createNodeMiddleware, Probot } from "probot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalHub } from "../../../rehearsal/hub/index.ts";
import { asUser, commitFiles, OWNER, repo, start, tip } from "./helpers.ts";

let hub: LocalHub;
let server: Server;

beforeAll(async () => {
  hub = await start();
  const { appId, privateKey, webhookSecret } = hub.appCredentials;
  const probot = new Probot({
    appId,
    privateKey,
    secret: webhookSecret,
    baseUrl: hub.url,
    logLevel: "fatal",
  });
  const middleware = await createNodeMiddleware(
    (app) => {
      app.on("pull_request.opened", async (context) => {
        await context.octokit.rest.issues.createComment(
          context.issue({ body: `Seen ${context.payload.pull_request.head.sha}` }),
        );
      });
      app.on("issue_comment.created", async (context) => {
        if (context.isBot) return;
        const { data } = await context.octokit.rest.repos.getCollaboratorPermissionLevel(
          context.repo({ username: context.payload.comment.user?.login ?? "" }),
        );
        await context.octokit.rest.reactions.createForIssueComment(
          context.repo({
            comment_id: context.payload.comment.id,
            content: data.role_name === "maintain" ? "rocket" : "confused",
          }),
        );
      });
    },
    { probot, webhooksPath: "/" },
  );
  server = createServer((request, response) => {
    void middleware(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  hub.setWebhookUrl(
    `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`,
  );
});
afterAll(async () => {
  await hub.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
});

describe("a real Probot app", () => {
  it("hears of a pull request, comments on it, and answers a command by the role of who gave it", async () => {
    const mia = asUser(hub, "mia");
    const head = await commitFiles(mia, repo, await tip(mia), { "result.json": "{}" });
    await mia.rest.git.createRef({ ...repo, ref: "refs/heads/result", sha: head });
    const pull = await mia.rest.pulls.create({
      ...repo,
      title: "Result",
      head: `${OWNER}:result`,
      base: "main",
    });
    const issue = { ...repo, issue_number: pull.data.number };
    await expect
      .poll(async () => (await mia.rest.issues.listComments(issue)).data.map((comment) => comment.body), {
        timeout: 10_000,
      })
      .toEqual([`Seen ${head}`]);
    const command = await mia.rest.issues.createComment({ ...issue, body: "/assay merge" });
    await expect
      .poll(
        async () =>
          (await mia.rest.reactions.listForIssueComment({ ...repo, comment_id: command.data.id })).data.map(
            (reaction) => [reaction.content, reaction.user?.login],
          ),
        { timeout: 10_000 },
      )
      .toEqual([["rocket", "assay[bot]"]]);
    await hub.settled();
    expect(hub.deliveries.every((delivery) => delivery.status === 200 || delivery.status === 202)).toBe(true);
    expect(hub.unanswered).toEqual([]);
  });
});
