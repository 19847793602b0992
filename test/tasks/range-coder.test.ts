import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EXAMPLES, PACKED, STREAMS } from "../../tasks/range-coder/examples.ts";
import {
  BitModel,
  compress,
  type Decision,
  decompress,
  Encoder,
  STATUS,
  SymbolModel,
} from "../../tasks/range-coder/hidden/oracle.ts";
import {
  randomSteps,
  type Step,
  type Stock,
  streamOf,
  toDecode,
  toEncode,
} from "../../tasks/range-coder/hidden/questions.ts";
import { suite } from "../../tasks/range-coder/hidden/suite.ts";
import { kit } from "../../tasks/range-coder/kit.ts";
import { suiteRandom } from "./suites.ts";

/* The oracle of the range coder, held to what defines it: intervals of exact numbers. */

const STOCK: Stock = { bits: 3, sizes: [2, 7, 40] };

/** The interval that decisions leave, in exact numbers, and how many bytes its numbers have. */
function intervalOf(decisions: readonly Decision[]): { low: bigint; range: bigint; bytes: number } {
  let [low, range, bytes] = [0n, 2n ** 32n - 1n, 4];
  const narrow = (offset: bigint, width: bigint): void => {
    low += offset;
    for (range = width; range < 2n ** 24n; range *= 256n, low *= 256n) bytes += 1;
  };
  for (const decision of decisions) {
    if (decision.kind === "bit") {
      const bound = (range / 4096n) * BigInt(decision.model.share);
      if (decision.value) narrow(bound, range - bound);
      else narrow(0n, bound);
      decision.model.learn(decision.value);
    } else if (decision.kind === "symbol") {
      const { model, value } = decision;
      const unit = range / BigInt(model.total);
      const offset = unit * BigInt(model.before(value));
      narrow(offset, value === model.size - 1 ? range - offset : unit * BigInt(model.count(value)));
      model.learn(value);
    } else {
      const unit = range >> BigInt(decision.bits);
      narrow(unit * BigInt(decision.value), unit);
    }
  }
  return { low, range, bytes };
}

function decisionsOf(steps: readonly Step[]): Decision[] {
  const bits = Array.from({ length: STOCK.bits }, () => new BitModel());
  const symbols = STOCK.sizes.map((size) => new SymbolModel(size));
  return steps.flatMap((step): Decision[] => {
    if (step.op === "bit") return [{ kind: "bit", model: bits[step.model]!, value: step.value }];
    if (step.op === "symbol") return [{ kind: "symbol", model: symbols[step.model]!, value: step.value }];
    return step.op === "number" && step.bits <= 16 ? [{ ...step, kind: "number" }] : [];
  });
}

const numberOf = (stream: Uint8Array, bytes: number): bigint =>
  [...stream, ...Array<number>(bytes - stream.length).fill(0)].reduce(
    (number, byte) => number * 256n + BigInt(byte),
    0n,
  );

describe("the oracle of the range coder", () => {
  it("writes a number of the interval, and no shorter stream would be one", () => {
    const random = suiteRandom("intervals");
    for (let round = 0; round < 120; round += 1) {
      const steps = randomSteps(random, STOCK, random.below(60));
      const encoder = new Encoder();
      for (const decision of decisionsOf(steps)) encoder.put(decision);
      const stream = encoder.finish();
      const { low, range, bytes } = intervalOf(decisionsOf(steps));
      const number = numberOf(stream, bytes);
      expect(number >= low && number < low + range).toBe(true);
      if (stream.length === 0) continue;
      // The next number with one zero byte more, at or above the low end.
      const step = 256n ** BigInt(bytes - stream.length + 1);
      expect(((low + step - 1n) / step) * step >= low + range).toBe(true);
    }
  });

  it("reads back what it wrote, and takes nothing longer for a whole stream, nor anything shorter for the same", () => {
    const random = suiteRandom("there and back");
    for (let round = 0; round < 40; round += 1) {
      const steps = randomSteps(random, STOCK, 1 + random.below(80));
      const stream = streamOf(STOCK, steps);
      const values = steps.map((step) => ("value" in step ? Number(step.value) : 0));
      const finish = { op: "finish" } as const;
      const end = (bytes: Uint8Array): number =>
        toDecode(STOCK, bytes, [...steps, finish]).answer.at(-1) ?? -1;
      const { answer } = toDecode(STOCK, stream, [...steps, finish]);
      expect(answer.length).toBe(2 + 5 * steps.length);
      expect(values.map((_, at) => answer.slice(1 + 5 * at, 6 + 5 * at))).toEqual(
        values.map((value) => [0, value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]),
      );
      expect(end(stream)).toBe(STATUS.ok);
      expect(end(Uint8Array.from([...stream, 0]))).toBe(STATUS.tail);
      expect(end(Uint8Array.from([...stream, 1]))).toBe(STATUS.tail);
      if (stream.length > 0)
        expect(toDecode(STOCK, stream.subarray(0, -1), [...steps, finish]).answer).not.toEqual(answer);
    }
  });

  it("packs and unpacks, and takes no packed data with a bit turned over", () => {
    const random = suiteRandom("packed");
    for (const data of [new Uint8Array(0), random.bytes(1), random.bytes(90), new Uint8Array(500).fill(7)]) {
      const packed = compress(data);
      expect(decompress(packed, data.length)).toEqual({ status: "ok", data });
      for (let at = 0; at < packed.length; at += 1) {
        const changed = packed.slice();
        changed[at]! ^= 1 << random.below(8);
        expect(decompress(changed, data.length + 1000).status).not.toBe("ok");
      }
    }
  });
});

