import { METRIC_LIST } from "../benchmarks/metrics.ts";
import type { Components, ResultDocument, Status } from "../benchmarks/result-schema.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Finding } from "../findings.ts";

/** Old scores and new ones, side by side: which numbers a scorer moves. Pure. */

/** What a scorer gives for a document. A member without metrics could not be executed. */
export interface Scored {
  readonly composite: number | null;
  readonly components: Components | null;
  readonly members: readonly {
    readonly id: string;
    readonly status: Status | "unverified";
    readonly metrics?: unknown;
  }[];
}

export const recordedScores = ({ composite, components, members }: ResultDocument): Scored => ({
  composite,
  components,
  members,
});

/** The numbers of `before` that are others in `after`; what either could not tell is not compared. */
export function movedNumbers(before: Scored, after: Scored): string[] {
  const moved: string[] = [];
  if (before.composite !== null && after.composite !== null && before.composite !== after.composite)
    moved.push("composite");
  for (const { id } of METRIC_LIST)
    if (
      before.components !== null &&
      after.components !== null &&
      before.components[id] !== after.components[id]
    )
      moved.push(id);
  const others = new Map(after.members.map((member) => [member.id, member]));
  for (const { id, status, metrics } of before.members) {
    const other = others.get(id);
    if (other === undefined || other.status === "unverified" || status === "unverified") continue;
    const differs =
      other.status !== status ||
      (metrics !== undefined &&
        other.metrics !== undefined &&
        canonicalJson(metrics) !== canonicalJson(other.metrics));
    if (differs) moved.push(`member ${id}`);
  }
  return moved;
}

export interface Audited {
  readonly path: string;
  readonly document: ResultDocument;
  /** What the scorer of the time gives today; null when none is known, `same` when it is the one of now. */
  readonly past: Scored | "same" | null;
  readonly current: Scored;
}

/** One document, old and new. */
export interface AuditRow {
  readonly path: string;
  readonly recorded: number;
  /** Null: not replayed, or not to be told here. `same`: it is the scorer of now. */
  readonly past: number | "same" | null;
  readonly current: number | null;
  readonly moved: readonly string[];
  /** Numbers that the scorer of the time does not give either; empty when it was not replayed. */
  readonly neverHeld: readonly string[];
  readonly unverified: number;
}

export function auditRow({ path, document, past, current }: Audited): AuditRow {
  const recorded = recordedScores(document);
  return {
    path,
    recorded: document.composite,
    past: past === "same" ? past : (past?.composite ?? null),
    current: current.composite,
    moved: movedNumbers(recorded, current),
    neverHeld: past === null || past === "same" ? [] : movedNumbers(recorded, past),
    unverified: current.members.filter(({ status }) => status === "unverified").length,
  };
}

/** What follows from a row. `announced`: the changelog has a new dated entry since the scorer of the time. */
export function auditFindings(row: AuditRow, announced: boolean): Finding[] {
  const list = (numbers: readonly string[]): string =>
    numbers.length > 6
      ? `${numbers.slice(0, 6).join(", ")} and ${numbers.length - 6} more`
      : numbers.join(", ");
  const findings: Finding[] = [];
  if (row.neverHeld.length > 0)
    findings.push({
      code: "audit-never-held",
      severity: "error",
      message: "The scorer of the time does not give what is recorded either.",
      path: row.path,
      actual: list(row.neverHeld),
      hint: "The document came to main without a verdict, or was changed afterwards: look at its history.",
    });
  if (row.moved.length > 0 && row.neverHeld.length === 0)
    findings.push({
      code: announced ? "audit-moved" : "audit-unannounced",
      severity: announced ? "notice" : "error",
      message: announced
        ? "The scorer of now gives other numbers than are recorded, as the changelog says."
        : "The scorer of now gives other numbers than are recorded, and the changelog has no new dated entry.",
      path: row.path,
      actual: list(row.moved),
      ...(announced ? {} : { hint: "Add what changes, and why, under today's date to CHANGELOG.md." }),
    });
  if (row.unverified > 0)
    findings.push({
      code: "audit-unverified",
      severity: "warning",
      message: `${row.unverified} members could not be replayed: their workbooks are not here.`,
      path: row.path,
      hint: "npm run bench:bank -- stage <folder with the published workbooks>",
    });
  return findings;
}

/** The entries of a changelog: lines under a dated heading that begin with a dash, with their date. */
export function datedEntries(changelog: string): Set<string> {
  const entries = new Set<string>();
  let date: string | null = null;
  for (const line of changelog.split("\n")) {
    const heading = /^## (.*)$/.exec(line);
    if (heading !== null) date = /^\d{4}-\d\d-\d\d$/.test(heading[1] ?? "") ? (heading[1] ?? null) : null;
    else if (date !== null && line.startsWith("- ")) entries.add(`${date} ${line}`);
  }
  return entries;
}

/** Whether `now` has a dated entry that `before` has not. */
export const isAnnounced = (before: string, now: string): boolean => {
  const known = datedEntries(before);
  return [...datedEntries(now)].some((entry) => !known.has(entry));
};

/** Lines of the table: what is recorded, what the scorer of the time gives, what the scorer of now gives. */
export function renderAudit(rows: readonly AuditRow[]): string[] {
  const number = (value: AuditRow["past"]): string =>
    (value === null ? "-" : value === "same" ? value : value.toFixed(6)).padStart(9);
  const head = ["recorded", "then", "now"].map((title) => title.padStart(9)).join("  ");
  return [
    `${head}  moved  document`,
    ...rows.map(
      ({ recorded, past, current, moved, path }) =>
        `${[recorded, past, current].map(number).join("  ")}  ${String(moved.length).padStart(5)}  ${path}`,
    ),
  ];
}
