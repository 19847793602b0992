// npm start: one result goes from pull request to board, on this machine, and two that must not.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentDigest } from "../src/lib/benchmarks/result-path.ts";
import type { ResultDocument } from "../src/lib/benchmarks/result-schema.ts";
import { honestResult } from "./honest-result.ts";
import type { Change, Person } from "./person.ts";
import { editCommitted, raiseScore, resultFile } from "./results.ts";
import { terminalNarrator } from "./show/narrator.ts";
import { openStage, type Stage, writePages } from "./stage.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const narrator = terminalNarrator();

interface Submission {
  readonly who: Person;
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  readonly change: Change;
}

/** Opens the pull request and waits for the bot's verdict on it. */
async function submit(stage: Stage, { who, branch, title, body, change }: Submission): Promise<number> {
  const folder = join(stage.scratch, `${who.login}-${branch}`);
  const sha = await who.pushChange(stage.base, folder, branch, change, title);
  const number = await who.openPullRequest(stage.base, branch, title, body);
  await stage.until(`a verdict on #${number}`, async () => {
    const check = await who.readCheck(stage.base, sha, "assay/result");
    return check !== null && check.conclusion !== null;
  });
  await stage.settled();
  return number;
}

async function askToMerge(stage: Stage, number: number): Promise<void> {
  await stage.mia.comment(stage.base, number, "/assay merge");
  await stage.settled();
}

async function play(stage: Stage, honest: ResultDocument): Promise<number[]> {
  narrator.heading("An honest result arrives, from a fork");
  const first = await submit(stage, {
    who: stage.ada,
    branch: "baseline",
    title: "Add baseline/heuristic on rehearsal-1",
    body: "Made with `npm run bench:run`.",
    change: resultFile(honest),
  });

  narrator.heading("The same run arrives with one member's score raised by hand");
  const second = await submit(stage, {
    who: stage.mallory,
    branch: "better-baseline",
    title: "Add an even better baseline",
    body: "Trust me.",
    change: resultFile(raiseScore(honest)),
  });

  narrator.heading("A maintainer asks for both to be merged, the raised one first");
  await askToMerge(stage, second);
  await askToMerge(stage, first);
  await stage.until(
    `#${first} on main`,
    async () => (await stage.mia.readPullRequest(stage.base, first)).merged,
  );
  await stage.until("the feed with the new result", async () =>
    (await rankedDigests(stage)).includes(documentDigest(honest)),
  );
  await stage.settled();

  narrator.heading("Somebody edits the committed result");
  const third = await submit(stage, {
    who: stage.mallory,
    branch: "small-correction",
    title: "Small correction",
    body: "Rounding.",
    change: editCommitted(honest),
  });
  await askToMerge(stage, third);
  return [first, second, third];
}

/** Digests of the documents that the feed on `published` shows. */
async function rankedDigests(stage: Stage): Promise<string[]> {
  const feed = await stage.mia.readFile(stage.base, "published", "feed.json");
  return feed === null ? [] : [...feed.matchAll(/sha256:[0-9a-f]{64}/g)].map(([digest]) => digest);
}

/** What must be true at the end, each with what was found. */
async function verifyEnd(stage: Stage, honest: ResultDocument, numbers: readonly number[]): Promise<boolean> {
  narrator.heading("In the end");
  const checks: [what: string, holds: boolean][] = [];
  const committed = await stage.mia.readFile(stage.base, "main", Object.keys(resultFile(honest))[0] ?? "");
  checks.push([
    "the honest result is on main, byte for byte",
    committed === Object.values(resultFile(honest))[0],
  ]);
  checks.push([
    "the feed on the branch published shows it",
    (await rankedDigests(stage)).includes(documentDigest(honest)),
  ]);
  for (const [index, number] of numbers.entries()) {
    const pull = await stage.mia.readPullRequest(stage.base, number);
    const check = await stage.mia.readCheck(stage.base, pull.headSha, "assay/result");
    if (index === 0)
      checks.push([
        `#${number} is merged; its check says ${check?.conclusion}`,
        pull.merged && check?.conclusion === "success",
      ]);
    else
      checks.push([
        `#${number} is blocked: ${check?.title ?? "no check"}`,
        !pull.merged && pull.state === "open" && check?.conclusion === "failure",
      ]);
  }
  checks.push(["the hub was asked for nothing that it does not hold", stage.hub.unanswered.length === 0]);
  for (const [what, holds] of checks) narrator.say(holds ? "yes" : "NO", what);
  for (const { method, path } of stage.hub.unanswered) narrator.say("hub", `no answer for ${method} ${path}`);
  return checks.every(([, holds]) => holds);
}

if (process.argv.length > 2) {
  console.error("npm start takes no options; npm run rehearse -- <result.json> plays a result of yours.");
  process.exit(2);
}

narrator.heading("A model is run: baseline/heuristic on rehearsal-1");
const stage = await openStage({ root, narrator });
try {
  const honest = await honestResult({
    root,
    scratch: stage.scratch,
    ci: Boolean(process.env.CI),
    say: (line) => narrator.say("bench:run", line),
  });
  const numbers = await play(stage, honest);
  const right = await verifyEnd(stage, honest, numbers);
  const pages = await writePages(stage, numbers, join(root, "rehearsal/.out"));
  for (const page of pages) narrator.say("page", page);
  if (!right) process.exitCode = 1;
} catch (error) {
  if (!stage.stopping()) narrator.say("NO", error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await stage.close();
}
