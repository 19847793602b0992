import { canonicalDocument } from "../canonical-json.ts";
import { type Finding, hasErrors, type Outcome } from "../findings.ts";
import { locateFindings } from "../strict-json/parse.ts";
import { parseLocated } from "../strict-json/schema.ts";
import { ResultFindings } from "./result-findings.ts";
import { checkMembers } from "./result-member-rules.ts";
import { resultPath } from "./result-path.ts";
import { checkNumbers, checkTimes } from "./result-run-rules.ts";
import { type ResultDocument, resultSchema } from "./result-schema.ts";

export { documentDigest, modelFolder, RESULTS_FOLDER, resultPath } from "./result-path.ts";

/** A document that has the schema's form; whether its rules hold is said by `findings`. */
export interface ReadResult {
  readonly document: ResultDocument;
  /** What the rules found, with positions; errors among them mean that the document cannot be accepted. */
  readonly findings: readonly Finding[];
}

/**
 * Reads a result document and judges it by every rule that needs neither suite nor workbook. A document whose claims
 * break rules is returned all the same, so that it can be recomputed and both numbers shown; one that is no strict
 * JSON or lacks the schema's form is not. Finding codes `json-…` and `result-…`, each with its position.
 * `path` is the repository path the document is meant for; null for a file that lies elsewhere (a submitter's draft),
 * whose place is then not judged. `label` is the file that findings name.
 */
export function readResult(
  bytes: Uint8Array | string,
  path: string | null,
  label: string = path ?? "result document",
): Outcome<ReadResult> {
  const parsed = parseLocated(bytes, resultSchema, { path: label, code: "result" });
  if (!parsed.ok) return parsed;
  const { value: document, json } = parsed.value;
  const report = new ResultFindings(label);
  checkMembers(document, report);
  checkTimes(document, report);
  checkNumbers(document, report);
  checkForm(document, bytes, path, report);
  const findings = [...parsed.findings, ...locateFindings(report.findings, json.position)];
  return { ok: true, value: { document, findings }, findings };
}

/** As `readResult`, but a document that breaks a rule is no result. */
export function parseResult(
  bytes: Uint8Array | string,
  path: string | null,
  label?: string,
): Outcome<ResultDocument> {
  const read = readResult(bytes, path, label);
  if (!read.ok) return read;
  const { findings } = read;
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: read.value.document, findings };
}

/** Canonical bytes, and the one path that the content gives. */
function checkForm(
  document: ResultDocument,
  bytes: Uint8Array | string,
  path: string | null,
  report: ResultFindings,
): void {
  const text = typeof bytes === "string" ? bytes : new TextDecoder("utf-8").decode(bytes);
  if (text !== canonicalDocument(document))
    report.error("result-not-canonical", "", "The file is not the canonical form of what it says.", {
      expected: "RFC 8785 canonical JSON with one final newline",
      hint: "Commit the file that bench:run wrote, byte for byte; editors and formatters change it.",
    });
  const expected = resultPath(document);
  if (path !== null && path !== expected)
    report.error("result-path", "", "A result document lies where its content says.", {
      expected,
      actual: path,
      hint: `Move the file to ${expected}; a changed digest in the name means that the content was changed.`,
    });
}
