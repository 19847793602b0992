import { canonicalDocument } from "../canonical-json.ts";
import { hasErrors, type Outcome } from "../findings.ts";
import { parseWithSchema } from "../strict-json/schema.ts";
import { locateFindings } from "./locate.ts";
import { ResultFindings } from "./result-findings.ts";
import { checkMembers } from "./result-member-rules.ts";
import { resultPath } from "./result-path.ts";
import { checkNumbers, checkTimes } from "./result-run-rules.ts";
import { type ResultDocument, resultSchema } from "./result-schema.ts";

export { documentDigest, modelFolder, RESULTS_FOLDER, resultPath } from "./result-path.ts";

/**
 * Reads a result document: strict JSON, schema, and every rule that needs neither suite nor workbook. Finding codes
 * `json-…` and `result-…`, each with its position. `path` is the repository path the document is meant for; pass null
 * for a file that lies elsewhere (a submitter's draft), whose place is then not judged.
 */
export function parseResult(
  bytes: Uint8Array | string,
  path: string | null,
  label: string = path ?? "result document",
): Outcome<ResultDocument> {
  const parsed = parseWithSchema(bytes, resultSchema, { path: label, code: "result-schema" });
  if (!parsed.ok) return parsed;
  const document = parsed.value;
  const report = new ResultFindings(label);
  checkMembers(document, report);
  checkTimes(document, report);
  checkNumbers(document, report);
  checkForm(document, bytes, path, report);
  const findings = [...parsed.findings, ...locateFindings(report.findings, bytes)];
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: document, findings };
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
