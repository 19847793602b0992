import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ExcelJS from "exceljs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suiteDigest, suitePath } from "../../src/lib/benchmarks/suite.ts";
import type { Suite } from "../../src/lib/benchmarks/suite-schema.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import { reportSchema } from "../../src/lib/result-pr/report-schema.ts";
import { renderComment } from "../../src/lib/result-pr/words.ts";
import { renderCheck } from "../../src/lib/result-pr/words-check.ts";
import { runAction } from "../actions/bundle.ts";
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
import {
  complete,
  type Provider,
  type ProviderRequest,
  send,
  startProvider,
} from "../scripts/run/provider.ts";

/**
 * A workbook in a vault, with a canary in every place where a word can stand, and every door that touches it: commands,
 * actions, and what goes wrong at them. `canary.test.ts` does the same for the ignored folder and honest runs.
 *
 * `bench recipe` and `bench sheet` are left out: they show a file to the person who names it. So are the run's journal
 * and the prompt (docs/operations.md).
 */

/** Never anywhere. */
const SECRET = [
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
const QUOTED = ["Zq8UsedSheet", "Zq8Quoted"];

const leaks = (text: string, words: readonly string[] = [...SECRET, ...QUOTED]): string[] =>
  words.filter((word) => text.includes(word));

const table = (changes: object = {}): object => ({
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
const REFERENCE = JSON.stringify(table());
const FAILING = JSON.stringify(table({ values: { from: ["R3C1:R6C3"], as: "number" } }));
/** Executes, quotes a label, and is wrong everywhere. */
const WRONG = JSON.stringify(
  table({
    values: { from: ["R3C2:R6C3"], where: { not: { equals: "Zq8Quoted" } } },
    headers: [{ name: "label", from: ["R2C2:R2C3"], direction: "up" }],
  }),
);

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
  sheet.getCell("D4").value = { text: "Zq8Link", hyperlink: "https://example.org/Zq8Link" };
  workbook.addWorksheet("Zq8OtherSheet").addRows([["Zq8OtherCell"]]);
  workbook.definedNames.add("Zq8UsedSheet!$B$3:$C$6", "Zq8Defined");
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

let repository: TempRepository;
let vault = "";
let workbookFile = "";
let provider: Provider;
/** What the contestant says next about the bank member. */
let reply: (request: ProviderRequest) => void = () => undefined;

/** Runs one of the scripts with the vault. */
function script(file: string, words: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", `scripts/${file}.ts`, ...words], {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ASSAY_VAULT: vault, ...env },
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
const benchmark = (name: string, ...words: string[]): Promise<Ended> =>
  script(`benchmarks/${name}`, ["--root", repository.root, ...words]);
const at = (...path: string[]): string => join(repository.root, ...path);

/** Runs a contestant that answers as given, and gives what was printed and written. */
async function benchRun(
  name: string,
  answer: (request: ProviderRequest) => void,
  suite = SUITE_ID,
): Promise<Ended & { readonly document: string }> {
  reply = answer;
  const out = at("out", `${name}.json`);
  const model = name === "baseline" ? ["--model", "baseline/heuristic"] : ["--model", `test/${name}`];
  const words = ["--root", repository.root, "--suite", suite, "--out", out, "--fresh", ...model];
  const ended = await script(
    "benchmarks/run",
    name === "baseline" ? words : [...words, "--base-url", provider.url],
    { OPENAI_API_KEY: "k-test" },
  );
  return { ...ended, document: await readFile(out, "utf8").catch(() => "") };
}

const inTurn = (...answers: readonly string[]) => {
  let asked = 0;
  return (request: ProviderRequest) => complete(request, { content: answers[asked++] ?? "" });
};

const bankMember = (document: string) =>
  JSON.parse(document).members.find(({ id }: { id: string }) => id === "tt-bank");

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", repository.root, "-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    encoding: "utf8",
  }).trim();

/** A suite like the frozen one whose bank member is another. */
async function suiteLike(
  id: string,
  change: (member: Suite["members"][number]) => Suite["members"][number],
): Promise<void> {
  const suite = JSON.parse(await readFile(at(suitePath(SUITE_ID)), "utf8")) as Suite;
  const members = suite.members.filter(({ id: each }) => each === "tt-bank").map(change);
  const next = { ...suite, id, members };
  await repository.write(suitePath(id), canonicalDocument({ ...next, digest: suiteDigest(next) }));
}

beforeAll(async () => {
  repository = await unfrozenRepository();
  vault = await mkdtemp(join(tmpdir(), "assay-vault-"));
  await rm(at("benchmarks/bank/workbooks"), { recursive: true });
  const bytes = await canaryWorkbook();
  const place = "benchmarks/bank/records/tt-workbook.json";
  const record = JSON.parse(await readFile(at(place), "utf8"));
  await repository.write(place, JSON.stringify({ ...record, sha256: digestOf(bytes), bytes: bytes.length }));
  await repository.write("benchmarks/members/tt-bank/recipe.json", REFERENCE);
  const asDrafted = JSON.parse(draft());
  asDrafted.members.at(-1).feature_tags = ["single_table", "footnote_contamination"];
  await repository.write("draft.json", JSON.stringify(asDrafted));
  await repository.write(".gitignore", "/benchmarks/.runs/\n/out/\n/inbox/\n/draft.json\n");
  await repository.write("inbox/some-name.xlsx", bytes);
  workbookFile = join(vault, "bank/workbooks", `${digestOf(bytes).slice(7)}.xlsx`);
  provider = await startProvider((request) => {
    const asksBank = request.body.messages.some(({ content }) => content.includes("Zq8Title"));
    if (asksBank) reply(request);
    else complete(request, { content: JSON.stringify(recipe()) });
  });
}, 60_000);

afterAll(async () => {
  await provider.close();
  await repository.remove();
  await rm(vault, { recursive: true, force: true });
});

describe("a bank in a vault", () => {
  it("is staged there, locked, and held to its lock", async () => {
    expect((await benchmark("bank", "status")).text).toMatch(/missing +tt-workbook/);
    expect((await benchmark("bank", "lock")).text).toContain("bank-lock-incomplete");
    expect(await benchmark("bank", "stage", at("inbox"))).toMatchObject({ code: 0 });
    expect(await readdir(join(vault, "bank/workbooks"))).toHaveLength(1);
    expect(await filesBelow(at("benchmarks/bank/workbooks"))).toEqual(new Map());
    expect(await benchmark("bank", "status")).toMatchObject({
      code: 1,
      text: expect.stringContaining("bank-lock-missing"),
    });
    expect(await benchmark("bank", "lock")).toMatchObject({ code: 0 });
    expect(await benchmark("bank", "status")).toMatchObject({ code: 0 });
    const lock = await readFile(at("vault.lock.json"), "utf8");
    await writeFile(at("vault.lock.json"), lock.replace(/"bytes": /, '"bytes": 1'));
    expect((await benchmark("bank", "status")).text).toContain("bank-lock-differs");
    await writeFile(at("vault.lock.json"), lock);
    await rm(at("inbox"), { recursive: true });
    const away = await script("benchmarks/bank", ["--root", repository.root, "status"], {
      ASSAY_VAULT: join(vault, "nowhere"),
    });
    expect(away).toMatchObject({ code: 1, text: expect.stringContaining("bank-vault-missing") });
  }, 60_000);

  it("serves freezing, which keeps its reference table in the vault", async () => {
    const frozen = await benchmark(
      "suite",
      "freeze",
      at("draft.json"),
      "--frozen-at",
      FROZEN_AT,
      "--write-references",
    );
    expect(frozen, frozen.text).toMatchObject({ code: 0 });
    expect(leaks(await readFile(join(vault, "bank/references/tt-bank.csv"), "utf8"))).toContain("Zq8Label");
    expect(leaks(frozen.text)).toEqual([]);
  }, 60_000);

  it("is told by no verification, whole, damaged, unreadable or failing", async () => {
    const said: string[] = [];
    const say = async (...words: string[]): Promise<string> => {
      const { text } = await benchmark("suite", ...words);
      said.push(text);
      return text;
    };
    expect(await say("verify")).toContain("verified    tt-bank");
    await say("describe", SUITE_ID);
    const whole = await readFile(workbookFile);
    await writeFile(workbookFile, whole.subarray(0, whole.length - 40));
    expect(await say("verify")).toContain("suite-workbook-digest");
    await writeFile(workbookFile, whole);
    // Pinned by its digest, and no workbook: the reader's own words.
    const broken = new TextEncoder().encode(SECRET.join(" "));
    await writeFile(join(vault, "bank/workbooks", `${digestOf(broken).slice(7)}.xlsx`), broken);
    await suiteLike("broken-1", (member) => ({
      ...member,
      workbook: { sha256: digestOf(broken), bytes: broken.length },
    }));
    expect(await say("verify", "broken-1")).toContain("no details are shown");
    // Pinned, and its recipe fails on it: the engine's words, which quote values.
    await repository.write("benchmarks/members/tt-fails/recipe.json", FAILING);
    await suiteLike("fails-1", (member) => ({
      ...member,
      id: "tt-fails",
      recipe: { sha256: digestOf(FAILING) },
    }));
    expect(await say("verify", "fails-1")).toContain("no details are shown");
    // Pinned, and its recipe gives another table than the manifest says.
    await suiteLike("differs-1", (member) => ({
      ...member,
      reference: { ...member.reference, rows: 12_345 },
    }));
    expect(await say("verify", "differs-1")).toContain("no details are shown");
    await repository.write("benchmarks/members/tt-bank/recipe.json", FAILING);
    await rm(at(suitePath("temp-1")));
    expect(await say("freeze", at("draft.json"))).toContain("no details are shown");
    await repository.write("benchmarks/members/tt-bank/recipe.json", REFERENCE);
    expect(await say("freeze", at("draft.json"), "--frozen-at", FROZEN_AT)).toContain("Froze");
    for (const suite of ["broken-1", "fails-1", "differs-1"])
      said.push((await benchRun("baseline", () => undefined, suite)).text);
    expect(leaks(said.join("\n"))).toEqual([]);
    // The owner may see why, on a machine of their own; a workflow's log may not.
    const open = ["--root", repository.root, "--open-bank", "verify", "fails-1"];
    expect(leaks((await script("benchmarks/suite", open)).text)).not.toEqual([]);
    expect(leaks((await script("benchmarks/suite", open, { CI: "true" })).text)).toEqual([]);
    for (const suite of ["broken-1", "fails-1", "differs-1"]) await rm(at(suitePath(suite)));
  }, 120_000);
});

describe("runs", () => {
  const everything = (request: ProviderRequest): string => {
    const asked = request.body.messages.map(({ content }) => content).join("\n");
    // Proof that the contestant saw the sheet, and that what it echoes is the sheet's.
    expect(leaks(asked).length).toBeGreaterThan(8);
    return leaks(asked).join(" ");
  };

  it.each<readonly [string, (request: ProviderRequest) => void, string]>([
    [
      "broken",
      inTurn(
        `Sure: Zq8Label north is ${JSON.stringify({ Zq8Value: 1 })}`,
        JSON.stringify({ version: 1, Zq8Title: 1, tables: [{ sheet: "Zq8Labels", Zq8Header: {} }] }),
        FAILING,
      ),
      "failed",
    ],
    [
      "sheets",
      inTurn(
        JSON.stringify(table({ sheet: "Zq8OtherShee" })),
        JSON.stringify(table({ values: { from: ["Zq8Title"] } })),
        JSON.stringify(
          table({ headers: [{ name: "Zq8Label", from: ["R6C1"], direction: "up", missing: "error" }] }),
        ),
      ),
      "failed",
    ],
    ["duplicate", inTurn('{"Zq8Label": 1, "Zq8Label": 2}', '{"Zq8Title": "\\ud800"}', "Zq8Value"), "failed"],
    [
      "echo",
      (request) =>
        send(request, 400, "application/json", JSON.stringify({ error: { message: everything(request) } })),
      "failed",
    ],
    ["page", (request) => send(request, 200, "text/html", everything(request)), "failed"],
    [
      "inside",
      (request) => send(request, 200, "application/json", JSON.stringify({ error: everything(request) })),
      "failed",
    ],
    ["refusing", (request) => complete(request, { content: null, refusal: everything(request) }), "failed"],
    ["wrong", inTurn(WRONG), "partial"],
    ["baseline", () => undefined, "partial"],
  ])(
    "%s: neither document nor terminal quotes the sheet",
    async (name, answer, status) => {
      const { code, text, document } = await benchRun(name, answer);
      expect(code, text).toBe(0);
      const member = bankMember(document);
      expect(["passed", status]).toContain(member.status);
      expect(member.attempts.length).toBeGreaterThan(0);
      // Recipe and addresses name what the recipe names.
      const { recipe: evidence, mismatches, ...rest } = member;
      if (name !== "baseline") expect(leaks(JSON.stringify(evidence ?? ""), SECRET)).toEqual([]);
      for (const { row, column, expected, actual } of mismatches)
        expect([row, column, expected, actual]).toEqual([null, null, null, null]);
      expect(leaks(JSON.stringify([rest, ...mismatches]), SECRET)).toEqual([]);
      expect(leaks(JSON.stringify(rest))).toEqual([]);
      expect(leaks(text)).toEqual([]);
    },
    60_000,
  );

  it("an account that is refused in the sheet's words stops the run in ours", async () => {
    for (const status of [401, 402]) {
      const { code, text } = await benchRun(`account-${status}`, (request) =>
        send(
          request,
          status,
          "application/json",
          JSON.stringify({ error: { message: everything(request) } }),
        ),
      );
      expect(code).toBe(1);
      expect(text).toMatch(/run-key-refused|run-credit-exhausted/);
      expect(leaks(text)).toEqual([]);
    }
  }, 60_000);

  it("a spot check compares digests and statuses, and an account refused there is told in our words", async () => {
    const file = at("out/wrong.json");
    for (const [answer, code] of [
      [inTurn(WRONG), 0],
      [
        (request: ProviderRequest) =>
          send(request, 402, "application/json", JSON.stringify({ error: { message: everything(request) } })),
        1,
      ],
    ] as const) {
      reply = answer;
      const words = [
        "--root",
        repository.root,
        "--spot-check",
        file,
        "--seed",
        "s",
        "--base-url",
        provider.url,
      ];
      const ended = await script("benchmarks/run", words, { OPENAI_API_KEY: "k-test" });
      expect(ended.code, ended.text).toBe(code);
      expect(ended.text).toContain(code === 0 ? "tt-bank" : "run-credit-exhausted");
      expect(leaks(ended.text)).toEqual([]);
    }
  }, 60_000);

  it("measuring prompts counts them only", async () => {
    const { text } = await script("benchmarks/run", [
      "--root",
      repository.root,
      "--suite",
      SUITE_ID,
      "--measure",
    ]);
    expect(text).toMatch(/\d/);
    expect(leaks(text)).toEqual([]);
  }, 60_000);
});

describe("results", () => {
  const NAMES = ["wrong", "broken", "echo", "baseline"];
  /** A recipe that fails on the workbook, claimed to pass. */
  const claimed = async (): Promise<void> => {
    const document = JSON.parse(await readFile(at("out/wrong.json"), "utf8"));
    bankMember(JSON.stringify(document));
    for (const member of document.members) if (member.id === "tt-bank") member.recipe = JSON.parse(FAILING);
    await writeFile(at("out/claimed.json"), canonicalDocument(document));
  };
  const words = (text: string): string => {
    const report = reportSchema.parse(JSON.parse(text));
    const comment = renderComment(report, { head: "a".repeat(40), merge: null, acceptedBy: null });
    return comment + JSON.stringify(renderCheck(report));
  };
  const placeOf = async (name: string): Promise<string> =>
    /^Its place in the repository: (\S+)$/m.exec(
      (await benchmark("validate", at(`out/${name}.json`))).text,
    )?.[1] ?? "";

  it("are judged without a word of the sheet, in one piece and in parts", async () => {
    await claimed();
    for (const name of [...NAMES, "claimed"]) {
      const report = at("out", `${name}-report.json`);
      const { text } = await benchmark("validate", "--report", report, at("out", `${name}.json`));
      const written = await readFile(report, "utf8");
      expect(leaks(text + written + words(written)), name).toEqual([]);
    }
    const parts = ["1/2", "2/2"].map((share, index) => ({ share, file: at("out", `part-${index}.json`) }));
    for (const { share, file } of parts) {
      const made = await benchmark("validate", "--shard", share, "--part", file, at("out/wrong.json"));
      const { document, ...rest } = JSON.parse(await readFile(file, "utf8"));
      expect(leaks(made.text + JSON.stringify(rest))).toEqual([]);
      expect(Buffer.from(document, "base64").toString("utf8")).toBe(
        await readFile(at("out/wrong.json"), "utf8"),
      );
    }
    const joined = at("out/joined.json");
    const { text } = await benchmark(
      "validate",
      "--report",
      joined,
      "--join",
      ...parts.map(({ file }) => file),
    );
    expect(leaks(text)).toEqual([]);
    // Times of arrival are not part of a report, so that both ways give the same bytes.
    expect(await readFile(joined, "utf8")).toBe(await readFile(at("out/wrong-report.json"), "utf8"));
  }, 120_000);

  it("are explained by what the document says, in the terminal and on a page", async () => {
    for (const name of [...NAMES, "claimed"])
      for (const more of [[], ["tt-bank"], ["--html", "-"]]) {
        const { text } = await script("bench/main", [
          "explain",
          at("out", `${name}.json`),
          ...more,
          "--root",
          repository.root,
        ]);
        expect(text).toContain("tt-bank");
        expect(leaks(text, SECRET), `${name} ${more}`).toEqual([]);
        // Addresses are the document's own.
        expect(leaks(text), `${name} ${more}`).not.toContain("Zq8Quoted");
      }
  }, 120_000);

  it("are published without it, by the command and by the action; errors of a damaged vault are silent too", async () => {
    for (const name of ["wrong", "broken", "baseline"])
      await repository.write(await placeOf(name), await readFile(at("out", `${name}.json`)));
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "-m", "base");
    const said = [
      (await benchmark("feed", "--out", at("out/published"))).text,
      (await benchmark("validate")).text,
    ];
    const action = runAction(
      "feed",
      { repository: repository.root },
      { env: { ASSAY_VAULT: vault }, workspace: repository.root },
    );
    expect(action.code, action.stdout).toBe(0);
    said.push(action.stdout, action.stderr, JSON.stringify(action.outputs));
    for (const folder of [at("out/published"), action.temp]) {
      const files = await filesBelow(folder);
      expect(files.size).toBeGreaterThan(3);
      for (const [path, text] of files) expect(leaks(path + text), path).toEqual([]);
    }
    const whole = await readFile(workbookFile);
    await writeFile(workbookFile, whole.subarray(0, whole.length - 40));
    said.push((await benchmark("feed", "--out", at("out/published"), "--full")).text);
    said.push((await benchmark("validate", at("out/wrong.json"))).text);
    said.push((await benchmark("bank", "status")).text);
    said.push((await benchRun("baseline", () => undefined)).text);
    said.push(
      (await script("bench/main", ["explain", at("out/wrong.json"), "--root", repository.root])).text,
    );
    await writeFile(workbookFile, whole);
    expect(said.join("\n")).toContain("damaged");
    expect(leaks(said.join("\n"))).toEqual([]);
  }, 120_000);

  describe("of a pull request", () => {
    let requests = 0;
    /** A pull request that adds a result (and more), on top of the base; gives its head. */
    async function pullRequest(name: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
      requests += 1;
      const branch = `pr-${requests}`;
      const work = await mkdtemp(join(tmpdir(), "assay-work-"));
      git("worktree", "add", "--quiet", "-b", branch, work, "main");
      const place = await placeOf(name);
      for (const [path, data] of Object.entries({
        [place]: await readFile(at("out", `${name}.json`), "utf8"),
        ...more,
      })) {
        await mkdir(dirname(join(work, path)), { recursive: true });
        await writeFile(join(work, path), data);
      }
      execFileSync("git", ["-C", work, "add", "--all"]);
      execFileSync("git", ["-C", work, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "pr"]);
      const head = git("rev-parse", branch);
      git("worktree", "remove", "--force", work);
      return head;
    }

    /** The three steps of the workflow; gives everything they printed and wrote, and the report. */
    async function assay(head: string, env: Readonly<Record<string, string>> = {}) {
      const inputs = { "base-sha": git("rev-parse", "main"), "head-sha": head, "pull-request": "7" };
      const all = { env: { ASSAY_VAULT: vault, ...env }, workspace: repository.root };
      const validated = runAction(
        "validate-results",
        { ...inputs, "arrived-at": "2099-01-01T00:00:00Z", repository: repository.root },
        all,
      );
      const { temp, outputs } = validated;
      const steps = [validated];
      for (const part of JSON.parse(outputs.matrix ?? "[]") as number[])
        steps.push(
          runAction(
            "recompute-scores",
            { mode: "part", shard: `${part}/${outputs.shards}` },
            { ...all, temp },
          ),
        );
      steps.push(runAction("recompute-scores", { mode: "join", ...inputs }, { ...all, temp }));
      const printed = steps
        .map(({ stdout, stderr, outputs: set }) => stdout + stderr + JSON.stringify(set))
        .join("\n");
      const report = await readFile(steps.at(-1)?.outputs.report ?? "", "utf8");
      return { printed, report, files: await filesBelow(temp) };
    }

    const silent = ({ printed, report, files }: Awaited<ReturnType<typeof assay>>): void => {
      expect(leaks(printed)).toEqual([]);
      expect(leaks(report + words(report))).toEqual([]);
      // The evidence is the pull request's own documents.
      for (const [path, text] of files)
        expect(
          leaks(text, /assay-evidence\/[0-9a-f]{64}\.json$/.test(path) ? SECRET : undefined),
          path,
        ).toEqual([]);
    };

    it.each(["echo", "claimed"])(
      "%s: no log, output, artifact or report quotes the sheet",
      async (name) => {
        const judged = await assay(await pullRequest(name));
        expect([...judged.files.keys()].filter((path) => /part-\d\.json$/.test(path))).not.toEqual([]);
        expect(bankOf(judged.report)).toMatchObject({ private: true });
        silent(judged);
      },
      60_000,
    );

    it("a part says nothing that would answer a question put as a recipe", async () => {
      const { files } = await assay(await pullRequest("claimed"));
      const [, text = "{}"] = [...files].find(([path]) => path.endsWith("part-1.json")) ?? [];
      const member = JSON.parse(text).submissions[0].members.find(
        ({ id }: { id: string }) => id === "tt-bank",
      );
      expect(member).toMatchObject({ output: null, mismatches: [] });
      expect(member.metrics.cell_match_rate).toMatchObject({ matched: 0, union: 0 });
    }, 60_000);

    it("with a damaged vault, or none, is silent too", async () => {
      const head = await pullRequest("claimed");
      const whole = await readFile(workbookFile);
      await writeFile(workbookFile, "Zq8Value");
      const damaged = await assay(head);
      await writeFile(workbookFile, whole);
      expect(damaged.report).toContain("suite-workbook-digest");
      silent(damaged);
      const away = await assay(head, { ASSAY_VAULT: join(vault, "nowhere") });
      expect(away.printed).toContain("bank-vault-missing");
      expect(bankOf(away.report)).toMatchObject({ recomputed_status: "unverified" });
      silent(away);
    }, 60_000);

    it("opens no bank by itself, nor does the runner; the base's policy does, and the runner can close it", async () => {
      const OPEN = JSON.stringify({ schema_version: 1, open: true });
      const policy = "benchmarks/bank/policy.json";
      silent(await assay(await pullRequest("claimed", { [policy]: OPEN })));
      const head = await pullRequest("claimed");
      silent(await assay(head, { ASSAY_OPEN_BANK: "true" }));
      await repository.write(policy, OPEN);
      const open = await assay(head);
      expect(bankOf(open.report)).toMatchObject({ private: false });
      expect(leaks(open.report)).not.toEqual([]);
      silent(await assay(head, { ASSAY_OPEN_BANK: "false" }));
      // The same policy for everything else that shows members.
      const file = at("out/claimed.json");
      expect(leaks((await benchmark("validate", file)).text)).not.toEqual([]);
      expect(leaks((await benchmark("validate", "--no-open-bank", file)).text)).toEqual([]);
      const explain = ["explain", at("out/wrong.json"), "tt-bank", "--root", repository.root];
      expect(leaks((await script("bench/main", explain)).text)).toContain("Zq8Label");
      await benchmark("feed", "--out", at("out/open"));
      const board = JSON.parse(await readFile(at("out/open/board", `${SUITE_ID}.json`), "utf8"));
      expect(board.members.map(({ private: hidden }: { private: boolean }) => hidden)).toEqual([
        false,
        false,
        false,
      ]);
      const { document } = await benchRun("sheets-open", inTurn(FAILING, FAILING, FAILING));
      expect(leaks(document)).not.toEqual([]);
      await repository.write(policy, '{"open": "yes"}');
      const unreadable = await assay(head);
      expect(JSON.parse(unreadable.report)).toMatchObject({ verdict: "error" });
      silent(unreadable);
      await rm(at(policy));
    }, 120_000);
  });

  const bankOf = (report: string) =>
    reportSchema.parse(JSON.parse(report)).results[0]?.members.find(({ id }) => id === "tt-bank");
});

describe("afterwards", () => {
  it("nothing in the repository holds a word of the sheet but journals and the open bank's document", async () => {
    const exempt = /\/\.git\/|\/journal\.jsonl$|\/out\/(?:sheets-open|baseline)\.json$/;
    const journals: string[] = [];
    for (const [path, text] of await filesBelow(repository.root)) {
      if (path.endsWith("/journal.jsonl")) journals.push(text);
      if (
        exempt.test(path) ||
        /test__sheets-open|baseline__/.test(path) ||
        text.includes('"test/sheets-open"')
      )
        continue;
      expect(leaks(text, SECRET), path).toEqual([]);
    }
    // They keep answers as they came, so that no paid call is repeated.
    expect(leaks(journals.join("\n"))).not.toEqual([]);
  });
});
