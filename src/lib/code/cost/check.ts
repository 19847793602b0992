import { instantMs } from "../../benchmarks/instant.ts";
import type { Finding } from "../../findings.ts";
import { notAMoment } from "../check/catalogue.ts";
import { problem, repeated } from "../check/problem.ts";
import type { CardPrices, Pricing } from "../schema/pricing-schema.ts";

/** `data/pricing.json`: cards once, a history in the order of its records, bands from low to high, no free models. */
export const checkPricing = (pricing: Pricing): Finding[] => [
  ...repeated(
    pricing.cards.map(({ id }) => id),
    (index) => `/cards/${index}/id`,
    "card",
  ),
  ...pricing.cards.flatMap(({ history }, card) => {
    let latest = Number.NEGATIVE_INFINITY;
    return history.flatMap((item, index) => {
      const at = `/cards/${card}/history/${index}`;
      const recorded = instantMs(item.recorded_at);
      const findings = checkItem(item, at);
      if (recorded !== null && recorded < latest)
        findings.push(
          problem(
            "code-price-order",
            `${at}/recorded_at`,
            "Records are kept in the order of their writing.",
            {
              actual: item.recorded_at,
            },
          ),
        );
      latest = Math.max(latest, recorded ?? latest);
      return findings;
    });
  }),
];

const checkFree = ({ input, output }: { input: number; output: number }, at: string): Finding[] =>
  input > 0 && output > 0
    ? []
    : [
        problem(
          "code-price-free",
          `${at}/${input === 0 ? "input" : "output"}`,
          "A list price of 0 is a missing price.",
          { hint: "Leave the card out until its price is known: unknown is never 0." },
        ),
      ];

function checkItem(item: CardPrices, at: string): Finding[] {
  const findings: Finding[] = [];
  for (const key of ["valid_from", "recorded_at"] as const)
    if (instantMs(item[key]) === null) findings.push(notAMoment(`${at}/${key}`, item[key]));
  findings.push(
    ...checkFree(item, at),
    ...item.bands.flatMap((band, index) => checkFree(band, `${at}/bands/${index}`)),
  );
  for (const [index, band] of item.bands.entries())
    if (band.above <= (item.bands[index - 1]?.above ?? 0))
      findings.push(
        problem("code-price-bands", `${at}/bands/${index}/above`, "Bands go from low to high.", {
          expected: `more than ${item.bands[index - 1]?.above ?? 0}`,
          actual: String(band.above),
        }),
      );
  return findings;
}
