import type { Answer, Case, SuiteCategory, SuiteRandom } from "../../../src/lib/task/kit.ts";
import { decode, STATUS } from "./oracle.ts";

/* How questions become cases of the driver. */

/** A stream and the room for what it decodes to; without a number there is room for all of it and some more. */
export interface Question {
  readonly stream: Uint8Array;
  readonly bound?: number;
}

/** For whatever a stream decodes to. */
export const ROOM = 2 ** 26;

const little = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >> shift) & 255);

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** All questions of a category in one case; the driver asks each twice, so faults of one call on the next come to light too. */
function caseOf(random: SuiteRandom, questions: readonly Question[]): Case {
  const content: Uint8Array[] = [Uint8Array.of(0)];
  const expected: Uint8Array[] = [];
  for (const { stream, bound: given } of questions) {
    const whole = decode(stream, given ?? ROOM);
    const bound = given ?? whole.output.length + random.below(3) * 200;
    content.push(Uint8Array.from([...little(bound), ...little(stream.length)]), stream);
    const head = [STATUS[whole.status], ...little(whole.consumed), ...little(whole.output.length)];
    expected.push(Uint8Array.from(head), whole.output);
  }
  const answer = joined(expected);
  return { content: joined(content), accepts: (given) => isAnswer(given, answer) };
}

const isAnswer = (given: Answer, expected: Uint8Array): boolean =>
  given.kind === "answer" &&
  given.bytes.length === expected.length &&
  expected.every((byte, index) => given.bytes[index] === byte);

export const category = (
  id: string,
  title: string,
  questions: (random: SuiteRandom) => Iterable<Question>,
): SuiteCategory => ({
  id,
  title,
  cases: (random) => [caseOf(random, random.shuffled([...questions(random)]))],
});
