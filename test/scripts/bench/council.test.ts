import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { folderData } from "../../../src/io/code/data-source.ts";
import { readCodeData } from "../../../src/jobs/code-data.ts";
import { type Letters, lettersSchema } from "../../../src/lib/code/council/pack-schema.ts";
import { type CodeRun, runSchema } from "../../../src/lib/code/schema/run-schema.ts";
import { VENDORS } from "../../lib/code/council/catalogue.ts";
import { complete, startProvider } from "../run/provider.ts";
import { type CouncilRoot, council, foundIn, lettersOf, makeCouncilRoot, reviewOf } from "./council-root.ts";

let root: CouncilRoot;
let runFile: string;
beforeAll(() => {
  root = makeCouncilRoot();
  runFile = join(root.folder, "data/runs/new-run.json");
});
afterAll(() => rm(root.folder, { recursive: true }));

const at = (...parts: string[]): string => join(root.folder, ".council", ...parts);
const readRun = async (): Promise<CodeRun> => runSchema.parse(JSON.parse(await readFile(runFile, "utf8")));
async function maps(judge: string): Promise<Letters[]> {
  const all = await Promise.all(
    (await readdir(at("letters"))).map(async (name) =>
      lettersSchema.parse(JSON.parse(await readFile(at("letters", name), "utf8"))),
    ),
  );
  return all.filter((each) => each.judge === judge);
}
const folderOf = (pack: string): string => `pack-${pack.slice(7, 19)}`;
const pack = (...more: string[]) => council("pack", "new-run", "--root", root.folder, ...more);

async function bytesBelow(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const path of await readdir(folder, { recursive: true }))
    if ((await stat(join(folder, path))).isFile()) files[path] = await readFile(join(folder, path), "utf8");
  return files;
}

describe("Methodology: Council from packs to a published score, through the command line", () => {
  it("packs 23 entries for two judges as 8, 8 and 7, each with the same anchors, leaving the DNF out", async () => {
    for (const judge of ["j-opus", "j-sol"]) {
      const ended = await pack("--judge", judge, "--seed", "round-1");
      expect(ended.code, ended.err).toBe(0);
      const letters = await maps(judge);
      const entries = letters.map(({ order }) =>
        order.flatMap((place) => ("entry" in place ? [place.entry] : [])),
      );
      expect(entries.map((each) => each.length).toSorted()).toEqual([7, 8, 8]);
      expect(entries.flat().toSorted()).toEqual(
        Array.from({ length: 23 }, (_, index) => `entry-${index + 1}`).toSorted(),
      );
      for (const { order } of letters)
        expect(order.flatMap((place) => ("anchor" in place ? [place.anchor] : [])).toSorted()).toEqual([
          "bottom",
          "mid",
          "top",
        ]);
    }
    const [one, two] = await Promise.all([maps("j-opus"), maps("j-sol")]);
    expect(one.map(({ order }) => order)).not.toEqual(two.map(({ order }) => order));
  });

  it("writes packs that name nobody, and gives the same bytes for the same seed", async () => {
    const files = await bytesBelow(at("packs"));
    const names = [
      ...Object.keys(VENDORS),
      ...Object.values(VENDORS).flat(),
      "claude",
      "gpt",
      "new-run",
      "old-run",
      "j-sol",
      "j-opus",
      "entry-",
    ];
    for (const [path, text] of Object.entries(files)) {
      if (/(?:SPEC|rubric)\.md$/.test(path)) continue;
      for (const name of names)
        expect(`${path}\n${text}`.toLowerCase().includes(name.toLowerCase()), `${name} in ${path}`).toBe(
          false,
        );
    }
    expect(Object.keys(files).filter((path) => path.endsWith("pack.json"))).toHaveLength(6);
    const log = await bytesBelow(at("scrubbed"));
    expect(Object.values(log).join()).toContain('"rule": "attribution"');
    await pack("--judge", "j-sol", "--seed", "round-1");
    expect(await bytesBelow(at("packs"))).toEqual(files);
  });

  it("reviews every pack, imports every session, and the run has a panel and calibration", async () => {
    // The judge scores by the length of the entry's id, as the code gives it away, and finds one thing in each.
    const provider = await startProvider((request) => {
      const material = request.body.messages.find(({ role }) => role === "user")?.content ?? "";
      const score = (letter: string): number =>
        Number(new RegExp(`begin entry ${letter}\\][^]*?4\\|     (\\d+)`).exec(material)?.[1] ?? 0) / 2;
      const reviews = lettersOf(request).map((letter) =>
        reviewOf(letter, score(letter), [foundIn("src/lib.rs", 3)]),
      );
      complete(request, { content: JSON.stringify({ reviews }), cost: 0.25 });
    });
    const before = await readFile(runFile, "utf8");
    for (const judge of ["j-opus", "j-sol"])
      for (const { pack: digest } of await maps(judge)) {
        const name = folderOf(digest);
        const reviewed = await council(
          "review",
          at("packs", name),
          "--judge",
          judge,
          "--root",
          root.folder,
          "--base-url",
          provider.url,
        );
        expect(reviewed.code, reviewed.err).toBe(0);
        const imported = await council(
          "import",
          at("reviews", `${name}.${judge}.1`, "session.json"),
          "--run",
          "new-run",
          "--root",
          root.folder,
        );
        expect(imported.code, imported.err).toBe(0);
      }
    await provider.close();
    expect(provider.requests).toHaveLength(6);
    const after = await readFile(runFile, "utf8");
    const [start, end] = before.split('"sessions": []');
    expect(after.startsWith(start ?? "?") && after.endsWith(end ?? "?")).toBe(true);
    const run = await readRun();
    expect(run.council.sessions).toHaveLength(6);
    for (const session of run.council.sessions)
      for (const { letter, score, findings } of session.reviews) {
        const place = session.order.find((each) => each.letter === letter);
        const id = place !== undefined && "entry" in place ? place.entry : "e1";
        // The score that the entry's own code asked for came back to that entry: the map is right.
        expect(score).toBe(id.length / 2);
        expect(findings.map((finding) => finding.id)).toEqual([`${letter.toLowerCase()}-1`]);
      }
    expect(new Set(run.council.sessions.map((session) => session.pack.seed))).toEqual(new Set(["round-1"]));

    const { data, findings } = await readCodeData(folderData(root.folder), {
      synthetic: false,
      deliverables: true,
    });
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(data?.runs.find(({ id }) => id === "new-run")?.panel).toEqual(["j-opus", "j-sol"]);
    for (const { run: of, id, dnf, council: score } of data?.entries ?? [])
      if (of === "new-run") expect([id, score]).toEqual([id, dnf === null ? id.length / 2 : null]);
    const calibrated = await council("calibrate", "coder", "--root", root.folder);
    // Every anchor's id is two letters long: each got 1; panels gave 7.8, 6.5 and 3.5. Three packs, three anchors each.
    expect(calibrated.out).toContain("j-opus\n  against the panel  -4.93, n = 9, from -6.80 to -2.50");
  }, 60_000);
});

