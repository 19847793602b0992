/** Which jobs this machine may run, by their `runs-on`. */
import { asText, evaluateToken, onlyKeys, type Scope, type Value } from "./expressions.ts";
import type { Job } from "./workflow.ts";

export type Placement =
  | { readonly ok: true; readonly selfHosted: boolean; readonly labels: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const HOSTED = /^ubuntu-(?:latest|\d{2}\.\d{2})$/i;

/** Places a job: GitHub's Ubuntu runners are played by this machine, self-hosted labels only when it has them all. */
export function placeJob(job: Job, scope: Scope, own: readonly string[]): Placement {
  const value = job.runsOn === undefined ? null : evaluateToken(job.runsOn, scope);
  const labels = labelsOf(value);
  if (typeof labels === "string") return { ok: false, reason: labels };
  const [first] = labels;
  if (first === undefined) return { ok: false, reason: "runs-on names no label" };
  if (labels.length === 1 && HOSTED.test(first)) return { ok: true, selfHosted: false, labels };
  const folded = own.map((label) => label.toLowerCase());
  if (labels.every((label) => folded.includes(label.toLowerCase())))
    return { ok: true, selfHosted: true, labels };
  return { ok: false, reason: `no runner with labels ${labels.join(", ")}` };
}

function labelsOf(value: Value): string[] | string {
  if (value === null) return [];
  if (typeof value !== "object") return [asText(value, "runs-on")];
  if (Array.isArray(value)) return value.map((label: Value) => asText(label, "runs-on"));
  const entries = new Map(Object.entries(value));
  if (entries.has("group")) return "runner groups (runs-on.group) are not supported by the rehearsal runner";
  onlyKeys(value, ["labels"], "runs-on");
  return labelsOf(entries.get("labels") ?? null);
}
