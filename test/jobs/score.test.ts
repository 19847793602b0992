import { readFileSync } from "node:fs";
import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderSource } from "../../src/io/files.ts";
import { loadSuite } from "../../src/jobs/load-suite.ts";
import { type LoadedSuite, recomputeResult } from "../../src/jobs/score.ts";
import { componentsOf, compositeOf } from "../../src/lib/benchmarks/composite.ts";
import { readResult } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";
import { bankWorkbookPath, memberFile } from "../../src/lib/benchmarks/suite.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { digestOf } from "../../src/lib/digest.ts";
import type { Finding } from "../../src/lib/findings.ts";
import { decideVerdict } from "../../src/lib/result-pr/verdict.ts";
import { passedMember, resultDocument } from "../lib/benchmarks/documents.ts";
import {
  honestDocument,
  REPOSITORY,
  recipe,
  SUITE_ID,
  type TempRepository,
  tempRepository,
} from "./temp-suite.ts";

let repository: TempRepository;
let suite: LoadedSuite;
beforeAll(async () => {
  repository = await tempRepository();
  suite = await load();
});
afterAll(() => repository.remove());

async function load(root: string | ReturnType<typeof folderSource> = repository.root): Promise<LoadedSuite> {
  const loaded = await loadSuite(root, SUITE_ID);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.findings));
  return loaded.value;
}

const honest = (): Promise<ResultDocument> =>
  honestDocument(repository.root, {
    "tt-one": recipe(),
    "tt-two": recipe({ values: "R2C2:R2C3" }),
    "tt-bank": recipe({ stateName: "region" }),
  });

describe("an honest result", () => {
  it("recomputes to exactly what it claims", async () => {
    const document = await honest();
    expect(readResult(canonicalDocument(document), null).findings).toEqual([]);
    const result = await recomputeResult(document, suite);
    expect(result.findings).toEqual([]);
    expect(result.members.map(({ status }) => status)).toEqual(["passed", "partial", "partial"]);
    expect(result.components).toEqual(document.components);
    expect(result.composite).toBe(document.composite);
    expect(result.members.map(({ metrics }) => metrics)).toEqual(
      document.members.map(({ metrics }) => metrics),
    );
  });

  it("holds in an open bank too, where more of it is shown", async () => {
    const { findings, members } = await recomputeResult(await honest(), suite, { openBank: true });
    expect(findings).toEqual([]);
    expect(members[2]!.mismatches[0]).toMatchObject({
      kind: "header",
      expected: expect.stringContaining("NSW"),
    });
  });

  it("stays closed itself where the bank is open: the feed, which is not, must be able to read it", async () => {
    const document = await honest();
    const open = await recomputeResult(document, suite, { openBank: true });
    Object.assign(document.members[2]!, { mismatches: open.members[2]!.mismatches });
    for (const openBank of [true, false]) {
      const { findings } = await recomputeResult(document, suite, { openBank });
      expect(new Set(findings.map(({ code }) => code))).toEqual(
        new Set(["result-private-mismatch", "score-mismatches"]),
      );
    }
  });

  it("keeps failed and skipped members at zero without executing anything", async () => {
    const document = await honestDocument(repository.root, { "tt-one": recipe() });
    const result = await recomputeResult(document, suite);
    expect(result.findings).toEqual([]);
    expect(result.members.map(({ status }) => status)).toEqual(["passed", "skipped", "skipped"]);
    expect(result.composite).toBe(0.333333);
  });
});

