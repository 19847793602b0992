import { describe, expect, it } from "vitest";
import { isProbe, probeForm, stateOfExit } from "../../../src/lib/defects/probe.ts";
import { confirmedPlaces, decideVerification } from "../../../src/lib/defects/verification.ts";
import type { JobResult } from "../../../src/lib/job/report-schema.ts";
import { defectWords, verificationSentence } from "../../../src/lib/result-pr/words-defects.ts";

type State = NonNullable<JobResult["probe"]>;

/** Results of entries e1, e2 …, and of a control. */
const results = (listed: readonly State[], ...controls: readonly State[]): JobResult[] => [
  ...listed.map(
    (probe, index): JobResult => ({ run: "run-1", entry: `e${index + 1}`, role: "judged", probe }),
  ),
  ...controls.map((probe): JobResult => ({ run: "coder", entry: "reference", role: "control", probe })),
];

describe("what follows from what a probe found", () => {
  it.each<[string | null, State[], State[]]>([
    ["confirmed", ["present"], ["absent"]],
    ["confirmed", ["present", "present"], ["absent"]],
    ["not-reproduced", ["absent", "absent"], ["absent"]],
    ["not-reproduced", ["absent", "not-built", "failed"], ["absent"]],
    ["partly", ["present", "absent"], ["absent"]],
    ["partly", ["present", "not-built"], ["absent"]],
    ["partly", ["present", "failed"], ["absent"]],
    [null, ["not-built"], ["absent"]],
    [null, ["failed", "not-built"], ["absent"]],
    ["control-failed", ["present", "present"], ["present"]],
    ["control-failed", ["absent"], ["present"]],
    ["control-failed", ["present"], ["not-built"]],
    ["control-failed", ["present"], ["failed"]],
    ["control-failed", ["present"], []],
    ["control-failed", ["present"], ["absent", "present"]],
  ])("%s: entries %j, control %j", (verification, listed, controls) => {
    expect(decideVerification(results(listed, ...controls))).toBe(verification);
  });

  it("only entries that showed it may count, and none when the control did too", () => {
    expect(confirmedPlaces(results(["present", "absent", "not-built"], "absent"))).toEqual([
      { run: "run-1", entry: "e1" },
    ]);
    expect(confirmedPlaces(results(["present"], "present"))).toEqual([]);
  });
});

describe("probes", () => {
  it("answer 0 absent, 1 present; anything else says nothing", () => {
    expect([0, 1, 2, 3, 77, 127, null].map(stateOfExit)).toEqual([
      "absent",
      "present",
      "failed",
      "failed",
      "failed",
      "failed",
      "failed",
    ]);
  });

  it("are modules that ask the driver, or scripts", () => {
    expect(["D-1.ts", "a/b.sh", "D-1.py", "sh"].map(probeForm)).toEqual(["driver", "script", null, null]);
    const look = (): "absent" => "absent";
    expect(isProbe({ cases: [{ content: new Uint8Array(1) }], look })).toBe(true);
    for (const none of [null, {}, { cases: [], look }, { cases: [{ content: "x" }], look }, { cases: [{}] }])
      expect(isProbe(none)).toBe(false);
  });
});

describe("words about a defect", () => {
  it("say what follows, and why a control proves nothing", () => {
    const said = (listed: State[], control: State): string => {
      const found = results(listed, control);
      return verificationSentence({ results: found, verification: decideVerification(found) });
    };
    expect(said(["present", "present"], "absent")).toBe(
      "Confirmed: all 2 listed entries show the defect, and the control does not.",
    );
    expect(said(["present", "absent", "absent"], "absent")).toContain("1 of 3 listed entries shows");
    expect(said(["absent"], "absent")).toMatch(/^Not reproduced: /);
    expect(said(["present"], "present")).toMatch(/^Control failed: the control.*shows it too/);
    expect(said(["present"], "not-built")).toMatch(/^Control failed: the control could not be built/);
    expect(said(["not-built"], "absent")).toMatch(/^No answer: /);
  });

  it("list every entry with the control last, and the judges whose recall moves", () => {
    const found = results(["present", "not-built"], "absent");
    const judge = {
      judge: "j",
      name: "@everyone",
      before: { found: 0, of: 0 },
      after: { found: 1, of: 1 },
    };
    const words = defectWords({
      results: [...found].reverse(),
      verification: decideVerification(found),
      recall: { task: [judge], overall: [judge] },
    });
    const rows = words.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual([
      "| `run-1/e2` | listed | does not build: neither confirmed nor not |",
      "| `run-1/e1` | listed | shows it |",
      "| `coder/reference` | control | does not show it |",
      "| `@everyone` | – | 1 of 1 |",
    ]);
    expect(words).not.toContain("Over all tasks");
  });

  it("say that recall stays when nothing counts", () => {
    const found = results(["absent"], "absent");
    const recall = { task: [], overall: [] };
    expect(defectWords({ results: found, verification: "not-reproduced", recall })).toContain(
      "Judge recall stays as it is.",
    );
  });
});
