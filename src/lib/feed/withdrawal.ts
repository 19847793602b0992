import { z } from "zod";
import { instantMs } from "../benchmarks/instant.ts";
import { modelFolder, RESULTS_FOLDER } from "../benchmarks/result-path.ts";
import { resultSchema } from "../benchmarks/result-schema.ts";
import { digestSchema, instantSchema, segmentSchema } from "../benchmarks/suite-schema.ts";
import { canonicalDocument } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import { type Finding, hasErrors, type Outcome } from "../findings.ts";
import { locateFindings } from "../strict-json/parse.ts";
import { parseLocated } from "../strict-json/schema.ts";
import type { ResultEntry } from "./schema.ts";

/**
 * A withdrawal takes a committed result off the board without putting another in its place. The result itself stays
 * where it is: history is only ever added to. A result that another one replaces needs none (`supersedes` does it).
 * A withdrawal is final; who wants a withdrawn result back sends a new run.
 */
export const withdrawalSchema = z.strictObject({
  schema_version: z.literal(1),
  kind: z.literal("withdrawal"),
  /** Suite and model of the withdrawn result: they decide where the document lies. */
  suite: z.strictObject({ id: segmentSchema, digest: digestSchema }),
  model: resultSchema.shape.model.shape.id,
  withdraws: z.strictObject({ digest: digestSchema, reason: z.string().min(1).max(500) }),
  withdrawn_at: instantSchema,
});

export type WithdrawalDocument = z.infer<typeof withdrawalSchema>;

/** A committed withdrawal as rules and board see it. */
export interface Withdrawal {
  readonly path: string;
  /** SHA-256 of the canonical document. */
  readonly digest: string;
  readonly suite: { readonly id: string; readonly digest: string };
  readonly model: string;
  /** Digest of the result that is withdrawn. */
  readonly withdraws: string;
  readonly reason: string;
  readonly withdrawn_at: string;
}

const SUFFIX = ".withdrawal.json";

/** True for the name of a withdrawal, whether or not it holds one. */
export const isWithdrawalPath = (path: string): boolean => path.endsWith(SUFFIX);

/** The only place where a withdrawal may be committed: beside the result that it withdraws. */
export function withdrawalPath(document: WithdrawalDocument): string {
  const time = document.withdrawn_at
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "")
    .toLowerCase();
  const digest8 = digestOf(canonicalDocument(document)).slice("sha256:".length, "sha256:".length + 8);
  return `${RESULTS_FOLDER}/${document.suite.id}/${modelFolder(document.model)}/${time}-${digest8}${SUFFIX}`;
}

/**
 * Reads a withdrawal: strict JSON, schema, a real moment, canonical bytes, and the path that its content gives (`path`
 * null judges no path). Finding codes `json-…` and `withdrawal-…`.
 */
export function parseWithdrawal(
  bytes: Uint8Array | string,
  path: string | null,
  label: string = path ?? "withdrawal",
): Outcome<WithdrawalDocument> {
  const parsed = parseLocated(bytes, withdrawalSchema, { path: label, code: "withdrawal" });
  if (!parsed.ok) return parsed;
  const { value: document, json } = parsed.value;
  const found: Finding[] = [];
  const error = (code: string, pointer: string, message: string, more: Partial<Finding>): void => {
    found.push({ code, severity: "error", path: label, pointer, message, ...more });
  };
  if (instantMs(document.withdrawn_at) === null)
    error("withdrawal-time", "/withdrawn_at", "This is no moment in time.", {
      actual: document.withdrawn_at,
    });
  const text = typeof bytes === "string" ? bytes : new TextDecoder("utf-8").decode(bytes);
  if (text !== canonicalDocument(document))
    error("withdrawal-not-canonical", "", "The file is not the canonical form of what it says.", {
      expected: "RFC 8785 canonical JSON with one final newline",
      hint: "Commit the file that bench result withdraw wrote, byte for byte.",
    });
  const expected = withdrawalPath(document);
  if (path !== null && path !== expected)
    error("withdrawal-path", "", "A withdrawal lies where its content says.", { expected, actual: path });
  const findings = locateFindings(found, json.position);
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: document, findings };
}

/** A document that was read, as the board sees it. */
export const withdrawalOf = (
  document: WithdrawalDocument,
  path: string,
  digest: string = digestOf(canonicalDocument(document)),
): Withdrawal => ({
  path,
  digest,
  suite: document.suite,
  model: document.model,
  withdraws: document.withdraws.digest,
  reason: document.withdraws.reason,
  withdrawn_at: document.withdrawn_at,
});

type Target = Pick<ResultEntry, "digest" | "model" | "suite">;

const isAbout = (withdrawal: Withdrawal, target: Target): boolean =>
  target.digest === withdrawal.withdraws &&
  target.model === withdrawal.model &&
  target.suite.id === withdrawal.suite.id &&
  target.suite.digest === withdrawal.suite.digest;

/** Digests of results that a withdrawal of their own model and suite takes off the board. */
export function withdrawnDigests(
  entries: readonly Target[],
  withdrawals: readonly Withdrawal[],
): ReadonlySet<string> {
  if (withdrawals.length === 0) return new Set();
  const byDigest = new Map(entries.map((entry) => [entry.digest, entry]));
  return new Set(
    withdrawals.flatMap((withdrawal) => {
      const target = byDigest.get(withdrawal.withdraws);
      return target !== undefined && isAbout(withdrawal, target) ? [target.digest] : [];
    }),
  );
}

/** A committed withdrawal names a committed result of its own model and suite, and only one does. */
export function withdrawalFindings(
  entries: readonly Target[],
  withdrawals: readonly Withdrawal[],
): Finding[] {
  if (withdrawals.length === 0) return [];
  const byDigest = new Map(entries.map((entry) => [entry.digest, entry]));
  const seen = new Map<string, string>();
  return withdrawals.flatMap((withdrawal): Finding[] => {
    const target = byDigest.get(withdrawal.withdraws);
    const place = { severity: "error" as const, path: withdrawal.path, pointer: "/withdraws/digest" };
    if (target === undefined)
      return [
        {
          ...place,
          code: "withdrawal-unknown",
          message: "No committed result has the digest that this one withdraws.",
          actual: withdrawal.withdraws,
        },
      ];
    if (!isAbout(withdrawal, target))
      return [
        {
          ...place,
          code: "withdrawal-other",
          message: "A withdrawal takes back a result of its own model and suite only.",
          expected: `${withdrawal.model} in ${withdrawal.suite.id}`,
          actual: `${target.model} in ${target.suite.id}`,
        },
      ];
    const first = seen.get(withdrawal.withdraws);
    seen.set(withdrawal.withdraws, withdrawal.path);
    if (first === undefined) return [];
    return [
      {
        ...place,
        code: "withdrawal-again",
        message: `That result is already withdrawn by ${first}.`,
        actual: withdrawal.withdraws,
      },
    ];
  });
}
