import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bankStatus, stageBank } from "../../src/jobs/bank.ts";
import { bankReferencePath, freezeSuite, verifySuite } from "../../src/jobs/suite.ts";
import { bankRecordSchema } from "../../src/lib/benchmarks/bank-record.ts";
import { bankWorkbookPath } from "../../src/lib/benchmarks/suite.ts";
import { draft, FROZEN_AT, recipe, SUITE_ID, type TempRepository, unfrozenRepository } from "./temp-suite.ts";

let repository: TempRepository;
beforeEach(async () => {
  repository = await unfrozenRepository();
});
afterEach(() => repository.remove());

const freeze = (text = draft(), more = {}) =>
  freezeSuite({
    root: repository.root,
    draft: new TextEncoder().encode(text),
    draftPath: "draft.json",
    frozenAt: FROZEN_AT,
    ...more,
  });
const exists = (path: string): Promise<boolean> =>
  stat(join(repository.root, path)).then(
    () => true,
    () => false,
  );
const SUITE = `benchmarks/suites/${SUITE_ID}.json`;

describe("freezing", () => {
  it("pins every file, and the same draft gives the same bytes", async () => {
    const frozen = await freeze();
    expect(frozen).toMatchObject({ ok: true, findings: [] });
    const first = await readFile(join(repository.root, SUITE), "utf8");
    await rm(join(repository.root, SUITE));
    await freeze();
    expect(await readFile(join(repository.root, SUITE), "utf8")).toBe(first);
    expect(await verifySuite(repository.root, SUITE_ID)).toMatchObject({
      findings: [],
      members: [{ state: "verified" }, { state: "verified" }, { state: "verified" }],
    });
    expect(frozen.ok && frozen.value.members[0]!.reference).toMatchObject({ rows: 4, columns: 3 });
  });

  it("refuses to touch a frozen suite", async () => {
    await freeze();
    const before = await readFile(join(repository.root, SUITE));
    expect((await freeze()).findings).toMatchObject([{ code: "suite-frozen" }]);
    expect(await readFile(join(repository.root, SUITE))).toEqual(before);
  });

  it("refuses a reference table that the recipe does not give, and writes nothing", async () => {
    await repository.write("benchmarks/members/tt-one/reference.csv", "state,year,value\n");
    expect((await freeze()).findings).toMatchObject([
      { code: "suite-reference-differs", path: "benchmarks/members/tt-one/reference.csv" },
    ]);
    expect(await exists(SUITE)).toBe(false);
  });

  it("writes a missing reference table only when told to", async () => {
    const csv = "benchmarks/members/tt-one/reference.csv";
    const before = await readFile(join(repository.root, csv), "utf8");
    await rm(join(repository.root, csv));
    expect((await freeze()).findings).toMatchObject([{ code: "suite-file-missing", path: csv }]);
    expect((await freeze(draft(), { writeReferences: true })).ok).toBe(true);
    expect(await readFile(join(repository.root, csv), "utf8")).toBe(before);
    expect(await exists(bankReferencePath("tt-bank"))).toBe(true);
  });

  it.each([
    ["suite-unknown-tag", (text: string) => text.replace('"time_series"', '"time_serious"')],
    [
      "suite-bank-record",
      (text: string) => text.replace('"bank_record":"tt-workbook"', '"derived_from":"x"'),
    ],
    ["bank-record-missing", (text: string) => text.replace('"tt-workbook"', '"other"')],
    ["suite-duplicate-member", (text: string) => text.replaceAll("tt-two", "tt-one")],
    ["suite-unknown-key", (text: string) => text.replace('"title"', '"colour":1,"title"')],
    ["json-unexpected", (text: string) => text.slice(0, -1)],
  ])("%s", async (code, change) => {
    const frozen = await freeze(change(draft()));
    expect(frozen.ok).toBe(false);
    expect(frozen.findings[0]?.code.startsWith(code.split("-")[0]!)).toBe(true);
    if (!code.startsWith("json")) expect(frozen.findings[0]?.code).toBe(code);
    expect(await exists(SUITE)).toBe(false);
  });

  it("says what is wrong with a recipe instead of freezing it", async () => {
    await repository.write(
      "benchmarks/members/tt-one/recipe.json",
      JSON.stringify(recipe({ sheet: "Nowhere" })),
    );
    const frozen = await freeze();
    expect(frozen.findings[0]?.path).toBe("benchmarks/members/tt-one/recipe.json");
    expect(frozen.findings[0]?.code).toMatch(/^recipe-/);
  });

  it("refuses a moment that is none", async () => {
    expect((await freeze(draft(), { frozenAt: "yesterday" })).findings).toMatchObject([
      { code: "suite-time" },
    ]);
  });
});

