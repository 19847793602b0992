import type { JSX } from "preact";
import type { History, Place, SheetChange } from "../../lib/feed/history.ts";
import { boardPagePath } from "../sheet/addresses.ts";
import { scoreText, timeText } from "../sheet/format.ts";
import { commitAddress, href, pullAddress, type SiteInfo, sourceAddress } from "../site-info.ts";
import type { Page } from "../ui/document.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { changeAnchor, codeWords, KIND_WORDS, sheetWords } from "./history-words.ts";

export const HISTORY_PATH = "history.html";

export interface HistoryInput {
  readonly site: SiteInfo;
  /** Null where the commits are not known: a folder outside git, or a copy without its history. */
  readonly history: History | null;
  /** Pages of result documents, by digest. */
  readonly resultPages: ReadonlyMap<string, string>;
}

/** What changed on the boards, when, and by which pull request. */
export const historyPage = ({ site, history, resultPages }: HistoryInput): Page => ({
  path: HISTORY_PATH,
  title: "History of the boards",
  description: "What changed on the boards, when, and by which pull request.",
  section: "history",
  body: (
    <>
      <h1>History of the boards</h1>
      <p class="lede">
        What changed, when, and by which pull request, newest first. Ranks are among the models that are
        curated today.
        {history === null ? null : (
          <>
            {" "}
            The same as a feed to subscribe to: <a href="atom.xml">Atom</a>.
          </>
        )}
      </p>
      {history === null ? (
        <p class="none">
          The history is not known here: these pages were made from files without the commits that brought
          them.
        </p>
      ) : (
        <>
          <SheetHistory site={site} history={history} resultPages={resultPages} />
          <CodeHistory site={site} history={history} />
          {history.complete ? null : (
            <p class="note">These are the newest changes. The repository's own history has all of them.</p>
          )}
        </>
      )}
    </>
  ),
});

interface PartProps {
  readonly site: SiteInfo;
  readonly history: History;
}

function SheetHistory({ site, history, resultPages }: PartProps & HistoryInput): JSX.Element {
  return (
    <section aria-labelledby="sheet">
      <h2 id="sheet">Sheet benchmark</h2>
      <DataTable
        caption="Changes on the sheet benchmark's boards"
        none="No result has come yet."
        columns={[
          { id: "when", title: "When" },
          { id: "what", title: "What" },
          { id: "model", title: "Model" },
          { id: "suite", title: "Suite" },
          { id: "rank", title: "Rank" },
          { id: "composite", title: "Composite" },
          { id: "by", title: "Brought by" },
        ]}
        rows={history.sheet.map((change) => ({
          key: changeAnchor(change),
          id: changeAnchor(change),
          cells: [
            <When at={change.at} />,
            <What change={change} />,
            <Model change={change} page={resultPages.get(change.digest)} site={site} />,
            <a class="nowrap" href={href(HISTORY_PATH, boardPagePath(change.suite))}>
              {change.suite}
            </a>,
            <Moved change={change} text={rankText} />,
            <Moved change={change} text={compositeText} />,
            <By site={site} {...change} />,
          ],
        }))}
      />
    </section>
  );
}

function CodeHistory({ site, history }: PartProps): JSX.Element {
  return (
    <section aria-labelledby="code">
      <h2 id="code">Code benchmark</h2>
      <DataTable
        caption="Facts of the code benchmark as they came"
        none="No run, review or defect has come yet."
        columns={[
          { id: "when", title: "When" },
          { id: "what", title: "What came" },
          { id: "by", title: "Brought by" },
        ]}
        rows={history.code.map((change) => ({
          key: changeAnchor(change),
          id: changeAnchor(change),
          cells: [
            <When at={change.at} />,
            <ul class="plain">
              {codeWords(change).map((words) => (
                <li key={words}>
                  <Text>{words}</Text>
                </li>
              ))}
            </ul>,
            <By site={site} {...change} />,
          ],
        }))}
      />
    </section>
  );
}

const When = ({ at }: { readonly at: string }): JSX.Element => <time dateTime={at}>{timeText(at)}</time>;

const What = ({ change }: { readonly change: SheetChange }): JSX.Element => (
  <>
    {KIND_WORDS[change.kind]}
    {change.passedCount === 0 && change.reason === null ? null : (
      <>
        : <Text>{sheetWords(change)}</Text>
      </>
    )}
  </>
);

function Model({
  change,
  page,
  site,
}: {
  readonly change: SheetChange;
  readonly page: string | undefined;
  readonly site: SiteInfo;
}): JSX.Element {
  const name = <Text>{change.name ?? change.model}</Text>;
  const words = change.reason === null ? "document" : "withdrawal";
  const address = sourceAddress(site, change.path);
  return (
    <>
      {page === undefined ? name : <a href={href(HISTORY_PATH, page)}>{name}</a>}{" "}
      <span class="soft">
        {address === null ? (
          <code class="digest" title={change.digest}>
            {change.digest}
          </code>
        ) : (
          <a href={address} title={`${change.path} ${change.digest}`}>
            {words}
          </a>
        )}
      </span>
    </>
  );
}

const rankText = ({ rank }: Place): string => (rank === null ? "not ranked" : String(rank));
const compositeText = ({ composite }: Place): string => scoreText(composite);

function Moved({
  change: { before, after },
  text,
}: {
  readonly change: SheetChange;
  readonly text: (place: Place) => string;
}): JSX.Element {
  const [from, to] = [before, after].map((place) => (place === null ? null : text(place)));
  if (from === to) return <>{from === null ? "none" : `${from}, as before`}</>;
  if (from === null) return <>{to}</>;
  return (
    <span class="nowrap">
      {from} <span aria-hidden="true">→</span>
      <span class="hidden">, now</span> {to ?? "none"}
    </span>
  );
}

function By({
  site,
  commit,
  pull,
}: {
  readonly site: SiteInfo;
  readonly commit: string;
  readonly pull: number | null;
}): JSX.Element {
  const address = pull === null ? null : pullAddress(site, pull);
  const at = commitAddress(site, commit);
  const short = <code>{commit.slice(0, 12)}</code>;
  return (
    <span class="nowrap">
      {pull === null ? null : address === null ? `#${pull} ` : <a href={address}>#{pull}</a>}{" "}
      {at === null ? short : <a href={at}>{short}</a>}
    </span>
  );
}