describe("council import", () => {
  let whole: string;
  beforeEach(async () => {
    whole = await readFile(runFile, "utf8");
    return () => writeFile(runFile, whole);
  });

  async function handRun(change: Record<string, unknown> = {}): Promise<string[]> {
    await pack("--judge", "j-sol", "--seed", "by-hand");
    const [map] = (await maps("j-sol")).filter(({ seed }) => seed === "by-hand");
    const file = join(root.folder, "session.json");
    await writeFile(
      file,
      JSON.stringify({
        schema_version: 1,
        judge: "j-sol",
        pack: map?.pack,
        started_at: "2026-11-20T09:00:00.000Z",
        finished_at: "2026-11-20T10:00:00.000Z",
        reviews: map?.order.map(({ letter }) => ({ letter, score: 7, findings: [] })),
        ...change,
      }),
    );
    return ["import", file, "--run", "new-run", "--root", root.folder];
  }
  /** The run as it was before anybody reviewed it. */
  const unreviewed = async (): Promise<void> => {
    const run = await readRun();
    await writeFile(
      runFile,
      `${JSON.stringify({ ...run, council: { sessions: [], revisions: [] } }, null, 2)}\n`,
    );
  };

  it("takes a session that a person wrote for a judge run by hand", async () => {
    await unreviewed();
    const ended = await council(...(await handRun()));
    expect(ended.code, ended.err).toBe(0);
    expect((await readRun()).council.sessions).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["another judge", { judge: "j-opus" }, "code-council-judge"],
    [
      "a letter that the pack does not have",
      { reviews: [{ letter: "ZZ", score: 7, findings: [] }], missing: { reason: "x" } },
      "code-council-letter",
    ],
    ["missing letters without a reason", { reviews: [] }, "code-council-missing"],
    ["a score out of range", { reviews: [{ letter: "A", score: 11, findings: [] }] }, "code-data-too-big"],
    [
      "a time that ends before it begins",
      { finished_at: "2026-11-19T09:00:00.000Z" },
      "code-data-time-order",
    ],
    ["a key that sessions do not have", { verdict: "good" }, "code-data-unknown-key"],
  ])("refuses %s, and writes nothing", async (_, change, code) => {
    await unreviewed();
    const before = await readFile(runFile, "utf8");
    const ended = await council(...(await handRun(change)));
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(code);
    expect(await readFile(runFile, "utf8")).toBe(before);
  });

  it("refuses two reviews of one letter", async () => {
    await unreviewed();
    const args = await handRun();
    const file = args[1] ?? "";
    const session = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...session, reviews: [...session.reviews, session.reviews[0]] }));
    const ended = await council(...args);
    expect(ended.err).toContain("code-data-repeated");
  });

  it("refuses the same session twice, and an entry that the judge has scored in another pack", async () => {
    await unreviewed();
    const args = await handRun();
    expect((await council(...args)).code).toBe(0);
    expect((await council(...args)).err).toContain("code-council-imported");
    await writeFile(runFile, whole);
    expect((await council(...args)).err).toContain("code-council-twice");
    expect(await readFile(runFile, "utf8")).toBe(whole);
  });

  it("refuses a session of another run's pack", async () => {
    const ended = await council(...(await handRun()).with(3, "old-run"));
    expect(ended.err).toContain("code-council-run");
  });
});

