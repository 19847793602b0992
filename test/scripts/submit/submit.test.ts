import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resultPath } from "../../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../../src/lib/benchmarks/result-schema.ts";
import { canonicalDocument } from "../../../src/lib/canonical-json.ts";
import { comparePage, submissionBranch } from "../../../src/lib/result-pr/words-submit.ts";
import { honestDocument, recipe, type TempRepository, tempRepository } from "../../jobs/temp-suite.ts";
import { runScript } from "../run-script.ts";

/** A clone as a submitter has one: a remote, main, and a working file that is being edited. */
let made: TempRepository;
let root: string;
let document: ResultDocument;

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, ...args], {
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).trim();

beforeAll(async () => {
  made = await tempRepository();
  root = made.root;
  await made.write(".gitignore", "/benchmarks/bank/workbooks/\n/benchmarks/.runs/\n/result.json\n");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("remote", "add", "origin", "git@github.com:assay-office/assay.git");
  git("add", "--all");
  git("commit", "--quiet", "-m", "A base");
  document = await honestDocument(root, { "tt-one": recipe(), "tt-two": recipe(), "tt-bank": recipe() });
  await writeFile(join(root, "result.json"), canonicalDocument(document));
});
afterAll(() => made.remove());

const submit = (file = "result.json", ...more: string[]) =>
  runScript("submit", [file, "--root", root, ...more], root);
const words = async (name: string): Promise<string> => {
  const folder = join(root, "benchmarks/.runs/submit");
  const [head = ""] = (await readdir(folder)).filter((entry) => branchHead().startsWith(entry));
  return readFile(join(folder, head, name), "utf8");
};
const branchHead = (): string => git("rev-parse", submissionBranch(resultPath(document)));

describe("npm run submit", () => {
  it("makes a branch with the document and nothing else, and leaves everything as it was", async () => {
    await writeFile(join(root, "notes.txt"), "being edited");
    git("add", "notes.txt");
    const before = [git("status", "--porcelain"), git("rev-parse", "HEAD"), git("symbolic-ref", "HEAD")];
    const { code, out, err } = await submit();
    expect(code, out + err).toBe(0);
    expect([git("status", "--porcelain"), git("rev-parse", "HEAD"), git("symbolic-ref", "HEAD")]).toEqual(
      before,
    );
    const branch = submissionBranch(resultPath(document));
    expect(git("diff", "--name-status", "main", branch)).toBe(`A\t${resultPath(document)}`);
    expect(git("show", `${branch}:${resultPath(document)}`)).toBe(canonicalDocument(document).trim());
    expect(git("log", "-1", "--format=%an <%ae> %P", branch)).toBe(
      `Ada <ada@example.org> ${git("rev-parse", "main")}`,
    );
    expect(out).toContain(`git push origin ${branch}`);
    expect(out).toContain(`https://github.com/assay-office/assay/compare/main...${branch}?expand=1`);
  });

  it("writes what the bot will say: the comment, and the verdict document that judging the commit gives", async () => {
    const report = await words("report.json");
    const judged = await runScript("validate", ["--root", root, "--head", branchHead(), "--json"], root);
    expect(judged.code, judged.err).toBe(0);
    expect(judged.out).toBe(report);
    expect(JSON.parse(report)).toMatchObject({ mode: "head", verdict: "valid", head_sha: branchHead() });
    const comment = await words("comment.md");
    expect(comment).toContain(`head=${branchHead()}`);
    expect(comment).toContain("Valid");
    expect(await words("pull-request.md")).toContain(document.composite.toFixed(6));
  });

  it("can be asked again", async () => {
    const head = branchHead();
    const { code } = await submit();
    expect(code).toBe(0);
    expect(branchHead()).toBe(head);
  });

  it("makes no branch for a result that does not hold, and says where it does not", async () => {
    await writeFile(join(root, "result.json"), canonicalDocument({ ...document, composite: 0.5 }));
    const branches = git("branch", "--list");
    const { code, out, err } = await submit();
    expect(code).toBe(1);
    expect(out).toContain("No branch was made");
    expect(err).toContain("score-composite");
    const comment = await readFile(/^What the bot will say: +(.+)$/m.exec(out)?.[1] ?? "", "utf8");
    // Linked as the bot will link it.
    expect(comment).toMatch(
      /\(https:\/\/github\.com\/assay-office\/assay\/blob\/[0-9a-f]{40}\/docs\/findings\.md#score-composite\)/,
    );
    expect(git("branch", "--list")).toBe(branches);
    await writeFile(join(root, "result.json"), canonicalDocument(document));
  });

  it("does not touch a branch of that name with something else on it", async () => {
    const branch = submissionBranch(resultPath(document));
    const head = branchHead();
    git("branch", "--force", branch, "main");
    const { code, err } = await submit();
    expect(code).toBe(1);
    expect(err).toContain("submit-branch");
    expect(branchHead()).toBe(git("rev-parse", "main"));
    git("branch", "--force", branch, head);
  });

  it("says what is missing", async () => {
    expect(await submit("result.json", "--base", "no-such-ref")).toMatchObject({
      code: 1,
      err: expect.stringContaining("submit-base"),
    });
    expect(await submit("nowhere.json")).toMatchObject({ code: 1, err: expect.stringContaining("file-") });
    expect(await submit("result.json", "--base", branchHead())).toMatchObject({
      code: 1,
      err: expect.stringContaining("submit-nothing"),
    });
    expect((await runScript("submit", [], root)).code).toBe(2);
  });

  it("asks git who it is before it commits", async () => {
    // Empty, so that what this machine knows does not count either.
    git("config", "user.email", "");
    const { code, err } = await submit();
    git("config", "user.email", "ada@example.org");
    expect(code).toBe(1);
    expect(err).toContain("submit-identity");
  });
});

describe("the page on which a pull request is opened", () => {
  it.each([
    ["https://github.com/o/r.git", "https://github.com/o/r"],
    ["https://token@github.example.org/o/r", "https://github.example.org/o/r"],
    ["git@github.com:o/r.git", "https://github.com/o/r"],
    ["ssh://git@github.com/o/r.name.git", "https://github.com/o/r.name"],
  ])("%s", (remote, page) => {
    expect(comparePage(remote, "main", "result/x")).toBe(`${page}/compare/main...result/x?expand=1`);
  });

  it("is none for a remote on this machine", () => {
    for (const remote of ["/srv/assay.git", "file:///srv/assay.git", "../assay"])
      expect(comparePage(remote, "main", "b")).toBeNull();
  });
});
