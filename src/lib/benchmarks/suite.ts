import { canonicalJson } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import { type Finding, hasErrors, type Outcome } from "../findings.ts";
import { locateFindings } from "../strict-json/parse.ts";
import { parseLocated } from "../strict-json/schema.ts";
import { instantMs } from "./instant.ts";
import { type Suite, suiteSchema } from "./suite-schema.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Where a suite is committed. */
export const suitePath = (id: string): string => `benchmarks/suites/${id}.json`;

/** Where a member's committed files lie: `recipe.json`, `README.md`, and for conformance `workbook.xlsx`, `reference.csv`. */
export const memberFile = (
  id: string,
  name: "recipe.json" | "workbook.xlsx" | "reference.csv" | "README.md",
): string => `benchmarks/members/${id}/${name}`;

/** Where a bank workbook is staged, by its digest `sha256:<hex>`; the folder is ignored by git. */
export const bankWorkbookPath = (digest: string): string =>
  `benchmarks/bank/workbooks/${digest.slice("sha256:".length)}.xlsx`;

/** Digest of the canonical JSON of a suite without its own `digest`. */
export function suiteDigest(suite: Omit<Suite, "digest"> & { digest?: string }): string {
  const { digest: _, ...content } = suite;
  return digestOf(canonicalJson(content));
}

/**
 * Reads a frozen suite: strict JSON, schema, its own digest, its place, and what members must satisfy among
 * themselves. Finding codes `json-…` and `suite-…`.
 */
export function parseSuite(bytes: Uint8Array | string, path: string): Outcome<Suite> {
  const parsed = parseLocated(bytes, suiteSchema, { path, code: "suite" });
  if (!parsed.ok) return parsed;
  const { value: suite, json } = parsed.value;
  const findings = [...parsed.findings, ...locateFindings(suiteFindings(suite, path), json.position)];
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: suite, findings };
}

function suiteFindings(suite: Suite, path: string): Finding[] {
  const findings: Finding[] = [];
  const error = (code: string, pointer: string, message: string, more: Partial<Finding> = {}): void => {
    findings.push({ code, severity: "error", message, path, pointer, ...more });
  };
  const digest = suiteDigest(suite);
  if (digest !== suite.digest)
    error("suite-digest", "/digest", "The suite is not the one that was frozen: its digest does not match.", {
      expected: digest,
      actual: suite.digest,
      hint: "A frozen suite never changes; restore the file, or freeze a new suite under a new id.",
    });
  if (path !== suitePath(suite.id))
    error("suite-path", "/id", "A suite lies in the file that its id names.", {
      expected: suitePath(suite.id),
      actual: path,
    });
  if (instantMs(suite.frozen_at) === null)
    error("suite-time", "/frozen_at", "This is no moment in time.", { actual: suite.frozen_at });
  findings.push(...memberFindings(suite, path));
  return findings;
}

/** Rules between members, shared by frozen suites and drafts. */
export function memberFindings(suite: Pick<Suite, "members">, path: string): Finding[] {
  const findings: Finding[] = [];
  const ids = new Set<string>();
  for (const [index, member] of suite.members.entries()) {
    const pointer = `/members/${index}`;
    const error = (code: string, at: string, message: string, more: Partial<Finding> = {}): void => {
      findings.push({ code, severity: "error", message, path, pointer: `${pointer}${at}`, ...more });
    };
    if (ids.has(member.id))
      error("suite-duplicate-member", "/id", `The member ${member.id} is listed twice.`);
    ids.add(member.id);
    if (new Set(member.feature_tags).size < member.feature_tags.length)
      error("suite-duplicate-tag", "/feature_tags", `The member ${member.id} has a tag twice.`);
    if (member.source_kind === "bank_asset" && !member.published_in_bank)
      error(
        "suite-bank-member",
        "/published_in_bank",
        "A bank member is published in the bank by definition.",
        {
          expected: "true",
          actual: "false",
        },
      );
    if (member.source_kind === "conformance" && member.published_in_bank && member.derived_from === undefined)
      error(
        "suite-derived-from",
        "/published_in_bank",
        "A conformance member that counts as published must name the published layout it re-creates.",
        { hint: "Add derived_from, or set published_in_bank to false." },
      );
  }
  return findings;
}

/** Tags that the vocabulary does not define. */
export function vocabularyFindings(
  suite: Pick<Suite, "members">,
  vocabulary: Vocabulary,
  path: string,
): Finding[] {
  const known = new Set(vocabulary.tags.map(({ id }) => id));
  return suite.members.flatMap((member, index) =>
    member.feature_tags.flatMap((tag, position): Finding[] =>
      known.has(tag)
        ? []
        : [
            {
              code: "suite-unknown-tag",
              severity: "error",
              message: `The tag ${tag} of member ${member.id} is not in the vocabulary.`,
              path,
              pointer: `/members/${index}/feature_tags/${position}`,
              expected: [...known].join(", "),
              actual: tag,
            },
          ],
    ),
  );
}
