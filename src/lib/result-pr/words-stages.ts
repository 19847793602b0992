import type { Verdict } from "./report-schema.ts";
import type { MergeState } from "./words-merge.ts";

/** Where a pull request stands on its way from the automatic screen over a maintainer to the board. Pure. */

/** `null`: the first verdict is being computed. */
export interface Standing {
  readonly verdict: Verdict | null;
  /** A maintainer accepted exactly this head. */
  readonly accepted: boolean;
  /** How a merge that was asked for stands; null when nobody asked. */
  readonly merge: MergeState["phase"] | null;
}

const LATER = "▫️";

/** Who has to act when the automatic screen said this. */
const AFTER_SCREEN: Readonly<Record<Verdict, readonly [screen: string, ...next: string[]]>> = {
  valid: ["✅ automatic screen", "👉 **maintainer**", `${LATER} merge`],
  "needs-review": ["🔎 automatic screen", "👉 **maintainer reviews**", `${LATER} merge`],
  incomplete: ["⏸️ automatic screen", "👉 **maintainer completes it**", `${LATER} merge`],
  error: ["⚠️ automatic screen", "👉 **maintainer mends our failure**", `${LATER} merge`],
  invalid: ["❌ automatic screen", "👉 **submitter mends it**", `${LATER} maintainer`, `${LATER} merge`],
};

/** The way in one line: what is done, whose move it is (👉), and what comes then. Markdown. */
export function stageLine({ verdict, accepted, merge }: Standing): string {
  if (verdict === null)
    return ["⏳ **automatic screen**", `${LATER} maintainer`, `${LATER} merge`].join(" → ");
  const [screen, ...next] = AFTER_SCREEN[verdict];
  if (merge === "merged") return [screen, "✅ maintainer", "🟣 merged"].join(" → ");
  if (merge !== null && merge !== "refused") return [screen, "✅ maintainer", "⏳ **merge**"].join(" → ");
  if (verdict === "needs-review" && accepted)
    return [screen, "✅ reviewed", "👉 **maintainer merges**"].join(" → ");
  return [screen, ...next].join(" → ");
}
