/** The code board: takes over the page that was made beforehand, once its data are here. */
import { hydrate, type JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type DataIndex, indexData } from "../../src/lib/code/aggregate/index-data.ts";
import { deriveView } from "../../src/lib/code/aggregate/view.ts";
import type { Data } from "../../src/lib/code/derive/data-schema.ts";
import { Board } from "../../src/site/code/board.tsx";
import type { RunFindings } from "../../src/site/code/board-data.ts";
import { type Compared, compare } from "../../src/site/code/compared.ts";
import type { SiteInfo } from "../../src/site/site-info.ts";
import { type BoardState, FIRST_STATE, readState, writeState } from "../../src/site/state.ts";

interface AppProps {
  readonly index: DataIndex;
  readonly site: SiteInfo;
}

function App({ index, site }: AppProps): JSX.Element {
  // The page was made for the first state; what the address says comes right after.
  const [state, setState] = useState(FIRST_STATE);
  const { selection, budget } = state;
  const view = useMemo(() => deriveView(index, selection), [index, selection]);
  const [drawn, setDrawn] = useState<{ of: unknown; budget: number | null; compared: Compared }>(() => ({
    of: view,
    budget,
    compared: compare(index, view, budget),
  }));
  useEffect(() => {
    const follow = (): void => setState(readState(location.search));
    follow();
    document.documentElement.classList.remove("pending");
    document.getElementById("board")?.classList.add("live");
    const step = (event: MouseEvent): void => {
      const address = ownLink(event);
      if (address === null) return;
      event.preventDefault();
      history.pushState(null, "", address);
      follow();
    };
    addEventListener("popstate", follow);
    addEventListener("click", step);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("click", step);
    };
  }, []);
  const current = drawn.of === view && drawn.budget === budget;
  useEffect(() => {
    if (current) return;
    const timer = setTimeout(() => setDrawn({ of: view, budget, compared: compare(index, view, budget) }));
    return () => clearTimeout(timer);
  }, [current, index, view, budget]);
  // The words of findings are most of the data, and few are ever read: they come run by run, when an entry is opened.
  const [findings, setFindings] = useState<ReadonlyMap<string, RunFindings>>(new Map());
  const entryRun = state.panel?.kind === "entry" ? state.panel.run : null;
  useEffect(() => {
    if (entryRun === null || findings.has(entryRun) || !index.runs.some(({ id }) => id === entryRun)) return;
    void loadFindings(entryRun).then((loaded) => {
      if (loaded !== null) setFindings((known) => new Map(known).set(entryRun, loaded));
    });
  }, [entryRun, findings, index]);
  const onState = (next: BoardState): void => {
    history.pushState(null, "", `${location.pathname}${writeState(next)}${location.hash}`);
    setState(next);
  };
  return (
    <Board
      index={index}
      site={site}
      state={state}
      view={view}
      compared={current ? drawn.compared : null}
      findings={findings.get(entryRun ?? "") ?? null}
      onState={onState}
    />
  );
}

/** Null when they cannot be had now; opening the entry again asks again. */
async function loadFindings(run: string): Promise<RunFindings | null> {
  try {
    const answer = await fetch(`findings/${encodeURIComponent(run)}.json`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** The address that a plain press on a link to another view of this board leads to; null for any other press. */
function ownLink({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): string | null {
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return null;
  const link = target instanceof Element ? target.closest("a") : null;
  return link?.getAttribute("href")?.startsWith("?") === true ? link.href : null;
}

const root = document.getElementById("board");
const info: SiteInfo = JSON.parse(document.getElementById("site-info")?.textContent ?? "null");
const answer = await fetch("board.json");
if (root !== null && answer.ok) {
  const data: Data = await answer.json();
  hydrate(<App index={indexData(data)} site={info} />, root);
}
