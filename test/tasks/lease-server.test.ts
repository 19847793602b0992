import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomFrom } from "../../src/lib/stats/random.ts";
import type { Answer, Case, SuiteRandom } from "../../src/lib/task/kit.ts";
import { drawnScript } from "../../tasks/lease-server/hidden/cases.ts";
import { play } from "../../tasks/lease-server/hidden/oracle.ts";
import { suite } from "../../tasks/lease-server/hidden/suite.ts";
import { kit } from "../../tasks/lease-server/kit.ts";

const folder = join(import.meta.dirname, "../../tasks/lease-server");
const answer = (text: string): Answer => ({ kind: "answer", bytes: new TextEncoder().encode(text) });
const contentOf = ({ content }: Case): string => new TextDecoder().decode(content);
const suiteRandom = (seed: string): SuiteRandom => {
  const random = randomFrom(seed);
  return { ...random, bytes: (length) => Uint8Array.from({ length }, () => random.below(256)) };
};
const examples = kit.examples.flatMap(({ cases }) => [...cases(suiteRandom("1"))]);

describe("the lease server's contract", () => {
  it("has its examples, and the oracle gives exactly their answers", () => {
    const spec = readFileSync(join(folder, "SPEC.md"), "utf8");
    const parts = spec.split("```").filter((part) => part.startsWith("\nc1 "));
    const column = "c1 acquire a 10          ".length;
    const told = parts.map((part) => {
      const lines = part.split("\n").filter((line) => line !== "");
      const steps = lines.map((line) => line.slice(0, column).trim()).filter((step) => step !== "");
      return {
        steps: steps.join("\n"),
        answer: lines.map((line) => line.slice(column).trimEnd()).join("\n"),
      };
    });
    expect(told.map(({ steps }) => `S${steps}`)).toEqual(examples.map(contentOf));
    for (const [index, { steps, answer: right }] of told.entries()) {
      expect(play(steps)).toBe(right);
      expect(examples[index]?.accepts(answer(right))).toBe(true);
    }
  });

  it("is asked in categories whose ids task.json lists, and of which each flawed deliverable names some", () => {
    const about = JSON.parse(readFileSync(join(folder, "task.json"), "utf8"));
    const ids = suite.categories.map(({ id }) => id);
    expect(about.hidden.categories).toEqual(ids);
    for (const name of ["believes-strangers", "deaf-to-waiters", "watches-for-ever"]) {
      const { fails } = JSON.parse(readFileSync(join(folder, "flawed", name, "expect.json"), "utf8"));
      expect(fails.length).toBeGreaterThan(0);
      expect(ids).toEqual(expect.arrayContaining(fails));
    }
  });
});

describe("the lease server's hidden suite", () => {
  it("accepts neither silence nor nonsense nor a fault, in any category", () => {
    for (const { id, cases } of suite.categories)
      for (const each of cases(suiteRandom(id)))
        for (const wrong of [answer(""), answer("c1 = ok 1"), { kind: "fault", what: "died" } as const])
          expect(each.accepts(wrong), id).toBe(false);
  });

  it("asks other things for another seed, and the same for the same", () => {
    const asked = (seed: string): string[] =>
      suite.categories.flatMap(({ cases }) => [...cases(suiteRandom(seed))].map(contentOf));
    expect(asked("1")).toEqual(asked("1"));
    expect(asked("1")).not.toEqual(asked("2"));
  });

  it("holds its oracle to what the contract says of every run: one holder at a time, tokens that count", () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const script = drawnScript(suiteRandom(`${seed}`), {
        steps: 80,
        clients: 4,
        resources: ["a", "b"],
        weights: {
          acquire: 2,
          request: 6,
          cancel: 1,
          renew: 2,
          release: 3,
          advance: 3,
          kill: 1,
          snapshot: 2,
        },
        stride: 20,
      });
      const lines = play(script.join("\n")).split("\n");
      const granted = lines.flatMap((line) =>
        [...line.matchAll(/granted r\d+ (\d+)$/g)].map(([, token]) => Number(token)),
      );
      const tokens = new Set(granted);
      expect(tokens.size).toBe(granted.length);
      let now = 0;
      let held = new Set<string>();
      for (const line of lines) {
        const [, time] = /^now = (\d+)$/.exec(line) ?? [];
        const [, resource, deadline] = /^ {2}([ab]) c\d \d+ (\d+) \[/.exec(line) ?? [];
        if (time !== undefined) {
          expect(Number(time)).toBeGreaterThanOrEqual(now);
          now = Number(time);
          held = new Set();
        } else if (resource !== undefined) {
          expect(held.has(resource)).toBe(false);
          expect(Number(deadline)).toBeGreaterThan(now);
          held.add(resource);
        }
      }
    }
  });
});
