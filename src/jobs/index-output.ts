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
  #gone = false;

  constructor(suite: string, before: SuiteIndex | null, previous: PublishedIndex | null) {
    this.#suite = suite;
    this.#before = before;
    this.#previous = previous;
  }

  replace(before: ModelIndex | undefined, after: ModelIndex | undefined): void {
    const old = new Map(evidenceOf(before).map((entry) => [keyOf(entry), entry]));
    for (const entry of evidenceOf(after)) if (!old.delete(keyOf(entry))) this.#added.push(entry);
    this.#gone ||= old.size > 0;
  }

  /** Writes the files that changed and keeps the others. @throws IndexError when all of them have to be made anew. */
  async write(results: number, output: Output): Promise<SuiteIndex["evidence"]> {
    const digits = evidenceDigits(results);
    if (this.#before !== null && this.#before.evidence.digits !== digits)
      throw new IndexError(`the suite ${this.#suite} has outgrown its evidence files`);
    // Where more results have one evidence than are named, another would have to take the place of one that is gone.
    if (this.#gone) throw new IndexError(`results of ${this.#suite} are gone`);
    const files = new Map(this.#before?.evidence.files.map(({ prefix, sha256 }) => [prefix, sha256]));
    const prefixOf = ({ evidence }: EvidenceEntry): string => evidencePrefix(evidence, digits);
    const added = groupBy(this.#added, prefixOf);
    for (const prefix of added.keys()) {
      const old =
        this.#before === null ? null : ((await this.#previous?.evidence(this.#before, prefix)) ?? null);
      const entries = sortEvidence([...(old?.results ?? []), ...(added.get(prefix) ?? [])]);
      const part = { schema_version: 1, suite: this.#suite, prefix, results: entries };
      files.set(prefix, output.write(evidenceIndexPath(this.#suite, prefix), part));
    }
    for (const prefix of files.keys())
      if (!added.has(prefix)) output.kept.push(evidenceIndexPath(this.#suite, prefix));
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
