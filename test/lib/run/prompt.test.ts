import { describe, expect, it } from "vitest";
import {
  MAX_QUOTED_ANSWER,
  PROMPT_MODES,
  PROMPT_VERSIONS,
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
  form: "listing-1" as const,
  listing: 'Sheet "S": used R1C1:R1C1\nR1 C1=1\n',
};

describe("the prompt", () => {
  it("changes no word under an old version number", () => {
    // When this fails: raise the mode's version, then put both new values here.
    expect([PROMPT_VERSIONS["listing-1"], promptTextDigest("listing-1")]).toEqual([
      "1",
      "sha256:99b509928799fd7692bbc17df01d36580307c14feb00d09b45c9c8d7ce36e8e8",
    ]);
    expect([PROMPT_VERSIONS["digest-1"], promptTextDigest("digest-1")]).toEqual([
      "1",
      "sha256:86f626d85d27ec65956f601e909d039e98e56b7bc97293791e0e5015a7bcb59c",
    ]);
  });

  it("has a digest for each mode that follows from its parts alone", () => {
    expect(PROMPT_MODES.map(promptDigest)).toEqual(PROMPT_MODES.map(promptDigest));
    expect(new Set(PROMPT_MODES.map(promptDigest)).size).toBe(3);
    // Results name this one: it changes only with the prompt itself or the recipe schema.
    expect(promptDigest("listing-1")).not.toBe(promptTextDigest("listing-1"));
  });

  it("explains the form that it sends", () => {
    const [listing, digest] = (["listing-1", "digest-1"] as const).map(
      (form) => promptMessages({ ...member, form }, "json_schema", null)[0]?.content ?? "",
    );
    expect(listing).toContain("The listing gives every cell");
    expect(listing).not.toContain("digest");
    expect(digest).toContain("The sheets are given as a digest.");
    expect(digest).toContain("Answer with the recipe alone");
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