describe("verifying", () => {
  it("tells a broken member from one whose bank workbook is not staged", async () => {
    await freeze();
    await rm(join(repository.root, bankWorkbookPath(repository.bank.digest)));
    await repository.write("benchmarks/members/tt-two/workbook.xlsx", "not a workbook");
    const { members, findings } = await verifySuite(repository.root, SUITE_ID);
    expect(members.map(({ state }) => state)).toEqual(["verified", "broken", "unavailable"]);
    expect(findings.map(({ code }) => code)).toEqual(["suite-workbook-digest"]);
  });

  it("computes tags, and names what is carried wrongly and what is missing", async () => {
    await freeze(draft().replace('["single_table","time_series"]', '["single_table","unit_rows"]'));
    const { members, findings } = await verifySuite(repository.root, SUITE_ID);
    expect(members.map(({ state }) => state)).toEqual(["broken", "verified", "verified"]);
    const place = { pointer: "/members/0/feature_tags", expected: "single_table, time_series" };
    expect(findings).toMatchObject([
      { code: "suite-tag-missing", ...place, message: expect.stringContaining("time_series") },
      { code: "suite-tag-untrue", ...place, message: expect.stringContaining("unit_rows") },
    ]);
  });

  it("compares a kept bank table too", async () => {
    await freeze(draft(), { writeReferences: true });
    await repository.write(bankReferencePath("tt-bank"), "state\n");
    expect((await verifySuite(repository.root, SUITE_ID)).findings).toMatchObject([
      { code: "suite-reference-digest", path: bankReferencePath("tt-bank") },
    ]);
  });
});

describe("the bank", () => {
  it("stages by digest, whatever files are called, and says what is missing", async () => {
    const target = bankWorkbookPath(repository.bank.digest);
    await rm(join(repository.root, target));
    expect(await bankStatus(repository.root)).toMatchObject({ ok: true, value: [{ state: "missing" }] });
    const folder = await mkdtemp(join(tmpdir(), "assay-bank-"));
    try {
      await mkdir(join(folder, "deep/er"), { recursive: true });
      // The same size with other bytes is not the workbook.
      await writeFile(join(folder, "a.xlsx"), new Uint8Array(repository.bank.bytes.length));
      expect((await stageBank(repository.root, folder)).ok).toBe(true);
      expect(await exists(target)).toBe(false);
      await writeFile(join(folder, "deep/er/renamed.bin"), repository.bank.bytes);
      const staged = await stageBank(repository.root, folder);
      expect(staged).toMatchObject({
        ok: true,
        value: { copied: ["tt-workbook"], entries: [{ state: "staged" }] },
      });
      expect(new Uint8Array(await readFile(join(repository.root, target)))).toEqual(repository.bank.bytes);
      expect(await stageBank(repository.root, folder)).toMatchObject({ value: { copied: [] } });
      await writeFile(join(repository.root, target), "damaged");
      expect(await bankStatus(repository.root)).toMatchObject({ value: [{ state: "damaged" }] });
      expect(await stageBank(repository.root, folder)).toMatchObject({ value: { copied: ["tt-workbook"] } });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("a folder that does not exist and a broken record are findings", async () => {
    expect((await stageBank(repository.root, "/nonexistent/folder")).findings).toMatchObject([
      { code: "bank-folder-missing" },
    ]);
    await repository.write("benchmarks/bank/records/other.json", "{}");
    const status = await bankStatus(repository.root);
    expect(status.ok).toBe(false);
    expect(status.findings[0]).toMatchObject({
      path: "benchmarks/bank/records/other.json",
      severity: "error",
    });
    expect(bankRecordSchema.safeParse({}).success).toBe(false);
  });
});
