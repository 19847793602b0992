import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  baselinePart,
  type DocumentedSuite,
  formulaPart,
  formulasPage,
  generatedFiles,
  metricsPart,
  readMutationPart,
  readParts,
  rightsParts,
  suitesPart,
  withParts,
} from "../../scripts/dev/docs.ts";
import { CONTESTANT_BOUNDS } from "../../src/jobs/contestant-limits.ts";
import { METRIC_LIST } from "../../src/lib/benchmarks/metrics.ts";
import { parseSuite, suitePath } from "../../src/lib/benchmarks/suite.ts";
import { EGRESS_LIMITS } from "../../src/lib/egress/policy.ts";
import {
  partialMember,
  passedMember,
  resultDocument,
  suiteMember,
  suiteOf,
} from "../lib/benchmarks/documents.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/benchmarks.md"), "utf8");

/** Every link of a page of docs/ leads somewhere: to a file that exists, and to a heading or code in it. */
function expectLinksToLead(markdown: string): void {
  const headingsOf = (text: string): string[] =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-"),
    );
  for (const [, target = ""] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (target.startsWith("https:")) continue;
    const [file = "", heading] = target.split("#");
    const path = join(root, "docs", file);
    if (file !== "") expect(existsSync(path), target).toBe(true);
    if (heading === undefined) continue;
    const text = file === "" ? markdown : readFileSync(path, "utf8");
    // Pages of codes give each an anchor of its own name.
    if (!text.includes(`<a id="${heading}"></a>`)) expect(headingsOf(text), target).toContain(heading);
  }
}

describe("docs/benchmarks.md", () => {
  it("links to files and headings that exist", () => expectLinksToLead(page));

  it("has current generated parts", async () => {
    expect(withParts(page, await readParts())).toBe(page);
  });

  it("keeps what is written by hand, whatever the parts become", () => {
    const names = ["metrics", "formula", "suites", "commands", "baseline"];
    const emptied = withParts(page, Object.fromEntries(names.map((name) => [name, ["NEW"]])));
    const outside = (text: string): string =>
      text.replaceAll(
        /(<!-- \w+: made by npm run docs; do not edit -->)[\s\S]*?(<!-- end of \w+ -->)/g,
        "$1$2",
      );
    expect(outside(emptied)).toBe(outside(page));
    expect(emptied.match(/^NEW$/gm)).toHaveLength(names.length);
    expect(() => withParts(page, { surprise: ["x"] })).toThrow(/no part "surprise"/);
  });

  it("states the caveat, the provenance, the policy and the command", () => {
    for (const said of [
      "there is no held-out slice",
      "a declaration that model output is not deterministic",
      "A committed result never changes and is never deleted",
      "npm run bench:run -- --suite rehearsal-1 --model <provider/model>",
    ])
      expect(page).toContain(said);
  });
});

