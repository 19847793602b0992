import { type Conversion, conversionSchema } from "../../lib/bot/hosting/conversion.ts";

/** Exchanging the code of an App's manifest for the App's id and key. */

const TIMEOUT_MS = 30_000;

/** `refused`: GitHub knows no such code (any more). `unknown`: no usable answer; GitHub may have taken the code or not. */
export type ConversionOutcome =
  | { readonly outcome: "converted"; readonly app: Conversion }
  | { readonly outcome: "refused"; readonly status: number }
  | { readonly outcome: "unknown"; readonly reason: string };

/** A code works once, within an hour. The answer holds secrets: nothing of it goes into a message. */
export async function postConversion(apiBase: string, code: string): Promise<ConversionOutcome> {
  let status: number;
  let body: unknown;
  try {
    const answer = await fetch(`${apiBase}/app-manifests/${encodeURIComponent(code)}/conversions`, {
      method: "POST",
      headers: { accept: "application/vnd.github+json", "user-agent": "assay-setup" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = answer.status;
    if (status >= 400 && status < 500) return { outcome: "refused", status };
    if (status !== 201) return { outcome: "unknown", reason: `GitHub answered ${status}` };
    body = await answer.json();
  } catch (error) {
    return { outcome: "unknown", reason: error instanceof Error ? error.name : "no answer" };
  }
  const parsed = conversionSchema.safeParse(body);
  if (parsed.success) return { outcome: "converted", app: parsed.data };
  const fields = [...new Set(parsed.error.issues.map(({ path }) => path.join(".")))].join(", ");
  return { outcome: "unknown", reason: `GitHub's answer has not the form that is expected (${fields})` };
}
