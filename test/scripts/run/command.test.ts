import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseResult, resultPath } from "../../../src/lib/benchmarks/result.ts";
import { memberFile } from "../../../src/lib/benchmarks/suite.ts";
import { filesBelow, onlyResult, run, startRun } from "./command.ts";
import { complete, type Provider, send, startProvider, taskOf } from "./provider.ts";
import { makeSuiteRoot, referenceRecipe, type SuiteRoot } from "./suite-root.ts";

let root: SuiteRoot;
let provider: Provider;
let recipes: Map<string, string>;

beforeAll(async () => {
  root = await makeSuiteRoot([
    { id: "one", like: "r1-region-by-year" },
    { id: "two", like: "r8-two-tables" },
    { id: "bank", like: "rb1-schools-staff-pivot" },
  ]);
  recipes = new Map();
  for (const { id, task } of root.suite.members) recipes.set(task, await referenceRecipe(root.folder, id));
  provider = await startProvider((request) =>
    complete(request, { content: recipes.get(taskOf(request)) ?? "{}", cost: 0.001 }),
  );
});
beforeEach(() => rm(join(root.folder, "benchmarks/.runs"), { recursive: true, force: true }));
afterAll(async () => {
  await provider.close();
  await root.remove();
});

const withBaseline = (): string[] => [
  "--suite",
  "tiny",
  "--model",
  "baseline/heuristic",
  "--root",
  root.folder,
];
const withProvider = (): string[] => [
  ...["--suite", "tiny", "--model", "test/model", "--root", root.folder],
  ...["--base-url", provider.url],
];

describe("bench:run where CI is set", () => {
  it.each(["true", "1", "false", "0", " "])("refuses with CI=%j, whatever is asked", async (ci) => {
    const before = provider.requests.length;
    const ended = await run(withProvider(), { env: { CI: ci, OPENAI_API_KEY: "key" } });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("run-refused-in-ci");
    expect(ended.stdout).toBe("");
    expect(provider.requests.length).toBe(before);
    expect(await filesBelow(join(root.folder, "benchmarks/.runs"))).toEqual(new Map());
  });

  it("has no way around: not --help, not --fresh, not an option that does not exist", async () => {
    for (const args of [["--help"], [...withBaseline(), "--fresh"], ["--force"], ["--allow-ci"]]) {
      const ended = await run(args, { env: { CI: "true" } });
      expect(ended).toMatchObject({ code: 1, stdout: "" });
      expect(ended.stderr).toContain("run-refused-in-ci");
    }
  });

  it("refuses through npm too", async () => {
    const ended = await run(withBaseline(), { npm: true, env: { CI: "true" } });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("run-refused-in-ci");
  });

  it("takes an empty CI for none, as shells leave it", async () => {
    expect((await run(withBaseline(), { env: { CI: "" } })).code).toBe(0);
  });
});

