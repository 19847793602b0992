import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mutateDocument } from "../../src/jobs/mutate.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { type FieldRow, standingOf } from "../../src/lib/mutate/table.ts";
import { honestDocument, recipe, type TempRepository, tempRepository } from "./temp-suite.ts";

let repository: TempRepository;
beforeAll(async () => {
  repository = await tempRepository();
});
afterAll(() => repository.remove());

/** What nobody but the submitter can know: changing it is not caught, and no score depends on it. */
const DECLARED = [
  "/caps/calls",
  "/finished_at",
  "/started_at",
  "/members/#/attempts/#/duration_ms",
  "/members/#/attempts/#/finish_reason",
  "/members/#/attempts/#/generation_id",
  "/members/#/attempts/#/response_sha256",
  "/members/#/attempts/#/started_at",
  "/members/#/reason/code",
  "/members/#/reason/message",
  "/model/id",
  "/model/parameters/max_tokens",
  "/model/parameters/temperature",
  "/pacing/min_interval_ms",
  "/pipeline_version",
  "/prompt/mode",
  "/prompt/sha256",
  "/prompt/version",
  "/runner/deterministic_components",
  "/runner/deterministic_components/#",
  "/runner/environment",
  "/runner/invocation",
  "/runner/name",
  "/runner/transport",
  "/runner/version",
];

async function mutate(document: unknown): Promise<readonly FieldRow[]> {
  const bytes = new TextEncoder().encode(canonicalDocument(document));
  const done = await mutateDocument({ root: repository.root, bytes, label: "result.json" });
  if (!done.ok) throw new Error(JSON.stringify(done.findings));
  return done.value;
}

describe("changing one field of an honest document", () => {
  it("is caught, by a rule or by recomputing, unless the field is only declared", async () => {
    const rows = await mutate(
      await honestDocument(repository.root, {
        "tt-one": recipe(),
        "tt-two": recipe({ values: "R2C2:R2C3" }),
      }),
    );
    expect(rows.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(400);
    const declared = rows.filter((row) => standingOf(row) === "declared").map(({ field }) => field);
    expect(declared.filter((field) => !DECLARED.includes(field))).toEqual([]);
    for (const field of ["/composite", "/components/cell_match_rate", "/members/#/status", "/suite/digest"])
      expect(rows.find((row) => row.field === field)).toMatchObject({ missed: [] });
  }, 60_000);

  it("tells nothing of a document that does not hold by itself", async () => {
    const honest = await honestDocument(repository.root, { "tt-one": recipe(), "tt-two": recipe() });
    const bytes = new TextEncoder().encode(canonicalDocument({ ...honest, composite: 0.123456 }));
    const done = await mutateDocument({ root: repository.root, bytes, label: "result.json" });
    expect(done.ok).toBe(false);
    expect(done.findings.map(({ code }) => code)).toContain("mutate-not-honest");
  });
});
