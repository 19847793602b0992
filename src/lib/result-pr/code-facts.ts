import type { Comparison } from "../code/append-only/compare.ts";
import type { Growing } from "../code/append-only/shape.ts";
import type { Finding } from "../findings.ts";
import type { StrictJson } from "../strict-json/parse.ts";
import type { Change } from "./change-set.ts";

/** Everything that the rules of a pull request with facts of the code benchmark may look at. */
export interface CodePrFacts {
  readonly changes: readonly Change[];
  /** The trees differ in more files than anybody reads. */
  readonly truncated: boolean;
  /** Names on the base beside an added file of facts, or beside one of its folders. */
  readonly basePaths: readonly string[];
  /** Added paths at which the base has another file. */
  readonly taken: readonly string[];
  /** Added and edited documents that were read, in the order of `changes`. */
  readonly documents: readonly CodeDocument[];
  /** Added files of deliverables, in the order of `changes`. */
  readonly deliverables: readonly Deliverable[];
  /** What runs list, of each run that this pull request adds, edits, or brings files for. */
  readonly listings: readonly Listing[];
  /** Measurements that a host of the board signed, as `<path>#<pointer>`: nobody has to accept what we measured ourselves. */
  readonly attested: ReadonlySet<string>;
  /** When the pull request arrived (ISO 8601 UTC); null where nobody can say. */
  readonly arrivedAt: string | null;
}

/** One document of facts that is new or changed. */
export interface CodeDocument {
  readonly path: string;
  readonly kind: Growing;
  readonly status: "added" | "modified";
  readonly bytes: number;
  /** Null when it was too large to be read. */
  readonly text: string | null;
  /** Null when it is no JSON that everybody reads alike. */
  readonly json: StrictJson | null;
  /** What is not as it was, and what is new; null for a new document, and for one that could not be read. */
  readonly growth: Comparison | null;
}

/** One added file of a deliverable. */
export interface Deliverable {
  readonly path: string;
  readonly run: string;
  readonly entry: string;
  readonly file: string;
  readonly bytes: number;
  /** SHA-256; null when it was too large to be read. */
  readonly sha256: string | null;
  /** What of it holds a credential; null when nothing does. */
  readonly secret: Finding | null;
}

/** What one run of the judged tree lists. */
export interface Listing {
  readonly run: string;
  readonly entries: readonly {
    readonly id: string;
    /** It comes with this pull request; of others the base answers for. */
    readonly fresh: boolean;
    readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
  }[];
  /** Files of its deliverables that the base has already, as `<entry>/<path>`. */
  readonly there: ReadonlySet<string>;
}

/** Limits of one pull request with facts. */
export const CODE_LIMITS = {
  /** Bytes of one document: a run of a hundred entries with all samples and reviews has a few megabytes. */
  documentBytes: 32 * 1024 * 1024,
  /** Documents that are added or edited, and bytes of all of them. */
  documents: 200,
  documentsBytes: 64 * 1024 * 1024,
  /** Bytes of one file of a deliverable. */
  fileBytes: 4 * 1024 * 1024,
  /** Files of deliverables. */
  files: 10_000,
  /** Bytes of all of them. */
  totalBytes: 128 * 1024 * 1024,
  /** Characters of a whole path. */
  path: 400,
} as const;

/** The value of a document as plain JSON; undefined when it could not be read. */
export const jsonOf = ({ json }: CodeDocument): unknown => json?.value;

/** Places in a document that are new: all of it when it is. */
export const gainedIn = ({ status, growth }: CodeDocument): readonly string[] =>
  status === "added" ? [""] : (growth?.gained ?? []);
