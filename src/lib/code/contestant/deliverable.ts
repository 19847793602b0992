import type { TaskKit } from "../../task/kit.ts";
import { deliverablePathSchema } from "../schema/names.ts";

/** A file in a contestant's work folder, by its path there. */
export interface WorkFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export type Collected =
  | { readonly ok: true; readonly files: readonly WorkFile[] }
  /** Why there is no deliverable, in a sentence for people. */
  | { readonly ok: false; readonly reason: string };

/** What we laid into the folder beside the scaffold. */
export const BRIEF_FILE = "BRIEF.md";
export const SPEC_FILE = "SPEC.md";

/** Whether a path can be a part of the deliverable. */
export const isCandidate = (path: string, rules: TaskKit["deliverable"]): boolean =>
  path !== BRIEF_FILE &&
  path !== SPEC_FILE &&
  (rules.required.includes(path) || rules.allowed.test(path)) &&
  deliverablePathSchema.safeParse(path).success;

/**
 * The deliverable among what a contestant left behind: the files that the task's kit requires and allows, nothing else (build output, notes
 * and caches stay behind).
 * @param start the folder as the contestant found it
 */
export function pickDeliverable(
  files: readonly WorkFile[],
  start: readonly WorkFile[],
  rules: TaskKit["deliverable"],
): Collected {
  const picked = files
    .filter(({ path }) => isCandidate(path, rules))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const there = new Set(picked.map(({ path }) => path));
  const missing = rules.required.filter((path) => !there.has(path));
  if (missing.length > 0)
    return { ok: false, reason: `No deliverable: ${missing.slice(0, 5).join(", ")} is missing.` };
  const before = new Map(start.map(({ path, sha256 }) => [path, sha256]));
  if (picked.every(({ path, sha256 }) => before.get(path) === sha256))
    return { ok: false, reason: "No deliverable: the scaffold is as it was." };
  const bytes = picked.reduce((sum, file) => sum + file.bytes, 0);
  if (picked.length > rules.maxFiles || bytes > rules.maxBytes)
    return {
      ok: false,
      reason: `The deliverable is too large: ${picked.length} files, ${bytes} bytes; at most ${rules.maxFiles} files, ${rules.maxBytes} bytes.`,
    };
  return { ok: true, files: picked };
}
