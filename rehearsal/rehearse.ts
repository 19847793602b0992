// npm run rehearse -- <result.json>: your own result as a pull request on a local hub, against this checkout's HEAD.
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { printFindings } from "../src/io/terminal.ts";
import { readUserFile } from "../src/io/user-files.ts";
import { judgeCommits } from "../src/jobs/result-pr.ts";
import { readResult } from "../src/lib/benchmarks/result.ts";
import { resultPath } from "../src/lib/benchmarks/result-path.ts";
import { canonicalDocument } from "../src/lib/canonical-json.ts";
import { STICKY_MARKER } from "../src/lib/result-pr/words.ts";
import { type Narrator, terminalNarrator } from "./show/narrator.ts";
import { openStage, type Stage, writePages } from "./stage.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(root, "rehearsal/.out");

/** Where the file belongs by its content; what is no result at all is sent as it is, to hear what the bot says. */
function placeOf(bytes: Uint8Array, file: string): string {
  const read = readResult(bytes, null, file);
  if (read.ok) return resultPath(read.value.document);
  return `benchmarks/results/unreadable/${basename(file)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "-")}`;
}

/** The comment and the verdict document as they came, and whether judging the same commits here gives the same bytes. */
async function keepAnswer(stage: Stage, narrator: Narrator, number: number, head: string): Promise<void> {
  const comments = await stage.mia.readComments(stage.base, number);
  const comment = comments.find(({ body }) => body.startsWith(STICKY_MARKER))?.body;
  const report = await stage.mia.readReport(stage.base, head);
  await mkdir(OUT, { recursive: true });
  if (comment !== undefined) await writeFile(join(OUT, "comment.md"), comment);
  if (report === null) return;
  for (const name of ["comment.md", "report.json"]) narrator.say("file", join(OUT, name));
  await writeFile(join(OUT, "report.json"), report);
  const { base_sha } = JSON.parse(Buffer.from(report).toString("utf8")) as { base_sha: string };
  const clone = join(stage.scratch, "ada");
  const here = await judgeCommits({
    root: clone,
    bank: root,
    base: base_sha,
    head,
    pullRequest: number,
    arrivedAt: new Date().toISOString(),
  });
  const same = canonicalDocument(here) === Buffer.from(report).toString("utf8");
  narrator.say(
    same ? "yes" : "NO",
    same
      ? "judging the same commits without a workflow gives the same verdict document, byte for byte"
      : "judging the same commits without a workflow gives another verdict document",
  );
}

async function rehearse(file: string): Promise<number> {
  const read = await readUserFile(file);
  if (!read.ok) {
    printFindings(read.findings);
    return 1;
  }
  const place = placeOf(read.value, file);
  const narrator = terminalNarrator();
  narrator.heading(`${file} as a pull request`);
  const stage = await openStage({ root, narrator });
  try {
    if ((await stage.mia.readFile(stage.base, "main", place)) !== null) {
      narrator.say("NO", `${place} is committed already: a result that is on main cannot be sent again.`);
      return 1;
    }
    narrator.say("ada", `puts it at ${place}`);
    const sha = await stage.ada.pushChange(
      stage.base,
      join(stage.scratch, "ada"),
      "result",
      { [place]: read.value },
      "Add a result",
    );
    const number = await stage.ada.openPullRequest(
      stage.base,
      "result",
      `Add ${basename(place)}`,
      "A rehearsal.",
    );
    await stage.until("a verdict", async () => {
      const check = await stage.ada.readCheck(stage.base, sha, "assay/result");
      return check !== null && check.conclusion !== null;
    });
    await stage.settled();
    const check = await stage.ada.readCheck(stage.base, sha, "assay/result");
    if (check?.conclusion === "success") {
      narrator.heading("A maintainer asks for it to be merged");
      await stage.mia.comment(stage.base, number, "/assay merge");
      await stage.settled();
    }
    const { merged } = await stage.mia.readPullRequest(stage.base, number);
    for (const page of await writePages(stage, [number], OUT)) narrator.say("page", page);
    await keepAnswer(stage, narrator, number, sha);
    narrator.say(
      merged ? "yes" : "NO",
      merged ? "It would land as it is." : "It would not land: see the comment above.",
    );
    return merged ? 0 : 1;
  } finally {
    await stage.close();
  }
}

new Command("rehearse")
  .description("Plays a result document as a pull request on a local hub, against this checkout's HEAD.")
  .argument("<result.json>", "the document, wherever it lies")
  .allowExcessArguments(false)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .action(async (file: string) => {
    process.exitCode = await rehearse(file);
  })
  .parse();
