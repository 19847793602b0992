import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wishedOpenBank } from "../../scripts/benchmarks/open-bank.ts";
import { readBankRecords } from "../../src/jobs/bank.ts";
import { bankFiles, bankPlace, readBankPolicy } from "../../src/jobs/vault.ts";
import { parseBankPolicy } from "../../src/lib/benchmarks/bank-policy.ts";
import { bankRecordPath } from "../../src/lib/benchmarks/bank-record.ts";
import { parseVaultLock, vaultLockFindings, vaultLockOf } from "../../src/lib/benchmarks/vault-lock.ts";
import { REPOSITORY } from "./temp-suite.ts";

const records = async () => {
  const read = await readBankRecords(REPOSITORY);
  if (!read.ok) throw new Error(JSON.stringify(read.findings));
  return read.value;
};

describe("the vault", () => {
  const env = { ASSAY_VAULT: "/vault" };
  const path = "benchmarks/bank/workbooks/00.xlsx";

  it("takes the place of the ignored folders, and of nothing else", () => {
    expect(bankPlace("/r", path, {})).toEqual({ root: "/r", path });
    expect(bankPlace("/r", path, { ASSAY_VAULT: "" })).toEqual({ root: "/r", path });
    expect(bankPlace("/r", path, env)).toEqual({ root: "/vault", path: "bank/workbooks/00.xlsx" });
    const record = bankRecordPath("a");
    expect(bankPlace("/r", record, env)).toEqual({ root: "/r", path: record });
  });

  it("is looked at alone", async () => {
    const bytes = new Uint8Array([1]);
    const source = async () => bytes;
    expect(await bankFiles(source, {})(path)).toBe(bytes);
    expect(await bankFiles(source, { ASSAY_VAULT: "/nowhere" })(path)).toBeNull();
    expect(await bankFiles(source, { ASSAY_VAULT: "/nowhere" })("benchmarks/bank/policy.json")).toBeNull();
  });

  it("of this repository is locked to its records", async () => {
    const lock = parseVaultLock(await readFile(join(REPOSITORY, "vault.lock.json")));
    if (!lock.ok) throw new Error(JSON.stringify(lock.findings));
    expect(vaultLockFindings(lock.value, await records())).toEqual([]);
  });

  it("has a lock that lists every record's workbook, once, with its size, and no other", async () => {
    const all = await records();
    const lock = vaultLockOf(all);
    const [first, ...rest] = lock.files;
    if (first === undefined) throw new Error("no records");
    const codes = (files: typeof lock.files) =>
      vaultLockFindings({ ...lock, files }, all).map(({ code }) => code);
    expect(codes(lock.files)).toEqual([]);
    expect(codes(rest)).toEqual(["bank-lock-differs"]);
    expect(codes([first, ...lock.files])).toEqual(["bank-lock-differs"]);
    expect(codes([{ ...first, bytes: first.bytes + 1 }, ...rest])).toEqual(["bank-lock-differs"]);
    expect(codes([...lock.files, { ...first, sha256: `sha256:${"0".repeat(64)}` }])).toEqual([
      "bank-lock-differs",
    ]);
    expect(parseVaultLock(new TextEncoder().encode("{}")).ok).toBe(false);
  });
});

describe("whether the bank is open", () => {
  it("is closed without a policy, and said by nothing but a well-formed one", async () => {
    expect(parseBankPolicy(null)).toMatchObject({ value: { open: false } });
    expect(parseBankPolicy('{"schema_version":1,"open":true}')).toMatchObject({ value: { open: true } });
    for (const text of ["{}", '{"schema_version":1,"open":1}', '{"schema_version":1,"open":true,"for":"me"}'])
      expect(parseBankPolicy(text).ok).toBe(false);
    expect(await readBankPolicy(async () => null)).toMatchObject({ value: { open: false } });
  });

  it("a flag decides on one's own machine, and only narrows where CI is set", () => {
    const ci = { CI: "true" };
    expect(wishedOpenBank(undefined, {})).toEqual({});
    expect(wishedOpenBank(true, {})).toEqual({ openBank: true });
    expect(wishedOpenBank(false, {})).toEqual({ openBank: false });
    expect(wishedOpenBank(undefined, ci)).toEqual({});
    expect(wishedOpenBank(true, ci)).toEqual({});
    expect(wishedOpenBank(false, ci)).toEqual({ openBank: false });
  });
});
