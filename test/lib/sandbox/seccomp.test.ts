import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderSeccompFilter, SYSTEM_CALLS } from "../../../src/lib/sandbox/seccomp.ts";

const HEADERS = {
  x64: "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
  arm64: "/usr/include/asm-generic/unistd.h",
} as const;
const ARCHITECTURES = [
  ["x64", 0, 0xc000003e],
  ["arm64", 1, 0xc00000b7],
] as const;

/** Executes a filter as the kernel does: a slow, plain twin of its interpreter for the instructions that we use. */
function judge(
  filter: Uint8Array,
  architecture: number,
  number: number,
  args: readonly number[] = [],
): string {
  const program = new DataView(filter.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, architecture, true);
  args.forEach((value, index) => {
    data.setUint32(16 + 8 * index, value, true);
  });
  let loaded = 0;
  for (let at = 0; ; at += 1) {
    const [code, operand] = [program.getUint16(8 * at, true), program.getUint32(8 * at + 4, true)];
    const jump = (holds: boolean): number => program.getUint8(8 * at + (holds ? 2 : 3));
    if (code === 0x20) loaded = data.getUint32(operand, true);
    else if (code === 0x15) at += jump(loaded === operand);
    else if (code === 0x35) at += jump(loaded >= operand);
    else if (code === 0x45) at += jump((loaded & operand) !== 0);
    else if (code === 0x06) {
      if (operand === 0x7fff0000) return "allow";
      if (operand === 0x80000000) return "kill";
      return `errno ${operand & 0xffff}`;
    } else throw new Error(`no such instruction: ${code}`);
  }
}

describe.each(ARCHITECTURES)("the filter for %s", (name, at, architecture) => {
  const filter = renderSeccompFilter(name);
  const decide = (call: string, args?: readonly number[]): string =>
    judge(filter, architecture, SYSTEM_CALLS[call]?.[at] ?? -1, args);

  it.skipIf(!existsSync(HEADERS[name]))("has the kernel's numbers", () => {
    const header = readFileSync(HEADERS[name], "utf8");
    const wrong = Object.entries(SYSTEM_CALLS).filter(([call, numbers]) => {
      const [, number] =
        new RegExp(`^#define __NR(?:3264)?_${call} (\\d+)$`, "m").exec(header) ??
        new RegExp(`^#define __NR3264_${call} (\\d+)$`, "m").exec(header) ??
        [];
      // Headers are older than the newest calls.
      return number !== undefined && Number(number) !== numbers[at];
    });
    expect(wrong).toEqual([]);
    const known = Object.keys(SYSTEM_CALLS).filter((call) =>
      new RegExp(`^#define __NR(?:3264)?_${call} `, "m").test(header),
    );
    expect(known.length).toBeGreaterThan(Object.keys(SYSTEM_CALLS).length - 6);
  });

  it("refuses what attacks use, each call by itself", () => {
    for (const call of Object.keys(SYSTEM_CALLS).filter(
      (each) => !["clone", "socket", "ioctl"].includes(each),
    ))
      expect(decide(call), call).toMatch(/^errno (1|38)$/);
  });

  it("lets processes be made, but no namespaces with them", () => {
    expect(decide("clone", [0x01200011])).toBe("allow");
    expect(decide("clone", [0x003d0f00])).toBe("allow");
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      expect(decide("clone", [flag | 17])).toBe("errno 1");
  });

  it("lets unix and internet sockets be made and no others", () => {
    for (const family of [1, 2, 10]) expect(decide("socket", [family])).toBe("allow");
    for (const family of [0, 3, 16, 17, 38, 40]) expect(decide("socket", [family])).toBe("errno 97");
  });

  it("lets nobody type into a terminal", () => {
    expect(decide("ioctl", [0, 0x5412])).toBe("errno 1");
    expect(decide("ioctl", [0, 0x541c])).toBe("errno 1");
    expect(decide("ioctl", [0, 0x5401])).toBe("allow");
  });

  it("kills what comes by another ABI, and lets the rest through", () => {
    expect(judge(filter, 0x40000003, 1)).toBe("kill");
    if (name === "x64") expect(judge(filter, architecture, 0x40000000 + 101)).toBe("kill");
    // read and write, by their numbers on both machines.
    for (const number of name === "x64" ? [0, 1] : [63, 64])
      expect(judge(filter, architecture, number)).toBe("allow");
  });
});
