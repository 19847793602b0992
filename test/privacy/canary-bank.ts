import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { readWorkbook } from "../../src/io/xlsx/read.ts";
import { bankWorkbookPath, suiteDigest, suitePath } from "../../src/lib/benchmarks/suite.ts";
import type { Suite } from "../../src/lib/benchmarks/suite-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { renderComment } from "../../src/lib/result-pr/words.ts";
import { renderCheck } from "../../src/lib/result-pr/words-check.ts";
import { parseRecipe } from "../../src/lib/sheet/check.ts";
import { canonicalCsv } from "../../src/lib/sheet/csv.ts";
import { executeRecipe } from "../../src/lib/sheet/execute.ts";
import {
  draft,
  FROZEN_AT,
  REPOSITORY,
  recipe,
  SUITE_ID,
  type TempRepository,
  unfrozenRepository,
} from "../jobs/temp-suite.ts";
import { filesBelow } from "../scripts/run/command.ts";
import { complete, type ProviderRequest, send, startProvider } from "../scripts/run/provider.ts";

/**
 * A private workbook with a canary in every place where a word can stand, and ways to knock at the doors that touch it.
 *
 * `bench recipe` and `bench sheet` are left out by the tests of doors: they show a file to the person who names it. So
 * are the run's journal and the prompt (docs/operations.md).
 */

/** Never anywhere. */
export const SECRET = [
  "Zq8Title",
  "Zq8Header",
  "Zq8Label",
  "Zq8Value",
  "Zq8Comment",
  "Zq8Format",
  "Zq8Defined",
  "Zq8Hidden",
  "Zq8OtherSheet",
  "Zq8OtherCell",
  "Zq8Author",
  "Zq8Footer",
  "Zq8Link",
  "Zq8Rich",
  "918273645.5",
];
/** Named by recipes, which are evidence: in recipes and in documents that hold them, never in what is made of those. */
export const QUOTED = ["Zq8UsedSheet", "Zq8Quoted"];

export const leaks = (text: string, words: readonly string[] = [...SECRET, ...QUOTED]): string[] =>
  words.filter((word) => text.includes(word));

/** The reference recipe with changes to its table. */
export const table = (changes: object = {}): object => ({
  version: 1,
  tables: [
    {
      sheet: "Zq8UsedSheet",
      values: { from: ["R3C2:R6C3"] },
      headers: [
        { name: "label", from: ["R3C1:R6C1"], direction: "left" },
        { name: "year", from: ["R2C2:R2C3"], direction: "up" },
      ],
      ...changes,
    },
  ],
});
export const REFERENCE = JSON.stringify(table());
/** Finds texts where it was promised numbers. */
export const FAILING = JSON.stringify(table({ values: { from: ["R3C1:R6C3"], as: "number" } }));
/** Executes, quotes a label, and is wrong everywhere. */
export const WRONG = JSON.stringify(
  table({
    values: { from: ["R3C2:R6C3"], where: { not: { equals: "Zq8Quoted" } } },
    headers: [{ name: "label", from: ["R2C2:R2C3"], direction: "up" }],
  }),
);

/** A question put as a recipe: what it gives, and how many rows of it, would answer it. */
export const ASKING = JSON.stringify(
  table({
    values: { from: ["R1C1:R31C139"], blanks: "keep" },
    headers: [{ name: "label", from: ["R1C1"], direction: "fixed" }],
  }),
);
const ASKED_ROWS = 31 * 139;

async function canaryWorkbook(): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  workbook.creator = "Zq8Author";
  const sheet = workbook.addWorksheet("Zq8UsedSheet", { headerFooter: { oddFooter: "Zq8Footer" } });
  sheet.addRows([
    ["Zq8Title of the table"],
    [null, "Zq8Header 2022", "Zq8Header 2023"],
    ["Zq8Label north", 918_273_645.5, 2],
    ["Zq8Label south", "Zq8Value", 4],
    ["Zq8Label east", 5, "Zq8Quoted"],
    [null, 7, 8],
    ["Zq8Hidden"],
  ]);
  sheet.getRow(7).hidden = true;
  sheet.getCell("B3").note = "Zq8Comment";
  sheet.getCell("C3").numFmt = '0.0"Zq8Format"';
  sheet.getCell("A6").value = { richText: [{ text: "Zq8Rich", font: { bold: true } }] };
  workbook.addWorksheet("Zq8OtherSheet").addRows([["Zq8OtherCell"]]);
  workbook.definedNames.add("Zq8UsedSheet!$B$3:$C$6", "Zq8Defined");
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** Digest and number of rows of what `ASKING` gives. */
async function answersOf(bytes: Uint8Array): Promise<readonly string[]> {
  const workbook = await readWorkbook(bytes);
  const asked = parseRecipe(ASKING);
  if (!workbook.ok || !asked.ok) throw new Error("the workbook or the question cannot be read");
  const executed = executeRecipe(workbook.value, asked.value);
  if (!executed.ok || executed.value.table.rows.length !== ASKED_ROWS)
    throw new Error("the question has no such answer");
  return [digestOf(canonicalCsv(executed.value.table)).slice("sha256:".length), String(ASKED_ROWS)];
}

