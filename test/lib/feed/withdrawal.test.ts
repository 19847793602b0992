import { describe, expect, it } from "vitest";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import {
  isWithdrawalPath,
  parseWithdrawal,
  type WithdrawalDocument,
  withdrawalFindings,
  withdrawalOf,
  withdrawalPath,
  withdrawnDigests,
} from "../../../src/lib/feed/withdrawal.ts";

const suite = { id: "test-1", digest: digestOf("suite") };
const document: WithdrawalDocument = {
  schema_version: 1,
  kind: "withdrawal",
  suite,
  model: "acme/model-1",
  withdraws: { digest: digestOf("result"), reason: "The run saw the reference." },
  withdrawn_at: "2026-12-01T10:15:00.250Z",
};
const path = withdrawalPath(document);
const target = { digest: digestOf("result"), model: "acme/model-1", suite };
const codes = (text: string, at: string | null = path): string[] =>
  parseWithdrawal(text, at).findings.map(({ code }) => code);

describe("a withdrawal", () => {
  it("lies beside what it withdraws, under a name that follows from its content", () => {
    expect(path).toMatch(
      /^benchmarks\/results\/test-1\/acme__model-1-[0-9a-f]{8}\/20261201t101500z-[0-9a-f]{8}\.withdrawal\.json$/,
    );
    expect(isWithdrawalPath(path)).toBe(true);
    expect(parseWithdrawal(canonicalDocument(document), path)).toMatchObject({ ok: true, value: document });
    expect(parseWithdrawal(canonicalDocument(document), null).ok).toBe(true);
  });

  it.each([
    [
      "another reason than its name has",
      { withdraws: { ...document.withdraws, reason: "Other." } },
      ["withdrawal-path"],
    ],
    ["no reason", { withdraws: { ...document.withdraws, reason: "" } }, ["withdrawal-too-small"]],
    [
      "a day that does not exist",
      { withdrawn_at: "2026-02-30T00:00:00.000Z" },
      ["withdrawal-time", "withdrawal-path"],
    ],
    ["a key of its own", { note: "x" }, ["withdrawal-unknown-key"]],
    ["another kind", { kind: "result" }, ["withdrawal-invalid-value"]],
  ])("with %s is none", (_, change, expected) => {
    expect(codes(canonicalDocument({ ...document, ...change })).sort()).toEqual([...expected].sort());
  });

  it("in other bytes than the canonical ones is none", () => {
    const findings = parseWithdrawal(JSON.stringify(document, null, 2), null).findings;
    expect(findings).toMatchObject([{ code: "withdrawal-not-canonical" }]);
  });

  it("takes back only a result of its own model and suite, once", () => {
    const own = withdrawalOf(document, path);
    expect(withdrawnDigests([target], [own])).toEqual(new Set([target.digest]));
    expect(withdrawalFindings([target], [own])).toEqual([]);
    for (const other of [
      { ...target, model: "acme/model-2" },
      { ...target, suite: { ...suite, digest: digestOf("another version") } },
    ]) {
      expect(withdrawnDigests([other], [own]).size).toBe(0);
      expect(withdrawalFindings([other], [own])).toMatchObject([{ code: "withdrawal-other" }]);
    }
    expect(withdrawalFindings([], [own])).toMatchObject([{ code: "withdrawal-unknown" }]);
    expect(withdrawalFindings([target], [own, own])).toMatchObject([{ code: "withdrawal-again" }]);
  });
});
