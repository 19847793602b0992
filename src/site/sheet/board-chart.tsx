import type { JSX } from "preact";
import type { BoardRow } from "../../lib/feed/board-schema.ts";
import {
  CostQuality,
  type CostQualityProps,
  costQualityNotes,
  costQualityTable,
} from "../chart/cost-quality.tsx";
import { shareTick } from "../chart/units.ts";
import { href } from "../site-info.ts";
import { Figure } from "../ui/figure.tsx";
import type { VendorLook } from "../ui/model-name.tsx";
import { shareText, solvedCostText } from "./format.ts";
import type { SheetContext } from "./input.ts";
import { vendorOf } from "./parts.tsx";

/** Of a model whose provider is no lab that is known here. */
const UNKNOWN_LAB: VendorLook = { id: "other", name: "lab not known", marker: "ring", mark: "" };

interface ChartProps {
  readonly context: SheetContext;
  readonly path: string;
  readonly rows: readonly BoardRow[];
}

/** Composite against cost per solved sheet, of these rows. */
export function CostChart({ context, path, rows }: ChartProps): JSX.Element | null {
  if (rows.length === 0) return null;
  const props: CostQualityProps = {
    id: "cost-quality-chart",
    quality: "Composite",
    cost: "Cost per solved sheet",
    text: shareText,
    tick: shareTick,
    points: rows.map((row) => {
      const page = context.resultPages.get(row.result.digest);
      return {
        key: row.model,
        look: {
          name: row.name ?? row.model,
          effort: null,
          vendor: vendorOf(row.model, context.vendors) ?? UNKNOWN_LAB,
          href: page === undefined ? null : href(path, page),
        },
        quality: row.composite,
        cost: row.cost.per_solved_usd,
      };
    }),
  };
  const without = rows.filter((row) => !solvedCostText(row).known).length;
  return (
    <section aria-labelledby="cost-quality">
      <h2 id="cost-quality">Score and cost</h2>
      <Figure
        id="cost-quality-figure"
        title="Composite and cost per solved sheet"
        description="Up is a better composite, left is cheaper: the reported cost of the whole run, divided by the sheets that it solved. Costs are declared by whoever sent the result."
        table={costQualityTable(props)}
        note={
          <ul>
            {[
              ...costQualityNotes(props),
              ...(without === 0
                ? []
                : [
                    `${without} of ${rows.length} have no cost per solved sheet; the ranking says why of each.`,
                  ]),
            ].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        }
      >
        <CostQuality {...props} />
      </Figure>
    </section>
  );
}