export interface Ended {
  readonly code: number | null;
  readonly text: string;
}

export type Answer = (request: ProviderRequest) => void;

/** Gives these answers one after the other, each to one request. */
export const inTurn = (...answers: readonly string[]): Answer => {
  let asked = 0;
  return (request) => complete(request, { content: answers[asked++] ?? "" });
};

/** All the sheet's words that the prompt shows: the contestant saw them, so that it can echo them. */
export function everything(request: ProviderRequest): string {
  const seen = leaks(request.body.messages.map(({ content }) => content).join("\n"));
  if (seen.length <= 8) throw new Error(`the prompt shows only ${seen.join(" ")}`);
  return seen.join(" ");
}

/** What contestants answer about the bank member, by their names. */
export const ANSWERS = {
  broken: () =>
    inTurn(
      `Sure: Zq8Label north is ${JSON.stringify({ Zq8Value: 1 })}`,
      JSON.stringify({ version: 1, Zq8Title: 1, tables: [{ sheet: "Zq8Labels", Zq8Header: {} }] }),
      FAILING,
    ),
  echo: (): Answer => (request) =>
    send(request, 400, "application/json", JSON.stringify({ error: { message: everything(request) } })),
  wrong: () => inTurn(WRONG),
  baseline: (): Answer => () => undefined,
};

export const bankMember = (document: string) =>
  JSON.parse(document).members.find(({ id }: { id: string }) => id === "tt-bank");

export const bankOf = (report: string) =>
  reportSchema.parse(JSON.parse(report)).results[0]?.members.find(({ id }) => id === "tt-bank");

/** Files below a folder that hold a word of the sheet; journals keep answers as they came and do not count. */
export async function leakingFiles(folder: string, exempt: RegExp): Promise<string[]> {
  const files = [...(await filesBelow(folder))];
  return files.flatMap(([path, text]) =>
    !path.endsWith("/journal.jsonl") && !exempt.test(path) && leaks(text, SECRET).length > 0 ? [path] : [],
  );
}

/** All that the bot says of a report. */
export function wordsOf(text: string): string {
  const report = reportSchema.parse(JSON.parse(text));
  const comment = renderComment(report, { head: "a".repeat(40), merge: null, acceptedBy: null });
  return comment + JSON.stringify(renderCheck(report));
}

