import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSuite, recomputeResult } from "../../src/jobs/score.ts";
import { readResult } from "../../src/lib/benchmarks/result.ts";
import { canonicalDocument } from "../../src/lib/canonical-json.ts";
import { honestDocument, recipe, SUITE_ID, type TempRepository, tempRepository } from "./temp-suite.ts";

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
  "/runner/deterministic_components/#",
  "/runner/environment",
  "/runner/invocation",
  "/runner/name",
  "/runner/transport",
  "/runner/version",
];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every leaf as its pointer, and a way to set it. Recipes are evidence, not claims, and stay whole. */
function* leaves(
  node: Json,
  pointer = "",
): Generator<{ pointer: string; value: Json; set: (value: Json) => void }> {
  if (node === null || typeof node !== "object") return;
  const holder = node as { [key: string]: Json };
  for (const [key, value] of Object.entries(holder)) {
    const at = `${pointer}/${key}`;
    if (key === "recipe") continue;
    if (value !== null && typeof value === "object") yield* leaves(value, at);
    else
      yield {
        pointer: at,
        value,
        set: (next) => {
          holder[key] = next;
        },
      };
  }
}

/** Another value that the schema could still accept. */
function changed(value: Json): Json {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return 5;
  if (value.startsWith("sha256:")) return `sha256:${"0".repeat(64)}`;
  return /^\d{4}-.*Z$/.test(value) ? value.replace(/\d\dZ$/, "77Z") : `${value}x`;
}

describe("changing one field of an honest document", () => {
  it("is caught, by a rule or by recomputing, unless the field is only declared", async () => {
    const honest = await honestDocument(repository.root, {
      "tt-one": recipe(),
      "tt-two": recipe({ values: "R2C2:R2C3" }),
    });
    const document = JSON.parse(canonicalDocument(honest)) as Json;
    const loaded = await loadSuite(repository.root, SUITE_ID);
    if (!loaded.ok) throw new Error("the suite does not load");
    const missed = new Set<string>();
    let tried = 0;
    for (const { pointer, value, set } of [...leaves(document)]) {
      set(changed(value));
      tried += 1;
      const read = readResult(canonicalDocument(document), null);
      const caught =
        !read.ok ||
        read.findings.length > 0 ||
        (await recomputeResult(read.value.document, loaded.value)).findings.length > 0;
      if (!caught) missed.add(pointer.replace(/\/\d+(?=\/|$)/g, "/#"));
      set(value);
    }
    expect(tried).toBeGreaterThan(150);
    expect([...missed].filter((pointer) => !DECLARED.includes(pointer))).toEqual([]);
  });
});