describe("council pack --missing", () => {
  it("packs only what the judge has not scored, and nothing when that is all", async () => {
    const run = await readRun();
    const whole = await readFile(runFile, "utf8");
    const sessions = run.council.sessions.map((session, index) =>
      index === 0
        ? { ...session, reviews: session.reviews.slice(2), missing: { reason: "stopped" } }
        : session,
    );
    const [first] = run.council.sessions;
    const lost = first?.order.flatMap((place) =>
      "entry" in place && first.reviews.slice(0, 2).some(({ letter }) => letter === place.letter)
        ? [place.entry]
        : [],
    );
    await writeFile(runFile, JSON.stringify({ ...run, council: { sessions, revisions: [] } }));
    const args = ["--judge", first?.judge ?? "", "--missing", "--seed", "again"];
    const ended = await pack(...args);
    await writeFile(runFile, whole);
    expect(ended.code, ended.err).toBe(0);
    const [map, ...more] = (await maps(first?.judge ?? "")).filter(({ seed }) => seed === "again");
    expect(more).toEqual([]);
    expect(map?.order.flatMap((place) => ("entry" in place ? [place.entry] : [])).toSorted()).toEqual(
      lost?.toSorted(),
    );
    expect(map?.order).toHaveLength(3 + (lost?.length ?? 0));
    expect((await pack(...args)).err).toContain("code-council-nothing");
  });
});

describe("council pack refuses", () => {
  it.each<[string, () => Promise<void>, string]>([
    [
      "a contract that is not the run's",
      () => writeFile(join(root.folder, "tasks/coder/SPEC.md"), "# Another\n"),
      "code-council-spec",
    ],
    [
      "a deliverable that was changed",
      () => writeFile(join(root.folder, "data/entries/new-run/entry-3/src/lib.rs"), "x\n"),
      "code-entry-digest",
    ],
    [
      "a run that was judged against its brief",
      async () =>
        writeFile(runFile, (await readFile(runFile, "utf8")).replace('"basis": "spec"', '"basis": "brief"')),
      "code-council-basis",
    ],
  ])("%s, and writes nothing", async (_, change, code) => {
    const other = makeCouncilRoot(3);
    const keep = root;
    root = other;
    runFile = join(root.folder, "data/runs/new-run.json");
    try {
      await change();
      const ended = await pack("--judge", "j-sol");
      expect(ended.code).toBe(1);
      expect(ended.err).toContain(code);
      await expect(readdir(at("packs"))).rejects.toThrow("ENOENT");
    } finally {
      root = keep;
      runFile = join(root.folder, "data/runs/new-run.json");
      await rm(other.folder, { recursive: true });
    }
  });
  it.each([
    [["--judge", "nobody"], 1, "code-data-unknown-judge"],
    [["--judge", "j-sol", "--size", "11"], 2, "from 1 to 10"],
    [["--judge", "j-sol", "--seed", "a b"], 2, "seed"],
    [[], 2, "--judge"],
  ])("%j", async (more, code, says) => {
    const ended = await pack(...more);
    expect(ended.code).toBe(code);
    expect(ended.err).toContain(says);
  });
});
