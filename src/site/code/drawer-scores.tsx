import type { JSX } from "preact";
import type { EntryDrawer } from "../../lib/code/aggregate/drawer.ts";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { countText, numberText } from "../../lib/code/aggregate/numbers-text.ts";
import type { EntryData, RunData } from "../../lib/code/derive/data-schema.ts";
import { Level, type LevelName } from "../ui/level.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Tip } from "../ui/tip.tsx";
import { JudgeName, Unknown } from "./cells.tsx";
import { pointSteps } from "./points.ts";

/** From 10 points to the final score, a step a row. */
export const PointsTable = ({
  entry,
  run,
}: {
  readonly entry: EntryData;
  readonly run: RunData;
}): JSX.Element => (
  <DataTable
    caption="Where the points went"
    columns={[
      { id: "step", title: "Step" },
      { id: "change", title: "Points", side: "right" },
      { id: "left", title: "Left", side: "right" },
      { id: "why", title: "Why" },
    ]}
    rows={pointSteps(entry, run).map(({ id, title, change, left, why }) => ({
      key: id,
      class: `step-${id}`,
      cells: [
        title,
        id === "start" || id === "final" ? "" : change === null ? <Unknown reason={why} /> : lossText(change),
        left === null ? <Unknown reason={why} /> : numberText(left),
        <Text>{why}</Text>,
      ],
    }))}
  />
);

/** A change with a true minus sign, which every font shows. */
const lossText = (change: number): string => {
  const size = numberText(Math.abs(change));
  return change < 0 && Number(size) !== 0 ? `−${size}` : size;
};

/** The scores of one entry, and how well each is known. */
export function ScoreFacts({ entry }: { readonly entry: EntryData }): JSX.Element {
  const { council, cross_vendor, hidden, final, slop, defect_points } = entry;
  // What follows from committed reviews alone is recomputed; a final score is known no better than its hidden suite.
  const shown = (value: number | null, reason: string, level: LevelName = "recomputed"): JSX.Element =>
    value === null ? (
      <Unknown reason={reason} />
    ) : (
      <>
        {numberText(value)} <Level level={level} />
      </>
    );
  return (
    <dl class="facts">
      <dt>Final score</dt>
      <dd>{shown(final, entry.final_reason ?? "no final score", hidden?.level)}</dd>
      <dt>Council</dt>
      <dd>{shown(council, entry.council_reason ?? "no panel scored it")}</dd>
      <dt>Cross-vendor</dt>
      <dd>{shown(cross_vendor, "no judge of another vendor is on the panel")}</dd>
      <dt>Hidden categories</dt>
      <dd>
        {hidden === null ? <Unknown reason="the hidden suite was not run" /> : countText(hidden)}{" "}
        {hidden === null ? null : <Level level={hidden.level} />}
      </dd>
      <dt>Slop</dt>
      <dd>{shown(slop, "no seat reviewed it")}</dd>
      <dt>
        <Tip text="The same weights over all findings of every category, slop included, a seat.">
          Defect points (all findings)
        </Tip>
      </dt>
      <dd>{shown(defect_points, "no seat reviewed it")}</dd>
    </dl>
  );
}

/** Every seat: who scored what, and whether it counts where. */
export const SeatsTable = ({
  drawer,
  index,
}: {
  readonly drawer: EntryDrawer;
  readonly index: DataIndex;
}): JSX.Element => (
  <DataTable
    caption="Seats"
    columns={[
      { id: "judge", title: "Judge" },
      { id: "score", title: "Score", side: "right" },
      {
        id: "panel",
        title: "On the panel",
        hint: "The panel scored every finished entry of the run; its mean is the council score.",
      },
      { id: "vendor", title: "Vendor" },
      { id: "slop", title: "Slop", side: "right" },
      { id: "defects", title: "Defect points", side: "right", hint: "All findings of this seat, by weight." },
      { id: "findings", title: "Valid findings", side: "right" },
      { id: "false", title: "False positives", side: "right" },
    ]}
    rows={drawer.seats.map((seat) => ({
      key: `${seat.judge} ${seat.session}`,
      cells: [
        <JudgeName index={index} judge={seat.judge} />,
        numberText(seat.score),
        seat.on_panel ? "yes" : "no",
        seat.same_vendor ? "the entry's own" : "another",
        numberText(seat.slop),
        numberText(seat.defect_points),
        seat.findings,
        seat.false_positives,
      ],
    }))}
    none="No judge reviewed it."
  />
);
