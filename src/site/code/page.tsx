import { indexData } from "../../lib/code/aggregate/index-data.ts";
import { deriveView } from "../../lib/code/aggregate/view.ts";
import type { Data } from "../../lib/code/derive/data-schema.ts";
import { CODE_PICTURE } from "../picture-paths.ts";
import type { SiteInfo } from "../site-info.ts";
import { FIRST_STATE } from "../state.ts";
import type { Page } from "../ui/document.tsx";
import { Board } from "./board.tsx";
import { compare } from "./compared.ts";

export const CODE_BOARD_PATH = "code/index.html";

/** The code benchmark's board as it is before anybody selects anything; the client takes over from there. */
export function codeBoardPage(data: Data | null, site: SiteInfo): Page {
  const head = {
    path: CODE_BOARD_PATH,
    title: "Code benchmark",
    description:
      "Coding agents' deliverables graded by a council of judges, a hidden suite, speed, cost, time and slop.",
    section: "code",
  } as const;
  if (data === null)
    return {
      ...head,
      body: (
        <>
          <h1>Code benchmark</h1>
          <p>No run is committed yet, so there are no results.</p>
        </>
      ),
    };
  const index = indexData(data);
  const view = deriveView(index, FIRST_STATE.selection);
  return {
    ...head,
    synthetic: data.synthetic,
    picture: CODE_PICTURE,
    scripts: ["assets/code.js"],
    data: { "site-info": site },
    body: (
      <div id="board">
        <Board
          index={index}
          site={site}
          state={FIRST_STATE}
          view={view}
          compared={compare(index, view, FIRST_STATE.budget)}
          findings={null}
          onState={() => undefined}
        />
      </div>
    ),
  };
}
