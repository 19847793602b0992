import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderTables, withTables } from "../../scripts/dev/action-readmes.ts";
import { findDrift } from "../../scripts/dev/check-dist.ts";
import { resultPath } from "../../src/lib/benchmarks/result.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { REPOSITORY } from "../jobs/temp-suite.ts";
import { ACTION_NODE, runAction } from "./bundle.ts";
import { git, makeProject, model, type Project } from "./pull-requests.ts";

const dist = join(REPOSITORY, "dist");

/** An entry and every chunk it loads, by static and dynamic import. */
function filesOf(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = readFileSync(entry, "utf8");
  for (const [, chunk] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+\.js)["']/g))
    filesOf(join(dirname(entry), chunk ?? ""), found);
  return found;
}

describe("dist", () => {
  it("is what the sources give, byte for byte", async () => {
    expect(await findDrift(dist)).toEqual([]);
  });

  it("shows drift when a byte is off or a file is left over", async () => {
    const copy = mkdtempSync(join(tmpdir(), "assay-drift-"));
    cpSync(dist, copy, { recursive: true });
    writeFileSync(join(copy, "feed.js"), `${readFileSync(join(copy, "feed.js"), "utf8")} `);
    writeFileSync(join(copy, "old.js"), "");
    expect(await findDrift(copy)).toEqual(expect.arrayContaining(["feed.js", "old.js"]));
    rmSync(copy, { recursive: true });
  });

  it("holds no place of the machine that made it", () => {
    for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".js"),
    ))
      expect(readFileSync(join(dist, name), "utf8").includes(REPOSITORY.replace(/\/$/, ""))).toBe(false);
  });

  it("keeps validate-results small, and without a workbook reader", () => {
    const files = [...filesOf(join(dist, "validate-results.js"))];
    expect(files.length).toBeGreaterThan(1);
    expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(1.5 * 1024 * 1024);
    for (const file of files) expect(readFileSync(file, "utf8")).not.toMatch(/exceljs|ExcelJS/i);
  });
});

describe("validate-results", () => {
  let project: Project;
  beforeAll(async () => {
    project = await makeProject();
  });
  afterAll(() => project.remove());

  it("goes from cold start to verdict for one document within its budget, on both nodes", async () => {
    const document = await project.document(model("openai/gpt-4o"));
    const head = project.commit({ [resultPath(document)]: { data: canonicalDocument(document) } });
    const inputs = {
      "base-sha": project.base,
      "head-sha": head,
      "arrived-at": "2026-11-30T13:00:00Z",
      repository: project.gitDir,
    };
    for (const node of new Set([ACTION_NODE, process.execPath, "node"])) {
      // The budget is the program's; whatever else this machine does at the moment is not: the best of three counts.
      const runs = [1, 2, 3].map(() => runAction("validate-results", inputs, { node }));
      for (const run of runs) expect([run.code, run.outputs.verdict]).toEqual([0, "pending"]);
      expect(Math.min(...runs.map(({ milliseconds }) => milliseconds))).toBeLessThanOrEqual(600);
    }
  });

  it("finds nothing to do with a checkout's hooks, configuration or replaced objects", async () => {
    const document = await project.document(model("openai/gpt-4o"));
    const head = project.commit({ [resultPath(document)]: { data: canonicalDocument(document) } });
    const other = project.commit({ "README.md": { data: "innocent" } });
    const marker = join(mkdtempSync(join(tmpdir(), "assay-marker-")), "ran");
    git(project.gitDir, ["replace", "-f", head, other]);
    for (const [key, value] of [
      ["core.fsmonitor", `touch ${marker}`],
      ["core.pager", `touch ${marker}`],
      ["diff.external", `touch ${marker}`],
      ["core.sshCommand", `touch ${marker}`],
    ] as const)
      git(project.gitDir, ["config", key, value]);
    const run = runAction(
      "validate-results",
      { "base-sha": project.base, "head-sha": head, repository: project.gitDir },
      {
        env: {
          GIT_DIR: "/nowhere",
          GIT_EXTERNAL_DIFF: `touch ${marker}`,
          GIT_SSH_COMMAND: `touch ${marker}`,
        },
      },
    );
    git(project.gitDir, ["replace", "-d", head]);
    expect(run.outputs["has-results"]).toBe("true");
    expect(spawnSync("ls", [marker]).status).not.toBe(0);
  });
});

