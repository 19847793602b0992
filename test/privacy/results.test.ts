import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAction } from "../actions/bundle.ts";
import { filesBelow } from "../scripts/run/command.ts";
import {
  ANSWERS,
  ASKING,
  bankMember,
  type CanaryBank,
  FAILING,
  leakingFiles,
  leaks,
  openCanaryBank,
  SECRET,
  wordsOf,
} from "./canary-bank.ts";

/** Judging, explaining and publishing results. */
const CONTESTANTS = ["wrong", "broken", "echo", "baseline"] as const;
const NAMES = [...CONTESTANTS, "claimed", "asking"];

let bank: CanaryBank;

beforeAll(async () => {
  bank = await openCanaryBank({ inVault: true });
  await bank.freeze();
  for (const name of CONTESTANTS) await bank.benchRun(name, ANSWERS[name]());
  // A recipe that fails on the workbook, claimed to pass.
  await bank.claim("claimed", FAILING);
  await bank.claim("asking", ASKING);
}, 120_000);

afterAll(() => bank.close());

describe("results", () => {
  it("are judged without a word of the sheet, in one piece and in parts", async () => {
    for (const name of NAMES) {
      const report = bank.at("out", `${name}-report.json`);
      const { text } = await bank.benchmark("validate", "--report", report, bank.at("out", `${name}.json`));
      const written = await readFile(report, "utf8");
      const all = text + written + wordsOf(written);
      expect([...leaks(all), ...bank.answersIn(all)], name).toEqual([]);
    }
    const parts = ["1/2", "2/2"].map((share, index) => ({
      share,
      file: bank.at("out", `part-${index}.json`),
    }));
    for (const { share, file } of parts) {
      const made = await bank.benchmark(
        "validate",
        "--shard",
        share,
        "--part",
        file,
        bank.at("out/wrong.json"),
      );
      const { document, ...rest } = JSON.parse(await readFile(file, "utf8"));
      expect(leaks(made.text + JSON.stringify(rest))).toEqual([]);
      expect(Buffer.from(document, "base64").toString("utf8")).toBe(
        await readFile(bank.at("out/wrong.json"), "utf8"),
      );
    }
    const joined = bank.at("out/joined.json");
    const { text } = await bank.benchmark(
      "validate",
      "--report",
      joined,
      "--join",
      ...parts.map(({ file }) => file),
    );
    expect(leaks(text)).toEqual([]);
    // Times of arrival are not part of a report, so that both ways give the same bytes.
    expect(await readFile(joined, "utf8")).toBe(await readFile(bank.at("out/wrong-report.json"), "utf8"));
  }, 240_000);

  it("are explained by what the document says, in the terminal and on a page", async () => {
    for (const name of NAMES) {
      const words = ["explain", bank.at("out", `${name}.json`), "--root", bank.repository.root];
      const ways = [[], ["tt-bank"], ["--html", "-"]];
      const said = await Promise.all(ways.map((more) => bank.script("bench/main", [...words, ...more])));
      for (const [index, { text }] of said.entries()) {
        expect(text).toContain("tt-bank");
        expect([...leaks(text, SECRET), ...bank.answersIn(text)], `${name} ${ways[index]}`).toEqual([]);
        // Addresses are the document's own.
        expect(leaks(text), `${name} ${ways[index]}`).not.toContain("Zq8Quoted");
      }
    }
  }, 240_000);

  it("are published without it, by the command and by the action; errors of a damaged vault are silent too", async () => {
    for (const name of ["wrong", "broken", "baseline"])
      await bank.repository.write(await bank.placeOf(name), await readFile(bank.at("out", `${name}.json`)));
    bank.git("init", "--quiet", "--initial-branch=main");
    bank.git("add", "--all");
    bank.git("commit", "--quiet", "-m", "base");
    const said = [
      (await bank.benchmark("feed", "--out", bank.at("out/published"))).text,
      (await bank.benchmark("validate")).text,
    ];
    const action = runAction(
      "feed",
      { repository: bank.repository.root },
      { env: { ASSAY_VAULT: bank.vault }, workspace: bank.repository.root },
    );
    expect(action.code, action.stdout).toBe(0);
    said.push(action.stdout, action.stderr, JSON.stringify(action.outputs));
    for (const folder of [bank.at("out/published"), action.temp]) {
      const files = await filesBelow(folder);
      expect(files.size).toBeGreaterThan(3);
      for (const [path, text] of files) expect(leaks(path + text), path).toEqual([]);
      // Nor what the bank's tables look like, which documents say of their own output.
      const { output } = bankMember(await readFile(bank.at("out/wrong.json"), "utf8"));
      expect(output.sha256).toMatch(/^sha256:/);
      expect([...files.values()].join("\n")).not.toContain(output.sha256);
    }
    const whole = await readFile(bank.workbookFile);
    await writeFile(bank.workbookFile, whole.subarray(0, whole.length - 40));
    said.push((await bank.benchmark("feed", "--out", bank.at("out/published"), "--full")).text);
    said.push((await bank.benchmark("validate", bank.at("out/wrong.json"))).text);
    said.push((await bank.benchmark("bank", "status")).text);
    said.push((await bank.benchRun("baseline", () => undefined)).text);
    said.push(
      (
        await bank.script("bench/main", [
          "explain",
          bank.at("out/wrong.json"),
          "--root",
          bank.repository.root,
        ])
      ).text,
    );
    await writeFile(bank.workbookFile, whole);
    expect(said.join("\n")).toContain("damaged");
    expect(leaks(said.join("\n"))).toEqual([]);
  }, 240_000);

  it("with a wrong one committed, nothing is published, and neither command nor action says what it gives", async () => {
    await bank.repository.write(await bank.placeOf("asking"), await readFile(bank.at("out/asking.json")));
    bank.git("add", "--all");
    bank.git("commit", "--quiet", "-m", "asking");
    const inputs = { repository: bank.repository.root };
    const env = { env: { ASSAY_VAULT: bank.vault }, workspace: bank.repository.root };
    const action = runAction("feed", inputs, env);
    expect(action.code).toBe(1);
    const command = await bank.benchmark("feed", "--out", bank.at("out/refused"), "--full");
    expect(command.code).toBe(1);
    expect(await filesBelow(bank.at("out/refused"))).toEqual(new Map());
    const left = [...(await filesBelow(action.temp))].flat();
    const said = [command.text, action.stdout, action.stderr, JSON.stringify(action.outputs), ...left].join(
      "\n",
    );
    expect(said).toContain("score-");
    expect([...leaks(said), ...bank.answersIn(said)]).toEqual([]);
    expect(await leakingFiles(bank.repository.root, /\/\.git\//)).toEqual([]);
  }, 120_000);
});
