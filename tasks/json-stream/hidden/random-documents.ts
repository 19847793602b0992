import type { SuiteRandom } from "../../../src/lib/task/kit.ts";

export const pick = <T>(random: SuiteRandom, items: readonly T[]): T =>
  items[random.below(items.length)] as T;

const digits = (random: SuiteRandom, count: number): string =>
  Array.from({ length: count }, () => random.below(10)).join("");

/** A number as it may be written. */
export function randomNumber(random: SuiteRandom): string {
  const whole = random.below(3) === 0 ? "0" : `${1 + random.below(9)}${digits(random, random.below(12))}`;
  const fraction = random.below(2) === 0 ? "" : `.${digits(random, 1 + random.below(10))}`;
  const exponent =
    random.below(3) > 0
      ? ""
      : `${pick(random, ["e", "E"])}${pick(random, ["", "+", "-"])}${digits(random, 1 + random.below(3))}`;
  return `${pick(random, ["", "-"])}${whole}${fraction}${exponent}`;
}

const hex = (random: SuiteRandom, unit: number): string => {
  const text = unit.toString(16).padStart(4, "0");
  return `\\u${random.below(2) === 0 ? text : text.toUpperCase()}`;
};

/** A character of any plane, never half of one. */
export function randomCodePoint(random: SuiteRandom): number {
  const code = pick(random, [
    () => 0x20 + random.below(0x5f),
    () => 0x80 + random.below(0x780),
    () => 0x800 + random.below(0xd000),
    () => 0xe000 + random.below(0x2000),
    () => 0x10000 + random.below(0x100000),
  ])();
  return code;
}

/** A character as it may stand in a string: itself, or escaped in one of the ways. */
export function randomCharacter(random: SuiteRandom): string {
  const way = random.below(10);
  if (way === 0) return pick(random, ['\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"]);
  if (way === 1) {
    const text = String.fromCodePoint(random.below(4) === 0 ? random.below(0x20) : randomCodePoint(random));
    return Array.from({ length: text.length }, (_, index) => hex(random, text.charCodeAt(index))).join("");
  }
  const text =
    way < 4 ? String.fromCodePoint(randomCodePoint(random)) : String.fromCharCode(0x61 + random.below(26));
  return text === '"' || text === "\\" ? `\\${text}` : text;
}

export const randomString = (random: SuiteRandom, length: number): string =>
  `"${Array.from({ length }, () => randomCharacter(random)).join("")}"`;

export const randomSpace = (random: SuiteRandom): string =>
  random.below(3) > 0
    ? ""
    : Array.from({ length: 1 + random.below(3) }, () => pick(random, [" ", "\t", "\n", "\r"])).join("");

/** A value with at most `depth` levels below it and about `size` members. */
export function randomValue(random: SuiteRandom, depth: number, size: number): string {
  const kind = depth === 0 ? random.below(3) : random.below(6);
  if (kind === 0) return pick(random, ["true", "false", "null"]);
  if (kind === 1) return randomNumber(random);
  if (kind === 2) return randomString(random, random.below(12));
  return kind === 3 ? randomObject(random, depth, size) : randomArray(random, depth, size);
}

export function randomArray(random: SuiteRandom, depth: number, size: number): string {
  const members = Array.from({ length: random.below(size + 1) }, () => randomValue(random, depth - 1, size));
  return joined(random, "[", members, "]");
}

export function randomObject(random: SuiteRandom, depth: number, size: number): string {
  // The number in front keeps names apart, whatever follows.
  const members = Array.from({ length: random.below(size + 1) }, (_, index) => {
    const name = randomString(random, random.below(6)).replace('"', `"${index}:`);
    return `${name}${randomSpace(random)}:${randomSpace(random)}${randomValue(random, depth - 1, size)}`;
  });
  return joined(random, "{", members, "}");
}

function joined(random: SuiteRandom, open: string, members: readonly string[], close: string): string {
  const spaced = members.map((member) => `${randomSpace(random)}${member}${randomSpace(random)}`);
  return `${open}${spaced.length === 0 ? randomSpace(random) : spaced.join(",")}${close}`;
}
