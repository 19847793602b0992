import { fastDigest } from "../io/git-ids.ts";
import { RESULTS_FOLDER } from "../lib/benchmarks/result.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { evidenceDigits, evidencePrefix, sortEvidence } from "../lib/feed/index-build.ts";
import {
  type EvidenceEntry,
  evidenceIndexPath,
  type ModelIndex,
  type SuiteIndex,
} from "../lib/feed/index-schema.ts";
import { IndexError, type PublishedIndex } from "./published-index.ts";

/** Collects the parts to write, and those that stay. */
export class Output {
  readonly files: { path: string; data: string }[] = [];
  readonly kept: string[] = [];

  /** Gives the part's digest. */
  write(path: string, value: unknown): string {
    const data = canonicalDocument(value);
    this.files.push({ path, data });
    return fastDigest(data);
  }
}

/** Which evidence came and went, and the files that follow from it. */
export class EvidenceChanges {
  readonly #suite: string;
  readonly #before: SuiteIndex | null;
  readonly #previous: PublishedIndex | null;
  readonly #added: EvidenceEntry[] = [];
  readonly #removed = new Map<string, EvidenceEntry>();

  constructor(suite: string, before: SuiteIndex | null, previous: PublishedIndex | null) {
    this.#suite = suite;
    this.#before = before;
    this.#previous = previous;
  }

  replace(before: ModelIndex | undefined, after: ModelIndex | undefined): void {
    const old = new Map(evidenceOf(before).map((entry) => [keyOf(entry), entry]));
    for (const entry of evidenceOf(after)) if (!old.delete(keyOf(entry))) this.#added.push(entry);
    for (const [key, entry] of old) this.#removed.set(key, entry);
  }

  /** Writes the files that changed and keeps the others. @throws IndexError when all of them have to be made anew. */
  async write(results: number, output: Output): Promise<SuiteIndex["evidence"]> {
    const digits = evidenceDigits(results);
    if (this.#before !== null && this.#before.evidence.digits !== digits)
      throw new IndexError(`the suite ${this.#suite} has outgrown its evidence files`);
    const files = new Map(this.#before?.evidence.files.map(({ prefix, sha256 }) => [prefix, sha256]));
    const prefixOf = ({ evidence }: EvidenceEntry): string => evidencePrefix(evidence, digits);
    const added = groupBy(this.#added, prefixOf);
    const changed = new Set([...added.keys(), ...[...this.#removed.values()].map(prefixOf)]);
    for (const prefix of changed) {
      const old =
        this.#before === null ? null : ((await this.#previous?.evidence(this.#before, prefix)) ?? null);
      const left = (old?.results ?? []).filter((entry) => !this.#removed.has(keyOf(entry)));
      const entries = sortEvidence([...left, ...(added.get(prefix) ?? [])]);
      files.delete(prefix);
      if (entries.length === 0) continue;
      const part = { schema_version: 1, suite: this.#suite, prefix, results: entries };
      files.set(prefix, output.write(evidenceIndexPath(this.#suite, prefix), part));
    }
    for (const prefix of files.keys())
      if (!changed.has(prefix)) output.kept.push(evidenceIndexPath(this.#suite, prefix));
    return {
      digits,
      files: [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([prefix, sha256]) => ({ prefix, sha256 })),
    };
  }
}

const keyOf = ({ evidence, path, blob }: EvidenceEntry): string => `${evidence} ${blob} ${path}`;

const evidenceOf = (model: ModelIndex | undefined): EvidenceEntry[] =>
  (model?.results ?? []).flatMap(({ evidence, file, blob }) =>
    evidence === null
      ? []
      : [{ evidence, blob, path: `${RESULTS_FOLDER}/${model?.suite}/${model?.folder}/${file}` }],
  );

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
