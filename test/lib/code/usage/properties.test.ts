import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importUsage } from "../../../../src/lib/code/usage/import-usage.ts";
import type { LogFile } from "../../../../src/lib/code/usage/log-file.ts";
import {
  assistant,
  CLAUDE,
  CODEX,
  claudeUsage,
  GEMINI_MESSAGE,
  OPENCODE_MESSAGE,
  QWEN_LINE,
  raw,
  sumsOf,
  textOf,
  usageOf,
} from "./logs.ts";

const linesIn = ({ bytes }: LogFile): string[] => new TextDecoder().decode(bytes).trimEnd().split("\n");
const fileOf = (name: string, lines: readonly string[]): LogFile =>
  raw(name, lines.map((line) => `${line}\n`).join(""));

const CASES = {
  "claude-code": CLAUDE.flatMap(linesIn),
  codex: CODEX.flatMap(linesIn),
  opencode: [JSON.stringify(OPENCODE_MESSAGE)],
  "qwen-code": textOf(
    [1, 2, 3].map((second) => ({
      ...QWEN_LINE,
      uuid: `q${second}`,
      timestamp: `2026-11-05T09:00:0${second}.000Z`,
    })),
  )
    .trimEnd()
    .split("\n"),
  "gemini-cli": textOf([
    { sessionId: "s", projectHash: "h" },
    { id: "u1", type: "user", timestamp: "2026-11-05T09:00:00.000Z" },
    { ...GEMINI_MESSAGE, tokens: null },
    GEMINI_MESSAGE,
    { ...GEMINI_MESSAGE, id: "g2", timestamp: "2026-11-05T09:00:14.000Z" },
  ])
    .trimEnd()
    .split("\n"),
  "grok-build": textOf(
    [1, 2, 3].map((turn) => {
      const usage = { inputTokens: 500, cachedReadTokens: 100 * turn, outputTokens: 5, costUsdTicks: 7 };
      const update = {
        sessionUpdate: "turn_completed",
        prompt_id: `p${turn}`,
        usage: { ...usage, modelUsage: { grok: usage } },
      };
      return { timestamp: 1_793_869_200 + turn, params: { sessionId: "s", update } };
    }),
  )
    .trimEnd()
    .split("\n"),
} as const;

describe("what must not change a usage", () => {
  for (const [harness, lines] of Object.entries(CASES)) {
    const read = (files: readonly LogFile[]) =>
      importUsage(files, { harness: harness as keyof typeof CASES });
    const expected = usageOf(read([fileOf("a.jsonl", lines)]));
    const holds = (files: readonly LogFile[]): void => {
      const { logs: _, skipped_lines: __, ...usage } = usageOf(read(files));
      const { logs: ___, skipped_lines: ____, ...wanted } = expected;
      expect(usage).toEqual(wanted);
    };

    it(`${harness}: how its lines are split over files, and in what order the files are named`, () => {
      fc.assert(
        fc.property(fc.array(fc.nat(lines.length), { maxLength: 3 }), fc.boolean(), (cuts, reverse) => {
          const places = [0, ...cuts.sort((a, b) => a - b), lines.length];
          const files = places
            .slice(1)
            .map((end, index) => lines.slice(places[index], end))
            .flatMap((part, index) => (part.length === 0 ? [] : [fileOf(`${index}.jsonl`, part)]));
          holds(reverse ? files.reverse() : files);
        }),
      );
    });

    it(`${harness}: lines that are there twice`, () => {
      fc.assert(
        fc.property(fc.subarray([...lines.keys()]), fc.boolean(), (twice, atOnce) => {
          const doubled = lines.flatMap((line, index) => (twice.includes(index) ? [line, line] : [line]));
          holds([
            fileOf("a.jsonl", atOnce ? doubled : [...lines, ...twice.map((index) => lines[index] ?? "")]),
          ]);
        }),
      );
    });

    it(`${harness}: a last line that is cut, empty lines, and carriage returns`, () => {
      const last = lines.at(-1) ?? "";
      fc.assert(
        fc.property(fc.integer({ min: 1, max: last.length - 1 }), (length) => {
          const text = `${lines.join("\r\n\r\n")}\r\n${last.slice(0, length)}`;
          holds([raw("a.jsonl", text)]);
          expect(usageOf(read([raw("a.jsonl", text)])).skipped_lines).toBe(1);
        }),
      );
    });

    it(`${harness}: fields that nobody knows`, () => {
      const more = lines.map((line) => JSON.stringify({ ...JSON.parse(line), unknown_field: { tokens: 5 } }));
      holds([fileOf("a.jsonl", more)]);
    });
  }

  it("claude-code: the order of lines of equal time", () => {
    const at = "2026-11-05T09:00:00.000Z";
    const lines = [1, 2, 3, 4].flatMap((id) =>
      [2, 50].map((output) =>
        JSON.stringify(
          assistant({ id: `m${id}`, request: "r", at, usage: claudeUsage(id, { long: 10 * id }, 7, output) }),
        ),
      ),
    );
    const expected = sumsOf(importUsage([fileOf("a.jsonl", lines)]));
    expect(expected).toEqual({ uncached_input: 10, cache_read: 28, cache_write_1h: 100, output: 200 });
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        expect(sumsOf(importUsage([fileOf("a.jsonl", shuffled)]))).toEqual(expected);
      }),
    );
  });
});
