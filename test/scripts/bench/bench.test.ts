import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOf } from "../../../src/lib/digest.ts";
import { makeWorkbook } from "../../io/xlsx/make-workbook.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const tool = join(root, "tools", "bench");

let folder = "";

/** Runs the command as a person would: from their own folder, with paths of theirs. */
function bench(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return run(tool, args);
}

function run(command: string, args: readonly string[], cwd = folder): ReturnType<typeof bench> {
  const { INIT_CWD: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawnSync(command, args, { cwd, env: { ...env, NO_COLOR: "1" }, encoding: "utf8" });
  // Whatever happens, nobody should have to read a stack trace.
  expect(child.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
  return child;
}

const CSV = "region,year,value\nNorth,2021,10\nNorth,2022,11.5\nSouth,2021,np\nSouth,2022,13\n";

const recipe = (change: Record<string, unknown> = {}): string =>
  JSON.stringify(
    {
      version: 1,
      tables: [
        {
          sheet: "Data",
          values: { from: ["R3C2:R4C3"] },
          headers: [
            { name: "region", from: ["R3C1:R4C1"], direction: "left" },
            { name: "year", from: ["R2C2:R2C3"], direction: "up", as: "year" },
          ],
          ...change,
        },
      ],
    },
    null,
    2,
  );

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  mkdirSync(join(folder, "in"));
  const workbook = makeWorkbook({
    strings:
      "<si><t>Title</t></si><si><t>North</t></si><si><t>South</t></si><si><t>np</t></si><si><t>Source: &lt;us&gt;</t></si>",
    sheets: [
      {
        name: "Data",
        data: '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="B2"><v>2021</v></c><c r="C2"><v>2022</v></c></row><row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><v>10</v></c><c r="C3"><v>11.5</v></c></row><row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" t="s"><v>3</v></c><c r="C4"><v>13</v></c></row><row r="6"><c r="A6" t="s"><v>4</v></c></row>',
      },
      { name: "Notes", state: "hidden", data: '<row r="1" hidden="1"><c r="A1"><f>1</f><v>1</v></c></row>' },
    ],
  });
  writeFileSync(join(folder, "in", "w.xlsx"), workbook);
  writeFileSync(join(folder, "in", "r.json"), recipe());
  writeFileSync(join(folder, "in", "unknown.json"), recipe({ colour: "red" }));
  writeFileSync(join(folder, "in", "missing-sheet.json"), recipe({ sheet: "Dat" }));
  writeFileSync(join(folder, "in", "broken.xlsx"), workbook.slice(0, 300));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inputs = ["--workbook", "in/w.xlsx", "--recipe", "in/r.json"];

describe("bench recipe run", () => {
  it("prints a preview and the digest, and writes CSV and traces where asked", () => {
    const { status, stdout, stderr } = bench(
      "recipe",
      "run",
      ...inputs,
      "--csv",
      "out/t.csv",
      "--trace",
      "out/t.json",
    );
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toContain("region  year  value\n");
    expect(stdout).toContain("4 rows, 3 columns");
    expect(stdout).toContain(digestOf(CSV));
    expect(readFileSync(join(folder, "out", "t.csv"), "utf8")).toBe(CSV);
    const trace = JSON.parse(readFileSync(join(folder, "out", "t.json"), "utf8"));
    expect(trace.digest).toBe(digestOf(CSV));
    expect(trace.rows[1]).toEqual({
      value: "Data!R3C3",
      headers: [
        { name: "region", direction: "left", source: "Data!R3C1", scalar: "North", state: "ok" },
        { name: "year", direction: "up", source: "Data!R2C3", scalar: "2022", state: "ok" },
      ],
    });
  });

  it("leaves standard output to the CSV when that goes there", () => {
    const { status, stdout, stderr } = bench("recipe", "run", ...inputs, "--csv", "-");
    expect(status).toBe(0);
    expect(stdout).toBe(CSV);
    expect(stderr).toContain(digestOf(CSV));
    expect(bench("recipe", "run", ...inputs, "--csv", "-", "--trace", "-").status).toBe(1);
  });

  it("does not mind a reader that stops early", () => {
    const { status, stderr } = run("sh", [
      "-c",
      `"${tool}" recipe run ${inputs.join(" ")} --trace - | head -c 1`,
    ]);
    expect(status).toBe(0);
    expect(stderr).not.toContain("EPIPE");
  });

  it("takes paths from the caller's folder, also through npm and through a link", () => {
    symlinkSync(tool, join(folder, "linked"));
    expect(run(join(folder, "linked"), ["sheet", "list", "--workbook", "in/w.xlsx"]).status).toBe(0);
    const npm = run(
      "npm",
      ["run", "--silent", "bench", "--", "recipe", "check", "--recipe", "r1-region-by-year/recipe.json"],
      join(root, "benchmarks", "members"),
    );
    expect(npm.stderr).toBe("");
    expect(npm.stdout).toContain("The recipe is sound.");
  });
});

describe("bench says what is wrong at file, line and column", () => {
  it.each<[string, string[], RegExp]>([
    [
      "an unknown key",
      ["check", "--recipe", "in/unknown.json"],
      /^in\/unknown\.json:\d+:\d+ recipe-unknown-key /m,
    ],
    [
      "a missing sheet",
      ["check", "--recipe", "in/missing-sheet.json", "--workbook", "in/w.xlsx"],
      /^in\/missing-sheet\.json:5:\d+ recipe-missing-sheet /m,
    ],
    ["a missing file", ["check", "--recipe", "in/none.json"], /^in\/none\.json file-missing /m],
    ["a folder", ["check", "--recipe", "in"], /^in file-is-directory /m],
    [
      "a workbook that is none",
      ["run", "--recipe", "in/r.json", "--workbook", "in/r.json"],
      /^in\/r\.json xlsx-not-a-zip /m,
    ],
    [
      "a cut-off workbook",
      ["show", "--recipe", "in/r.json", "--workbook", "in/broken.xlsx"],
      /^in\/broken\.xlsx xlsx-truncated /m,
    ],
    ["a place that cannot be written", ["run", ...inputs, "--csv", "in"], /^in file-is-directory /m],
    ["a sheet that is not there", ["show", ...inputs, "--sheet", "X"], /bench-no-such-sheet /],
    ["a region that is none", ["show", ...inputs, "--region", "A1:B2"], /bench-bad-region /],
  ])("%s", (_, args, expected) => {
    const { status, stderr } = bench("recipe", ...args);
    expect(stderr).toMatch(expected);
    expect(status).toBe(1);
  });

  it("does not wait for a named pipe that nobody writes to", () => {
    const pipe = join(folder, "pipe");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    const child = spawnSync(tool, ["sheet", "list", "--workbook", pipe], {
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(child.status).toBe(1);
    expect(child.stderr).toContain("file-not-regular");
  });

  it("reports both files at once", () => {
    const { stderr } = bench("recipe", "run", "--recipe", "in/unknown.json", "--workbook", "in/broken.xlsx");
    expect(stderr).toContain("recipe-unknown-key");
    expect(stderr).toContain("xlsx-truncated");
  });

  it.each([
    [["recipe", "run"]],
    [["recipe", "run", ...inputs, "--nonsense"]],
    [["recipe", "fly"]],
    [[]],
    [["recipe"]],
  ])("wrong usage exits with 2: %j", (args) => {
    const { status, stderr } = bench(...args);
    expect(status).toBe(2);
    expect(stderr).not.toBe("");
  });

  it("explains itself", () => {
    const { status, stdout } = bench("recipe", "run", "--help");
    expect(status).toBe(0);
    expect(stdout).toContain("--trace <file>");
  });
});

describe("bench recipe show", () => {
  it("draws values, headers and the rest in the terminal", () => {
    const { status, stdout } = bench("recipe", "show", ...inputs, "--region", "R1C1:R6C3");
    expect(status).toBe(0);
    expect(stdout).toContain("[11.5]");
    expect(stdout).toContain("a:North");
    expect(stdout).toContain("b:2022");
    expect(stdout).toContain("·Title");
    expect(stdout).toContain('b: header "year" (up)');
  });

  it("draws an SVG document", () => {
    const { status, stdout } = bench("recipe", "show", ...inputs, "--region", "R1C1:R6C3", "--svg", "-");
    expect(status).toBe(0);
    const parser = new SaxesParser();
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(stdout).close();
    expect(stdout).toContain("Source: &lt;us&gt;");
  });
});

describe("bench sheet list", () => {
  it("lists the sheets with what an author needs to know", () => {
    const { status, stdout } = bench("sheet", "list", "--workbook", "in/w.xlsx");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Data {3}R1C1:R6C3 +10 +0$/m);
    expect(stdout).toMatch(/^Notes +R1C1 +1 +0 +hidden, 1 formula, 1 hidden row$/m);
  });
});
