import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Change, Person } from "../../rehearsal/person.ts";
import { Narrator } from "../../rehearsal/show/narrator.ts";
import { openStage, type Stage } from "../../rehearsal/stage.ts";
import { type DataSource, folderData } from "../../src/io/code/data-source.ts";
import { readCodeData } from "../../src/jobs/code-data.ts";
import { renderData } from "../../src/lib/code/derive/render-data.ts";
import type { CodeRun } from "../../src/lib/code/schema/run-schema.ts";
import { committedRuns, dataFiles, delivering, pretty, runFiles, runPath } from "../jobs/data-folder.ts";
import { REPOSITORY } from "../jobs/temp-suite.ts";
import { defects, entry, finding, run, session } from "../lib/code/facts.ts";

/** Facts of the code benchmark from pull request to `published`: hub, bot, runner, workflows and bundles that ship. */

const silent = new Narrator({ colour: false, width: 100, write: () => {}, now: () => 0 });
const METHODOLOGY = "# How it is measured\n";

/** The first run has a finding that the pull request with a defect refers to. */
function facts(): CodeRun[] {
  const runs = committedRuns();
  runs[0]?.council.sessions[0]?.reviews[1]?.findings.push(finding("f1", { severity: "medium" }));
  return runs;
}

const textOf = (files: ReturnType<typeof runFiles>): Change =>
  Object.fromEntries(Object.entries(files).map(([path, { data }]) => [path, data]));

let checkout: string;
let stage: Stage;
const opened = new Map<string, { number: number; sha: string; comment: string }>();

/** This project at HEAD with the bundles as they are built, and a small data folder committed on top. */
function makeCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-code-hub-"));
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
      encoding: "utf8",
    });
  execFileSync("git", ["clone", "--quiet", "--depth=1", `file://${REPOSITORY}`, folder], { stdio: "ignore" });
  cpSync(join(REPOSITORY, "dist"), join(folder, "dist"), { recursive: true });
  // The data folder of the test brings a task and hosts of its own.
  for (const own of ["data", "tasks"]) rmSync(join(folder, own), { recursive: true, force: true });
  for (const [path, { data }] of Object.entries(dataFiles({ runs: facts() }))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), data);
  }
  writeFileSync(join(folder, "METHODOLOGY.md"), METHODOLOGY);
  git("add", "--all");
  git("commit", "--quiet", "-m", "Facts");
  return folder;
}

/** Opens a pull request, waits for its verdict, and remembers the bot's comment. */
async function submit(who: Person, branch: string, change: Change): Promise<string> {
  const sha = await who.pushChange(stage.base, join(stage.scratch, branch), branch, change, branch);
  const number = await who.openPullRequest(stage.base, branch, branch, "");
  await stage.until(`a verdict on ${branch}`, async () => {
    const check = await who.readCheck(stage.base, sha, "assay/result");
    return check !== null && check.conclusion !== null;
  });
  await stage.settled();
  const comment = await commentOn(number);
  opened.set(branch, { number, sha, comment });
  return comment;
}

async function commentOn(number: number): Promise<string> {
  const bodies = (await stage.mia.readComments(stage.base, number)).map(({ body }) => body);
  const sticky = bodies.filter((body) => body.startsWith("<!-- assay:result"));
  expect(sticky).toHaveLength(1);
  return sticky[0] ?? "";
}

/** The facts on main: those of the checkout, and what the merged pull request added. */
async function mainFacts(): Promise<DataSource> {
  const before = folderData(checkout);
  const merged = new Map<string, Uint8Array>();
  for (const path of [runPath("run-3"), ...["e1", "e2"].map((id) => `data/entries/run-3/${id}/src/lib.rs`)])
    merged.set(path, new TextEncoder().encode((await stage.mia.readFile(stage.base, "main", path)) ?? ""));
  return {
    list: async () => [...(await before.list()), ...merged.keys()].sort(),
    read: async (path) => merged.get(path) ?? before.read(path),
  };
}

const checkOf = async (branch: string) => {
  const sha = opened.get(branch)?.sha ?? "";
  return stage.mia.readCheck(stage.base, sha, "assay/result");
};
const rowOf = (text: string, start: string): string =>
  text.split("\n").find((line) => line.startsWith(start)) ?? "";

