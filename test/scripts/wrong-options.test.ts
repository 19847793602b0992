import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { runScript } from "./run-script.ts";

// 1 is a verdict ("this result is not valid"): a script that mistyped an option must not read one.
describe("wrong options end with 2, whatever the door", () => {
  it.each([
    ["validate", ["--nope"]],
    ["validate", ["--pull-request", "none", "--head", "HEAD"]],
    ["suite", []],
    ["suite", ["nosuch"]],
    ["suite", ["describe"]],
    ["suite", ["verify", "--nope"]],
    ["bank", []],
    ["bank", ["stage"]],
    ["bank", ["status", "--nope"]],
    ["feed", ["--nope"]],
    ["feed", ["extra"]],
    ["submit", []],
    ["run", ["--nope"]],
    ["run", ["--measure"]],
    ["../bench/main", ["data", "synthetic", "--out", "round", "--start", "yesterday"]],
    ["../bench-self/main", ["--documents", "few"]],
    ["../dev/preview-words", ["--nope"]],
    ["../../rehearsal/start", ["--nope"]],
    ["../../bot/once", ["--nope"]],
    ["../../rehearsal/rehearse", []],
  ])("%s %j", async (script, args) => {
    const ended = await runScript(script, args, tmpdir());
    expect(ended.code, ended.err).toBe(2);
    expect(ended.err.trim()).not.toBe("");
    expect(ended.err).not.toMatch(/\n\s+at .*:\d+:\d+/);
  });

  it.each([["validate"], ["suite"], ["bank"], ["feed"], ["submit"], ["run"]])(
    "%s --help ends with 0 and shows its options",
    async (script) => {
      const ended = await runScript(script, ["--help"], tmpdir());
      expect(ended).toMatchObject({ code: 0, err: "" });
      expect(ended.out).toContain("--root <folder>");
    },
  );
});