describe("a tampered result", () => {
  const tampered = async (change: (document: ResultDocument) => void) => {
    const document = structuredClone(await honest());
    change(document);
    return recomputeResult(document, suite, { path: "x.json" });
  };

  it("a raised composite shows both numbers", async () => {
    const { findings, composite } = await tampered((document) =>
      Object.assign(document, { composite: 0.99 }),
    );
    expect(findings).toMatchObject([
      { code: "score-composite", pointer: "/composite", expected: String(composite), actual: "0.99" },
    ]);
  });

  it("a consistent lie in a member is found by executing it", async () => {
    const { findings, members } = await tampered((document) => {
      const [first, second] = document.members;
      // Everything that follows from the member is made to fit, so that no rule of the document alone is broken.
      Object.assign(second!, {
        status: "passed",
        output: first!.output,
        metrics: first!.metrics,
        mismatches: [],
      });
      second!.output = { ...suite.suite.members[1]!.reference };
      document.components = componentsOf(document.members);
      document.composite = compositeOf(document.members);
    });
    expect(members[1]!.status).toBe("partial");
    const codes = findings.map(({ code }) => code);
    for (const code of [
      "score-status",
      "score-output",
      "score-metric",
      "score-mismatches",
      "score-component",
      "score-composite",
    ])
      expect(codes).toContain(code);
    expect(findings.find(({ code }) => code === "score-status")).toMatchObject({
      pointer: "/members/1/status",
      expected: "partial",
      actual: "passed",
    });
  });

  it("a recipe that does not execute scores failed, with the recipe's own finding in its place", async () => {
    const { findings, members } = await tampered((document) =>
      Object.assign(document.members[0]!, { recipe: recipe({ sheet: "Nowhere" }) }),
    );
    expect(members[0]!.status).toBe("failed");
    const own = findings.find(({ code }) => code.startsWith("recipe-"));
    expect(own?.pointer).toMatch(/^\/members\/0\/recipe\/tables\/0/);
    expect(own?.path).toBe("x.json");
    expect(findings.map(({ code }) => code)).toContain("score-status");
  });

  it("no recipe can end the process", async () => {
    for (const hostile of [
      {},
      { version: 2 },
      { version: 1, tables: [] },
      { version: 1, tables: Array(500).fill({}) },
    ]) {
      const { members } = await tampered((document) =>
        Object.assign(document.members[0]!, { recipe: hostile }),
      );
      expect(members[0]!.status).toBe("failed");
    }
  });

  it("findings about bank members show statuses and rounded values, and nothing of the workbook", async () => {
    const { findings } = await tampered((document) => {
      Object.assign(document.members[2]!, { recipe: recipe({ sheet: "Nowhere" }) });
    });
    const bank = findings.filter(({ pointer }) => pointer?.startsWith("/members/2"));
    expect(bank.length).toBeGreaterThan(2);
    const text = JSON.stringify(bank);
    expect(text).not.toMatch(/Data|Nowhere|NSW|R\d+C\d+|union|matched/);
    expect(bank.find(({ pointer }) => pointer?.endsWith("cell_match_rate"))).toMatchObject({ expected: "0" });
  });

  it("another suite's digest and missing members leave no score to show", async () => {
    const { findings, composite } = await tampered((document) => {
      document.suite.digest = digestOf("other");
      document.members.pop();
    });
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["result-suite-digest", "result-missing-member"]),
    );
    expect(composite).toBeNull();
  });
});

describe("reference recipes sent as a model's own", () => {
  const SUITE = "rehearsal-1";
  const referenceOf = (id: string): Record<string, unknown> =>
    JSON.parse(readFileSync(join(REPOSITORY, memberFile(id, "recipe.json")), "utf8"));

  async function sentWith(
    count: number,
    disguise: (recipe: Record<string, unknown>) => Record<string, unknown> = (recipe) => recipe,
  ): Promise<Finding[]> {
    const loaded = await loadSuite(REPOSITORY, SUITE);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.findings));
    const { members } = loaded.value.suite;
    const document = resultDocument(
      members.map(({ id }, index) =>
        passedMember(id, {
          recipe: index < count ? disguise(referenceOf(id)) : { version: 1, tables: [] },
        }),
      ),
      loaded.value.suite,
    );
    const { findings } = await recomputeResult(document, loaded.value);
    return findings.filter(({ code }) => code.startsWith("score-reference"));
  }

  it("go to a person when they are most of a document", async () => {
    expect(await sentWith(10)).toMatchObject([
      { code: "score-reference-recipes", severity: "warning", pointer: "/members/0/recipe" },
    ]);
  });

  it("F59: in whatever spelling", async () => {
    const disguise = (recipe: Record<string, unknown>) => ({
      ...recipe,
      tables: (recipe.tables as { values: object; headers: object[] }[]).map((table) => ({
        ...table,
        values: { ...table.values, trim: true },
        headers: table.headers.map((header) => ({ ...header, missing: "blank" })),
      })),
    });
    expect(await sentWith(7, disguise)).toMatchObject([{ code: "score-reference-recipes" }]);
  });

  it("are no news when they are few: a plain table leaves little choice", async () => {
    expect(await sentWith(3)).toEqual([]);
    expect(await sentWith(6)).toEqual([]);
  });
});

