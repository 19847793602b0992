import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseResult } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { onlyResult, run } from "./command.ts";
import { send, startProvider, taskOf } from "./provider.ts";
import { makeSuiteRoot, referenceRecipe, type SuiteRoot } from "./suite-root.ts";

/** What providers report, and what they leave out: kept per attempt, and never filled in. */

const FULL = {
  prompt_tokens: 1000,
  completion_tokens: 200,
  prompt_tokens_details: { cached_tokens: 600 },
  completion_tokens_details: { reasoning_tokens: 150 },
  cost: 0.25,
};

let root: SuiteRoot;
beforeAll(async () => {
  root = await makeSuiteRoot(
    ["one", "two", "three"].map((id) => ({ id, like: "r1-region-by-year", task: `Sheet 'Table 1': ${id}.` })),
  );
});
beforeEach(() => rm(join(root.folder, "benchmarks/.runs"), { recursive: true, force: true }));
afterAll(() => root.remove());

/** A run whose members one, two and three report these usages, each in one answered call. */
async function runReporting(
  ...usages: readonly unknown[]
): Promise<{ document: ResultDocument; out: string }> {
  const recipe = await referenceRecipe(root.folder, "one");
  const provider = await startProvider((request) => {
    const at = root.suite.members.findIndex(({ task }) => task === taskOf(request));
    const usage = usages[at];
    const message = { role: "assistant", content: recipe };
    send(
      request,
      200,
      "application/json",
      JSON.stringify({
        id: `gen-${at}`,
        choices: [{ index: 0, finish_reason: "stop", message }],
        ...(usage === undefined ? {} : { usage }),
      }),
    );
  });
  const ended = await run([
    ...["--suite", "tiny", "--model", "test/model", "--root", root.folder],
    ...["--base-url", provider.url],
  ]);
  await provider.close();
  expect(ended.code, ended.stderr).toBe(0);
  const parsed = parseResult((await onlyResult(root.folder)).text, null);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return { document: parsed.value, out: ended.stdout };
}

describe("usage and cost", () => {
  it("are complete when every call reports them", async () => {
    const { document, out } = await runReporting(FULL, FULL, { ...FULL, cost: 0 });
    expect(document.cost).toEqual({ total_usd: 0.5, complete: true });
    expect(document.totals).toMatchObject({ prompt_tokens: 3000, completion_tokens: 600 });
    expect(document.members[0]?.attempts[0]).toMatchObject({
      usage: {
        prompt_tokens: 1000,
        completion_tokens: 200,
        cached_prompt_tokens: 600,
        reasoning_tokens: 150,
      },
      cost_usd: 0.25,
      generation_id: "gen-0",
      finish_reason: "stop",
    });
    expect(out).toContain("$0.5000");
    expect(out).not.toContain("not of every call");
  });

  it("are marked incomplete when one call reports no cost", async () => {
    const { cost: _cost, ...unpriced } = FULL;
    const { document, out } = await runReporting(FULL, unpriced, FULL);
    expect(document.cost).toEqual({ total_usd: 0.5, complete: false });
    expect(document.members.map(({ attempts }) => attempts[0]?.cost_usd)).toEqual([0.25, null, 0.25]);
    expect(document.totals).toMatchObject({ prompt_tokens: 3000 });
    expect(out).toContain("$0.5000 reported, not of every call");
  });

  it("are unknown, not zero, when no call reports them", async () => {
    const { document, out } = await runReporting();
    expect(document.cost).toEqual({ total_usd: null, complete: false });
    expect(document.totals).toMatchObject({ prompt_tokens: null, completion_tokens: null, calls: 3 });
    expect(document.members.every(({ attempts }) => attempts[0]?.usage === null)).toBe(true);
    expect(out).toContain("unknown prompt tokens, unknown completion tokens · cost not reported");
  });

  it.each([
    ["a price as text", { ...FULL, cost: "0.25" }],
    ["a price below zero", { ...FULL, cost: -1 }],
    ["a price that is no number", { ...FULL, cost: null }],
  ])("take %s for none", async (_, usage) => {
    const { document } = await runReporting(FULL, usage, FULL);
    expect(document.cost).toEqual({ total_usd: 0.5, complete: false });
    expect(document.members[1]?.attempts[0]).toMatchObject({
      cost_usd: null,
      usage: { prompt_tokens: 1000 },
    });
  });

  it.each([
    ["tokens as text", { ...FULL, prompt_tokens: "1000" }],
    ["half a token", { ...FULL, completion_tokens: 0.5 }],
    ["a list", []],
  ])("take %s for none, without inventing totals", async (_, usage) => {
    const { document } = await runReporting(FULL, usage, FULL);
    expect(document.members[1]?.attempts[0]?.usage).toBeNull();
    expect(document.totals.prompt_tokens === null || document.totals.prompt_tokens === 2000).toBe(true);
  });
});
