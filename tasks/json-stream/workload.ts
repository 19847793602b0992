import { type Random, randomFrom } from "../../src/lib/stats/random.ts";

/** Makes what `bin/perf` has parsed, in the layout that driver/driver.ts describes: one seed gives the same bytes everywhere. */

interface Spot {
  readonly offset: number;
  readonly lowest: number;
  readonly choices: number;
}

const ENCODER = new TextEncoder();

/** A document as it grows, with the places where another byte may stand. */
class Draft {
  readonly bytes: number[] = [];
  readonly spots: Spot[] = [];
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  add(words: string): void {
    for (const byte of ENCODER.encode(words)) this.bytes.push(byte);
  }

  unit(code: number): void {
    this.bytes.push(code);
  }

  /** Any of so many bytes, of which this is the lowest. */
  spot(lowest: number, choices: number): void {
    this.spots.push({ offset: this.bytes.length, lowest, choices });
    this.bytes.push(lowest + this.random.below(choices));
  }

  digit(): void {
    this.spot(0x31, 9);
  }

  letter(): void {
    this.spot(0x61, 26);
  }

  /** Members between brackets or braces, with commas. */
  list(open: string, count: number, close: string, member: (index: number) => void): void {
    this.add(open);
    for (let index = 0; index < count; index += 1) {
      if (index > 0) this.add(",");
      member(index);
    }
    this.add(close);
  }
}

/** A number with a digit that changes in front. */
function number(draft: Draft): void {
  const { random } = draft;
  if (random.below(3) === 0) draft.add("-");
  draft.digit();
  for (let left = random.below(4); left > 0; left -= 1) draft.unit(0x30 + random.below(10));
  if (random.below(4) > 0) {
    draft.add(".");
    for (let left = 1 + random.below(12); left > 0; left -= 1) draft.unit(0x30 + random.below(10));
  }
  if (random.below(8) === 0) draft.add(`e${random.below(2) === 0 ? "" : "-"}${1 + random.below(20)}`);
}

/** Letters and spaces, now and then an escape. */
function prose(draft: Draft, length: number): void {
  const { random } = draft;
  draft.add('"');
  for (let index = 0; index < length; index += 1) {
    if (index % 12 === 0) draft.letter();
    else if (random.below(60) === 0) draft.add(["\\n", '\\"', "\\\\"][random.below(3)] ?? "");
    else draft.unit(random.below(6) === 0 ? 0x20 : 0x61 + random.below(26));
  }
  draft.add('"');
}

/** Letters of many alphabets, and escapes. */
function manyTongues(draft: Draft, length: number): void {
  const { random } = draft;
  draft.add('"');
  for (let index = 0; index < length; index += 1) {
    const kind = random.below(16);
    if (kind < 4) {
      // U+00E0 to U+00FF.
      draft.unit(0xc3);
      draft.spot(0xa0, 32);
    } else if (kind < 9) draft.add(String.fromCharCode(0x3b1 + random.below(24)));
    else if (kind < 12) draft.add(String.fromCharCode(0x4e00 + random.below(5000)));
    else if (kind < 13) draft.add(String.fromCodePoint(0x1f600 + random.below(50)));
    else if (kind < 14) draft.add(`\\u0${(0x3b1 + random.below(24)).toString(16)}`);
    else if (kind < 15) draft.add(`\\ud83d\\ude${(0x10 + random.below(0x30)).toString(16)}`);
    else draft.letter();
  }
  draft.add('"');
}

function record(draft: Draft, index: number): void {
  const { random } = draft;
  draft.add(`\n  { "id": `);
  draft.digit();
  draft.add(`${index}, "name": `);
  prose(draft, 6 + random.below(14));
  draft.add(
    `, "active": ${random.below(2) === 0}, "parent": ${random.below(3) === 0 ? "null" : index}, "tags": `,
  );
  draft.list("[", random.below(4), "]", () => prose(draft, 3 + random.below(6)));
  draft.add(', "place": {"lat": ');
  number(draft);
  draft.add(', "lon": ');
  number(draft);
  draft.add(', "box": {"w": ');
  draft.digit();
  draft.add(', "h": ');
  draft.digit();
  draft.add("}} }");
}

export type Kind = "numbers" | "strings" | "unicode" | "records";

const KINDS: Readonly<Record<Kind, { readonly chunk: number; readonly write: (draft: Draft) => void }>> = {
  numbers: {
    chunk: 16384,
    write: (draft) => draft.list("[", 2000, "]", () => draft.list("[", 3, "]", () => number(draft))),
  },
  strings: {
    chunk: 4096,
    write: (draft) => draft.list("[", 1600, "]", () => prose(draft, 4 + draft.random.below(72))),
  },
  unicode: {
    chunk: 1000,
    write: (draft) => draft.list("[", 1000, "]", () => manyTongues(draft, 4 + draft.random.below(40))),
  },
  records: {
    chunk: 16384,
    write: (draft) => draft.list("[", 400, "\n]\n", (index) => record(draft, index)),
  },
};

export function makeWorkload(seed: string, kind: Kind): Uint8Array {
  const { chunk, write } = KINDS[kind];
  const draft = new Draft(randomFrom(seed));
  write(draft);
  const { bytes, spots } = draft;
  const content = new Uint8Array(13 + bytes.length + spots.length * 6);
  const view = new DataView(content.buffer);
  content[0] = 1;
  [chunk, spots.length, bytes.length].forEach((value, index) => {
    view.setUint32(1 + index * 4, value, true);
  });
  content.set(bytes, 13);
  spots.forEach(({ offset, lowest, choices }, index) => {
    const at = 13 + bytes.length + index * 6;
    view.setUint32(at, offset, true);
    view.setUint8(at + 4, lowest);
    view.setUint8(at + 5, choices);
  });
  return content;
}
