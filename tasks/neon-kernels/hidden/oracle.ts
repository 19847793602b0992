/* The kernels as SPEC.md has them, in plain loops. */

/** Samples of a picture: where they lie, and which one is the first. */
export interface Plane {
  readonly bytes: Uint8Array;
  /** Index of the sample that the pointer names. */
  readonly at: number;
  /** From one row to the next, in bytes; may be negative. */
  readonly stride: number;
}

const sample = ({ bytes, at, stride }: Plane, x: number, y: number): number =>
  bytes[at + y * stride + x] ?? 0;
const clip = (value: number): number => Math.min(255, Math.max(0, value));

export function sad16(a: Plane, b: Plane): number {
  let sum = 0;
  for (let y = 0; y < 16; y += 1)
    for (let x = 0; x < 16; x += 1) sum += Math.abs(sample(a, x, y) - sample(b, x, y));
  return sum;
}

/** Sign of entry (i, j) of the Hadamard matrix of order 8: by the number of ones that i and j share. */
const sign = (i: number, j: number): number => ([0, 1, 1, 0, 1, 0, 0, 1][i & j] === 0 ? 1 : -1);

export function satd8(a: Plane, b: Plane): number {
  const difference = (x: number, y: number): number => sample(a, x, y) - sample(b, x, y);
  let sum = 0;
  for (let u = 0; u < 8; u += 1)
    for (let v = 0; v < 8; v += 1) {
      let entry = 0;
      for (let y = 0; y < 8; y += 1)
        for (let x = 0; x < 8; x += 1) entry += sign(u, x) * sign(v, y) * difference(x, y);
      sum += Math.abs(entry);
    }
  return (sum + 2) >> 2;
}

/** What is written, as a copy of the plane's bytes. */
export function filter8(out: Plane, input: Plane, taps: Int8Array, height: number): Uint8Array {
  const result = Uint8Array.from(out.bytes);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < 16; x += 1) {
      let sum = 0;
      for (let k = 0; k < 8; k += 1) sum += (taps[k] ?? 0) * sample(input, x - 3 + k, y);
      result[out.at + y * out.stride + x] = clip((sum + 32) >> 6);
    }
  return result;
}

function inverse4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number[] {
  const [even, odd] = [a + c, a - c];
  const [low, high] = [(b >> 1) - d, b + (d >> 1)];
  return [even + high, odd + low, odd - low, even - high];
}

export function add4(out: Plane, coefficients: Int16Array): Uint8Array {
  const result = Uint8Array.from(out.bytes);
  const rows = [0, 1, 2, 3].map((y) => inverse4(Array.from(coefficients.subarray(4 * y, 4 * y + 4))));
  for (let x = 0; x < 4; x += 1) {
    const column = inverse4(rows.map((row) => row[x] ?? 0));
    for (let y = 0; y < 4; y += 1) {
      const index = out.at + y * out.stride + x;
      result[index] = clip((out.bytes[index] ?? 0) + (((column[y] ?? 0) + 32) >> 6));
    }
  }
  return result;
}

export function average16(out: Plane, a: Plane, b: Plane, height: number): Uint8Array {
  const result = Uint8Array.from(out.bytes);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < 16; x += 1)
      result[out.at + y * out.stride + x] = (sample(a, x, y) + sample(b, x, y) + 1) >> 1;
  return result;
}
