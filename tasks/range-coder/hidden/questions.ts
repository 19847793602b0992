import type { SuiteRandom } from "../../../src/lib/task/kit.ts";
import { BitModel, type Decision, Decoder, Encoder, STATUS, SymbolModel, Wrong } from "./oracle.ts";

/* Questions to the driver, as driver/driver.rs describes them, each with its right answer. */

export interface Question {
  readonly content: readonly number[];
  readonly answer: readonly number[];
}

/** The models that a question works with: how many for bits, and the numbers of symbols of the others. */
export interface Stock {
  readonly bits: number;
  readonly sizes: readonly number[];
}

/** A step of a script; values matter only where something is encoded. */
export type Step =
  | { readonly op: "bit"; readonly model: number; readonly value: boolean }
  | { readonly op: "symbol"; readonly model: number; readonly value: number }
  | { readonly op: "number"; readonly bits: number; readonly value: number }
  | { readonly op: "finish" };

export const REFUSED = 0xff;
const MOST_SYMBOLS = 1024;

export const little = (value: number, bytes = 4): number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** at) % 256);

export const sized = (bytes: Iterable<number>): number[] => {
  const all = [...bytes];
  return [...little(all.length), ...all];
};

const stockBytes = ({ bits, sizes }: Stock): number[] => [
  bits,
  sizes.length,
  ...sizes.flatMap((size) => little(size, 2)),
];

const isWrong = ({ sizes }: Stock): boolean => sizes.some((size) => size < 1 || size > MOST_SYMBOLS);

class Models {
  readonly #bits: BitModel[];
  readonly #symbols: SymbolModel[];

  constructor({ bits, sizes }: Stock) {
    this.#bits = Array.from({ length: bits }, () => new BitModel());
    this.#symbols = sizes.map((size) => new SymbolModel(size));
  }

  bit(index: number): BitModel {
    return this.#bits[index] ?? fail(index);
  }

  symbol(index: number): SymbolModel {
    return this.#symbols[index] ?? fail(index);
  }
}

function fail(index: number): never {
  throw new RangeError(`no model ${index}`);
}

function stepBytes(step: Step): number[] {
  switch (step.op) {
    case "bit":
      return [0, step.model, Number(step.value)];
    case "symbol":
      return [1, step.model, ...little(step.value, 2)];
    case "number":
      return [2, step.bits, ...little(step.value)];
    case "finish":
      return [3];
  }
}

/** Steps to be encoded; a finish is added where the last one is none. */
export function toEncode(stock: Stock, given: readonly Step[]): Question {
  const steps: readonly Step[] = given.at(-1)?.op === "finish" ? given : [...given, { op: "finish" }];
  const content = [...stockBytes(stock), ...steps.flatMap(stepBytes)];
  if (isWrong(stock)) return { content, answer: [REFUSED] };
  const models = new Models(stock);
  const answer: number[] = [];
  let encoder = new Encoder();
  for (const step of steps) {
    if (step.op === "finish") {
      answer.push(...sized(encoder.finish()));
      encoder = new Encoder();
      continue;
    }
    if (step.op === "symbol" && step.value >= models.symbol(step.model).size) answer.push(REFUSED);
    else encoder.put(decisionOf(step, models));
  }
  return { content, answer };
}

function decisionOf(step: Exclude<Step, { op: "finish" }>, models: Models): Decision {
  if (step.op === "number") return { kind: "number", bits: step.bits, value: step.value };
  return step.op === "bit"
    ? { kind: "bit", model: models.bit(step.model), value: step.value }
    : { kind: "symbol", model: models.symbol(step.model), value: step.value };
}

export function streamOf(stock: Stock, steps: readonly Step[]): Uint8Array {
  const models = new Models(stock);
  const encoder = new Encoder();
  for (const step of steps) if (step.op !== "finish") encoder.put(decisionOf(step, models));
  return encoder.finish();
}

/** A stream to be decoded by these steps. */
export function toDecode(stock: Stock, stream: Uint8Array, steps: readonly Step[]): Question {
  const asked = steps.flatMap((step) => stepBytes(step).slice(0, step.op === "finish" ? 1 : 2));
  const content = [...stockBytes(stock), ...sized(stream), ...asked];
  if (isWrong(stock)) return { content, answer: [REFUSED] };
  const answer: number[] = [];
  try {
    for (const value of readSteps(stock, stream, steps))
      answer.push(STATUS.ok, ...(value === null ? [] : little(value)));
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    answer.push(STATUS[error.status]);
  }
  return { content, answer };
}

/** What is read by the steps; null for the beginning and the finish, which have no value. @throws Wrong */
export function* readSteps(
  stock: Stock,
  stream: Uint8Array,
  steps: readonly Step[],
): Generator<number | null> {
  const [models, twins] = [new Models(stock), new Models(stock)];
  const decoder = new Decoder(stream);
  yield null;
  for (const step of steps) {
    switch (step.op) {
      case "bit":
        yield Number(decoder.bit(models.bit(step.model), twins.bit(step.model)));
        break;
      case "symbol":
        yield decoder.symbol(models.symbol(step.model), twins.symbol(step.model));
        break;
      case "number":
        yield decoder.number(step.bits);
        break;
      case "finish":
        decoder.finish();
        yield null;
    }
  }
}

/** Random steps for a stock; each model prefers something of its own. */
export function randomSteps(random: SuiteRandom, stock: Stock, count: number, withNumbers = true): Step[] {
  const kinds = [
    ...(stock.bits > 0 ? (["bit", "bit"] as const) : []),
    ...(stock.sizes.length > 0 ? (["symbol"] as const) : []),
    ...(withNumbers ? (["number"] as const) : []),
  ];
  return Array.from({ length: count }, (): Step => {
    const kind = kinds[random.below(kinds.length)];
    if (kind === "bit") {
      const model = random.below(stock.bits);
      return { op: "bit", model, value: random.below(stock.bits + 1) > model };
    }
    if (kind === "symbol") {
      const model = random.below(stock.sizes.length);
      return { op: "symbol", model, value: random.below(1 + random.below(stock.sizes[model] ?? 1)) };
    }
    const bits = random.below(33);
    return { op: "number", bits, value: random.below(2 ** bits) };
  });
}
