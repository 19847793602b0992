/** The code board: takes over the page that was made beforehand, once its data are here. */
import { hydrate } from "preact";
import { indexData } from "../../src/lib/code/aggregate/index-data.ts";
import type { Data } from "../../src/lib/code/derive/data-schema.ts";
import { Board } from "../../src/site/code/board.tsx";
import { LOCAL_SITE } from "../../src/site/site-info.ts";
import { readState } from "../../src/site/state.ts";

const root = document.getElementById("board");
const answer = await fetch("board.json");
if (root !== null && answer.ok) {
  const data: Data = await answer.json();
  hydrate(<Board index={indexData(data)} site={LOCAL_SITE} state={readState(location.search)} />, root);
}
