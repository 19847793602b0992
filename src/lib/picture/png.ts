import { zlibSync } from "fflate";
import type { Canvas } from "./canvas.ts";

/** PNG (ISO/IEC 15948): eight bits a channel, no transparency. */

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const TRUE_COLOUR = 2;
/** Before each row: its bytes are as they are. Drawings are flat, and repetition is what the compression finds by itself. */
const NO_FILTER = 0;

/** A picture as a PNG file. The same pixels give the same bytes. */
export function encodePng({
  width,
  height,
  pixels,
}: Pick<Canvas, "width" | "height" | "pixels">): Uint8Array {
  const stride = 3 * width;
  const rows = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y += 1) {
    rows[y * (stride + 1)] = NO_FILTER;
    rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  const head = [...bigEndian(width), ...bigEndian(height), 8, TRUE_COLOUR, 0, 0, 0];
  const parts = [
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", Uint8Array.from(head)),
    chunk("IDAT", zlibSync(rows, { level: 6 })),
    chunk("IEND", new Uint8Array()),
  ];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

const bigEndian = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = new Uint8Array(4 + data.length);
  body.set(new TextEncoder().encode(type));
  body.set(data, 4);
  const whole = new Uint8Array(8 + body.length);
  whole.set(bigEndian(data.length));
  whole.set(body, 4);
  whole.set(bigEndian(crc32(body)), 4 + body.length);
  return whole;
}

/** The checksum of PNG's annex D: polynomial 0xedb88320, reflected. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return (crc ^ 0xffffffff) >>> 0;
}
