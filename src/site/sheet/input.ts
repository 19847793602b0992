import type { ResultDocument } from "../../lib/benchmarks/result-schema.ts";
import type { Suite } from "../../lib/benchmarks/suite-schema.ts";
import type { Vocabulary } from "../../lib/benchmarks/vocabulary.ts";
import type { MemberEvidence } from "../../lib/explain/member-evidence.ts";
import type { BoardSuite } from "../../lib/feed/board-schema.ts";
import type { SiteInfo } from "../site-info.ts";
import type { VendorLook } from "../ui/model-name.tsx";

/** Everything that the sheet benchmark's pages are made from. The same input gives the same bytes. */
export interface SheetInput {
  readonly site: SiteInfo;
  /** Labs with their marks; a model whose provider is none of them has no mark. */
  readonly vendors: readonly VendorLook[];
  /** In the order of the list of boards. */
  readonly suites: readonly SheetSuite[];
}

export interface SheetSuite {
  /** As published. Its members say which of them are private. */
  readonly board: BoardSuite;
  readonly suite: Suite;
  readonly vocabulary: Vocabulary;
  /** Documents that get a page: those of the board's rows, and others that are to stay readable. */
  readonly results: readonly SheetResult[];
  /** Sheets of members, where they can be shown. */
  readonly evidence: readonly MemberEvidence[];
}

export interface SheetResult {
  readonly document: ResultDocument;
  /** SHA-256 of the canonical document. */
  readonly digest: string;
  /** Where it is committed. */
  readonly path: string;
  readonly standing: Standing;
}

export type Standing =
  | { readonly kind: "standing" }
  /** Another result of the model counts instead. */
  | { readonly kind: "replaced"; readonly by: string | null }
  | {
      readonly kind: "withdrawn";
      readonly reason: string;
      readonly withdrawn_at: string;
      /** Where the withdrawal is committed. */
      readonly path: string;
    };

/** One suite's pages have it and the site at hand. */
export interface SheetContext {
  readonly site: SiteInfo;
  readonly vendors: readonly VendorLook[];
  readonly own: SheetSuite;
  /** Pages of results by digest: what is not here has no page, and nothing links to it. */
  readonly resultPages: ReadonlyMap<string, string>;
  /** Ids of private members. */
  readonly privateMembers: ReadonlySet<string>;
  /** All suites, for the way to the others. */
  readonly suites: readonly { readonly id: string; readonly title: string }[];
}
