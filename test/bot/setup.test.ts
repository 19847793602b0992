import { spawn } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SetupServer, startSetupServer } from "../../bot/setup-server.ts";
import { type LocalHub, startHub } from "../../rehearsal/hub/index.ts";
import { eventIds, permissionLevels } from "../../src/lib/bot/hosting/app-rights.ts";
import type { Conversion } from "../../src/lib/bot/hosting/conversion.ts";

/** The whole flow over HTTP, the hub in GitHub's place and this test in the browser's. */

const ROOT = join(import.meta.dirname, "../..");
const ORGANISATION = "assay-office";
let hub: LocalHub;
let clock = Date.parse("2026-12-01T10:00:00Z");
beforeAll(async () => {
  hub = await startHub({
    now: () => clock,
    rates: false,
    users: [{ login: "mia" }],
    organizations: [{ login: ORGANISATION }, { login: "others" }],
    repositories: [],
    log: () => undefined,
  });
});
afterAll(() => hub.close());

let server: SetupServer | null = null;
let kept: Conversion[] = [];
afterEach(async () => {
  await server?.close();
  server = null;
  kept = [];
});

const open = async (organisation: string | null = ORGANISATION, keep = async () => null as string | null) => {
  server = await startSetupServer({
    webOrigin: hub.url,
    apiBase: `${hub.url}/api/v3`,
    organisation,
    name: "assay-office",
    homepage: "https://github.com/acme/assay",
    port: 0,
    keep: async (app) => {
      kept.push(app);
      return keep();
    },
  });
  return server;
};

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** A request with exactly these headers: a browser's own could not be forged. */
const ask = (
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: options.method ?? "GET", headers: options.headers ?? {} },
      (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += String(chunk);
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
      },
    );
    sent.on("error", reject);
    sent.end(options.body);
  });

const FORM = {
  name: "assay-office",
  homepage: "https://github.com/acme/assay",
  hosting: "actions",
  webhook: "",
};
const review = (url: string, answers: Record<string, string> = FORM, headers: Record<string, string> = {}) =>
  ask(`${url}review`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      origin: new URL(url).origin,
      ...headers,
    },
    body: new URLSearchParams(answers).toString(),
  });

const plain = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
const between = (text: string, pattern: RegExp): string => plain(pattern.exec(text)?.[1] ?? "");

/** What the browser does with the second page: posts the manifest to GitHub, and is sent back. */
async function confirm(page: string): Promise<URL> {
  const action = between(page, /<form method="post" action="([^"]+)"/);
  const manifest = between(page, /name="manifest" value="([^"]+)"/);
  const answer = await ask(action, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ manifest }).toString(),
  });
  expect([answer.status, answer.text]).toEqual([302, ""]);
  return new URL(String(answer.headers.location));
}

const manifestOf = (page: string) => JSON.parse(between(page, /name="manifest" value="([^"]+)"/));

describe("the flow", () => {
  it("makes an App of the organisation with exactly the permissions and events that are needed, and ends", async () => {
    const { url, result } = await open();
    const form = await ask(url);
    expect(form.status).toBe(200);
    expect(form.text).toContain("the organisation assay-office");
    const page = (await review(url)).text;
    for (const [id, level] of Object.entries(permissionLevels()))
      expect(manifestOf(page).default_permissions[id]).toBe(level);
    expect(manifestOf(page).default_events).toEqual(eventIds());
    expect(manifestOf(page).public).toBe(false);
    const back = await confirm(page);
    const done = await ask(back.href);
    expect(done.status).toBe(200);
    expect(await result).toMatchObject({ created: true, hosting: "actions" });
    expect(kept).toHaveLength(1);
    expect(kept[0]?.owner.login).toBe(ORGANISATION);
    expect(createPrivateKey(kept[0]?.pem ?? "").asymmetricKeyType).toBe("rsa");
    for (const secret of [kept[0]?.pem.split("\n")[1] ?? "-", back.searchParams.get("code") ?? "-"])
      expect(done.text).not.toContain(secret);
  });

  it("leaves the webhook off without a server, and asks a server's address", async () => {
    const { url } = await open();
    expect(manifestOf((await review(url)).text).hook_attributes).toEqual({
      url: FORM.homepage,
      active: false,
    });
    const server = { ...FORM, hosting: "server", webhook: "https://bot.example.org" };
    expect(manifestOf((await review(url, server)).text).hook_attributes).toEqual({
      url: "https://bot.example.org/api/github/webhooks",
      active: true,
    });
    for (const webhook of ["", "http://bot.example.org", "https://u:p@bot.example.org", "bot"])
      expect([webhook, (await review(url, { ...server, webhook })).status]).toEqual([webhook, 422]);
  });

  it("makes one of the person's own without an organisation", async () => {
    const { url, result } = await open(null);
    await ask((await confirm((await review(url)).text)).href);
    expect(await result).toMatchObject({ created: true, app: { owner: { login: "mia" } } });
  });

  it("says what is wrong with an answer, and shows nothing of it as markup", async () => {
    const { url } = await open();
    const page = await review(url, { ...FORM, name: '"><script>alert(1)</script>' });
    expect(page.status).toBe(422);
    expect(page.text).not.toContain("<script>");
    expect((await review(url, { ...FORM, homepage: "javascript:alert(1)" })).status).toBe(422);
  });
});

