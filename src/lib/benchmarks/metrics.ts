import { cellMatchRate } from "./cell-match-rate.ts";
import type { Comparison, Metric } from "./comparison.ts";
import { deterministicPassRate } from "./deterministic-pass-rate.ts";
import { exactOutputMatch } from "./exact-output-match.ts";
import { headerAccuracy } from "./header-accuracy.ts";
import { METRIC_IDS, type MemberMetrics, type MetricId } from "./result-schema.ts";
import { valueAddressF1 } from "./value-address-f1.ts";

/** Every metric of the sheet benchmark: a file each and a line here; its id stands in `result-schema.ts`, which documents obey. */
export const METRICS: { readonly [Id in MetricId]: Metric<Id> } = {
  deterministic_pass_rate: deterministicPassRate,
  exact_output_match: exactOutputMatch,
  cell_match_rate: cellMatchRate,
  value_address_f1: valueAddressF1,
  header_accuracy: headerAccuracy,
};

/** The metrics in the order of the methodology. */
export const METRIC_LIST: readonly Metric[] = METRIC_IDS.map((id) => METRICS[id] as Metric);

/** All metrics of a member whose recipe executed. */
export const metricsOf = (comparison: Comparison): MemberMetrics =>
  build((metric) => metric.compute(comparison));

/** All metrics of a failed or skipped member: zero for every component, as 0/1 with zero counts. */
export const zeroMetrics = (): MemberMetrics => build((metric) => ({ ...metric.zero }));

function build(value: (metric: Metric) => MemberMetrics[MetricId]): MemberMetrics {
  return Object.fromEntries(METRIC_LIST.map((metric) => [metric.id, value(metric)])) as MemberMetrics;
}
