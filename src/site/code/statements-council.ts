import { isLive } from "../../lib/code/aggregate/index-data.ts";
import { numberText } from "../../lib/code/aggregate/numbers-text.ts";
import { roundHalfUp } from "../../lib/code/round.ts";
import { mean } from "../../lib/stats/describe.ts";
import {
  counted,
  type Grounds,
  groupDifference,
  pairedDifference,
  quoted,
  type Statement,
  say,
  strengthOf,
} from "./statement.ts";

/** One seat against the mean of others on the same entry. */
interface Gap {
  readonly judge: string;
  readonly vendor: string | null;
  readonly own: boolean;
  /** Score − mean of all other judges; null when it sat alone. */
  readonly toOthers: number | null;
  /** Score − mean of the judges of other vendors; null without any. */
  readonly toOtherVendors: number | null;
}

function gapsOf({ scope, index }: Grounds): Gap[] {
  const vendorOf = (judge: string): string | null => index.judges.get(judge)?.vendor ?? null;
  return scope.results.flatMap(({ entry }) => {
    if (!isLive(entry)) return [];
    const known = entry.seats.filter(({ judge }) => vendorOf(judge) !== null);
    return entry.seats.map(({ judge, score }): Gap => {
      const others = mean(entry.seats.filter((seat) => seat.judge !== judge).map((seat) => seat.score));
      const vendor = vendorOf(judge);
      const outside = mean(known.filter((seat) => vendorOf(seat.judge) !== vendor).map((seat) => seat.score));
      return {
        judge,
        vendor,
        own: vendor === entry.vendor,
        toOthers: others === null ? null : score - others,
        toOtherVendors: vendor === null || outside === null ? null : score - outside,
      };
    });
  });
}

/** The judge whose scores are lowest against the others'. Null with fewer than two judges. */
export function strictestStatement(grounds: Grounds): Statement | null {
  const judges = grounds.view.judges.judges.flatMap((row) =>
    row.offset.value === null ? [] : [{ ...row, offset: row.offset.value }],
  );
  const [strictest] = judges.toSorted((a, b) => a.offset - b.offset);
  if (judges.length < 2 || strictest === undefined) return null;
  const difference = pairedDifference(
    gapsOf(grounds).flatMap(({ judge, toOthers }) =>
      judge === strictest.judge && toOthers !== null ? [toOthers] : [],
    ),
  );
  if (difference === null) return null;
  const { error, n } = difference;
  return {
    kind: "strictest-judge",
    id: "strictest-judge",
    strength: strengthOf(difference),
    says: say`The strictest judge is ${quoted(strictest.name)}: ${signed(strictest.offset)} against the other judges on the same entries. It is a tendency, not a quality.`,
    because: say`Over ${counted(n, "entry", "entries")} it scored ${signed(difference.mean)}${errorText(error)} against the others' mean.`,
  };
}

/** For each vendor with judges, whether they favour its own entries. */
export function selfPreferenceStatements(grounds: Grounds): Statement[] {
  const gaps = gapsOf(grounds);
  return grounds.view.judges.self_preference.flatMap(({ vendor, preference }): Statement[] => {
    if (preference.value === null) return [];
    const of = (own: boolean): number[] =>
      gaps.flatMap((gap) =>
        gap.vendor === vendor && gap.own === own && gap.toOtherVendors !== null ? [gap.toOtherVendors] : [],
      );
    const [own, other] = [of(true), of(false)];
    const difference = groupDifference(own, other);
    if (difference === null) return [];
    const strength = strengthOf(difference);
    const name = quoted(grounds.index.vendors.get(vendor)?.name ?? vendor);
    const may = strength === "weak" ? "may " : "";
    const size = numberText(Math.abs(preference.value));
    const says =
      strength === "not clear"
        ? say`Judges of ${name} show no clear preference for their own lab's entries (${signed(preference.value)}).`
        : preference.value > 0
          ? say`Judges of ${name} ${may}favour their own lab's entries by ${size} points: look at the cross-vendor score beside the council's.`
          : say`Judges of ${name} ${strength === "weak" ? "may be" : "are"} harder on their own lab's entries, by ${size} points.`;
    return [
      {
        kind: "self-preference",
        id: `self-preference-${vendor}`,
        strength,
        says,
        because: say`${signed(preference.value)}${errorText(difference.error)}, from ${counted(own.length, "score")} of its own entries and ${other.length} of others, each against judges of other labs.`,
      },
    ];
  });
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${roundHalfUp(value, 2)}`;
const errorText = (error: number | null): string =>
  error === null ? "" : ` ± ${numberText(error)} (one standard error)`;