describe("members that cannot be recomputed", () => {
  it("a failure of our engine is ours: no status, no score, no claim called wrong", async () => {
    const faulty: LoadedSuite = {
      ...suite,
      async member(id) {
        const ready = await suite.member(id);
        if (id !== "tt-one" || !ready.available) return ready;
        const sheets = ready.workbook.sheets.map((sheet) => ({
          ...sheet,
          get rows(): never {
            throw new TypeError("a defect");
          },
        }));
        return { ...ready, workbook: { ...ready.workbook, sheets } };
      },
    };
    const document = await honest();
    Object.assign(document.members[0]!, { recipe: recipe({ values: "R2C2:R3C2" }) });
    const { members, composite, findings } = await recomputeResult(document, faulty);
    expect(members[0]).toMatchObject({ status: "unverified", metrics: null });
    expect(composite).toBeNull();
    expect(findings).toMatchObject([{ code: "grader-engine-fault", pointer: "/members/0/recipe" }]);
    expect(decideVerdict(findings, true)).toBe("error");
  });

  it("a bank workbook that is not here leaves the member unverified, which is not skipped", async () => {
    const document = await honest();
    const source = folderSource(repository.root);
    const without = await load((path) =>
      path === bankWorkbookPath(repository.bank.digest) ? Promise.resolve(null) : source(path),
    );
    const result = await recomputeResult(document, without);
    expect(result.members.map(({ status }) => status)).toEqual(["passed", "partial", "unverified"]);
    expect(result).toMatchObject({ components: null, composite: null });
    expect(result.findings).toMatchObject([
      { code: "score-unverified", severity: "warning", pointer: "/members/2" },
    ]);
  });

  it("the bank may lie elsewhere than the suite", async () => {
    const source = folderSource(repository.root);
    const tree = (path: string) =>
      path.startsWith("benchmarks/bank/workbooks") ? Promise.resolve(null) : source(path);
    const loaded = await loadSuite(tree, SUITE_ID, { bank: repository.root });
    const ready = loaded.ok ? await loaded.value.member("tt-bank") : null;
    expect(ready?.available).toBe(true);
  });

  it.each([
    ["suite-workbook-digest", memberFile("tt-one", "workbook.xlsx")],
    ["suite-recipe-digest", memberFile("tt-one", "recipe.json")],
    ["suite-reference-digest", memberFile("tt-one", "reference.csv")],
  ])("%s: a frozen file that changed is an error everywhere", async (code, changed) => {
    const source = folderSource(repository.root);
    const broken = await load(async (path) =>
      path === changed ? new TextEncoder().encode("{}") : source(path),
    );
    const ready = await broken.member("tt-one");
    expect(ready).toMatchObject({ available: false, findings: [{ code, severity: "error", path: changed }] });
    const result = await recomputeResult(await honest(), broken);
    expect(result.composite).toBeNull();
    expect(result.findings.map((finding) => finding.code)).toContain(code);
    const gone = await load((path) => (path === changed ? Promise.resolve(null) : source(path)));
    expect(await gone.member("tt-one")).toMatchObject({ findings: [{ code: "suite-file-missing" }] });
  });

  it("an unknown suite, another vocabulary, and an edited manifest do not load", async () => {
    expect((await loadSuite(repository.root, "nope")).findings[0]?.code).toBe("suite-unknown");
    const source = folderSource(repository.root);
    const swap = (name: string, text: string) => async (path: string) =>
      path.endsWith(name) ? new TextEncoder().encode(text) : source(path);
    expect((await loadSuite(swap("features.json", "{}"), SUITE_ID)).findings[0]?.code).toBe(
      "suite-vocabulary",
    );
    const manifest = new TextDecoder().decode((await source(`benchmarks/suites/${SUITE_ID}.json`))!);
    const edited = manifest.replace("Member tt-one", "Member tt-uno");
    expect((await loadSuite(swap(`${SUITE_ID}.json`, edited), SUITE_ID)).findings[0]?.code).toBe(
      "suite-digest",
    );
  });
});

describe("a folder as a source", () => {
  it("gives nothing outside itself", async () => {
    const source = folderSource(join(repository.root, "benchmarks/suites"));
    await writeFile(join(repository.root, "outside.txt"), "x");
    await symlink(join(repository.root, "outside.txt"), join(repository.root, "benchmarks/suites/link.json"));
    for (const path of [
      "../vocabulary/structure-features.json",
      "/etc/hostname",
      "link.json",
      "a\\b",
      "",
      ".",
      "a//b",
      "C:x",
    ])
      expect(await source(path)).toBeNull();
    expect(await source(`${SUITE_ID}.json`)).not.toBeNull();
    await rm(join(repository.root, "benchmarks/suites/link.json"));
  });
});
