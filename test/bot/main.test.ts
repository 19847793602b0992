import { spawn } from "node:child_process";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { expect, it } from "vitest";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

const startMain = (env: Record<string, string>) =>
  spawn(process.execPath, ["--import", "tsx", "bot/main.ts"], {
    cwd: new URL("../..", import.meta.url),
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

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

it("the bot says which setting is missing", async () => {
  const child = startMain({ APP_ID: "4001" });
  let errors = "";
  for await (const chunk of child.stderr) errors += String(chunk);
  expect(errors).toBe("PRIVATE_KEY is not set; docs/operations.md lists what the bot needs.\n");
});
