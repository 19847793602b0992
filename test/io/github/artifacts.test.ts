import * as fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { ArtifactError, unpack } from "../../../src/io/github/artifacts.ts";

const limits = { zipBytes: 100_000, files: 3, bytes: 10_000 };
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe("unpack", () => {
  it("gives the files", () => {
    const files = unpack(zipSync({ "report.json": text("{}") }), limits, "report.json");
    expect(new TextDecoder().decode(files.get("report.json"))).toBe("{}");
    expect([...unpack(zipSync({ "a/b.txt": text("x"), "c.txt": text("y") }), limits).keys()]).toEqual([
      "a/b.txt",
      "c.txt",
    ]);
  });

  it.each([
    ["a parent folder", { "../x": text("x") }],
    ["an absolute path", { "/x": text("x") }],
    ["a hidden file", { ".git/config": text("x") }],
    ["a back-slash", { "a\\b": text("x") }],
    ["too many files", { a: text("x"), b: text("x"), c: text("x"), d: text("x") }],
    ["too many bytes", { a: new Uint8Array(6_000), b: new Uint8Array(6_000) }],
  ])("refuses %s", (_what, files) => {
    expect(() => unpack(zipSync(files), limits)).toThrow(ArtifactError);
  });

  it("refuses another file than the one that it must hold, and its absence", () => {
    expect(() => unpack(zipSync({ "x.json": text("{}") }), limits, "report.json")).toThrow(ArtifactError);
    expect(() => unpack(zipSync({}), limits, "report.json")).toThrow(ArtifactError);
  });

  it("refuses a file that is there twice", () => {
    const zip = zipSync({ "aa.json": text("1"), "ab.json": text("2") });
    // Rename the second to the first, in both of its headers.
    const bytes = Uint8Array.from(zip);
    const name = text("ab.json");
    for (let index = 0; index < bytes.length - name.length; index += 1) {
      if (name.every((byte, offset) => bytes[index + offset] === byte)) bytes.set(text("aa.json"), index);
    }
    expect(() => unpack(bytes, limits)).toThrow(/twice/);
  });

  it("refuses a bomb that lies about its size", () => {
    const zip = Uint8Array.from(zipSync({ "report.json": new Uint8Array(1_000_000) }));
    const view = new DataView(zip.buffer);
    for (let index = 0; index < zip.length - 4; index += 1) {
      // Local header and central directory: the uncompressed size is at 22 and 24 bytes.
      if (view.getUint32(index, true) === 0x04034b50) view.setUint32(index + 22, 10, true);
      if (view.getUint32(index, true) === 0x02014b50) view.setUint32(index + 24, 10, true);
    }
    let size = 0;
    try {
      size = unpack(zip, limits, "report.json").get("report.json")?.length ?? 0;
    } catch (error) {
      expect(error).toBeInstanceOf(ArtifactError);
    }
    expect(size).toBeLessThanOrEqual(10);
  });

  it("never throws anything else, whatever the bytes", () => {
    const zip = zipSync({ "report.json": text('{"a":1}'.repeat(50)) });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(zip.length - 1), fc.integer({ min: 0, max: 255 }))), (flips) => {
        const bytes = Uint8Array.from(zip);
        for (const [index, byte] of flips) bytes[index] = byte;
        try {
          unpack(bytes, limits, "report.json");
        } catch (error) {
          expect(error).toBeInstanceOf(ArtifactError);
        }
      }),
    );
    expect(() => unpack(new Uint8Array(0), limits)).toThrow(ArtifactError);
  });
});
