import { spawn } from "node:child_process";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** Where the bot is started: without an `.env` of whoever runs the tests. */
const folder = mkdtempSync(join(tmpdir(), "assay-main-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

const startMain = (env: Record<string, string>, ...words: string[]) =>
  spawn(
    process.execPath,
    ["--import", join(ROOT, "node_modules/tsx/dist/loader.mjs"), join(ROOT, "bot/main.ts"), ...words],
    {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );

it("the bot starts from its environment alone, takes webhooks, and stops when it is told to", async () => {
  const child = startMain({
    APP_ID: "4001",
    PRIVATE_KEY: privateKey.replaceAll("\n", "\\n"),
    WEBHOOK_SECRET: "s3cret",
    GITHUB_API_URL: "http://127.0.0.1:9",
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "fatal",
  });
  try {
    let output = "";
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes("\n")) break;
    }
    const url = /at (http:\S+)/.exec(output)?.[1] ?? "";
    const body = '{"zen":"x"}';
    const signature = `sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`;
    const send = (headers: Record<string, string>) =>
      fetch(url, {
        method: "POST",
        body,
        headers: { "x-github-event": "ping", "x-github-delivery": "1", ...headers },
      });
    expect((await send({ "x-hub-signature-256": signature })).status).toBe(202);
    expect((await send({})).status).toBe(401);
  } finally {
    child.kill("SIGTERM");
  }
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});

it("--help says what there is, needs no settings and ends with 0; another word ends with 2", async () => {
  for (const [word, code] of [
    ["--help", 0],
    ["chekc", 2],
  ] as const) {
    const child = startMain({}, word);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
    expect((await once(child, "close"))[0]).toBe(code);
    expect(said).toContain("npm run bot -- setup");
    expect(said).toContain("npm run bot -- check");
  }
});

it("the bot says which setting is missing", async () => {
  const child = startMain({ APP_ID: "4001" });
  let errors = "";
  for await (const chunk of child.stderr) errors += String(chunk);
  expect(errors).toBe("PRIVATE_KEY is not set; docs/operations.md lists what the bot needs.\n");
});

const errorsOf = async (child: ReturnType<typeof startMain>): Promise<string> => {
  let errors = "";
  for await (const chunk of child.stderr) errors += String(chunk);
  return errors;
};

it("takes from .env what the environment does not say, and the environment wins", async () => {
  writeFileSync(join(folder, ".env"), "APP_ID=1\nPRIVATE_KEY='no key'\n");
  expect(await errorsOf(startMain({}))).toBe(
    "WEBHOOK_SECRET is not set; docs/operations.md lists what the bot needs.\n",
  );
  expect(await errorsOf(startMain({ PRIVATE_KEY: "" }))).toBe(
    "PRIVATE_KEY is not set; docs/operations.md lists what the bot needs.\n",
  );
  rmSync(join(folder, ".env"));
});

it("knows no other word than its own", async () => {
  expect(await errorsOf(startMain({}, "stop"))).toContain('There is no "stop"');
});
