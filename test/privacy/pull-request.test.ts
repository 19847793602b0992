import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAction } from "../actions/bundle.ts";
import { SUITE_ID } from "../jobs/temp-suite.ts";
import { filesBelow } from "../scripts/run/command.ts";
import {
  ANSWERS,
  ASKING,
  bankOf,
  type CanaryBank,
  FAILING,
  inTurn,
  leakingFiles,
  leaks,
  openCanaryBank,
  SECRET,
  wordsOf,
} from "./canary-bank.ts";

/** The built actions with the runner's environment, over a pull request. */
let bank: CanaryBank;

beforeAll(async () => {
  bank = await openCanaryBank({ inVault: true });
  await bank.freeze();
  await bank.benchRun("wrong", ANSWERS.wrong());
  await bank.benchRun("echo", ANSWERS.echo());
  // A recipe that fails on the workbook, claimed to pass; and one that counts cells.
  await bank.claim("claimed", FAILING);
  await bank.claim("asking", ASKING);
  await bank.repository.write(await bank.placeOf("wrong"), await readFile(bank.at("out/wrong.json")));
  bank.git("init", "--quiet", "--initial-branch=main");
  bank.git("add", "--all");
  bank.git("commit", "--quiet", "-m", "base");
}, 120_000);

afterAll(() => bank.close());

const POLICY = "benchmarks/bank/policy.json";
const OPEN = JSON.stringify({ schema_version: 1, open: true });

describe("of a pull request", () => {
  let requests = 0;
  /** A pull request that adds a result (and more), on top of the base; gives its head. */
  async function pullRequest(name: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    requests += 1;
    const branch = `pr-${requests}`;
    const work = await mkdtemp(join(tmpdir(), "assay-work-"));
    bank.git("worktree", "add", "--quiet", "-b", branch, work, "main");
    const place = await bank.placeOf(name);
    for (const [path, data] of Object.entries({
      [place]: await readFile(bank.at("out", `${name}.json`), "utf8"),
      ...more,
    })) {
      await mkdir(dirname(join(work, path)), { recursive: true });
      await writeFile(join(work, path), data);
    }
    execFileSync("git", ["-C", work, "add", "--all"]);
    execFileSync("git", ["-C", work, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "pr"]);
    const head = bank.git("rev-parse", branch);
    bank.git("worktree", "remove", "--force", work);
    return head;
  }

  /** The three steps of the workflow; gives everything they printed and wrote, and the report. */
  async function assay(head: string, env: Readonly<Record<string, string>> = {}) {
    const inputs = { "base-sha": bank.git("rev-parse", "main"), "head-sha": head, "pull-request": "7" };
    const all = { env: { ASSAY_VAULT: bank.vault, ...env }, workspace: bank.repository.root };
    const validated = runAction(
      "validate-results",
      { ...inputs, "arrived-at": "2099-01-01T00:00:00Z", repository: bank.repository.root },
      all,
    );
    const { temp, outputs } = validated;
    const steps = [validated];
    for (const part of JSON.parse(outputs.matrix ?? "[]") as number[])
      steps.push(
        runAction("recompute-scores", { mode: "part", shard: `${part}/${outputs.shards}` }, { ...all, temp }),
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
    expect(leaks(report + wordsOf(report))).toEqual([]);
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
    120_000,
  );

  it("a part says nothing that would answer a question put as a recipe", async () => {
    const { files } = await assay(await pullRequest("claimed"));
    const [, text = "{}"] = [...files].find(([path]) => path.endsWith("part-1.json")) ?? [];
    const member = JSON.parse(text).submissions[0].members.find(({ id }: { id: string }) => id === "tt-bank");
    expect(member).toMatchObject({ output: null, mismatches: [] });
    expect(member.metrics.cell_match_rate).toMatchObject({ matched: 0, union: 0 });
  }, 120_000);

  it("neither does anything else: how many rows, and which digest, stay inside; an open bank would tell", async () => {
    const head = await pullRequest("asking");
    const closed = await assay(head);
    silent(closed);
    expect(closed.report).toContain("score-");
    expect(bank.answersIn(closed.printed + closed.report + wordsOf(closed.report))).toEqual([]);
    for (const [path, text] of closed.files) expect(bank.answersIn(text), path).toEqual([]);
    await bank.repository.write(POLICY, OPEN);
    const open = await assay(head);
    await rm(bank.at(POLICY));
    expect(bank.answersIn([...open.files.values()].join("\n"))).toHaveLength(2);
  }, 120_000);

  it("with a damaged vault, or none, is silent too", async () => {
    const head = await pullRequest("claimed");
    const whole = await readFile(bank.workbookFile);
    await writeFile(bank.workbookFile, "Zq8Value");
    const damaged = await assay(head);
    await writeFile(bank.workbookFile, whole);
    expect(damaged.report).toContain("suite-workbook-digest");
    silent(damaged);
    const away = await assay(head, { ASSAY_VAULT: join(bank.vault, "nowhere") });
    expect(away.printed).toContain("bank-vault-missing");
    expect(bankOf(away.report)).toMatchObject({ recomputed_status: "unverified" });
    silent(away);
  }, 120_000);

  it("opens no bank by itself, nor does the runner; the base's policy does, and the runner can close it", async () => {
    silent(await assay(await pullRequest("claimed", { [POLICY]: OPEN })));
    const head = await pullRequest("claimed");
    silent(await assay(head, { ASSAY_OPEN_BANK: "true" }));
    await bank.repository.write(POLICY, OPEN);
    const open = await assay(head);
    expect(bankOf(open.report)).toMatchObject({ private: false });
    expect(leaks(open.report)).not.toEqual([]);
    silent(await assay(head, { ASSAY_OPEN_BANK: "false" }));
    // The same policy for everything else that shows members.
    const file = bank.at("out/claimed.json");
    expect(leaks((await bank.benchmark("validate", file)).text)).not.toEqual([]);
    expect(leaks((await bank.benchmark("validate", "--no-open-bank", file)).text)).toEqual([]);
    const explain = ["explain", bank.at("out/wrong.json"), "tt-bank", "--root", bank.repository.root];
    expect(leaks((await bank.script("bench/main", explain)).text)).toContain("Zq8Label");
    await bank.benchmark("feed", "--out", bank.at("out/open"));
    const board = JSON.parse(await readFile(bank.at("out/open/board", `${SUITE_ID}.json`), "utf8"));
    expect(board.members.map(({ private: hidden }: { private: boolean }) => hidden)).toEqual([
      false,
      false,
      false,
    ]);
    const { document } = await bank.benchRun("sheets-open", inTurn(FAILING, FAILING, FAILING));
    expect(leaks(document)).not.toEqual([]);
    await bank.repository.write(POLICY, '{"open": "yes"}');
    const unreadable = await assay(head);
    expect(JSON.parse(unreadable.report)).toMatchObject({ verdict: "error" });
    silent(unreadable);
    await rm(bank.at(POLICY));
    // Only what an open bank gave holds words of the sheet.
    expect(await leakingFiles(bank.repository.root, /\/\.git\/|sheets-open/)).toEqual([]);
  }, 240_000);
});