/** A repository whose bank holds the canaries' workbook. */
export interface CanaryBank {
  readonly repository: TempRepository;
  /** The vault's folder; empty when the bank lies in the ignored folder. */
  readonly vault: string;
  /** Where the staged workbook lies. */
  readonly workbookFile: string;
  readonly providerUrl: string;
  /** Which facts that `ASKING` asks for stand in a text. */
  answersIn(text: string): string[];
  /** A path below the repository. */
  at(...path: string[]): string;
  /** What the contestant says next about the bank member. */
  answer(next: Answer): void;
  /** Runs one of the scripts as its owner would. */
  script(file: string, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs one of the benchmark's scripts over the repository. */
  benchmark(name: string, ...words: string[]): Promise<Ended>;
  /** Runs a contestant that answers as given (or the baseline), and gives what was printed and written. */
  benchRun(name: string, answer: Answer, suite?: string): Promise<Ended & { readonly document: string }>;
  /** Writes `out/<name>.json`: the contestant `wrong`'s document with another recipe for the bank's member. */
  claim(name: string, recipe: string): Promise<void>;
  /** Where a document of `out/` belongs. */
  placeOf(name: string): Promise<string>;
  git(...args: string[]): string;
  /** Stages the workbook and freezes the suite. */
  freeze(): Promise<void>;
  /** Writes a suite like the frozen one whose only member is the bank's, changed. */
  suiteLike(
    id: string,
    change: (member: Suite["members"][number]) => Suite["members"][number],
  ): Promise<void>;
  close(): Promise<void>;
}

/** The workbook lies in the folder `inbox`, not yet staged, and `draft.json` is not yet frozen. */
export async function openCanaryBank({ inVault }: { readonly inVault: boolean }): Promise<CanaryBank> {
  const repository = await unfrozenRepository();
  const vault = inVault ? await mkdtemp(join(tmpdir(), "assay-vault-")) : "";
  const at = (...path: string[]): string => join(repository.root, ...path);
  const bytes = await canaryWorkbook();
  await fillRepository(repository, bytes);
  const facts = await answersOf(bytes);
  let reply: Answer = () => undefined;
  const provider = await startProvider((request) => {
    const asksBank = request.body.messages.some(({ content }) => content.includes("Zq8Title"));
    if (asksBank) reply(request);
    else complete(request, { content: JSON.stringify(recipe()) });
  });
  const script: CanaryBank["script"] = (file, words, env = {}) =>
    runScript(file, words, { ...(inVault ? { ASSAY_VAULT: vault } : {}), ...env });
  const benchmark: CanaryBank["benchmark"] = (name, ...words) =>
    script(`benchmarks/${name}`, ["--root", repository.root, ...words]);
  return {
    repository,
    vault,
    workbookFile: inVault
      ? join(vault, "bank/workbooks", `${digestOf(bytes).slice(7)}.xlsx`)
      : at(bankWorkbookPath(digestOf(bytes))),
    providerUrl: provider.url,
    answersIn: (text) => facts.filter((fact) => new RegExp(`(?<![0-9a-f])${fact}(?![0-9a-f])`).test(text)),
    at,
    answer: (next) => {
      reply = next;
    },
    script,
    benchmark,
    async benchRun(name, answer, suite = SUITE_ID) {
      reply = answer;
      const out = at("out", `${name}.json`);
      const words = ["--suite", suite, "--out", out, "--fresh"];
      const contestant =
        name === "baseline"
          ? ["--model", "baseline/heuristic"]
          : ["--model", `test/${name}`, "--base-url", provider.url];
      const ended = await script("benchmarks/run", ["--root", repository.root, ...words, ...contestant], {
        OPENAI_API_KEY: "k-test",
      });
      return { ...ended, document: await readFile(out, "utf8").catch(() => "") };
    },
    async claim(name, claimed) {
      const document = JSON.parse(await readFile(at("out/wrong.json"), "utf8"));
      for (const member of document.members) if (member.id === "tt-bank") member.recipe = JSON.parse(claimed);
      await writeFile(at(`out/${name}.json`), canonicalDocument(document));
    },
    placeOf: async (name) =>
      /^Its place in the repository: (\S+)$/m.exec(
        (await benchmark("validate", at(`out/${name}.json`))).text,
      )?.[1] ?? "",
    git: (...args) =>
      execFileSync("git", ["-C", repository.root, "-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        encoding: "utf8",
      }).trim(),
    async freeze() {
      const staged = await benchmark("bank", "stage", at("inbox"));
      const frozen = await benchmark("suite", "freeze", at("draft.json"), "--frozen-at", FROZEN_AT);
      if (staged.code !== 0 || frozen.code !== 0) throw new Error(staged.text + frozen.text);
      await rm(at("inbox"), { recursive: true });
    },
    async suiteLike(id, change) {
      const suite = JSON.parse(await readFile(at(suitePath(SUITE_ID)), "utf8")) as Suite;
      const members = suite.members.filter(({ id: each }) => each === "tt-bank").map(change);
      const next = { ...suite, id, members };
      await repository.write(suitePath(id), canonicalDocument({ ...next, digest: suiteDigest(next) }));
    },
    async close() {
      await provider.close();
      await repository.remove();
      if (inVault) await rm(vault, { recursive: true, force: true });
    },
  };
}

async function fillRepository(repository: TempRepository, bytes: Uint8Array): Promise<void> {
  await rm(join(repository.root, "benchmarks/bank/workbooks"), { recursive: true });
  const place = "benchmarks/bank/records/tt-workbook.json";
  const record = JSON.parse(await readFile(join(repository.root, place), "utf8"));
  await repository.write(place, JSON.stringify({ ...record, sha256: digestOf(bytes), bytes: bytes.length }));
  await repository.write("benchmarks/members/tt-bank/recipe.json", REFERENCE);
  const asDrafted = JSON.parse(draft());
  asDrafted.members.at(-1).feature_tags = ["single_table", "footnote_contamination"];
  await repository.write("draft.json", JSON.stringify(asDrafted));
  await repository.write(
    ".gitignore",
    "/benchmarks/.runs/\n/benchmarks/bank/workbooks/\n/out/\n/inbox/\n/draft.json\n",
  );
  await repository.write("inbox/some-name.xlsx", bytes);
}

function runScript(
  file: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", `scripts/${file}.ts`, ...words], {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        text += chunk;
      });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}
