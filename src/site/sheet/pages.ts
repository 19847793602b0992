import { canonicalDocument } from "../../lib/canonical-json.ts";
import { sheetMethodologyPage } from "../pages/methodology-sheet.tsx";
import type { Page } from "../ui/document.tsx";
import { boardDataPath, resultPagePath } from "./addresses.ts";
import { boardPages } from "./board.tsx";
import type { SheetContext, SheetInput, SheetSuite } from "./input.ts";
import { memberPage } from "./member.tsx";
import { resultPage } from "./result.tsx";
import { suitePage } from "./suite.tsx";

/** All pages of the sheet benchmark: boards, suites, members, results, methodology. */
export const sheetPages = (input: SheetInput): Page[] => [
  ...input.suites.flatMap((own) => suitePages(contextOf(input, own))),
  sheetMethodologyPage({ site: input.site, suites: input.suites.map(({ suite }) => suite) }),
];

const suitePages = (context: SheetContext): Page[] => [
  ...boardPages(context),
  suitePage(context),
  ...context.own.suite.members.map((member) => memberPage(context, member)),
  ...context.own.results.map((result) => resultPage(context, result)),
];

/** Data that the pages link to: each board's rows as they are published. */
export const sheetData = ({
  suites,
}: Pick<SheetInput, "suites">): { readonly path: string; readonly data: string }[] =>
  suites.map(({ board }) => ({ path: boardDataPath(board.suite.id), data: canonicalDocument(board) }));

/** What every page of one suite has at hand. */
export function contextOf({ site, vendors, suites }: SheetInput, own: SheetSuite): SheetContext {
  return {
    site,
    vendors,
    own,
    resultPages: new Map(
      own.results.map(({ document, digest }) => [
        digest,
        resultPagePath(own.suite.id, document.model.id, digest),
      ]),
    ),
    privateMembers: new Set(own.board.members.flatMap((member) => (member.private ? [member.id] : []))),
    suites: suites.map(({ suite }) => ({ id: suite.id, title: suite.title })),
  };
}
