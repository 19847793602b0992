import { z } from "zod";
import type { Finding, Outcome } from "../findings.ts";
import { parseWithSchema } from "../strict-json/schema.ts";
import { digestSchema, PUBLISHERS, segmentSchema } from "./suite-schema.ts";

/** Where the records of bank workbooks are committed. */
export const BANK_RECORDS_FOLDER = "benchmarks/bank/records";
export const bankRecordPath = (id: string): string => `${BANK_RECORDS_FOLDER}/${id}.json`;

const line = z.string().min(1).max(500);

/** Ingest record of one published workbook: what it is, where it came from, and the bytes it is known by. */
export const bankRecordSchema = z.strictObject({
  schema_version: z.literal(1),
  id: segmentSchema,
  publisher: z.enum(PUBLISHERS),
  publisher_name: line,
  title: line,
  /** Catalogue number or product name. */
  product: line.nullable(),
  release: z.strictObject({ reference_period: line.nullable(), released: line.nullable() }),
  /** Where the publisher issued it, as far as the workbook or its source says. */
  published_at: line,
  /** Where this copy was obtained. */
  obtained_from: line,
  licence: z.strictObject({ name: line, basis: line }),
  sha256: digestSchema,
  bytes: z.int().positive(),
  /** Anything a reader should know, such as a re-saved format. */
  provenance: line.optional(),
});

export type BankRecord = z.infer<typeof bankRecordSchema>;

/** Reads a record; it lies in the file that its id names. Finding codes `bank-…`. */
export function parseBankRecord(bytes: Uint8Array | string, path: string): Outcome<BankRecord> {
  const parsed = parseWithSchema(bytes, bankRecordSchema, { path, code: "bank" });
  if (!parsed.ok || path === bankRecordPath(parsed.value.id)) return parsed;
  const finding: Finding = {
    code: "bank-record-path",
    severity: "error",
    message: "A record lies in the file that its id names.",
    path,
    pointer: "/id",
    expected: bankRecordPath(parsed.value.id),
    actual: path,
  };
  return { ok: false, findings: [finding] };
}