describe("bench:run", () => {
  it("runs the baseline offline through npm, and prints where everything is", async () => {
    const out = join(root.folder, "copy.json");
    const ended = await run([...withBaseline(), "--out", out], { npm: true });
    expect(ended.code, ended.stderr).toBe(0);
    const { path, text } = await onlyResult(root.folder);
    const parsed = parseResult(text, null);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
    const document = parsed.value;
    expect(await readFile(out, "utf8")).toBe(text);
    expect(ended.stdout).toContain(path);
    expect(ended.stdout).toContain(resultPath(document));
    expect(ended.stdout).toContain("npm run bench:validate --");
    expect(ended.stdout).toContain("npm run rehearse --");
    expect(ended.stdout).toContain(`composite ${document.composite.toFixed(6)} (provisional-1)`);
    expect(document).toMatchObject({
      suite: { id: "tiny", digest: root.suite.digest },
      model: {
        id: "baseline/heuristic",
        parameters: { temperature: 0, max_tokens: 16_384, response_format: "json_schema" },
      },
      prompt: { mode: "auto-1", measured: { tokenizer: "o200k_base", prompts: 2 } },
      caps: { calls: 9, attempts_per_member: 3 },
      pacing: { min_interval_ms: 0 },
      runner: {
        name: "assay bench:run",
        invocation: "npm run bench:run -- --suite tiny --model baseline/heuristic",
      },
      model_output_deterministic: false,
      totals: { members: 3, passed: 1, partial: 1, skipped: 1, calls: 2 },
      cost: { total_usd: 0, complete: true },
    });
    expect(document.members.map(({ status }) => status)).toEqual(["passed", "partial", "skipped"]);
    expect(document.members[2]).toMatchObject({
      reason: { fault: "infrastructure", code: "workbook-not-staged" },
    });
    expect(ended.stderr).toContain("bank: skipped");
    // Nothing is written but the run's own folder and the copy that was asked for.
    const written = [...(await filesBelow(root.folder)).keys()].filter((each) => !each.includes("/.runs/"));
    expect(written.filter((each) => !/\/benchmarks\/(suites|members|vocabulary)\//.test(each))).toEqual([
      out,
    ]);
    expect(text).not.toContain(root.folder);
  });

  it("commits nothing and leaves nothing behind but its journal and its document", async () => {
    await run(withBaseline());
    const names = [...(await filesBelow(join(root.folder, "benchmarks/.runs"))).keys()].map((path) =>
      path.split("/").at(-1),
    );
    expect(names.sort()).toEqual(["journal.jsonl", "result.json"]);
  });

  it("gives the same bytes again, apart from times", async () => {
    await run(withBaseline());
    const first = (await onlyResult(root.folder)).text;
    await rm(join(root.folder, "benchmarks/.runs"), { recursive: true });
    await run(withBaseline());
    const second = (await onlyResult(root.folder)).text;
    const timeless = (text: string): string =>
      text.replaceAll(/"\d{4}-\d\d-\d\dT[0-9:.]+Z"/g, '""').replaceAll(/"duration_ms":\d+/g, "");
    expect(timeless(second)).toBe(timeless(first));
  });

  it("sends what it says it sends, and cost is asked for where it is known to be reported only", async () => {
    const before = provider.requests.length;
    const ended = await run([...withProvider(), "--temperature", "0.5", "--max-tokens", "999"]);
    expect(ended.code, ended.stderr).toBe(0);
    const sent = provider.requests.slice(before);
    expect(sent).toHaveLength(2);
    expect(sent[0]?.path).toBe("/v1/chat/completions");
    expect(Object.keys(sent[0]?.body ?? {}).sort()).toEqual(
      ["max_tokens", "messages", "model", "response_format", "temperature"].sort(),
    );
    expect(sent[0]?.body).toMatchObject({ model: "test/model", temperature: 0.5, max_tokens: 999 });
    expect(sent[0]?.body.response_format).toMatchObject({
      type: "json_schema",
      json_schema: { name: "recipe" },
    });
    expect(JSON.parse((await onlyResult(root.folder)).text)).toMatchObject({
      model: { parameters: { temperature: 0.5, max_tokens: 999 } },
      cost: { total_usd: 0.002, complete: true },
    });
  });

  it("leaves unsent parameters out, and puts the schema into the prompt when no format is sent", async () => {
    const before = provider.requests.length;
    await run([
      ...withProvider(),
      "--temperature",
      "none",
      "--max-tokens",
      "none",
      "--response-format",
      "none",
    ]);
    const [sent] = provider.requests.slice(before);
    expect(Object.keys(sent?.body ?? {}).sort()).toEqual(["messages", "model"]);
    expect(sent?.body.messages[0]?.content).toContain("JSON Schema of a recipe:");
    expect(JSON.parse((await onlyResult(root.folder)).text)).toMatchObject({
      model: { parameters: { temperature: null, max_tokens: null, response_format: "none" } },
    });
  });

  it("ends at the call cap: what was not reached is skipped, what was begun is failed", async () => {
    const ended = await run([...withProvider(), "--max-calls", "1"]);
    expect(ended.code, ended.stderr).toBe(0);
    const document = JSON.parse((await onlyResult(root.folder)).text);
    expect(document.totals).toMatchObject({ passed: 1, skipped: 2, calls: 1 });
    expect(document.members[1].reason).toMatchObject({ fault: "infrastructure", code: "call-cap" });
  });

  it("goes on when nobody reads along any more", async () => {
    const running = startRun(withBaseline());
    running.child.stdout?.destroy();
    running.child.stderr?.destroy();
    const ended = await running.ended;
    expect(ended.code).toBe(0);
    expect((await onlyResult(root.folder)).text).toContain('"totals"');
  });

  it("keeps the pace it is given", async () => {
    const times: number[] = [];
    const slow = await startProvider((request) => {
      times.push(performance.now());
      complete(request, { content: recipes.get(taskOf(request)) ?? "{}" });
    });
    const args = [...withProvider().slice(0, -1), slow.url, "--min-interval-ms", "1500"];
    const ended = await run(args);
    await slow.close();
    expect(ended.code, ended.stderr).toBe(0);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1100);
  });

  it.each([
    [["--suite", "tiny", "--model", "nonsense"], "--model: expected <provider>/<model>."],
    [["--suite", "../../etc", "--model", "a/b"], "--suite: expected a suite's id."],
    [["--suite", "tiny", "--model", "a/b", "--base-url", "https://u:secret@h/v1"], "holds no user, password"],
    [["--suite", "tiny", "--model", "a/b", "--base-url", "nonsense"], "--base-url: this is no URL."],
    [["--suite", "tiny", "--model", "a/b", "--base-url", "https://h/v1\n"], "--base-url: this is no URL."],
    [["--suite", "tiny", "--model", "baseline/heuristic", "--max-attempts", "4"], "from 1 to 3"],
    [["--suite", "tiny", "--model", "baseline/heuristic", "--max-calls", "1e3"], "--max-calls"],
    [["--suite", "tiny", "--model", "baseline/heuristic", "--timeout-s", "300"], "from 0.1 to 290"],
    [["--suite", "tiny", "--model", "baseline/heuristic", "--prompt-mode", "all"], "--prompt-mode"],
    [["--frobnicate"], "unknown option '--frobnicate'"],
  ])("explains %j", async (args, words) => {
    const ended = await run([...args, ...(args.length > 1 ? ["--root", root.folder] : [])]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(words);
    expect(ended.stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
    expect(ended.stderr).not.toContain("secret");
  });

  it.each([
    [["--suite", "nowhere", "--model", "baseline/heuristic"], "suite-unknown"],
    [["--suite", "tiny", "--model", "a/b"], "run-key-missing"],
  ])("refuses %j, which is no wrong option, with 1", async (args, words) => {
    const ended = await run([...args, "--root", root.folder]);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain(words);
  });

  it("sends a key over plain HTTP to this machine only", async () => {
    const args = [...withBaseline().slice(0, 2), "--model", "a/b", "--base-url", "http://example.test/v1"];
    const ended = await run([...args, "--root", root.folder], { env: { OPENAI_API_KEY: "sk-1" } });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("run-address-insecure");
  });

  it.each([
    ["workbook.xlsx", "suite-workbook-digest"],
    ["reference.csv", "suite-reference-digest"],
    ["recipe.json", "suite-recipe-digest"],
  ])("verifies every digest before the first call: %s", async (file, code) => {
    const path = join(root.folder, memberFile("two", file as "recipe.json"));
    const bytes = await readFile(path);
    await writeFile(path, Buffer.concat([bytes, Buffer.from(" ")]));
    const before = provider.requests.length;
    const ended = await run(withProvider());
    await writeFile(path, bytes);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(code);
    expect(provider.requests.length).toBe(before);
  });
});

describe("a refused account", () => {
  it.each([
    [401, "run-key-refused", "Set a valid key"],
    [402, "run-credit-exhausted", "Add credit"],
  ])("%s stops the run cleanly, and the next start goes on", async (status, code, advice) => {
    let refuse = true;
    const strict = await startProvider((request) => {
      if (request.number === 2 || (refuse && request.number > 1))
        send(request, status, "application/json", '{"error":{"message":"no"}}');
      else complete(request, { content: recipes.get(taskOf(request)) ?? "{}", cost: 0.001 });
    });
    const args = [...withProvider().slice(0, -1), strict.url];
    const first = await run(args);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain(code);
    expect(first.stderr).toContain(advice);
    expect(strict.requests).toHaveLength(2);
    refuse = false;
    const second = await run(args);
    await strict.close();
    expect(second.code, second.stderr).toBe(0);
    expect(strict.requests.map(taskOf)).toEqual([0, 1, 1].map((at) => root.suite.members[at]?.task));
    const document = JSON.parse((await onlyResult(root.folder)).text);
    expect(document.members.map((member: { status: string }) => member.status)).toEqual([
      "passed",
      "passed",
      "skipped",
    ]);
    expect(document.totals.calls).toBe(3);
    expect(document.cost).toEqual({ total_usd: 0.002, complete: false });
  });
});

describe("prompt modes", () => {
  it.each(["listing-1", "digest-1", "auto"])("%s is recorded, and is a run of its own", async (mode) => {
    const before = provider.requests.length;
    const ended = await run([...withProvider(), "--prompt-mode", mode]);
    expect(ended.code, ended.stderr).toBe(0);
    const document = JSON.parse((await onlyResult(root.folder)).text);
    expect(document.prompt.mode).toBe(mode === "auto" ? "auto-1" : mode);
    const system = provider.requests[before]?.body.messages[0]?.content;
    expect(system?.includes("given as a digest")).toBe(mode === "digest-1");
    // The provider's own count stays beside the measured one.
    expect(document.totals.prompt_tokens).toBe(200);
    expect(document.prompt.measured.total_tokens).toBeGreaterThan(2000);
    expect(ended.stdout).toContain("(o200k_base)");
  });

  it("--measure prints what prompts take, and asks nobody", async () => {
    const before = provider.requests.length;
    const ended = await run(["--suite", "tiny", "--root", root.folder, "--measure"]);
    expect(ended.code, ended.stderr).toBe(0);
    const lines = ended.stdout.trimEnd().split("\n");
    expect(lines[1]).toMatch(/^member +listing-1 +digest-1 +auto-1 +auto-1 sends$/);
    expect(lines[2]).toMatch(/^one +\d{4,} +\d{4,} +\d{4,} +listing-1$/);
    expect(lines[4]).toMatch(/^bank +- +- +- +The bank workbook .* is not staged here/);
    expect(provider.requests.length).toBe(before);
    expect(await filesBelow(join(root.folder, "benchmarks/.runs"))).toEqual(new Map());
  });
});

describe("the key", () => {
  it("goes into the Authorization header and appears nowhere else", async () => {
    const key = "sk-canary-7d1f0c2e9b5a4836";
    const mean = await startProvider((request) => {
      const { authorization } = request.headers;
      if (request.number === 1)
        complete(request, { content: `Your key is ${authorization}`, finish: `${authorization}` });
      else if (request.number === 2) complete(request, { content: `{"key": "${key}"}` });
      else
        send(
          request,
          500,
          "application/json",
          JSON.stringify({ error: { message: `bad key ${key}` }, id: key }),
        );
    });
    const args = [...withProvider().slice(0, -1), mean.url];
    const environment = {
      OPENAI_API_KEY: key,
      OPENAI_LOG: "debug",
      OPENAI_ORG_ID: "org-canary",
      OPENAI_CUSTOM_HEADERS: "Authorization: Bearer other\nX-Canary: 1",
      DEBUG: "*",
    };
    const ended = await run(args, { env: environment });
    const [sent] = mean.requests;
    expect(sent?.headers.authorization).toBe(`Bearer ${key}`);
    expect(JSON.stringify(sent?.body)).not.toContain(key);
    expect(sent?.headers["openai-organization"]).toBeUndefined();
    expect(sent?.headers["x-canary"]).toBeUndefined();
    await mean.close();
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(key);
    const files = await filesBelow(join(root.folder, "benchmarks/.runs"));
    expect(files.size).toBeGreaterThan(1);
    for (const [path, text] of files) expect(text, path).not.toContain(key);
  });
});
