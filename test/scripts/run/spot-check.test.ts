import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { spotCheckSchema } from "../../../src/lib/run/spot-check.ts";
import { run } from "./command.ts";
import { completionBody, send, startProvider } from "./provider.ts";
import { REPOSITORY } from "./suite-root.ts";

const RESULT = "rehearsal/fixtures/honest-result.json";
const KEY = "k-spot-check-canary";
const check = (...words: string[]) =>
  run(["--spot-check", RESULT, ...words], { env: { OPENAI_API_KEY: KEY } });

describe("bench:run --spot-check", () => {
  it("asks the same members for the same seed, and finds a deterministic contestant agreeing", async () => {
    const before = await readFile(join(REPOSITORY, RESULT));
    const first = await check("--seed", "a-seed", "--sample", "3", "--json");
    const again = await check("--seed", "a-seed", "--sample", "3", "--json");
    expect(first.code, first.stderr).toBe(0);
    const [one, two] = [first, again].map(({ stdout }) => spotCheckSchema.parse(JSON.parse(stdout)));
    expect(one?.members).toHaveLength(3);
    expect(two?.members.map(({ id }) => id)).toEqual(one?.members.map(({ id }) => id));
    expect(
      one?.members.every(({ agreement, same_first_response }) => agreement === "same" && same_first_response),
    ).toBe(true);
    expect(one?.totals).toMatchObject({ asked: 3, same: 3, differs: 0, unknown: 0, calls: 3 });
    expect(await readFile(join(REPOSITORY, RESULT))).toEqual(before);
  });

  it("says per member what another answer changes, counts calls, and never shows the key", async () => {
    const provider = await startProvider((request) =>
      send(request, 200, "application/json", completionBody(request, { content: "no recipe at all" })),
    );
    try {
      // The document names the baseline; whoever checks decides which address stands for it.
      const ended = await check("--seed", "a-seed", "--sample", "2", "--json", "--base-url", provider.url);
      expect(ended.stdout, ended.stderr).not.toBe("");
      const found = spotCheckSchema.parse(JSON.parse(ended.stdout));
      expect(found.members.map(({ agreement }) => agreement)).toEqual(["differs", "differs"]);
      expect(
        found.members.every(
          ({ asked, metric_deltas }) =>
            asked?.status === "failed" && (metric_deltas?.deterministic_pass_rate ?? 0) === -1,
        ),
      ).toBe(true);
      expect(found.totals.calls).toBe(provider.requests.length);
      expect(ended.stdout + ended.stderr).not.toContain(KEY);
    } finally {
      await provider.close();
    }
  });

  it("prints a table for people: seed, members, what differs, calls and cost", async () => {
    const ended = await check("--seed", "a-seed", "--sample", "2");
    expect(ended.code, ended.stderr).toBe(0);
    const lines = ended.stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(
      /^baseline\/heuristic on rehearsal-1: 2 of \d+ members asked again \(seed a-seed\)$/,
    );
    expect(ended.stdout).toMatch(/^member +agreement +status +table +answer /m);
    expect(ended.stdout).toContain("2 the same, 0 different, 0 without an answer; 2 calls, $0.00");
    expect(lines.at(-1)).toContain("Model output is not deterministic");
  });

  it("chooses a seed that nobody knew before, and prints it", async () => {
    const seeds = await Promise.all(
      [1, 2].map(
        async () => spotCheckSchema.parse(JSON.parse((await check("--sample", "1", "--json")).stdout)).seed,
      ),
    );
    expect(new Set(seeds).size).toBe(2);
  });

  it("does not take silence for disagreement, and goes on", async () => {
    const provider = await startProvider((request) => {
      if (request.number === 1) send(request, 500, "text/plain", "");
      else
        send(request, 200, "application/json", completionBody(request, { content: "{}", finish: "length" }));
    });
    const ended = await check("--seed", "s", "--sample", "2", "--json", "--base-url", provider.url);
    await provider.close();
    const found = spotCheckSchema.parse(JSON.parse(ended.stdout));
    expect(found.members.map(({ agreement }) => agreement)).toEqual(["unknown", "differs"]);
    expect(found.members[0]).toMatchObject({ asked: null, metric_deltas: null });
    expect(found.totals).toMatchObject({ unknown: 1, differs: 1, cost_complete: false });
    expect(found.transport.used).not.toBe(found.transport.recorded);
  });

  it.each([
    [401, "run-key-refused"],
    [402, "run-credit-exhausted"],
  ])("stops at %i with what it has", async (status, code) => {
    const provider = await startProvider((request) =>
      send(request, status, "application/json", '{"error":{"message":"no"}}'),
    );
    const ended = await check("--seed", "s", "--base-url", provider.url);
    await provider.close();
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(code);
    expect(provider.requests).toHaveLength(1);
  });

  it("ends at the call cap, and says that the sample was not finished", async () => {
    const ended = await check("--seed", "s", "--sample", "3", "--max-calls", "1", "--json");
    expect(ended.code).toBe(1);
    const found = spotCheckSchema.parse(JSON.parse(ended.stdout));
    expect(found).toMatchObject({ sample: 3, stopped: true, totals: { asked: 1, calls: 1 } });
  });

  it("asks what was asked: model, parameters and prompt as recorded, at the person's own address", async () => {
    const provider = await startProvider((request) =>
      send(request, 200, "application/json", completionBody(request, { content: "{}" })),
    );
    const document = JSON.parse(await readFile(join(REPOSITORY, RESULT), "utf8"));
    await check("--seed", "s", "--sample", "1", "--base-url", provider.url);
    await provider.close();
    const [sent] = provider.requests;
    expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(sent?.body).toMatchObject({
      model: document.model.id,
      temperature: document.model.parameters.temperature,
      max_tokens: document.model.parameters.max_tokens,
    });
    expect(sent?.body.messages[1]?.content).toMatch(/^Task: /);
  });

  it("refuses a question that cannot be asked again, before any call", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-spot-"));
    const document = JSON.parse(await readFile(join(REPOSITORY, RESULT), "utf8"));
    const file = join(folder, "other.json");
    for (const [change, words] of [
      [{ prompt: { ...document.prompt, sha256: `sha256:${"0".repeat(64)}` } }, "another prompt"],
      [{ prompt: { ...document.prompt, mode: "tea-leaves-1" } }, "another prompt"],
      [{ pipeline_version: "0" }, "another pipeline"],
    ] as const) {
      await writeFile(file, canonicalDocument({ ...document, ...change }));
      const ended = await run(["--spot-check", file]);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain("run-spot-check-differs");
      expect(ended.stderr).toContain(words);
    }
    await rm(folder, { recursive: true });
  });

  it("never writes the result, also when it is told to", async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-spot-"));
    const [file, link] = [join(folder, "result.json"), join(folder, "link.json")];
    const before = await readFile(join(REPOSITORY, RESULT));
    await writeFile(file, before);
    await symlink(file, link);
    for (const out of [file, link]) {
      const ended = await run(["--spot-check", file, "--sample", "1", "--out", out]);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain("which is never written");
    }
    const ended = await run(["--spot-check", file, "--sample", "1", "--out", join(folder, "check.json")]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(
      spotCheckSchema.safeParse(JSON.parse(await readFile(join(folder, "check.json"), "utf8"))).success,
    ).toBe(true);
    expect(await readFile(file)).toEqual(before);
    await rm(folder, { recursive: true });
  });

  it("refuses its options without it", async () => {
    const ended = await run(["--suite", "rehearsal-1", "--model", "baseline/heuristic", "--seed", "s"]);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("--seed goes with --spot-check.");
  });

  it.each([[["--sample", "0"]], [["--model", "another/model"]], [["--seed", "two words"]]])(
    "refuses %j with a finding",
    async (words) => {
      const { code, stderr } = await check(...words);
      expect(code).toBe(2);
      expect(stderr).toContain("run-option");
    },
  );

  it("refuses under CI like any run", async () => {
    const { code, stderr } = await run(["--spot-check", RESULT], { env: { CI: "true" } });
    expect(code).toBe(1);
    expect(stderr).toContain("run-refused-in-ci");
  });
});
