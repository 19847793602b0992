import { describe, expect, it } from "vitest";
import {
  auditFindings,
  auditRow,
  datedEntries,
  isAnnounced,
  movedNumbers,
  type Scored,
} from "../../../src/lib/audit/compare.ts";
import { passedMember, resultDocument, suiteMember, suiteOf } from "../benchmarks/documents.ts";

const document = resultDocument(
  [passedMember("a"), passedMember("b")],
  suiteOf([suiteMember("a"), suiteMember("b")]),
);
const scored = (changes: Partial<Scored> = {}): Scored => ({
  composite: document.composite,
  components: document.components,
  members: document.members,
  ...changes,
});
const row = (past: Scored | "same" | null, current: Scored) =>
  auditRow({ path: "x.json", document, past, current });
const codes = (past: Scored | "same" | null, current: Scored, announced = false): string[] =>
  auditFindings(row(past, current), announced).map(({ code }) => code);
const other = scored({ composite: 0.5 });

describe("comparing scorers", () => {
  it("names every number that is another one", () => {
    const [first, ...rest] = document.members;
    if (first === undefined) throw new Error("no member");
    expect(movedNumbers(scored(), scored())).toEqual([]);
    expect(
      movedNumbers(scored(), {
        composite: 0.5,
        components: { ...document.components, header_accuracy: 0.25 },
        members: [{ ...first, status: "partial" }, ...rest],
      }),
    ).toEqual(["composite", "header_accuracy", "member a"]);
  });

  it("compares nothing with what could not be told", () => {
    const blind: Scored = {
      composite: null,
      components: null,
      members: document.members.map(({ id }) => ({ id, status: "unverified" })),
    };
    expect(movedNumbers(scored(), blind)).toEqual([]);
    expect(codes(null, blind)).toEqual(["audit-unverified"]);
  });

  it("asks for an announcement when the scorer moved a number, and tells it from one that never held", () => {
    expect(codes(scored(), scored())).toEqual([]);
    expect(codes(scored(), other)).toEqual(["audit-unannounced"]);
    expect(codes(scored(), other, true)).toEqual(["audit-moved"]);
    expect(codes(other, other, true)).toEqual(["audit-never-held"]);
    expect(codes("same", other)).toEqual(["audit-unannounced"]);
  });
});

describe("the changelog", () => {
  const before = "# Changelog\n\n## 2026-11-30\n\n- One.\n";

  it("announces by a new entry under a date", () => {
    expect(isAnnounced(before, before)).toBe(false);
    expect(isAnnounced(before, `${before}- Two.\n`)).toBe(true);
    expect(isAnnounced(before, `${before}\n## 2026-12-01\n\n- One.\n`)).toBe(true);
    expect(isAnnounced("", before)).toBe(true);
  });

  it("takes no line without a date for an entry", () => {
    expect(isAnnounced(before, `- Zero.\n${before}\n## Unreleased\n\n- Two.\n`)).toBe(false);
    expect(datedEntries("## 2026-13\n- x\n").size).toBe(0);
  });
});
