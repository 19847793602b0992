import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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

  it.each([[["--sample", "0"]], [["--model", "another/model"]], [["--seed", "two words"]]])(
    "refuses %j with a finding",
    async (words) => {
      const { code, stderr } = await check(...words);
      expect(code).toBe(1);
      expect(stderr).toContain("run-option");
    },
  );

  it("refuses under CI like any run", async () => {
    const { code, stderr } = await run(["--spot-check", RESULT], { env: { CI: "true" } });
    expect(code).toBe(1);
    expect(stderr).toContain("run-refused-in-ci");
  });
});
