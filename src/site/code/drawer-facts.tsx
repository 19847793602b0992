import type { JSX } from "preact";
import {
  durationText,
  groupedText,
  numberText,
  shareText,
  usdText,
} from "../../lib/code/aggregate/numbers-text.ts";
import type { CostData, EntryData, TaskData } from "../../lib/code/derive/data-schema.ts";
import { Level } from "../ui/level.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Unknown } from "./cells.tsx";

/** What the entry cost and took. */
export function CostFacts({ entry }: { readonly entry: EntryData }): JSX.Element {
  const { cost, cost_level, seconds, fast_mode } = entry;
  return (
    <>
      <dl class="facts">
        <dt>List price</dt>
        <dd>
          {cost?.usd == null ? (
            <Unknown reason={cost?.reason ?? "no log of its tokens"} />
          ) : (
            <>
              {usdText(cost.usd)} <Level level={cost_level} />
            </>
          )}
        </dd>
        {cost === null ? null : <OtherPrices cost={cost} />}
        <dt>Time</dt>
        <dd>
          {seconds === null ? (
            <Unknown reason="no log of its events" />
          ) : (
            <>
              {durationText(seconds)} <Level level={cost_level} />
            </>
          )}
          {fast_mode ? " on a faster service tier (⚡)" : ""}
        </dd>
      </dl>
      {cost === null ? null : <Components cost={cost} />}
      {cost === null || cost.assumptions.length + cost.history.length === 0 ? null : (
        <ul>
          {cost.assumptions.map((each) => (
            <li key={each}>
              Assumed: <Text>{each}</Text>
            </li>
          ))}
          {cost.history.map(({ rule, until, usd }) => (
            <li key={`${rule} ${until}`}>
              {`Earlier figure, until ${until.slice(0, 10)}: ${usdText(usd)} under `}
              <Text>{rule}</Text>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const OtherPrices = ({ cost }: { readonly cost: CostData }): JSX.Element => (
  <>
    <dt>As run</dt>
    <dd>
      {cost.as_run_usd === null ? (
        <Unknown reason={cost.reason ?? "not priced"} />
      ) : (
        `${usdText(cost.as_run_usd)}, at the tier that each request ran on`
      )}
    </dd>
    <dt>Recorded by the harness</dt>
    <dd>
      {cost.recorded_usd === null ? (
        <Unknown reason="its harness records no bill" />
      ) : (
        usdText(cost.recorded_usd)
      )}
    </dd>
  </>
);

function Components({
  cost: { tokens, breakdown, requests, reason },
}: {
  readonly cost: CostData;
}): JSX.Element {
  const usd = (value: number | undefined): JSX.Element | string =>
    value === undefined ? <Unknown reason={reason ?? "not priced"} /> : usdText(value);
  const writes = tokens.cache_write_5m + tokens.cache_write_1h + tokens.cache_write;
  return (
    <DataTable
      caption={`Tokens of ${groupedText(requests)} ${requests === 1 ? "request" : "requests"}, and what they cost`}
      columns={[
        { id: "component", title: "Component" },
        { id: "tokens", title: "Tokens", side: "right" },
        { id: "usd", title: "USD", side: "right" },
        { id: "note", title: "Of these" },
      ]}
      rows={[
        {
          key: "input",
          cells: ["Uncached input", groupedText(tokens.uncached_input), usd(breakdown?.uncached_input), ""],
        },
        {
          key: "read",
          cells: ["Cache reads", groupedText(tokens.cache_read), usd(breakdown?.cache_read), ""],
        },
        {
          key: "write",
          cells: [
            "Cache writes",
            groupedText(writes),
            usd(breakdown?.cache_write),
            writes === 0
              ? ""
              : `five minutes ${groupedText(tokens.cache_write_5m)}, one hour ${groupedText(tokens.cache_write_1h)}, not told ${groupedText(tokens.cache_write)}`,
          ],
        },
        {
          key: "output",
          cells: [
            "Output",
            groupedText(tokens.output),
            usd(breakdown?.output),
            `reasoning ${groupedText(tokens.reasoning)}`,
          ],
        },
        ...(breakdown === null || breakdown.peak === 0
          ? []
          : [{ key: "peak", cells: ["Peak hours", "", usd(breakdown.peak), "surcharge on all of them"] }]),
      ]}
    />
  );
}

/** Speed by metric, with the medians behind it. */
export function SpeedFacts({
  entry,
  task,
}: {
  readonly entry: EntryData;
  readonly task: TaskData | null;
}): JSX.Element {
  const { speed, dnf } = entry;
  if (speed === null)
    return (
      <p class="none">{dnf === null ? "Not measured." : "It did not finish, so nothing was measured."}</p>
    );
  const titleOf = (id: string): string => task?.metrics.find((metric) => metric.id === id)?.title ?? id;
  return (
    <>
      <p>
        {speed.speedup === null ? (
          <>
            No speed: <Text>{speed.reason ?? "not comparable"}</Text>.
          </>
        ) : (
          `${numberText(speed.speedup)}× the reference (geometric mean; above 1 is faster).`
        )}{" "}
        <Level level={speed.level} /> Host: <Text>{speed.host}</Text>.
        {speed.proxy ? " Proxy: instructions counted in an emulator, comparable with no timing." : ""}
      </p>
      {speed.flags.length === 0 ? null : (
        <p>
          Flags: <Text>{speed.flags.join(", ")}</Text>
        </p>
      )}
      <DataTable
        caption="Speed by metric"
        columns={[
          { id: "metric", title: "Metric" },
          { id: "speedup", title: "Speed-up", side: "right" },
          { id: "candidate", title: `This, median ${speed.unit}`, side: "right" },
          { id: "reference", title: `Reference, median ${speed.unit}`, side: "right" },
        ]}
        rows={speed.metrics.map(({ id, speedup, candidate, reference }) => ({
          key: id,
          cells: [
            <Text>{titleOf(id)}</Text>,
            `${numberText(speedup)}×`,
            groupedText(candidate),
            groupedText(reference),
          ],
        }))}
        none="No metric was measured."
      />
    </>
  );
}

/** What tools measured of the code. */
export function CodeFacts({ entry: { quality } }: { readonly entry: EntryData }): JSX.Element {
  if (quality === null) return <p class="none">Not measured.</p>;
  const { implementation_lines, comment_share, duplicated_share, lint, complexity, complexity_reason } =
    quality;
  const share = (value: number | null): JSX.Element | string =>
    value === null ? <Unknown reason="there are no lines to count" /> : shareText(value);
  return (
    <dl class="facts">
      <dt>Implementation lines</dt>
      <dd>{groupedText(implementation_lines)}</dd>
      <dt>Comments</dt>
      <dd>{share(comment_share)}</dd>
      <dt>Duplicated</dt>
      <dd>{share(duplicated_share)}</dd>
      <dt>Lint warnings</dt>
      <dd>{lint === null ? <Unknown reason="the linter was not run" /> : groupedText(lint)}</dd>
      <dt>Complexity</dt>
      <dd>
        {complexity === null ? (
          <Text>{complexity_reason ?? "not measured"}</Text>
        ) : (
          `mean ${numberText(complexity.mean, 1)}, highest ${complexity.max}, ${complexity.above_10} of ${complexity.functions} functions above 10`
        )}
      </dd>
    </dl>
  );
}
