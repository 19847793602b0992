import type { ComponentChildren, JSX } from "preact";
import { UNKNOWN } from "../../lib/code/aggregate/numbers-text.ts";
import { digestOf } from "../../lib/digest.ts";
import type { Change, Moved, SheetChange } from "../../lib/feed/history.ts";
import { boardPagePath } from "../sheet/addresses.ts";
import { scoreText, timeText } from "../sheet/format.ts";
import { commitAddress, href, pullAddress, type SiteInfo } from "../site-info.ts";
import type { Page } from "../ui/document.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";

export const HISTORY_PATH = "history.html";

interface HistoryInput {
  readonly site: SiteInfo;
  /** Newest first; null where history is not known. */
  readonly changes: readonly Change[] | null;
  /** Pages of results, by digest. */
  readonly resultPages: ReadonlyMap<string, string>;
}

/** What changed on the boards: when, by which pull request, and what it moved. */
export const historyPage = (input: HistoryInput): Page => ({
  path: HISTORY_PATH,
  title: "History",
  description: "What changed on the boards, when, and by which pull request.",
  section: "history",
  body: (
    <>
      <h1>History</h1>
      <p class="lede">
        What changed on the boards, when, and by which pull request. Ranks are those among the models that are
        curated today.
      </p>
      {input.changes === null ? (
        <p class="none">These pages were made without the repository's history.</p>
      ) : (
        <Changes {...input} changes={input.changes} />
      )}
    </>
  ),
});

const Changes = ({
  site,
  changes,
  resultPages,
}: HistoryInput & { readonly changes: readonly Change[] }): JSX.Element => (
  <DataTable
    caption="Changes, the newest first"
    none="Nothing has come to the boards yet."
    columns={[
      { id: "at", title: "When" },
      { id: "what", title: "What" },
      { id: "rank", title: "Rank" },
      { id: "composite", title: "Composite" },
      { id: "by", title: "By" },
    ]}
    rows={changes.map((change) => ({
      key: changeAnchor(change),
      id: changeAnchor(change),
      cells: [
        timeText(change.at),
        <What change={change} resultPages={resultPages} />,
        change.what.board === "sheet" && change.what.rank !== null
          ? moved(change.what.rank, String)
          : UNKNOWN,
        change.what.board === "sheet" ? moved(change.what.composite, scoreText) : UNKNOWN,
        <By change={change} site={site} />,
      ],
    }))}
  />
);

/** Anchor of a change: of its commit, and of the document that came with it. */
export const changeAnchor = ({ commit, what }: Change): string =>
  `change-${commit.slice(0, 12)}${what.board === "sheet" ? `-${digestOf(what.path).slice("sha256:".length, "sha256:".length + 8)}` : ""}`;

function What({
  change,
  resultPages,
}: { readonly change: Change } & Pick<HistoryInput, "resultPages">): JSX.Element {
  const { what } = change;
  if (what.board === "code") return <Text>{changeWords(change)}</Text>;
  const page = resultPages.get(what.digest);
  const to = (path: string): string => href(HISTORY_PATH, path);
  return (
    <>
      {page === undefined ? <Text>{sheetWords(what)}</Text> : <a href={to(page)}>{sheetWords(what)}</a>}{" "}
      <span class="soft">
        in <a href={to(boardPagePath(what.suite))}>{what.suite}</a>
      </span>
    </>
  );
}

/** A change in a sentence, without its suite. */
export function changeWords({ what }: Change): string {
  if (what.board === "sheet") return sheetWords(what);
  const [first = "", ...more] = what.brings;
  const words = [first, ...more.slice(0, 5)].join(", ");
  return `Code benchmark: ${words}${more.length > 5 ? ` and ${more.length - 5} more` : ""}`;
}

function sheetWords({ kind, model, name, reason }: SheetChange): string {
  const who = name ?? model;
  switch (kind) {
    case "first":
      return `First result of ${who}`;
    case "newer":
      return `Newer result of ${who}`;
    case "older":
      return `Another result of ${who}, which does not count: a newer one stands`;
    case "withdrawn":
      return `A result of ${who} was withdrawn${reason === null ? "" : `: ${reason}`}`;
  }
}

const moved = ({ before, after }: Moved, text: (value: number) => string): string => {
  const shown = (value: number | null): string => (value === null ? "none" : text(value));
  return before === after ? shown(after) : `${shown(before)} → ${shown(after)}`;
};

function By({
  change: { commit, pull },
  site,
}: {
  readonly change: Change;
  readonly site: SiteInfo;
}): JSX.Element {
  return (
    <>
      {pull === null ? null : <Link address={pullAddress(site, pull)}>{`#${pull}`}</Link>}{" "}
      <Link address={commitAddress(site, commit)}>
        <code>{commit.slice(0, 12)}</code>
      </Link>
    </>
  );
}

const Link = ({
  address,
  children,
}: {
  readonly address: string | null;
  readonly children: ComponentChildren;
}): JSX.Element => <>{address === null ? children : <a href={address}>{children}</a>}</>;
