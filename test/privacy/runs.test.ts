import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUITE_ID } from "../jobs/temp-suite.ts";
import { filesBelow } from "../scripts/run/command.ts";
import { complete, type ProviderRequest, send } from "../scripts/run/provider.ts";
import {
  ANSWERS,
  type Answer,
  bankMember,
  type CanaryBank,
  everything,
  inTurn,
  leakingFiles,
  leaks,
  openCanaryBank,
  SECRET,
  table,
  WRONG,
} from "./canary-bank.ts";

/** Runs and spot checks, whatever the contestant or its provider answers. */
let bank: CanaryBank;

beforeAll(async () => {
  bank = await openCanaryBank({ inVault: true });
  await bank.freeze();
}, 120_000);

afterAll(() => bank.close());

describe("runs", () => {
  it.each<readonly [string, Answer, string]>([
    ["broken", ANSWERS.broken(), "failed"],
    [
      "sheets",
      inTurn(
        JSON.stringify(table({ sheet: "Zq8OtherShee" })),
        JSON.stringify(table({ values: { from: ["Zq8Title"] } })),
        JSON.stringify(
          table({ headers: [{ name: "Zq8Label", from: ["R6C1"], direction: "up", missing: "error" }] }),
        ),
      ),
      "failed",
    ],
    ["duplicate", inTurn('{"Zq8Label": 1, "Zq8Label": 2}', '{"Zq8Title": "\\ud800"}', "Zq8Value"), "failed"],
    ["echo", ANSWERS.echo(), "failed"],
    ["page", (request) => send(request, 200, "text/html", everything(request)), "failed"],
    [
      "inside",
      (request) => send(request, 200, "application/json", JSON.stringify({ error: everything(request) })),
      "failed",
    ],
    ["refusing", (request) => complete(request, { content: null, refusal: everything(request) }), "failed"],
    ["wrong", ANSWERS.wrong(), "partial"],
    ["baseline", ANSWERS.baseline(), "partial"],
  ])(
    "%s: neither document nor terminal quotes the sheet",
    async (name, answer, status) => {
      const { code, text, document } = await bank.benchRun(name, answer);
      expect(code, text).toBe(0);
      const member = bankMember(document);
      expect(["passed", status]).toContain(member.status);
      expect(member.attempts.length).toBeGreaterThan(0);
      // Recipe and addresses name what the recipe names.
      const { recipe: evidence, mismatches, ...rest } = member;
      if (name !== "baseline") expect(leaks(JSON.stringify(evidence ?? ""), SECRET)).toEqual([]);
      for (const { row, column, expected, actual } of mismatches)
        expect([row, column, expected, actual]).toEqual([null, null, null, null]);
      expect(leaks(JSON.stringify([rest, ...mismatches]), SECRET)).toEqual([]);
      expect(leaks(JSON.stringify(rest))).toEqual([]);
      expect(leaks(text)).toEqual([]);
    },
    120_000,
  );

  it("an account that is refused in the sheet's words stops the run in ours", async () => {
    for (const status of [401, 402]) {
      const { code, text } = await bank.benchRun(`account-${status}`, (request) =>
        send(
          request,
          status,
          "application/json",
          JSON.stringify({ error: { message: everything(request) } }),
        ),
      );
      expect(code).toBe(1);
      expect(text).toMatch(/run-key-refused|run-credit-exhausted/);
      expect(leaks(text)).toEqual([]);
    }
  }, 120_000);

  it("a spot check compares digests and statuses, and an account refused there is told in our words", async () => {
    const file = bank.at("out/wrong.json");
    for (const [answer, code] of [
      [inTurn(WRONG), 0],
      [
        (request: ProviderRequest) =>
          send(request, 402, "application/json", JSON.stringify({ error: { message: everything(request) } })),
        1,
      ],
    ] as const) {
      bank.answer(answer);
      const words = [
        "--root",
        bank.repository.root,
        "--spot-check",
        file,
        "--seed",
        "s",
        "--base-url",
        bank.providerUrl,
      ];
      const ended = await bank.script("benchmarks/run", words, { OPENAI_API_KEY: "k-test" });
      expect(ended.code, ended.text).toBe(code);
      expect(ended.text).toContain(code === 0 ? "tt-bank" : "run-credit-exhausted");
      expect(leaks(ended.text)).toEqual([]);
    }
  }, 120_000);

  it("measuring prompts counts them only", async () => {
    const { text } = await bank.script("benchmarks/run", [
      "--root",
      bank.repository.root,
      "--suite",
      SUITE_ID,
      "--measure",
    ]);
    expect(text).toMatch(/\d/);
    expect(leaks(text)).toEqual([]);
  }, 120_000);
});

describe("afterwards", () => {
  it("nothing in the repository holds a word of the sheet but journals", async () => {
    expect(await leakingFiles(bank.repository.root, /\/out\/baseline\.json$/)).toEqual([]);
    // They keep answers as they came, so that no paid call is repeated.
    const kept = await filesBelow(bank.at("benchmarks/.runs"));
    expect(
      leaks([...kept].flatMap(([path, text]) => (path.endsWith("/journal.jsonl") ? [text] : [])).join("\n")),
    ).not.toEqual([]);
  });
});