describe("a generated part", () => {
  const suite = suiteOf([
    suiteMember("a", { published_in_bank: true, source_kind: "bank_asset", publisher: "abs" }),
    suiteMember("b", { difficulty: "hard" }),
  ]);
  const vocabulary: DocumentedSuite["vocabulary"] = {
    schema_version: 1,
    difficulties: (["easy", "medium", "hard"] as const).map((id) => ({
      id,
      definition: `What ${id} means.`,
    })),
    tags: [{ id: "single_table", definition: "One | table." }],
  };

  it("has every metric's own words and weight", () => {
    const text = metricsPart().join("\n");
    for (const { title, definition } of METRIC_LIST) {
      expect(text).toContain(title);
      expect(text).toContain(definition);
    }
    const weights = [
      ...formulaPart()
        .join("\n")
        .matchAll(/(0\.\d+) ×/g),
    ].map(([, weight]) => Number(weight));
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it("counts a suite's members as its manifest does", () => {
    const text = suitesPart([{ suite, vocabulary, baseline: null }]).join("\n");
    expect(text).toContain("2 members; 1 marked as published");
    expect(text).toContain("| bank_asset | 1 |");
    expect(text).toContain("| hard | What hard means. | 1 |");
    expect(text).toContain("| single_table | One \\| table. | 2 |");
    expect(text).toContain(suite.digest);
  });

  it("gives the baseline's numbers only where a result has them", () => {
    const baseline = resultDocument([passedMember("a"), partialMember("b")], suite);
    const text = baselinePart([{ suite, vocabulary, baseline }]).join("\n");
    expect(text).toContain("| `test-1` | 1 of 2 |");
    expect(text).toContain(baseline.composite.toFixed(6));
    expect(text).toContain("npm run bench:run -- --suite test-1 --model baseline/heuristic");
    const none = baselinePart([{ suite, vocabulary, baseline: null }]).join("\n");
    expect(none).toBe("No result of the baseline is committed for `test-1`.");
  });

  it("is about suites whose digest holds", async () => {
    const { suites = [] } = await readParts();
    for (const id of suites.join("\n").match(/^### `[^`]+`$/gm) ?? []) {
      const path = suitePath(id.slice(5, -1));
      const parsed = parseSuite(readFileSync(join(root, path)), path);
      expect(parsed.ok && suites.join("\n").includes(parsed.value.digest)).toBe(true);
    }
  });
});

describe("docs/mutation.md", () => {
  const mutation = readFileSync(join(root, "docs/mutation.md"), "utf8");

  it("is what changing the fixture gives today", async () => {
    expect(withParts(mutation, { mutation: await readMutationPart() })).toBe(mutation);
  }, 60_000);
});

describe("docs/operations.md", () => {
  const operations = readFileSync(join(root, "docs/operations.md"), "utf8");

  it("has the App's permissions and events as the code has them", () => {
    expect(withParts(operations, rightsParts())).toBe(operations);
  });

  it("links to files and headings that exist", () => expectLinksToLead(operations));

  it("names every secret, variable and environment of the workflows, and every setting of the bot", () => {
    const workflows = join(root, ".github/workflows");
    const yaml = readdirSync(workflows).map((name) => readFileSync(join(workflows, name), "utf8"));
    const bot = ["main.ts", "settings.ts"].map((name) => readFileSync(join(root, "bot", name), "utf8"));
    const names = [
      ...yaml.flatMap((text) => [...text.matchAll(/\b(?:secrets|vars)\.([A-Z_]+)/g)]),
      ...yaml.flatMap((text) => [...text.matchAll(/^ +environment: (\S+)$/gm)]),
      ...bot.flatMap((text) => [...text.matchAll(/\benv\.([A-Z_]+)|need\(env, "([A-Z_]+)"\)/g)]),
    ].map(([, name, other]) => name ?? other ?? "");
    expect(names.length).toBeGreaterThan(8);
    // Actions sets this one itself; a hub in GitHub's place does too.
    for (const name of new Set(names))
      if (name !== "GITHUB_API_URL") expect(operations).toContain(`\`${name}\``);
    for (const name of readdirSync(workflows)) expect(operations).toContain(`\`${name}\``);
  });

  it("names no finding that there is not", () => {
    const findings = readFileSync(join(root, "docs/findings.md"), "utf8");
    for (const [code] of operations.matchAll(/(?<=`)hosting-[a-z-]+[a-z](?=`)/g))
      expect(findings).toContain(`<a id="${code}"></a>`);
  });
});

describe("docs/perf.md", () => {
  it("links to files and headings that exist", () =>
    expectLinksToLead(readFileSync(join(root, "docs/perf.md"), "utf8")));
});

describe("docs/running.md", () => {
  const running = readFileSync(join(root, "docs/running.md"), "utf8");

  it("links to files and headings that exist", () => expectLinksToLead(running));

  it("has the limits that contestants have", () => {
    const { minutes, memoryGib, processes, folderGib } = CONTESTANT_BOUNDS;
    for (const row of [
      `| ${minutes} minutes |`,
      `| ${memoryGib} GiB |`,
      `| ${folderGib} GiB, `,
      `| ${processes} |`,
    ])
      expect(running).toContain(row);
    expect(running).toContain(
      `${EGRESS_LIMITS.requests.toLocaleString("en")} requests, ${EGRESS_LIMITS.concurrent} at a time`,
    );
  });
});

describe("docs/COUNCIL.md", () => {
  it("links to files and headings that exist", () =>
    expectLinksToLead(readFileSync(join(root, "docs/COUNCIL.md"), "utf8")));
});

describe("docs/formulas.md", () => {
  const formulas = readFileSync(join(root, "docs/formulas.md"), "utf8");

  it("has the formulas as the code has them, with examples worked by it", () => {
    expect(formulasPage()).toBe(formulas);
  });

  it("links to headings that exist", () => expectLinksToLead(formulas));
});

describe("docs/rulesets", () => {
  it("has the rulesets that the code gives, and no others", () => {
    const files = generatedFiles();
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(root, path), "utf8")).toBe(text);
    const there = readdirSync(join(root, "docs/rulesets")).map((name) => `docs/rulesets/${name}`);
    expect(there.sort()).toEqual(Object.keys(files).sort());
  });
});
