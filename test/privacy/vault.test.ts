import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suitePath } from "../../src/lib/benchmarks/suite.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { FROZEN_AT, SUITE_ID } from "../jobs/temp-suite.ts";
import { filesBelow } from "../scripts/run/command.ts";
import { type CanaryBank, FAILING, leaks, openCanaryBank, REFERENCE, SECRET } from "./canary-bank.ts";

/** Staging, locking, freezing and verifying. */
let bank: CanaryBank;

beforeAll(async () => {
  bank = await openCanaryBank({ inVault: true });
}, 120_000);

afterAll(() => bank.close());

describe("a bank in a vault", () => {
  it("is staged there, locked, and held to its lock", async () => {
    expect((await bank.benchmark("bank", "status")).text).toMatch(/missing +tt-workbook/);
    expect((await bank.benchmark("bank", "lock")).text).toContain("bank-lock-incomplete");
    expect(await bank.benchmark("bank", "stage", bank.at("inbox"))).toMatchObject({ code: 0 });
    expect(await readdir(join(bank.vault, "bank/workbooks"))).toHaveLength(1);
    expect(await filesBelow(bank.at("benchmarks/bank/workbooks"))).toEqual(new Map());
    expect(await bank.benchmark("bank", "status")).toMatchObject({
      code: 1,
      text: expect.stringContaining("bank-lock-missing"),
    });
    expect(await bank.benchmark("bank", "lock")).toMatchObject({ code: 0 });
    expect(await bank.benchmark("bank", "status")).toMatchObject({ code: 0 });
    const lock = await readFile(bank.at("vault.lock.json"), "utf8");
    await writeFile(bank.at("vault.lock.json"), lock.replace(/"bytes": /, '"bytes": 1'));
    expect((await bank.benchmark("bank", "status")).text).toContain("bank-lock-differs");
    await writeFile(bank.at("vault.lock.json"), lock);
    await rm(bank.at("inbox"), { recursive: true });
    const away = await bank.script("benchmarks/bank", ["--root", bank.repository.root, "status"], {
      ASSAY_VAULT: join(bank.vault, "nowhere"),
    });
    expect(away).toMatchObject({ code: 1, text: expect.stringContaining("bank-vault-missing") });
  }, 120_000);

  it("serves freezing, which keeps its reference table in the vault", async () => {
    const frozen = await bank.benchmark(
      "suite",
      "freeze",
      bank.at("draft.json"),
      "--frozen-at",
      FROZEN_AT,
      "--write-references",
    );
    expect(frozen, frozen.text).toMatchObject({ code: 0 });
    expect(leaks(await readFile(join(bank.vault, "bank/references/tt-bank.csv"), "utf8"))).toContain(
      "Zq8Label",
    );
    expect(leaks(frozen.text)).toEqual([]);
  }, 120_000);

  it("is told by no verification, whole, damaged, unreadable or failing", async () => {
    const said: string[] = [];
    const say = async (...words: string[]): Promise<string> => {
      const { text } = await bank.benchmark("suite", ...words);
      said.push(text);
      return text;
    };
    expect(await say("verify")).toContain("verified    tt-bank");
    await say("describe", SUITE_ID);
    const whole = await readFile(bank.workbookFile);
    await writeFile(bank.workbookFile, whole.subarray(0, whole.length - 40));
    expect(await say("verify")).toContain("suite-workbook-digest");
    await writeFile(bank.workbookFile, whole);
    // Pinned by its digest, and no workbook: the reader's own words.
    const broken = new TextEncoder().encode(SECRET.join(" "));
    await writeFile(join(bank.vault, "bank/workbooks", `${digestOf(broken).slice(7)}.xlsx`), broken);
    await bank.suiteLike("broken-1", (member) => ({
      ...member,
      workbook: { sha256: digestOf(broken), bytes: broken.length },
    }));
    expect(await say("verify", "broken-1")).toContain("no details are shown");
    // Pinned, and its recipe fails on it: the engine's words, which quote values.
    await bank.repository.write("benchmarks/members/tt-fails/recipe.json", FAILING);
    await bank.suiteLike("fails-1", (member) => ({
      ...member,
      id: "tt-fails",
      recipe: { sha256: digestOf(FAILING) },
    }));
    expect(await say("verify", "fails-1")).toContain("no details are shown");
    // Pinned, and its recipe gives another table than the manifest says.
    await bank.suiteLike("differs-1", (member) => ({
      ...member,
      reference: { ...member.reference, rows: 12_345 },
    }));
    expect(await say("verify", "differs-1")).toContain("no details are shown");
    await bank.repository.write("benchmarks/members/tt-bank/recipe.json", FAILING);
    await rm(bank.at(suitePath("temp-1")));
    expect(await say("freeze", bank.at("draft.json"))).toContain("no details are shown");
    await bank.repository.write("benchmarks/members/tt-bank/recipe.json", REFERENCE);
    expect(await say("freeze", bank.at("draft.json"), "--frozen-at", FROZEN_AT)).toContain("Froze");
    for (const suite of ["broken-1", "fails-1", "differs-1"])
      said.push((await bank.benchRun("baseline", () => undefined, suite)).text);
    expect(leaks(said.join("\n"))).toEqual([]);
    // The owner may see why, on a machine of their own; a workflow's log may not.
    const open = ["--root", bank.repository.root, "--open-bank", "verify", "fails-1"];
    expect(leaks((await bank.script("benchmarks/suite", open)).text)).not.toEqual([]);
    expect(leaks((await bank.script("benchmarks/suite", open, { CI: "true" })).text)).toEqual([]);
    for (const suite of ["broken-1", "fails-1", "differs-1"]) await rm(bank.at(suitePath(suite)));
  }, 240_000);
});
