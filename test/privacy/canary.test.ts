import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freezeSuite } from "../../src/jobs/suite.ts";
import { bankWorkbookPath } from "../../src/lib/benchmarks/suite.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { renderComment } from "../../src/lib/result-pr/words.ts";
import { renderCheck } from "../../src/lib/result-pr/words-check.ts";
import {
  draft,
  FROZEN_AT,
  REPOSITORY,
  SUITE_ID,
  type TempRepository,
  unfrozenRepository,
} from "../jobs/temp-suite.ts";
import { filesBelow, run } from "../scripts/run/command.ts";
import { complete, startProvider, taskOf } from "../scripts/run/provider.ts";

/**
 * A private bank workbook full of words that must not leave. The prompt to the contestant carries the sheet, and the run's
 * journal under `benchmarks/.runs` keeps the contestant's answers: both stay with the person who runs. Nothing else may
 * hold a canary: no document, report, comment, check, published file, log or error.
 */
const CANARIES = [
  "Zq7HEADER",
  "Zq7ROWLABEL",
  "Zq7VALUE",
  "Zq7COMMENT",
  "Zq7TITLE",
  "Zq7HIDDEN",
  "Zq7FORMAT",
  "918273645.5",
];
const leaks = (text: string): string[] => CANARIES.filter((canary) => text.includes(canary));

/** Reads the sheet right. */
const REFERENCE = {
  version: 1,
  tables: [
    {
      sheet: "Data",
      values: { from: ["R3C2:R5C3"] },
      headers: [
        { name: "label", from: ["R3C1:R5C1"], direction: "left" },
        { name: "year", from: ["R2C2:R2C3"], direction: "up" },
      ],
    },
  ],
};
const table = (changes: object): string =>
  JSON.stringify({ ...REFERENCE, tables: [{ ...REFERENCE.tables[0], ...changes }] });
/** Answers whose findings would love to quote the sheet: a wrong name, texts that are no numbers, missing headers. */
const BROKEN = [
  table({ sheet: "Dta" }),
  table({ values: { from: ["R3C1:R5C3"], as: "number" } }),
  table({ headers: [{ name: "year", from: ["R1C1"], direction: "left", missing: "error" }] }),
];
/** Executes, and is wrong everywhere: mismatch rows. */
const WRONG = table({ headers: [{ name: "label", from: ["R2C2:R2C3"], direction: "up" }] });

let repository: TempRepository;
/** The staged bank workbook. */
let workbookFile = "";
const printed: string[] = [];

async function bankWorkbook(): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet("Data");
  sheet.addRows([
    ["Zq7TITLE of the table"],
    [null, "Zq7HEADER 2022", "Zq7HEADER 2023"],
    ["Zq7ROWLABEL north", 918_273_645.5, 2],
    ["Zq7ROWLABEL south", "Zq7VALUE", 4],
    ["Zq7ROWLABEL east", 5, 6],
    ["Zq7HIDDEN"],
  ]);
  sheet.getRow(6).hidden = true;
  sheet.getCell("B3").note = "Zq7COMMENT";
  sheet.getCell("C3").numFmt = '0.0"Zq7FORMAT"';
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** Runs one of the scripts over the repository and keeps what it printed. */
function script(file: string, ...words: string[]): { status: number | null; text: string } {
  const { CI: _, ...env } = process.env;
  const ended = spawnSync(process.execPath, ["--import", "tsx", file, ...words], {
    cwd: REPOSITORY,
    encoding: "utf8",
    env,
  });
  const text = ended.stdout + ended.stderr;
  printed.push(text);
  return { status: ended.status, text };
}

async function benchRun(
  name: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const out = join(repository.root, `${name}.json`);
  const { stdout, stderr, code } = await run(
    ["--root", repository.root, "--suite", SUITE_ID, "--out", out, ...words],
    { env },
  );
  printed.push(stdout + stderr);
  expect(code, stdout + stderr).toBe(0);
  return out;
}

/** Runs a contestant that gives these answers, one after the other, about the bank member. */
async function benchRunWith(name: string, answers: readonly string[]): Promise<string> {
  let asked = 0;
  const provider = await startProvider((request) => {
    const bank = request.body.messages.some(({ content }) => content.includes("Zq7TITLE"));
    complete(request, {
      content: bank ? (answers[asked++ % answers.length] ?? "") : `no recipe for ${taskOf(request)}`,
      cost: 0.001,
    });
  });
  try {
    return await benchRun(name, ["--model", `test/${name}`, "--base-url", provider.url], {
      OPENAI_API_KEY: "k-test-canary",
    });
  } finally {
    await provider.close();
  }
}

