import { describe, expect, it } from "vitest";
import { saltOf, seedCase } from "../../../src/lib/perf/cases.ts";
import { splitCommand } from "../../../src/lib/perf/command-line.ts";
import { type Failure, failureFinding, perfExit } from "../../../src/lib/perf/failure.ts";
import { changesBetween } from "../../../src/lib/perf/host-changes.ts";
import { encodeGo, encodeMessage, readMessage, SALT_BYTES } from "../../../src/lib/perf/wire.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("messages", () => {
  it("are a byte that names them, four bytes of length, and the content", () => {
    expect([...encodeMessage("case", bytes(7, 8))]).toEqual([0x43, 2, 0, 0, 0, 7, 8]);
    expect([...encodeMessage("end")]).toEqual([0x45, 0, 0, 0, 0]);
    expect([...encodeGo(0x01020304, bytes(1, 2, 3, 4, 5, 6, 7, 8))]).toEqual([
      0x47, 12, 0, 0, 0, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(() => encodeGo(1, bytes(1))).toThrow(RangeError);
  });

  it("are read the same however they are cut", () => {
    const message = encodeMessage("done", bytes(1, 2, 3));
    for (let cut = 0; cut <= message.length; cut += 1) {
      const reader = readMessage("done", 3);
      const first = reader.take(message.subarray(0, cut));
      const last = cut === message.length ? first : reader.take(message.subarray(cut));
      expect(last).toEqual({ state: "message", content: bytes(1, 2, 3) });
    }
  });

  it("of another kind, with more bytes, or too large are told", () => {
    expect(readMessage("ready", 0).take(encodeMessage("done")).state).toBe("garbage");
    expect(readMessage("ready", 0).take(bytes(0x52, 0, 0, 0, 0, 1))).toMatchObject({
      state: "garbage",
      why: "it wrote 1 bytes too many",
    });
    // Refused by its length alone: nothing of that size is kept.
    expect(readMessage("done", 10).take(bytes(0x44, 255, 255, 255, 255))).toEqual({
      state: "too-large",
      bytes: 0xffffffff,
    });
    expect(readMessage("done", 10).take(bytes())).toEqual({ state: "more" });
  });
});

describe("a case", () => {
  it("follows from its seed, and its salt from nothing that the case tells", () => {
    expect(seedCase("a")).toEqual(seedCase("a"));
    expect(seedCase("a")).not.toEqual(seedCase("b"));
    expect(saltOf("a")).toHaveLength(SALT_BYTES);
    expect([...seedCase("a").slice(0, SALT_BYTES)]).not.toEqual([...saltOf("a")]);
  });
});

describe("a command", () => {
  it.each([
    ["./a b", ["./a", "b"]],
    ["  ./a   'b c' \"d e\" ", ["./a", "b c", "d e"]],
    ["a'b'\"c\" ''", ["abc", ""]],
    ["a $HOME *", ["a", "$HOME", "*"]],
    ["a 'b", null],
    ["", null],
    ["  ", null],
  ])("%j is %j", (text, words) => {
    expect(splitCommand(text)).toEqual(words);
  });
});

describe("a failure", () => {
  const failure = (whose: Failure["whose"], kind: Failure["kind"]): Failure => ({
    whose,
    kind,
    metric: "time",
    message: "it did",
  });

  it("of the candidate ends with 2, ours with 3, a file that cannot be written with 1", () => {
    expect(perfExit([failureFinding(failure("candidate", "output"))])).toBe(2);
    expect(perfExit([failureFinding(failure("ours", "output"))])).toBe(3);
    expect(failureFinding(failure("candidate", "output")).code).toBe("perf-candidate-output");
    expect(perfExit([{ code: "file-missing", severity: "error", message: "" }])).toBe(1);
    expect(perfExit([])).toBe(0);
  });
});

describe("a host's settings", () => {
  it("that change are told, those that cannot be read twice are not", () => {
    const before = new Map([
      ["cpu0/cpufreq/scaling_governor", "performance"],
      ["smt/active", "0"],
    ]);
    expect(changesBetween(before, before)).toEqual([]);
    expect(changesBetween(new Map(), new Map())).toEqual([]);
    const after = new Map([["cpu0/cpufreq/scaling_governor", "powersave"]]);
    expect(changesBetween(before, after)).toEqual([
      "cpu0/cpufreq/scaling_governor was performance and is powersave",
      "smt/active was 0 and is not there",
    ]);
  });
});
