import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment } from "./command.ts";
import { REPOSITORY } from "./suite-root.ts";

let child: ChildProcess;
let url: string;

beforeAll(async () => {
  child = spawn(
    process.execPath,
    ["--import", "tsx", "scripts/benchmarks/baseline-server.ts", "--port", "0"],
    {
      cwd: REPOSITORY,
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  url = await new Promise<string>((resolve) => {
    child.stdout?.on("data", (chunk) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(String(chunk));
      if (found !== null) resolve(found[0]);
    });
  });
});
afterAll(() => {
  child.kill("SIGKILL");
});

const listing =
  'Task: Sheet \'T\'. Outputs in this order: a, n.\n\nSheet "T": used R1C1:R2C2\nR1 C1="x"; C2=1\nR2 C1="y"; C2=2\n';
const ask = (body: unknown): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("the baseline server, run by itself", () => {
  it("answers a chat completion: same request, same bytes; usage by its rule; cost 0", async () => {
    const body = {
      model: "baseline/heuristic",
      messages: [{ role: "user", content: listing }],
      temperature: 0,
    };
    const first = await (await ask(body)).text();
    expect(await (await ask(body)).text()).toBe(first);
    const completion = JSON.parse(first);
    const { content } = completion.choices[0].message;
    expect(JSON.parse(content)).toMatchObject({ version: 1, tables: [{ sheet: "T" }] });
    expect(completion.choices[0].finish_reason).toBe("stop");
    expect(completion.usage).toEqual({
      prompt_tokens: Math.ceil(listing.length / 4),
      completion_tokens: Math.ceil(content.length / 4),
      total_tokens: Math.ceil(listing.length / 4) + Math.ceil(content.length / 4),
      cost: 0,
    });
  });

  it("stops at max_tokens, as a model would", async () => {
    const response = await ask({
      model: "baseline/heuristic",
      max_tokens: 3,
      messages: [{ role: "user", content: listing }],
    });
    expect(await response.json()).toMatchObject({
      choices: [{ finish_reason: "length", message: { content: '{"tables":[{' } }],
      usage: { completion_tokens: 3 },
    });
  });

  it.each([
    ["no JSON", "nonsense", 400],
    ["no messages", { model: "baseline/heuristic", messages: [] }, 400],
    ["another model", { model: "a/b", messages: [{ role: "user", content: "x" }] }, 404],
  ])("explains %s", async (_, body, status) => {
    const response = await ask(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: status } });
  });

  it("lists its model, knows no other path, and stops when it is told to", async () => {
    expect(await (await fetch(`${url}/models`)).json()).toMatchObject({
      data: [{ id: "baseline/heuristic" }],
    });
    expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});