beforeAll(async () => {
  repository = await unfrozenRepository();
  const bytes = await bankWorkbook();
  const record = JSON.parse(
    await readFile(join(repository.root, "benchmarks/bank/records/tt-workbook.json"), "utf8"),
  );
  await repository.write(
    "benchmarks/bank/records/tt-workbook.json",
    JSON.stringify({ ...record, sha256: digestOf(bytes), bytes: bytes.length }),
  );
  workbookFile = join(repository.root, bankWorkbookPath(digestOf(bytes)));
  await writeFile(workbookFile, bytes);
  await repository.write("benchmarks/members/tt-bank/recipe.json", JSON.stringify(REFERENCE));
  const frozen = await freezeSuite({
    root: repository.root,
    draft: new TextEncoder().encode(draft()),
    draftPath: "draft.json",
    frozenAt: FROZEN_AT,
  });
  if (!frozen.ok) throw new Error(JSON.stringify(frozen.findings));
});
afterAll(() => repository.remove());

describe("words of a private workbook", () => {
  it("are really there to leak: a person who holds the workbook sees them", () => {
    const recipe = join(repository.root, "benchmarks/members/tt-bank/recipe.json");
    const { text } = script(
      "scripts/bench/main.ts",
      "recipe",
      "run",
      "--workbook",
      workbookFile,
      "--recipe",
      recipe,
    );
    expect(leaks(text)).toEqual(expect.arrayContaining(["Zq7HEADER", "Zq7ROWLABEL", "Zq7VALUE"]));
    printed.length = 0;
  });

  it("stay out of documents and terminals of runs, whatever the contestant answers", async () => {
    const documents = [
      await benchRun("baseline", ["--model", "baseline/heuristic", "--fresh"]),
      await benchRunWith("broken", BROKEN),
      await benchRunWith("wrong", [WRONG]),
    ];
    for (const file of documents) {
      const text = await readFile(file, "utf8");
      const bank = JSON.parse(text).members.find(({ id }: { id: string }) => id === "tt-bank");
      expect(bank.attempts.length, file).toBeGreaterThan(0);
      expect(leaks(text), file).toEqual([]);
    }
    expect(leaks(printed.join("\n"))).toEqual([]);
  }, 90_000);

  it("stay out of reports, comments and checks", async () => {
    for (const name of ["baseline", "broken", "wrong"]) {
      const report = join(repository.root, `${name}-report.json`);
      script(
        "scripts/benchmarks/validate.ts",
        "--root",
        repository.root,
        "--report",
        report,
        join(repository.root, `${name}.json`),
      );
      const text = await readFile(report, "utf8");
      expect(leaks(text), report).toEqual([]);
      const parsed = reportSchema.parse(JSON.parse(text));
      const comment = renderComment(parsed, { head: "a".repeat(40), merge: null, acceptedBy: null });
      expect(leaks(comment + JSON.stringify(renderCheck(parsed)))).toEqual([]);
    }
    expect(leaks(printed.join("\n"))).toEqual([]);
  }, 90_000);

  it("stay out of what the other commands print and publish", async () => {
    const wrong = join(repository.root, "wrong.json");
    const published = join(repository.root, "out");
    const place = /benchmarks\/results\/\S+\.json/.exec(
      script("scripts/benchmarks/validate.ts", "--root", repository.root, wrong).text,
    )?.[0];
    await mkdir(join(repository.root, place ?? "", ".."), { recursive: true });
    await writeFile(join(repository.root, place ?? ""), await readFile(wrong));
    script(
      "scripts/benchmarks/feed.ts",
      "--root",
      repository.root,
      "--out",
      published,
      "--tree",
      "0".repeat(40),
    );
    script("scripts/benchmarks/suite.ts", "--root", repository.root, "verify");
    script("scripts/benchmarks/suite.ts", "--root", repository.root, "describe", SUITE_ID);
    script("scripts/benchmarks/bank.ts", "--root", repository.root, "status");
    const files = await filesBelow(published);
    expect(files.size).toBeGreaterThan(0);
    for (const [path, text] of files) expect(leaks(text), path).toEqual([]);
    expect(leaks(printed.join("\n"))).toEqual([]);
  }, 90_000);

  it("stay out of errors when the workbook is damaged", async () => {
    const bytes = await readFile(workbookFile);
    await writeFile(workbookFile, bytes.subarray(0, bytes.length - 30));
    printed.length = 0;
    script("scripts/benchmarks/suite.ts", "--root", repository.root, "verify");
    script("scripts/benchmarks/bank.ts", "--root", repository.root, "status");
    script("scripts/benchmarks/validate.ts", "--root", repository.root, join(repository.root, "wrong.json"));
    expect(printed.join("\n")).toContain("damaged");
    expect(leaks(printed.join("\n"))).toEqual([]);
  }, 60_000);
});
