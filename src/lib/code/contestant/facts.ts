import type { Outcome } from "../../findings.ts";
import { locateFindings } from "../../strict-json/parse.ts";
import { parseLocated } from "../../strict-json/schema.ts";
import { appendItem, renderJson } from "../quality/insert-json.ts";
import { type CodeRun, type Entry, runSchema } from "../schema/run-schema.ts";
import { FAST_TIERS, type Usage } from "../schema/usage-schema.ts";
import type { ContestantEnd } from "./end.ts";
import type { ContestantPlan } from "./plan.ts";

/** No run file is larger. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What is committed of one contestant. */
export function entryOf(
  plan: ContestantPlan,
  harness: { readonly name: string; readonly version: string | null },
  usage: Usage | null,
  end: Exclude<ContestantEnd, { kind: "ours" }>,
): Entry {
  const fast = usage?.requests.some((row) => FAST_TIERS.has(usage.tiers[row[2]] ?? "")) ?? false;
  return {
    id: plan.entry,
    configuration: plan.configuration,
    harness: { name: harness.name, version: usage?.harness_version ?? harness.version, fast_mode: fast },
    ...(usage === null ? {} : { usage }),
    ...(end.kind === "dnf" ? { dnf: { reason: end.reason } } : {}),
    deliverable:
      end.kind === "dnf" ? [] : end.files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
  };
}

/** `data/runs/<run>.json` of a run that begins with this entry. */
export const newRun = (plan: ContestantPlan, spec: string, startedAt: string, entry: Entry): CodeRun => ({
  schema_version: 1,
  id: plan.run,
  task: plan.task,
  spec: { sha256: spec },
  lead: plan.lead,
  basis: "spec",
  brief: { sha256: plan.brief },
  replicate: plan.replicate,
  started_at: startedAt,
  entries: [entry],
  council: { sessions: [], revisions: [] },
  revisions: [],
});

export const renderRun = (run: CodeRun): string => `${renderJson(run)}\n`;

/** A run's file with one more entry, of the batch that it is at; every other character stays as it was. */
export function addEntry(bytes: Uint8Array, entry: Entry, path: string): Outcome<string> {
  const read = parseLocated(bytes, runSchema, { path, code: "code-data", maxBytes: MAX_BYTES });
  if (!read.ok) return read;
  const { value: run, json } = read.value;
  const latest = Math.max(...run.entries.map(({ batch }) => batch ?? 1));
  const added: Entry = latest === 1 ? entry : { ...entry, batch: latest };
  const checked = runSchema.safeParse({ ...run, entries: [...run.entries, added] });
  if (checked.success)
    return {
      ok: true,
      value: appendItem(new TextDecoder().decode(bytes), json, "/entries", added),
      findings: [],
    };
  return {
    ok: false,
    findings: locateFindings(
      [
        {
          code: "code-run-full",
          severity: "error",
          message: "The run cannot take this entry.",
          pointer: "/entries",
          actual: checked.error.issues[0]?.message ?? "",
          hint: "Name another run with --run.",
        },
      ],
      json.position,
      path,
    ),
  };
}
