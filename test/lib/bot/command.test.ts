import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCommands, VERBS } from "../../../src/lib/bot/command.ts";

describe("parseCommands", () => {
  const plain = VERBS.filter((verb) => verb !== "supersede");
  it.each(plain)("reads %s alone on a line of a paragraph", (verb) => {
    expect(parseCommands(`/assay ${verb}`)).toEqual([{ verb, text: verb, sha: null, target: null }]);
    expect(parseCommands(`Thanks!\n\n  /assay   ${verb}  \nbye`)).toEqual([
      { verb, text: verb, sha: null, target: null },
    ]);
    expect(parseCommands(`Thanks!\n/assay ${verb}`)).toEqual([{ verb, text: verb, sha: null, target: null }]);
    expect(parseCommands(`/assay ${verb}\r\nmore`)).toEqual([{ verb, text: verb, sha: null, target: null }]);
  });

  it("reads a head, in full or from seven digits on", () => {
    expect(parseCommands("/assay merge 0123abc")).toEqual([
      { verb: "merge", text: "merge 0123abc", sha: "0123abc", target: null },
    ]);
    expect(parseCommands(`/assay merge ${"a".repeat(40)}`)[0]?.sha).toBe("a".repeat(40));
    for (const bad of ["012abc", "HEAD", "0123abcg", "a".repeat(41), "0123abc now"]) {
      expect(parseCommands(`/assay merge ${bad}`)[0]?.verb).toBe("unknown");
    }
  });

  it("reads what is superseded, by digest or by path, and its head", () => {
    const digest = "b".repeat(64);
    const path = "benchmarks/results/gold-2026.07/a__b-01234567/20261130t101500z-deadbeef.json";
    const read = (text: string) => {
      const [command] = parseCommands(`/assay ${text}`);
      return [command?.verb, command?.target, command?.sha];
    };
    expect(read(`supersede ${digest}`)).toEqual(["supersede", `sha256:${digest}`, null]);
    expect(read(`supersede sha256:${digest} 0123abc`)).toEqual(["supersede", `sha256:${digest}`, "0123abc"]);
    expect(read(`supersede ${path}`)).toEqual(["supersede", path, null]);
    for (const bad of [
      "",
      "it",
      "../x.json",
      `${path}#`,
      digest.slice(1),
      `${path} now`,
      `${path} 0123abc x`,
    ])
      expect(read(`supersede ${bad}`)[0]).toBe("unknown");
  });

  it("takes a hold whatever is said with it, and a release alone", () => {
    expect(parseCommands("/assay hold until the vendor answers")[0]?.verb).toBe("hold");
    expect(parseCommands("/assay release now")[0]?.verb).toBe("unknown");
  });

  it("reads what a job is about, its host and its head, each by its form", () => {
    const read = (text: string): unknown[] => {
      const [command] = parseCommands(`/assay ${text}`);
      return [command?.verb, command?.target ?? null, command?.host ?? null, command?.sha ?? null];
    };
    expect(read("perf run-1/e1")).toEqual(["perf", "run-1/e1", null, null]);
    expect(read("perf run-1/e1 ryzen-9950x")).toEqual(["perf", "run-1/e1", "ryzen-9950x", null]);
    expect(read("perf run-1/e1 m1 0123abc")).toEqual(["perf", "run-1/e1", "m1", "0123abc"]);
    expect(read("perf run-1/e1 0123abc")).toEqual(["perf", "run-1/e1", null, "0123abc"]);
    expect(read("perf 0123abc")).toEqual(["perf", null, null, "0123abc"]);
    expect(read("perf m1")).toEqual(["perf", null, "m1", null]);
    expect(read("run run-1/e1 m1")).toEqual(["run", "run-1/e1", "m1", null]);
    expect(read("verify D-7")).toEqual(["verify", "D-7", null, null]);
    expect(read("verify inflate/D-7 0123abc")).toEqual(["verify", "inflate/D-7", null, "0123abc"]);
    for (const bad of [
      "perf a/b c d",
      "perf ../x",
      "perf a/b/c",
      "verify D-0",
      "verify x/y D-7",
      "run a/b !",
    ])
      expect(read(bad)[0], bad).toBe("unknown");
  });

  it("reads which jobs to cancel", () => {
    const read = (text: string) => {
      const [command] = parseCommands(`/assay ${text}`);
      return [command?.verb, command?.kind ?? null, command?.target ?? null];
    };
    expect(read("cancel perf")).toEqual(["cancel", "perf", null]);
    expect(read("cancel verify D-7")).toEqual(["cancel", "verify", "D-7"]);
    expect(read("cancel run-1/e1")).toEqual(["cancel", null, "run-1/e1"]);
    for (const bad of ["cancel everything", "cancel perf a/b now", "status now"])
      expect(read(bad)[0], bad).toBe("unknown");
  });

  it("knows nothing by prefix", () => {
    expect(parseCommands("/assay merged")[0]?.verb).toBe("unknown");
    expect(parseCommands("/assayer merge")).toEqual([]);
    expect(parseCommands("/assay Merge")[0]?.verb).toBe("unknown");
    expect(parseCommands("/assay")[0]?.verb).toBe("help");
  });

  it.each([
    "> /assay merge",
    ">> > /assay merge",
    "- /assay merge",
    "1. /assay merge",
    "    /assay merge",
    "\t/assay merge",
    "```\n/assay merge\n```",
    "~~~\n/assay merge\n~~~",
    "`/assay merge`",
    "`a\n/assay merge\nb`",
    "<!--\n/assay merge\n-->",
    "<div>\n/assay merge\n</div>",
    "<details><summary>x</summary>\n/assay merge\n</details>",
    "\\/assay merge",
    "&#47;assay merge",
    "**/assay merge**",
    "[/assay merge](https://example.org)",
    "/assay merge\n===",
    "# /assay merge",
    "text /assay merge",
    "/assay *merge*",
    "/assay `merge`",
    "[x]: y\n/assay\\ merge`",
  ])("finds none in %j", (body) => {
    expect(parseCommands(body).filter(({ verb }) => verb === "merge")).toEqual([]);
  });

  it("never finds one in a quotation of anything", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("/assay merge", "text", "", "```", "- x", "<b>")), (lines) => {
        const quoted = lines.map((line) => `> ${line}`).join("\n");
        expect(parseCommands(quoted)).toEqual([]);
      }),
    );
  });

  it("never throws and stays bounded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(parseCommands(`/assay ${text}\n`.repeat(9)).length).toBeLessThanOrEqual(5);
      }),
    );
    const before = performance.now();
    for (const part of [">", "[", "_a*", "1. ", "`a", "<a ", "a\n>"]) {
      parseCommands(`${part.repeat(100_000)}\n/assay merge`);
      parseCommands(`${part.repeat(Math.floor(7_900 / part.length))}\n/assay merge`);
    }
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it("says of a long comment that it is too long, when a line of it looks like a command", () => {
    const long = "word ".repeat(2_000);
    expect(parseCommands(`${long}\n/assay merge`)).toEqual([
      { verb: "too-long", text: "", sha: null, target: null },
    ]);
    expect(parseCommands(`${long}\n> /assay merge`)).toEqual([]);
    expect(parseCommands(`${long} /assay merge`)).toEqual([]);
  });
});
