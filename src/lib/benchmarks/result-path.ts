import { canonicalDocument } from "../canonical-json.ts";
import { digestOf, sha256Hex } from "../digest.ts";
import type { ResultDocument } from "./result-schema.ts";

/** Where committed results live. */
export const RESULTS_FOLDER = "benchmarks/results";

/** A path segment out of any text: `[a-z0-9._-]`, no leading dot or dash, at most `limit` characters. */
function slug(text: string, limit: number): string {
  const safe = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, limit)
    .replace(/[.-]+$/, "");
  return safe === "" ? "x" : safe;
}

/**
 * Folder name of a model: `<provider>__<model-slug>-<hash8>`. The hash (of the exact model id) keeps apart ids that
 * share a slug; `meta-llama/llama-3.3-70b-instruct:free` gives `meta-llama__llama-3.3-70b-instruct-free-` and 8 digits.
 */
export function modelFolder(modelId: string): string {
  const slash = modelId.indexOf("/");
  const provider = slug(modelId.slice(0, Math.max(slash, 0)), 30);
  return `${provider}__${slug(modelId.slice(slash + 1), 50)}-${sha256Hex(modelId).slice(0, 8)}`;
}

/** Digest of the canonical bytes of a result document; what `supersedes` and the feed name. */
export const documentDigest = (document: ResultDocument): string => digestOf(canonicalDocument(document));

/**
 * The only place where a result document may be committed:
 * `benchmarks/results/<suite>/<model folder>/<finished_at as 20261130t101500z>-<first 8 digits of its digest>.json`.
 * Every part follows from the content.
 */
export function resultPath(document: ResultDocument): string {
  const time = document.finished_at
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:]/g, "")
    .toLowerCase();
  const digest8 = documentDigest(document).slice("sha256:".length, "sha256:".length + 8);
  return `${RESULTS_FOLDER}/${document.suite.id}/${modelFolder(document.model.id)}/${time}-${digest8}.json`;
}
