import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { deriveView } from "../../lib/code/aggregate/view.ts";
import type { SiteInfo } from "../site-info.ts";
import type { BoardState } from "../state.ts";

export interface BoardProps {
  readonly index: DataIndex;
  readonly site: SiteInfo;
  readonly state: BoardState;
}

/** Everything of one selection of the code benchmark. */
export function Board({ index, state }: BoardProps): JSX.Element {
  const view = deriveView(index, state.selection);
  return (
    <>
      <h1>Code benchmark</h1>
      <p>{`${view.about.configurations} configurations`}</p>
    </>
  );
}
