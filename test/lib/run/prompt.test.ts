import { describe, expect, it } from "vitest";
import {
  MAX_QUOTED_ANSWER,
  PROMPT_VERSION,
  promptDigest,
  promptMessages,
  promptTextDigest,
  responseFormat,
  revisionText,
} from "../../../src/lib/run/prompt.ts";

const member = {
  task: "Sheet 'S': all.",
  sheets: [
    { name: "S", state: "visible" },
    { name: "Secret", state: "hidden" },
  ],
  listing: 'Sheet "S": used R1C1:R1C1\nR1 C1=1\n',
};

describe("the prompt", () => {
  it("changes no word under an old version number", () => {
    // When this fails: raise PROMPT_VERSION, then put both new values here.
    expect([PROMPT_VERSION, promptTextDigest()]).toEqual([
      "1",
      "sha256:99b509928799fd7692bbc17df01d36580307c14feb00d09b45c9c8d7ce36e8e8",
    ]);
  });

  it("has a digest that follows from its parts alone", () => {
    expect(promptDigest()).toBe(promptDigest());
    expect(promptDigest()).not.toBe(promptTextDigest());
  });

  it("asks with task, names of all sheets, and listing", () => {
    const [system, user, ...rest] = promptMessages(member, "json_schema", null);
    expect(rest).toEqual([]);
    expect(system?.content).not.toContain("JSON Schema of a recipe:");
    expect(user?.content).toBe(
      `Task: Sheet 'S': all.\n\nSheets of the workbook: "S", "Secret" (hidden)\n\n${member.listing}`,
    );
  });

  it("carries the schema in the text where no format is sent", () => {
    expect(responseFormat("none")).toBeNull();
    expect(responseFormat("json_object")).toEqual({ type: "json_object" });
    for (const format of ["none", "json_object"] as const)
      expect(promptMessages(member, format, null)[0]?.content).toContain("JSON Schema of a recipe:");
  });

  it("quotes a long answer only so far, and well-formed", () => {
    const text = `\ud800${"x".repeat(MAX_QUOTED_ANSWER)}`;
    const quoted = promptMessages(member, "json_schema", { text, findings: [] })[2]?.content ?? "";
    expect(quoted).toBe(`\ufffd${"x".repeat(MAX_QUOTED_ANSWER - 1)}\n[cut here]`);
  });

  it("lists findings with place and advice, twenty at most", () => {
    const finding = {
      code: "recipe-unknown-key",
      severity: "error",
      message: "Unknown key heders.",
      pointer: "/tables/0",
      line: 1,
      column: 20,
      expected: "headers",
      hint: "Did you mean headers?",
    } as const;
    const lines = revisionText(Array.from({ length: 23 }, () => finding)).split("\n");
    expect(lines[2]).toBe(
      "- recipe-unknown-key (at /tables/0, line 1, column 20): Unknown key heders. expected headers Did you mean headers?",
    );
    expect(lines).toHaveLength(2 + 20 + 1);
    expect(lines.at(-1)).toBe("- and 3 more");
  });
});