beforeAll(async () => {
  checkout = makeCheckout();
  stage = await openStage({ root: checkout, narrator: silent });
}, 60_000);
afterAll(async () => {
  await stage?.close();
  rmSync(checkout, { recursive: true, force: true });
});

describe("facts of the code benchmark arrive by pull request", () => {
  it("one review session: the scores that it moves, by how much, and the judge's row", async () => {
    const [, second] = facts();
    second?.council.sessions.push(session("s3", "j-gamma", [5, 8]));
    const comment = await submit(stage.ada, "a-review", { [runPath("run-2")]: pretty(second) });
    expect(comment).toContain("## 🔎 Needs review: 1 point to look at");
    expect(comment).toContain("Brings 1 review session to the code benchmark.");
    // Council means of two seats become those of three: (8 + 8) / 2 → (8 + 8 + 5) / 3 and (6.5 + 7.5) / 2 → 22 / 3.
    expect(rowOf(comment, "| `run-2/e1`")).toContain("| 8.00 → **7.00** | 8.00 → **7.00** |");
    expect(rowOf(comment, "| `run-2/e2`")).toContain("| 7.00 → **7.33** | 7.00 → **7.33** |");
    // Over both leads: (8.5 + 8) / 2 → (8.5 + 7) / 2.
    expect(rowOf(comment, "| `alpha-1@high`")).toBe("| `alpha-1@high` | 1 | 8.25 → **7.75** | −0.50 |");
    expect(rowOf(comment, "| `beta-2@high` | coder")).toBe("");
    expect(rowOf(comment, "| `j-gamma`")).toContain("3 → **5**");
    expect((await checkOf("a-review"))?.conclusion).toBe("action_required");
  }, 120_000);

  it("one defect: what it is, and the recall of the judges who could have seen it", async () => {
    const known = defects({
      defects: [
        {
          id: "D-1",
          title: "Overflows on empty input",
          category: "correctness",
          severity: "high",
          method: "probe",
          probe: "empty.rs",
          added_at: "2026-11-20T00:00:00.000Z",
          entries: [{ run: "run-1", entry: "e2" }],
          findings: [{ run: "run-1", session: "s1", finding: "f1" }],
        },
      ],
    });
    const comment = await submit(stage.ada, "a-defect", { "data/defects/coder.json": pretty(known) });
    expect(comment).toContain("Brings 1 defect to the code benchmark.");
    expect(rowOf(comment, "| `coder D-1`")).toContain(
      "`Overflows on empty input` | `high` `correctness` | `probe` | 1 entry, 1 report |",
    );
    // One of the three judges reported it.
    expect(rowOf(comment, "| `j-alpha`")).toContain("**100%** |");
    expect(rowOf(comment, "| `j-beta`")).toContain("**0%** |");
    expect(rowOf(comment, "| `j-gamma`")).toContain("**0%** |");
  }, 120_000);

  it("one run: its entries, and everybody's rank with it", async () => {
    const third = delivering(
      run({
        id: "run-3",
        lead: "gamma-3@high",
        entries: [entry("e1", "alpha-1@low"), entry("e2", "beta-2@high")],
        council: { sessions: [session("s1", "j-alpha", [9.5, 5])], revisions: [] },
      }),
    );
    const comment = await submit(stage.ada, "a-run", textOf(runFiles(third)));
    expect(comment).toContain(
      "Brings 1 run (2 entries) and 1 configuration that is new to the code benchmark.",
    );
    expect(rowOf(comment, "| new `run-3/e1`")).toContain("| **9.50** | **9.50** | **4/4** |");
    expect(rowOf(comment, "| `alpha-1@low`")).toContain("**1** (new) | **9.50** |");
    expect(rowOf(comment, "| `alpha-1@high`")).toContain("1 → **2** ▼ | 8.25 |");
    // One medium finding among three judges' seats leaves the council score: 7, 7 and now 5.
    expect(rowOf(comment, "| `beta-2@high`")).toContain("2 → **3** ▼ | 7.00 → **6.33** | −0.67 |");
    expect(rowOf(comment, "| `gamma-3@high` | overall")).toContain("**7.25**");
    expect((await checkOf("a-run"))?.conclusion).toBe("action_required");
    // The board as it would be, to look at: by the comment's word, and in the artifact that it names.
    expect(comment).toContain("artifact `assay-preview`");
    const { sha = "" } = opened.get("a-run") ?? {};
    const board = await stage.ada.readArtifact(stage.base, sha, "assay-preview", "code/index.html");
    const html = new TextDecoder().decode(board ?? new Uint8Array());
    expect(html).toContain("It is not on the board.");
    expect(html).toContain("gamma-3");
    expect(html).not.toContain("assets/code.js");
  }, 120_000);

  it("F22: an old score edited is blocked, and the comment says where", async () => {
    const [first] = facts();
    Object.assign(first?.council.sessions[1]?.reviews[2] ?? {}, { score: 9.5 });
    const comment = await submit(stage.mallory, "a-correction", { [runPath("run-1")]: pretty(first) });
    const line =
      pretty(first)
        .split("\n")
        .findIndex((text) => text.includes('"score": 9.5')) + 1;
    expect(comment).toContain("## ❌ Invalid: 1 problem to fix, first code-pr-edited");
    expect(comment).toContain(`data/runs/run-1.json:${line}:`);
    expect(comment).toContain("/council/sessions/1/reviews/2/score");
    expect(comment).toContain("expected `5.5`, found `9.5`");
    const check = await checkOf("a-correction");
    expect(check).toMatchObject({
      conclusion: "failure",
      title: "Invalid: 1 problem to fix, first code-pr-edited",
    });
    const { number = 0 } = opened.get("a-correction") ?? {};
    await stage.mia.comment(stage.base, number, "/assay accept");
    await stage.mia.comment(stage.base, number, "/assay merge");
    await stage.settled();
    expect((await stage.mia.readPullRequest(stage.base, number)).merged).toBe(false);
  }, 120_000);

  it("F35: judged again, nothing is written anew", async () => {
    const { number = 0, comment = "" } = opened.get("a-run") ?? {};
    await stage.mia.comment(stage.base, number, "/assay validate");
    await stage.settled();
    // The run that left the report is another one; nothing else is.
    const plain = (text: string): string => text.replaceAll(/\[run \d+\]\([^)]*\)|run \d+/g, "run");
    expect(plain(await commentOn(number))).toBe(plain(comment));
  }, 120_000);

  it("an accepted one is merged: exactly the tree that was recomputed", async () => {
    const { number = 0, sha = "" } = opened.get("a-run") ?? {};
    await stage.mia.comment(stage.base, number, "/assay merge");
    await stage.settled();
    expect((await stage.mia.readPullRequest(stage.base, number)).merged).toBe(false);
    await stage.mia.comment(stage.base, number, "/assay accept");
    await stage.settled();
    expect((await stage.mia.readCheck(stage.base, sha, "assay/result"))?.conclusion).toBe("success");
    await stage.mia.comment(stage.base, number, "/assay merge");
    await stage.until(
      "the run on main",
      async () => (await stage.mia.readPullRequest(stage.base, number)).merged,
    );
    await stage.settled();
    expect(await stage.mia.readFile(stage.base, "main", runPath("run-3"))).toContain('"id": "run-3"');
  }, 120_000);

  it("what main gives is published: data.json, prices and methodology, the bytes that bench data build gives", async () => {
    const read = (path: string) => stage.mia.readFile(stage.base, "published", path);
    await stage.until(
      "the run in data.json",
      async () => (await read("data.json"))?.includes('"run-3"') === true,
    );
    const { data } = await readCodeData(await mainFacts(), { synthetic: false, deliverables: true });
    if (data === null) throw new Error("the merged facts do not hold");
    expect(await read("data.json")).toBe(renderData(data));
    expect(await read("METHODOLOGY.md")).toBe(METHODOLOGY);
    expect(await read("pricing.json")).toBe(
      await stage.mia.readFile(stage.base, "main", "data/pricing.json"),
    );
  }, 120_000);

  it("asks the hub for nothing that it does not hold", () => {
    expect(stage.hub.unanswered).toEqual([]);
  });
});
