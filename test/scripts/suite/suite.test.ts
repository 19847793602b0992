import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bankWorkbookPath } from "../../../src/lib/benchmarks/suite.ts";
import { draft, SUITE_ID, type TempRepository, unfrozenRepository } from "../../jobs/temp-suite.ts";
import { runScript, type ScriptRun } from "../run-script.ts";

let repository: TempRepository;
beforeAll(async () => {
  repository = await unfrozenRepository();
  await repository.write("work/draft.json", draft());
});
afterAll(() => repository.remove());

const run = async (name: string, ...args: string[]): Promise<ScriptRun> => {
  const result = await runScript(name, ["--root", "..", ...args], join(repository.root, "work"));
  expect(result.out + result.err).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  return result;
};

describe("npm run bench:suite and bench:bank", () => {
  it("freeze, verify and describe, from the folder the person is in", async () => {
    const frozen = await run("suite", "freeze", "draft.json", "--frozen-at", "2026-11-01T00:00:00.000Z");
    expect(frozen).toMatchObject({ code: 0, err: "" });
    expect(frozen.out).toContain(`benchmarks/suites/${SUITE_ID}.json`);
    const again = await run("suite", "freeze", "draft.json");
    expect(again.code).toBe(1);
    expect(again.err).toContain("suite-frozen");

    const verified = await run("suite", "verify");
    expect(verified).toMatchObject({ code: 0, err: "" });
    expect(verified.out).toContain(`${SUITE_ID} holds.`);

    const described = await run("suite", "describe", SUITE_ID);
    expect(described.code).toBe(0);
    expect(described.out).toMatch(/\| bank_asset \| 1 \|\n\| conformance \| 2 \|/);
    expect(described.out).toMatch(/\| single_table \| .* \| 3 \|/);
    expect((await run("suite", "describe", "nope")).err).toContain("suite-unknown");
  });

  it("without the bank a suite holds as far as can be seen; status says what is missing", async () => {
    expect(await run("bank", "status")).toMatchObject({ code: 0, out: expect.stringContaining("1 of 1") });
    await rm(join(repository.root, bankWorkbookPath(repository.bank.digest)));
    const status = await run("bank", "status");
    expect(status.code).toBe(1);
    expect(status.out).toContain("Not staged: tt-workbook");
    const verified = await run("suite", "verify", SUITE_ID);
    expect(verified.code).toBe(0);
    expect(verified.out).toMatch(/unavailable tt-bank: .*bench:bank/);
    expect(verified.out).toContain("1 bank workbooks are not staged");
    await repository.write("work/somewhere/copy.xlsx", repository.bank.bytes);
    const staged = await run("bank", "stage", "somewhere");
    expect(staged).toMatchObject({ code: 0, err: "" });
    expect(staged.out).toContain("staged   tt-workbook");
    expect((await run("bank", "stage", "nowhere")).err).toContain("bank-folder-missing");
  });

  it("what the disk refuses to take is told, and nothing else is left behind", async () => {
    const place = bankWorkbookPath(repository.bank.digest);
    await rm(join(repository.root, place));
    await repository.write(`${place}/in-the-way`, "x");
    const staged = await run("bank", "stage", "somewhere");
    expect(staged).toMatchObject({ code: 1, err: expect.stringContaining("file-is-directory") });
    expect(staged.out).toContain("Not staged: tt-workbook");
    expect(await readdir(join(repository.root, place, ".."))).toEqual([
      `${repository.bank.digest.slice(7)}.xlsx`,
    ]);
    await rm(join(repository.root, place), { recursive: true });
    expect(await run("bank", "stage", "somewhere")).toMatchObject({ code: 0 });
    await repository.write("vault.lock.json/in-the-way", "x");
    expect(await run("bank", "lock")).toMatchObject({
      code: 1,
      err: expect.stringContaining("file-is-directory"),
    });
    await rm(join(repository.root, "vault.lock.json"), { recursive: true });
    // A file where the folder of suites has to be.
    const suites = join(repository.root, "benchmarks/suites");
    await rename(suites, `${suites}-away`);
    await repository.write("benchmarks/suites", "x");
    expect(await run("suite", "freeze", "draft.json")).toMatchObject({
      code: 1,
      err: expect.stringContaining("file-missing"),
    });
    await rm(suites);
    await rename(`${suites}-away`, suites);
  });

  it("a member that changed breaks the suite", async () => {
    await repository.write("benchmarks/members/tt-one/reference.csv", "x\n");
    const verified = await run("suite", "verify", SUITE_ID);
    expect(verified.code).toBe(1);
    expect(verified.err).toContain("suite-reference-digest");
    expect(verified.out).toContain(`${SUITE_ID} does NOT hold.`);
  });
});
