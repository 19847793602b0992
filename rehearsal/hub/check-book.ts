import type { Json } from "./http.ts";

/** What the hub keeps of a check run: the emulator names no app, forgets annotations, and never drops one. */
export interface CheckRecord {
  readonly id: number;
  readonly repositoryId: number;
  readonly sha: string;
  /** Slug of the app that made it. */
  readonly slug: string;
  readonly annotations: Json[];
  /** As the emulator last gave it. */
  run: Json;
}

/** A check that must be a success before a protected branch moves. */
export interface RequiredCheck {
  readonly name: string;
  /** Slug of the only app whose word counts (`github-actions` for workflows); any app when absent. */
  readonly app?: string;
}

/** Check runs of one name that a suite keeps; beyond that the oldest go. */
export const SAME_NAME_RUNS = 1_000;

export class CheckBook {
  readonly #byId = new Map<number, CheckRecord>();
  readonly #byCommit = new Map<string, CheckRecord[]>();

  get(id: number): CheckRecord | undefined {
    return this.#byId.get(id);
  }

  add(record: CheckRecord): void {
    this.#byId.set(record.id, record);
    const key = `${record.repositoryId} ${record.sha}`;
    const rows = this.#byCommit.get(key) ?? [];
    rows.push(record);
    this.#byCommit.set(key, rows);
    const same = rows.filter(({ slug, run }) => slug === record.slug && run.name === record.run.name);
    const oldest = same[0];
    if (same.length <= SAME_NAME_RUNS || oldest === undefined) return;
    rows.splice(rows.indexOf(oldest), 1);
    this.#byId.delete(oldest.id);
  }

  /** Check runs of a commit, newest first. */
  at(repositoryId: number, sha: string): readonly CheckRecord[] {
    return [...(this.#byCommit.get(`${repositoryId} ${sha}`) ?? [])].reverse();
  }

  /**
   * Where a required check stands: its newest run by the right app. Skipped and neutral count as success, as on GitHub;
   * a check that nobody has made yet is pending.
   */
  standing(repositoryId: number, sha: string, required: RequiredCheck): "success" | "pending" | "failure" {
    const newest = this.at(repositoryId, sha).find(
      ({ slug, run }) => run.name === required.name && (required.app ?? slug) === slug,
    );
    if (newest === undefined || newest.run.status !== "completed") return "pending";
    return ["success", "neutral", "skipped"].includes(String(newest.run.conclusion)) ? "success" : "failure";
  }
}
