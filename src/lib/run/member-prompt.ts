import type { Workbook } from "../sheet/model.ts";
import { listWorkbook } from "./listing.ts";
import {
  AUTO_LISTING_CHARACTERS,
  MAX_DIGEST_CHARACTERS,
  MAX_LISTING_CHARACTERS,
  type MemberPrompt,
  type PromptMode,
} from "./prompt.ts";
import { digestWorkbook } from "./sheet-digest.ts";

export type LaidOut =
  | { readonly ok: true; readonly prompt: MemberPrompt }
  /** It does not fit, and nothing is ever cut. */
  | { readonly ok: false; readonly message: string };

/**
 * What a member is asked in a prompt mode: its task and the asked sheets whole, or a refusal that says why. Follows
 * from workbook, task and mode alone.
 */
export function layOutPrompt(workbook: Workbook, task: string, mode: PromptMode): LaidOut {
  const sheets = workbook.sheets.map(({ name, state }) => ({ name, state }));
  if (mode !== "digest-1") {
    const max = mode === "auto-1" ? AUTO_LISTING_CHARACTERS : MAX_LISTING_CHARACTERS;
    const listing = listWorkbook(workbook, task, max);
    if (listing.ok) return { ok: true, prompt: { task, sheets, form: "listing-1", listing: listing.text } };
    if (mode === "listing-1")
      return {
        ok: false,
        message: `The cell listing needs more than ${max} characters; prompt mode ${mode} sends a sheet whole or not at all.`,
      };
  }
  const digest = digestWorkbook(workbook, task, MAX_DIGEST_CHARACTERS);
  if (digest.ok) return { ok: true, prompt: { task, sheets, form: "digest-1", listing: digest.text } };
  return {
    ok: false,
    message: `Even the coarsest digest needs more than ${MAX_DIGEST_CHARACTERS} characters: too many sheets are asked at once.`,
  };
}