/** The packed data and limits that a case of operation 3 asks about. */
function packedOf(content: Buffer): { packed: Buffer; limit: number }[] {
  const asked: { packed: Buffer; limit: number }[] = [];
  for (let at = 1; at < content.length; ) {
    const end = at + 4 + content.readUInt32LE(at);
    asked.push({ limit: content.readUInt32LE(at + 4), packed: content.subarray(at + 8, end) });
    at = end;
  }
  return asked;
}

describe("the hidden suite of the range coder", () => {
  const cases = suite.categories.flatMap((each) => [...each.cases(suiteRandom(each.id))]);

  it("asks for everything that unpacking can come to", () => {
    const unpacking = cases
      .map(({ content }) => Buffer.from(content))
      .filter(([operation]) => operation === 3);
    const seen = unpacking
      .flatMap(packedOf)
      .map(({ packed, limit }) => STATUS[decompress(packed, limit).status]);
    expect([...new Set(seen)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("accepts neither silence nor a driver that died", () => {
    for (const { accepts } of cases) {
      expect(accepts({ kind: "answer", bytes: new Uint8Array(0) })).toBe(false);
      expect(accepts({ kind: "fault", what: "it died" })).toBe(false);
    }
  });
});

describe("the kit of the range coder", () => {
  it("has the examples of SPEC.md, all of them and nothing else", () => {
    const spec = readFileSync("tasks/range-coder/SPEC.md", "utf8");
    const cells = (line: string): string[] =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", ""));
    const rows = spec
      .slice(spec.indexOf("## 8."))
      .split("\n")
      .filter((line) => /^\| .*`(?:Ok|[A-Z]\w+)` \|/.test(line))
      .map(cells);
    expect(rows.filter((row) => row.length === 5)).toEqual(
      STREAMS.map(({ bits, symbols, decisions, stream, end }) => [
        String(bits),
        symbols.join(", "),
        decisions,
        stream,
        end,
      ]),
    );
    expect(rows.filter((row) => row.length === 4)).toEqual(
      PACKED.map(({ packed, limit, end, data }) => [packed, String(limit), end, data]),
    );
    expect(kit.examples).toBe(EXAMPLES);
  });

  it("expects of each example what the oracle says", () => {
    for (const { bits, symbols, decisions, stream, end } of STREAMS) {
      const stock = { bits, sizes: symbols };
      const steps = Array.from(decisions.matchAll(/([bsn])(\d+)=(\d+)/g), ([, kind, which, value]): Step => {
        if (kind === "b") return { op: "bit", model: Number(which), value: value === "1" };
        return kind === "s"
          ? { op: "symbol", model: Number(which), value: Number(value) }
          : { op: "number", bits: Number(which), value: Number(value) };
      });
      const bytes = Buffer.from(stream, "hex");
      const { answer } = toDecode(stock, bytes, [...steps, { op: "finish" }]);
      expect(answer.at(-1)).toBe({ Ok: 0, Header: 1, TooLong: 2, BadCode: 3, Checksum: 4, Tail: 5 }[end]);
      if (end === "Ok") expect(toEncode(stock, steps).answer.slice(4)).toEqual([...bytes]);
    }
    for (const { packed, limit, end, data } of PACKED) {
      const bytes = Buffer.from(packed, "hex");
      const unpacked = decompress(bytes, limit);
      expect(unpacked.status.toLowerCase()).toBe(end.toLowerCase());
      expect(Buffer.from(unpacked.data).toString("hex")).toBe(data);
      if (end === "Ok") expect(Buffer.from(compress(Buffer.from(data, "hex"))).toString("hex")).toBe(packed);
    }
  });
});
