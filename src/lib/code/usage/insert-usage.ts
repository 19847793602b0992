import type { Finding, Outcome } from "../../findings.ts";
import { locateFindings } from "../../strict-json/parse.ts";
import { parseLocated } from "../../strict-json/schema.ts";
import { insertMembers } from "../quality/insert-json.ts";
import { type CodeRun, runSchema } from "../schema/run-schema.ts";
import { FAST_TIERS, type Usage } from "../schema/usage-schema.ts";

/** Whose usage it is: an entry's, a judge's session's, or the lead's for writing the brief. */
export type UsageTarget =
  | { readonly kind: "entry"; readonly id: string }
  | { readonly kind: "session"; readonly id: string }
  | { readonly kind: "brief" };

/** No run file is larger. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A run's file with the usage put in, every other character as it was. What has usage already keeps it: a correction is a
 * revision, not an import.
 * @param path named in findings
 */
export function insertUsage(
  bytes: Uint8Array,
  target: UsageTarget,
  usage: Usage,
  path: string,
): Outcome<string> {
  const read = parseLocated(bytes, runSchema, { path, code: "code-data", maxBytes: MAX_BYTES });
  if (!read.ok) return read;
  const { value: run, json } = read.value;
  const refuse = (finding: Omit<Finding, "severity">): Outcome<string> => ({
    ok: false,
    findings: locateFindings([{ severity: "error", ...finding }], json.position, path),
  });
  const found = find(run, target);
  if (found === null)
    return refuse({
      code: "code-usage-target",
      message: `The run has no such ${target.kind}.`,
      pointer: target.kind === "entry" ? "/entries" : "/council/sessions",
      actual: target.kind === "brief" ? "" : target.id,
      expected: idsOf(run, target).join(", ").slice(0, 300),
    });
  if (found.usage !== undefined)
    return refuse({
      code: "code-usage-present",
      message: "There is usage here already, and it stays.",
      pointer: `${found.pointer}/usage`,
      hint: "Correct it with a revision of the kind `usage`, which says why.",
    });
  const text = new TextDecoder().decode(bytes);
  const findings = locateFindings(fastMode(found, usage), json.position, path);
  return {
    ok: true,
    value: insertMembers(text, json, [{ pointer: found.pointer, key: "usage", value: usage }]),
    findings,
  };
}

interface Found {
  readonly pointer: string;
  readonly usage: Usage | undefined;
  /** Of an entry: whether it is said to have run on a faster tier. */
  readonly fast?: boolean;
}

function find(run: CodeRun, target: UsageTarget): Found | null {
  if (target.kind === "brief") return { pointer: "/brief", usage: run.brief.usage };
  if (target.kind === "session") {
    const index = run.council.sessions.findIndex(({ id }) => id === target.id);
    const session = run.council.sessions[index];
    return session === undefined ? null : { pointer: `/council/sessions/${index}`, usage: session.usage };
  }
  const index = run.entries.findIndex(({ id }) => id === target.id);
  const entry = run.entries[index];
  if (entry === undefined) return null;
  return { pointer: `/entries/${index}`, usage: entry.usage, fast: entry.harness.fast_mode };
}

const idsOf = (run: CodeRun, { kind }: UsageTarget): string[] =>
  (kind === "entry" ? run.entries : run.council.sessions).map(({ id }) => id);

/** An entry says itself whether it ran fast; the log may say otherwise. */
function fastMode({ fast, pointer }: Found, { tiers }: Usage): Finding[] {
  const isFast = tiers.some((tier) => FAST_TIERS.has(tier));
  if (fast === undefined || fast === isFast) return [];
  return [
    {
      code: "code-usage-fast-mode",
      severity: "warning",
      message: "The entry and its log disagree on the service tier.",
      pointer: `${pointer}/harness/fast_mode`,
      expected: `fast_mode ${isFast}, as the log has the tiers ${tiers.join(", ")}`,
      actual: `fast_mode ${fast}`,
    },
  ];
}
