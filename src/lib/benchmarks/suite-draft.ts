import { z } from "zod";
import { type Finding, hasErrors, type Outcome } from "../findings.ts";
import { locateFindings } from "../strict-json/parse.ts";
import { parseLocated } from "../strict-json/schema.ts";
import { memberFindings, suiteDigest, vocabularyFindings } from "./suite.ts";
import { type Suite, type SuiteMember, suiteMemberSchema, suiteSchema } from "./suite-schema.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A member before freezing: what people decide. Digests and sizes are computed from the files. */
export const draftMemberSchema = suiteMemberSchema
  .omit({ workbook: true, recipe: true, reference: true })
  .extend({
    /** For a bank member: the record in `benchmarks/bank/records/` that pins its workbook. */
    bank_record: z.string().min(1).max(100).optional(),
  });

export const suiteDraftSchema = suiteSchema
  .omit({ vocabulary: true, frozen_at: true, digest: true, members: true })
  .extend({ members: z.array(draftMemberSchema).min(1) });

export type DraftMember = z.infer<typeof draftMemberSchema>;
export type SuiteDraft = z.infer<typeof suiteDraftSchema>;

/** What freezing adds to a draft's member. */
export type PinnedFiles = Pick<SuiteMember, "workbook" | "recipe" | "reference">;

/** Reads a draft; its members satisfy the rules of a suite and use only tags of the vocabulary. Codes `suite-…`. */
export function parseSuiteDraft(
  bytes: Uint8Array | string,
  path: string,
  vocabulary: Vocabulary,
): Outcome<SuiteDraft> {
  const parsed = parseLocated(bytes, suiteDraftSchema, { path, code: "suite" });
  if (!parsed.ok) return parsed;
  const { value: draft, json } = parsed.value;
  const suite = { members: draft.members.map((member) => pinMember(member, UNPINNED)) };
  const findings = locateFindings(
    [
      ...memberFindings(suite, path),
      ...vocabularyFindings(suite, vocabulary, path),
      ...recordFindings(draft, path),
    ],
    json.position,
  );
  return hasErrors(findings) ? { ok: false, findings } : { ok: true, value: draft, findings };
}

const NO_DIGEST = `sha256:${"0".repeat(64)}`;
const UNPINNED: PinnedFiles = {
  workbook: { sha256: NO_DIGEST, bytes: 1 },
  recipe: { sha256: NO_DIGEST },
  reference: { sha256: NO_DIGEST, rows: 0, columns: 0 },
};

function recordFindings(draft: SuiteDraft, path: string): Finding[] {
  return draft.members.flatMap((member, index): Finding[] => {
    const isBank = member.source_kind === "bank_asset";
    if (isBank === (member.bank_record !== undefined)) return [];
    return [
      {
        code: "suite-bank-record",
        severity: "error",
        message: isBank
          ? `The bank member ${member.id} must name the record of its workbook.`
          : `The conformance member ${member.id} has its own workbook, not a bank record.`,
        path,
        pointer: `/members/${index}${isBank ? "" : "/bank_record"}`,
      },
    ];
  });
}

function pinMember(draft: DraftMember, files: PinnedFiles): SuiteMember {
  const { bank_record: _, checked_by, derived_from, ...rest } = draft;
  return { ...rest, ...files, checked_by, ...(derived_from === undefined ? {} : { derived_from }) };
}

/** The frozen suite: the draft with every file pinned, the vocabulary's digest, the moment, and its own digest. */
export function frozenSuite(
  draft: SuiteDraft,
  files: readonly PinnedFiles[],
  vocabulary: string,
  frozenAt: string,
): Suite {
  const members = draft.members.map((member, index) => {
    const pinned = files[index];
    if (pinned === undefined) throw new RangeError("one set of files per member");
    return pinMember(member, pinned);
  });
  const { schema_version, id, title, note } = draft;
  const content = { schema_version, id, title, note, vocabulary, frozen_at: frozenAt, members };
  return { ...content, digest: suiteDigest(content) };
}
