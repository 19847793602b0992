import { z } from "zod";
import type { Outcome } from "../findings.ts";
import { parseWithSchema } from "../strict-json/schema.ts";

/** The one place where an owner says whether the bank may be shown. Workflows read the base's, never a pull request's. */
export const BANK_POLICY_PATH = "benchmarks/bank/policy.json";

export const bankPolicySchema = z.strictObject({
  schema_version: z.literal(1),
  /** True when everybody may see the bank's workbooks: members over them are then shown like any other. */
  open: z.boolean(),
});

export type BankPolicy = z.infer<typeof bankPolicySchema>;

/** Reads the policy; a repository without one has a closed bank. */
export const parseBankPolicy = (bytes: Uint8Array | string | null): Outcome<BankPolicy> =>
  bytes === null
    ? { ok: true, value: { schema_version: 1, open: false }, findings: [] }
    : parseWithSchema(bytes, bankPolicySchema, { path: BANK_POLICY_PATH, code: "bank" });