describe("what comes from elsewhere", () => {
  it("an answer with another state, or with none, does nothing, and does not spoil the right one", async () => {
    const { url } = await open();
    const back = await confirm((await review(url)).text);
    const code = back.searchParams.get("code") ?? "";
    for (const state of ["", "x".repeat(48), `${back.searchParams.get("state")}0`]) {
      const forged = `${back.origin}/created?${new URLSearchParams({ code, state })}`;
      expect((await ask(forged)).status).toBe(400);
    }
    expect((await ask(`${back.origin}/created?code=${code}`)).status).toBe(400);
    expect(kept).toHaveLength(0);
    expect((await ask(back.href)).status).toBe(200);
  });

  it("an answer before anything was asked does nothing", async () => {
    const { url } = await open();
    expect((await ask(`${new URL(url).origin}/created?code=abc&state=`)).status).toBe(400);
  });

  it("a replayed answer does nothing", async () => {
    const { url } = await open();
    const back = await confirm((await review(url)).text);
    expect((await ask(back.href)).status).toBe(200);
    expect((await ask(back.href)).status).toBe(400);
    expect(kept).toHaveLength(1);
  });

  it("the state of an older review does nothing", async () => {
    const { url } = await open();
    const back = await confirm((await review(url)).text);
    await review(url);
    expect((await ask(back.href)).status).toBe(400);
  });

  it("a code that GitHub did not give, has taken already, or gave too long ago is refused, and nothing is written", async () => {
    const { url } = await open();
    const use = async (code: string): Promise<number> => {
      const page = (await review(url)).text;
      const state = new URL(between(page, /action="([^"]+)"/)).searchParams.get("state") ?? "";
      return (await ask(`${new URL(url).origin}/created?${new URLSearchParams({ code, state })}`)).status;
    };
    expect(await use("0".repeat(40))).toBe(400);
    expect(await use("../user")).toBe(400);
    const taken = (await confirm((await review(url)).text)).searchParams.get("code") ?? "";
    await ask(`${hub.url}/api/v3/app-manifests/${taken}/conversions`, { method: "POST" });
    expect(await use(taken)).toBe(400);
    const late = (await confirm((await review(url)).text)).searchParams.get("code") ?? "";
    clock += 3_600_001;
    expect(await use(late)).toBe(400);
    expect(kept).toHaveLength(0);
  });

  it("a code of somebody else's App, or of an App with other rights, is not kept", async () => {
    const swapped = async (change: (manifest: Record<string, unknown>) => void, owner: string) => {
      const { url, result } = await open();
      const page = (await review(url)).text;
      const manifest = manifestOf(page);
      change(manifest);
      const answer = await ask(`${hub.url}/organizations/${owner}/settings/apps/new`, {
        method: "POST",
        body: new URLSearchParams({ manifest: JSON.stringify(manifest) }).toString(),
      });
      const code = new URL(String(answer.headers.location)).searchParams.get("code") ?? "";
      const state = new URL(between(page, /action="([^"]+)"/)).searchParams.get("state") ?? "";
      const { status } = await ask(`${new URL(url).origin}/created?${new URLSearchParams({ code, state })}`);
      const ended = await result;
      await server?.close();
      return { status, reason: ended.created ? "" : ended.reason };
    };
    expect(await swapped(() => undefined, "others")).toMatchObject({
      status: 400,
      reason: expect.stringContaining("belongs to others"),
    });
    const lesser = (manifest: Record<string, unknown>): void => {
      manifest.default_permissions = { contents: "read" };
    };
    expect(await swapped(lesser, ORGANISATION)).toMatchObject({
      reason: expect.stringContaining("it lacks"),
    });
    const greater = (manifest: Record<string, unknown>): void => {
      manifest.default_permissions = { ...permissionLevels(), administration: "write" };
    };
    expect(await swapped(greater, ORGANISATION)).toMatchObject({
      reason: expect.stringContaining("administration"),
    });
    expect(kept).toHaveLength(0);
  });

  it("a name that another site made point here (DNS rebinding) opens nothing, not even with the secret path", async () => {
    const { url } = await open();
    const { port } = new URL(url);
    for (const host of [`evil.example:${port}`, `localhost:${port}`, "127.0.0.1", `127.0.0.1:1${port}`])
      expect([host, (await ask(url, { headers: { host } })).status]).toEqual([host, 421]);
    const back = await confirm((await review(url)).text);
    expect((await ask(back.href, { headers: { host: `evil.example:${port}` } })).status).toBe(421);
    expect(kept).toHaveLength(0);
  });

  it("the form sent by another site's page (CSRF) is refused, and so is one of unknown origin", async () => {
    const { url } = await open();
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"])
      expect([origin, (await review(url, FORM, { origin })).status]).toEqual([origin, 403]);
    const { port } = new URL(url);
    expect((await review(url, FORM, { origin: `http://localhost:${port}` })).status).toBe(403);
    const bare = await ask(`${url}review`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(FORM).toString(),
    });
    expect(bare.status).toBe(403);
    const guessed = await review(`${new URL(url).origin}/${"0".repeat(48)}/`);
    expect(guessed.status).toBe(404);
  });

  it("whoever does not know the secret path sees nothing", async () => {
    const { origin } = new URL((await open()).url);
    for (const path of ["/", "/review", "/index.html", "/..%2f", "//", "//evil.example/"])
      expect([path, (await ask(`${origin}${path}`)).status]).toEqual([path, 404]);
  });

  it("a body that is too long, or is no form, is refused", async () => {
    const { url } = await open();
    expect((await review(url, { ...FORM, name: "x".repeat(20_000) })).status).toBe(413);
    expect((await review(url, FORM, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("no page runs a script, is framed, kept, or tells its address", async () => {
    const { url } = await open();
    for (const answer of [await ask(url), await review(url), await ask(`${url}none`)]) {
      expect(answer.headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' \S+; frame-ancestors 'none'; base-uri 'none'$/,
      );
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers["x-frame-options"]).toBe("DENY");
      expect(answer.headers["referrer-policy"]).toBe("strict-origin");
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("says when the key could not be kept, and that the App is there", async () => {
    const { url, result } = await open(ORGANISATION, async () => "The disk is full.");
    expect((await ask((await confirm((await review(url)).text)).href)).status).toBe(500);
    expect(await result).toMatchObject({
      created: false,
      reason: expect.stringContaining("The disk is full."),
    });
  });

  it("a GitHub that does not answer can be asked again with the same answer", async () => {
    const { url } = await open();
    const back = await confirm((await review(url)).text);
    const off = hub.faults.onRequest({
      where: ({ path }) => path.endsWith("/conversions"),
      times: 1,
      fault: { kind: "bad-gateway", when: "before" },
    });
    expect((await ask(back.href)).status).toBe(502);
    off();
    expect((await ask(back.href)).status).toBe(200);
  });
});

it("an App without events is kept: a host may leave them out where the webhook is off", async () => {
  const { url, result } = await open();
  const page = (await review(url)).text;
  const manifest = { ...manifestOf(page), default_events: [] };
  const answer = await ask(between(page, /action="([^"]+)"/), {
    method: "POST",
    body: new URLSearchParams({ manifest: JSON.stringify(manifest) }).toString(),
  });
  await ask(String(answer.headers.location));
  expect(await result).toMatchObject({ created: true });
});

describe("in a browser", () => {
  it("works by keyboard and without scripts, tells its style, and sends nothing but its forms", async (ctx) => {
    const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
      existsSync,
    );
    if (executable === undefined) {
      if (process.env.CI) expect.fail("a browser belongs to the CI image");
      ctx.skip("there is no Chromium here");
      return;
    }
    const { url, result } = await open();
    const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      const asked: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await page.goto(url);
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('main').parentElement).maxWidth"),
      ).not.toBe("none");
      await page.getByLabel("on a server of yours").check();
      await page.getByLabel("For a server").fill("https://bot.example.org");
      await page.keyboard.press("Enter");
      await page.getByText("Webhooks go to").waitFor();
      expect(await page.getByRole("row").count()).toBeGreaterThan(8);
      await page.getByRole("button").click();
      await page.getByText("is there").first().waitFor();
      expect(await result).toMatchObject({ created: true, hosting: "server" });
      const room = new URL(url).pathname;
      expect(asked).toEqual([
        `GET ${room}`,
        `POST ${room}review`,
        "POST /organizations/assay-office/settings/apps/new",
        "GET /created",
      ]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  }, 60_000);
});

describe("npm run bot -- setup", () => {
  const start = (root: string, ...words: string[]) => {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", join(ROOT, "bot/main.ts"), "setup", "--root", root, ...words],
      {
        cwd: ROOT,
        env: { PATH: process.env.PATH ?? "", GHE_HOST: new URL(hub.url).host, GHE_PROTOCOL: "http" },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const seen = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      seen.out += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      seen.err += String(chunk);
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const url = async (): Promise<string> => {
      for (let tries = 0; tries < 400 && !seen.out.includes("\n"); tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return /http:\S+/.exec(seen.out)?.[0] ?? "";
    };
    return { child, seen, ended, url };
  };
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "assay-setup-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("keeps the key in .env for its owner alone, writes rulesets for this App, prints no secret, and ends by itself", async () => {
    const run = start(folder, "--org", ORGANISATION);
    try {
      const url = await run.url();
      const back = await confirm(
        (await review(url, { ...FORM, hosting: "server", webhook: "https://b.example" })).text,
      );
      const page = await ask(back.href);
      expect(await run.ended).toBe(0);
      const file = join(folder, ".env");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const text = readFileSync(file, "utf8");
      const [, id] = /^APP_ID=(\d+)$/m.exec(text) ?? [];
      const [, secret = "-"] = /^WEBHOOK_SECRET='(\w+)'$/m.exec(text) ?? [];
      const [, key = "-"] = /^PRIVATE_KEY='(.+)'$/m.exec(text) ?? [];
      expect(createPrivateKey(key.replaceAll("\\n", "\n")).asymmetricKeyType).toBe("rsa");
      expect(readdirSync(join(folder, "rulesets")).sort()).toEqual([
        "app-branches.json",
        "default-branch.json",
        "history.json",
      ]);
      const ruleset = JSON.parse(readFileSync(join(folder, "rulesets/default-branch.json"), "utf8"));
      expect(ruleset.bypass_actors).toEqual([
        { actor_id: Number(id), actor_type: "Integration", bypass_mode: "always" },
      ]);
      for (const said of [run.seen.out, run.seen.err, page.text])
        for (const hidden of [secret, key, key.split("\\n")[1] ?? "-", back.searchParams.get("code") ?? "-"])
          expect(said).not.toContain(hidden);
      expect(run.seen.out).toContain("Install it on the repository");
      expect(run.seen.out).toContain("npm run bot -- check");
    } finally {
      run.child.kill();
    }
  }, 60_000);

  it("never overwrites an .env, and says so before an App is made", async () => {
    const before = readFileSync(join(folder, ".env"), "utf8");
    const run = start(folder);
    expect(await run.ended).toBe(1);
    expect(run.seen.err).toContain("hosting-env-exists");
    expect(run.seen.out).toBe("");
    expect(readFileSync(join(folder, ".env"), "utf8")).toBe(before);
  }, 60_000);

  it("does not follow a link in .env's place that appears meanwhile", async () => {
    const other = mkdtempSync(join(tmpdir(), "assay-setup-"));
    const run = start(other);
    try {
      const back = await confirm((await review(await run.url())).text);
      writeFileSync(join(other, "victim"), "mine");
      symlinkSync(join(other, "victim"), join(other, ".env"));
      expect((await ask(back.href)).status).toBe(500);
      expect(await run.ended).toBe(1);
      expect(readFileSync(join(other, "victim"), "utf8")).toBe("mine");
      expect(run.seen.err).toContain("hosting-setup-failed");
    } finally {
      run.child.kill();
      rmSync(other, { recursive: true, force: true });
    }
  }, 60_000);

  it("refuses where git would pick the file up", async () => {
    const clone = mkdtempSync(join(tmpdir(), "assay-setup-"));
    const init = spawn("git", ["init", "--quiet", clone], { stdio: "ignore" });
    await new Promise((resolve) => init.on("close", resolve));
    const run = start(clone);
    expect(await run.ended).toBe(1);
    expect(run.seen.err).toContain("hosting-env-not-ignored");
    rmSync(clone, { recursive: true, force: true });
  }, 60_000);
});
