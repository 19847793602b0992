import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { raiseScore } from "../../rehearsal/results.ts";
import { loadSuite } from "../../src/jobs/load-suite.ts";
import { recomputeResult } from "../../src/jobs/score.ts";
import { parseResult } from "../../src/lib/benchmarks/result.ts";
import type { ResultDocument } from "../../src/lib/benchmarks/result-schema.ts";

const root = join(import.meta.dirname, "../..");
const FIXTURE = "rehearsal/fixtures/honest-result.json";

function honest(): ResultDocument {
  const parsed = parseResult(readFileSync(join(root, FIXTURE)), null, FIXTURE);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return parsed.value;
}

async function recompute(document: ResultDocument) {
  const suite = await loadSuite(root, document.suite.id);
  if (!suite.ok) throw new Error(JSON.stringify(suite.findings));
  return recomputeResult(document, suite.value);
}

describe("the committed result that stands in under CI", () => {
  it("holds against the suite and engine of today", async () => {
    const { findings, composite } = await recompute(honest());
    expect(findings).toEqual([]);
    expect(composite).toBe(honest().composite);
  });

  it("with a score raised by hand is consistent in itself, and recomputing tells", async () => {
    const raised = raiseScore(honest());
    expect(raised.composite).toBeGreaterThan(honest().composite);
    const { findings, composite } = await recompute(raised);
    expect(composite).toBe(honest().composite);
    expect(findings.map(({ severity }) => severity)).toContain("error");
  });
});