describe("feed", () => {
  let project: Project;
  beforeAll(async () => {
    project = await makeProject();
  });
  afterAll(() => project.remove());

  function checkout(): string {
    const folder = mkdtempSync(join(tmpdir(), "assay-checkout-"));
    spawnSync("git", ["clone", "--quiet", project.gitDir, folder]);
    return folder;
  }

  const filesOf = (folder: string): Map<string, string> =>
    new Map(
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => statSync(join(folder, name)).isFile())
        .sort()
        .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );

  it("gives the same documents and pages for the same tree, and names it", () => {
    const runs = [checkout(), checkout()].map((workspace) =>
      runAction("feed", { address: "https://o.example/site/" }, { workspace }),
    );
    const contents = runs.map(({ code, outputs }) => {
      expect(code).toBe(0);
      expect(outputs["source-tree"]).toBe(git(project.gitDir, ["rev-parse", `${project.base}^{tree}`]));
      return { published: filesOf(outputs.published ?? ""), site: filesOf(outputs.site ?? "") };
    });
    expect(contents[0]).toEqual(contents[1]);
    const { published, site } = contents[0]!;
    const feed = JSON.parse(published.get("feed.json") ?? "");
    expect(feed.source_tree).toBe(runs[0]!.outputs["source-tree"]);
    expect(JSON.stringify(feed)).toContain(project.committed);
    const board = [...site].find(([path]) => /^sheet\/[^/]+\/index\.html$/.test(path))?.[1] ?? "";
    for (const { model } of JSON.parse(published.get(`board/${feed.suites[0].id}.json`) ?? "").rows)
      expect(board).toContain(model);
    expect([...site.keys()].filter((path) => /^og\/sheet\/[^/]+\.png$/.test(path)).length).toBe(
      feed.suites.length,
    );
    expect(site.get("history.html")).toContain("New model");
    expect(site.get("history.html")).toContain(project.base.slice(0, 12));
    const names: string[] = [];
    const parser = new SaxesParser({ xmlns: true });
    parser.on("opentag", ({ name, uri }) => names.push(`${uri} ${name}`));
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(site.get("atom.xml") ?? "").close();
    expect(names.filter((name) => name === "http://www.w3.org/2005/Atom entry")).toHaveLength(1);
    for (const needed of ["index.html", "404.html", "assets/page.js", "assets/code.js", "assets/site.css"])
      expect([...site.keys()]).toContain(needed);
    const brought = git(project.gitDir, ["log", "-1", "--format=%H", project.base, "--", project.committed]);
    expect(site.get("history.html")).toContain(brought.slice(0, 12));
    expect(site.get("atom.xml")).toContain(brought);
  });

  it("without the commits of its history it makes the pages, and says that the history is not known", () => {
    const workspace = mkdtempSync(join(tmpdir(), "assay-checkout-"));
    spawnSync("git", ["clone", "--quiet", "--depth=1", `file://${project.gitDir}`, workspace]);
    const { code, outputs } = runAction("feed", {}, { workspace });
    expect(code).toBe(0);
    expect(filesOf(outputs.site ?? "").get("history.html")).toContain("The history is not known here");
  });

  it("publishes nothing from files that are not the commit's, or from a tree that does not hold", () => {
    const dirty = checkout();
    writeFileSync(join(dirty, "benchmarks/results/extra.json"), "{}");
    const refused = runAction("feed", {}, { workspace: dirty });
    expect(refused.code).toBe(1);
    expect(refused.outputs).toEqual({});
    expect(refused.stdout).toContain("are not those of the commit");
    const broken = checkout();
    const file = join(broken, project.committed);
    writeFileSync(file, readFileSync(file, "utf8").replace('"composite":', '"composite":  '));
    spawnSync("git", ["-C", broken, "-c", "user.name=t", "-c", "user.email=t@e", "commit", "-qam", "edit"]);
    const failed = runAction("feed", {}, { workspace: broken });
    expect(failed.code).toBe(1);
    expect(failed.outputs).toEqual({});
    expect(failed.stdout).toContain("result-not-canonical");
  });
});

describe("READMEs", () => {
  it.each(readdirSync(join(REPOSITORY, "actions")))("of %s say what action.yml says", (name) => {
    const folder = join(REPOSITORY, "actions", name);
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    const tables = renderTables(readFileSync(join(folder, "action.yml"), "utf8"));
    expect(withTables(readme, tables)).toBe(readme);
    expect(withTables(readme.replace("## Inputs", "## Changed"), tables)).toBe(readme);
  });
});
