import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { countText, numberText, usdText } from "../../lib/code/aggregate/numbers-text.ts";
import type { Picks as PicksData, TopPick } from "../../lib/code/aggregate/picks.ts";
import { Text } from "../ui/text.tsx";
import { Name, PlainName } from "./names.tsx";

interface PicksProps {
  readonly index: DataIndex;
  readonly picks: PicksData;
}

/** Up to six picks, each with what its value is made of. (Methodology, "Top overall picks".) */
export function Picks({
  index,
  picks: { picks, considered, eligible, fewer, left_out },
}: PicksProps): JSX.Element {
  return (
    <section aria-labelledby="picks">
      <h2 id="picks">Top picks</h2>
      <p class="soft">
        value = council score − 0.2 · log<sub>2</sub>(cost in USD) − 0.5 · defect points. Among the {eligible}{" "}
        of {considered} configurations that pass at least 98% of the hidden suite.
      </p>
      {picks.length === 0 ? null : (
        <ol class="picks">
          {picks.map((pick) => (
            <Pick key={pick.configuration} index={index} pick={pick} />
          ))}
        </ol>
      )}
      {fewer === null ? null : <p>Fewer than six: {fewer}.</p>}
      {left_out.length === 0 ? null : (
        <details>
          <summary>{`Who could not be picked, and why (${left_out.length})`}</summary>
          <ul>
            {left_out.map(({ configuration, reason }) => (
              <li key={configuration}>
                <PlainName index={index} configuration={configuration} />: <Text>{reason}</Text>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Pick({ index, pick }: { readonly index: DataIndex; readonly pick: TopPick }): JSX.Element {
  const { configuration, value, council, cost, defect_points, hidden, hidden_missing, parts } = pick;
  return (
    <li class="pick">
      <p class="pick-name">
        <Name index={index} configuration={configuration} />
      </p>
      <p class="pick-value">
        <span class="soft">value</span> {numberText(value)}
      </p>
      <dl>
        <dt>Council</dt>
        <dd>{numberText(council)}</dd>
        <dt>Cost a run</dt>
        <dd>
          {usdText(cost)} <span class="soft">({signed(parts.price)})</span>
        </dd>
        <dt>Defect points</dt>
        <dd>
          {numberText(defect_points)} <span class="soft">({signed(parts.liability)})</span>
        </dd>
        <dt>Hidden</dt>
        <dd>
          {countText(hidden)}
          {hidden_missing === 0 ? "" : `, ${hidden_missing} not run`}
        </dd>
      </dl>
    </li>
  );
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${numberText(value).replace("-", "−")}`;
