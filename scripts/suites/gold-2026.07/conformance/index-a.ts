import type { ConformanceMember } from "../../member.ts";
import { manufacturingByClass } from "./gc01-manufacturing-by-class.ts";
import { healthProportions } from "./gc02-health-proportions.ts";
import { wagePriceIndex } from "./gc03-wage-price-index.ts";
import { consumerPrices } from "./gc04-consumer-prices.ts";
import { employmentSheets } from "./gc05-employment-sheets.ts";
import { volunteersAndErrors } from "./gc06-volunteers-and-errors.ts";
import { businessTablesBeside } from "./gc07-business-tables-beside.ts";
import { employmentEstimatesOnly } from "./gc08-employment-estimates-only.ts";
import { agricultureByState } from "./gc09-agriculture-by-state.ts";

/** gc01 to gc09: layouts of the Australian Bureau of Statistics. */
export const CONFORMANCE_A: readonly ConformanceMember[] = [
  manufacturingByClass,
  healthProportions,
  wagePriceIndex,
  consumerPrices,
  employmentSheets,
  volunteersAndErrors,
  businessTablesBeside,
  employmentEstimatesOnly,
  agricultureByState,
];
