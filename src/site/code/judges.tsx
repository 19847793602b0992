import type { ComponentChildren, JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { JudgeRow, JudgesTable } from "../../lib/code/aggregate/judges.ts";
import { durationText, numberText, shareText, usdText } from "../../lib/code/aggregate/numbers-text.ts";
import type { CalibrationOffset } from "../../lib/code/judges/calibration.ts";
import type { SelfPreference } from "../../lib/code/judges/preference.ts";
import type { Icc } from "../../lib/stats/icc.ts";
import type { Known } from "../../lib/stats/known.ts";
import { VendorMark } from "../ui/model-name.tsx";
import { type Column, DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";
import { Tip } from "../ui/tip.tsx";
import { JudgeName, KnownCell, signedNumber, Unknown, vendorLook } from "./cells.tsx";

interface JudgesSectionProps {
  readonly index: DataIndex;
  readonly judges: JudgesTable;
}

/** How each judge scores, how judges relate to each other, and what their reviews cost. */
export function JudgesSection({ index, judges }: JudgesSectionProps): JSX.Element {
  if (judges.judges.length === 0) return <p class="none">No judge reviewed anything of this selection.</p>;
  return (
    <>
      <DataTable
        caption="Council judges"
        columns={COLUMNS}
        rows={judges.judges.map((row) => ({ key: row.judge, cells: cellsOf(row, index) }))}
      />
      <IccWords icc={judges.icc} />
      <SelfPreferences index={index} preferences={judges.self_preference} />
    </>
  );
}

const COLUMNS: readonly Column[] = [
  { id: "judge", title: "Judge" },
  { id: "mean", title: "Mean", side: "right", hint: "Of its raw scores, 0 to 10." },
  { id: "median", title: "Median", side: "right" },
  { id: "n", title: "Entries", side: "right", hint: "Finished entries of the selection that it scored." },
  {
    id: "offset",
    title: "Offset",
    side: "right",
    hint: "Its score minus the other judges' mean on the same entries. Positive is more generous: a tendency, not a quality.",
  },
  {
    id: "r",
    title: "r",
    side: "right",
    hint: "Correlation with the other judges' mean: whether it ranks entries the same way.",
  },
  {
    id: "recall",
    title: "Verified defects found",
    side: "right",
    hint: "Of the verified defects in entries that it reviewed, those that it reported.",
  },
  {
    id: "findings",
    title: "Findings",
    side: "right",
    hint: "All that it raised, false positives among them.",
  },
  {
    id: "false",
    title: "False positives",
    side: "right",
    hint: "Findings that were shown to be wrong; they count nowhere.",
  },
  {
    id: "precision",
    title: "Precision",
    side: "right",
    hint: "Of its findings whose truth is known, the share that is true.",
  },
  { id: "cost", title: "Review cost", side: "right", hint: "List price of its sessions on these runs." },
  {
    id: "each",
    title: "An entry",
    side: "right",
    hint: "Review cost for each entry scored, anchors not counted.",
  },
  { id: "time", title: "A session", side: "right", hint: "Mean wall-clock time." },
  {
    id: "sessions",
    title: "Sessions",
    side: "right",
    hint: "And those that gave no review: missing, never a zero.",
  },
  {
    id: "calibration",
    title: "Calibration",
    side: "right",
    hint: "What it gives anchors, minus what the latest earlier panel gave them. Reported, never applied.",
  },
];

function cellsOf(row: JudgeRow, index: DataIndex): ComponentChildren[] {
  const silent = "it scored nothing here";
  const number = (value: number | null): Known =>
    value === null ? { value, reason: silent } : { value, reason: null };
  return [
    <>
      <JudgeName index={index} judge={row.judge} />
      {row.retired ? <span class="soft"> (retired)</span> : null}
      {row.configuration === null || row.configuration === row.name ? null : (
        <div class="soft small">
          <Text>{row.configuration}</Text>
        </div>
      )}
    </>,
    <KnownCell known={number(row.mean)} text={numberText} />,
    <KnownCell known={number(row.median)} text={numberText} />,
    row.n,
    <Compared known={row.offset} n={row.compared} text={signedNumber} />,
    <Compared known={row.r} n={row.compared} text={numberText} />,
    <KnownCell
      known={row.recall.share}
      text={(share) => `${shareText(share)} (${row.recall.found}/${row.recall.of})`}
    />,
    row.findings,
    row.false_positives,
    <KnownCell known={row.precision} text={shareText} />,
    <KnownCell known={row.cost} text={usdText} />,
    <KnownCell known={row.cost_per_entry} text={usdText} />,
    row.seconds_per_session === null ? (
      <Unknown reason="no session" />
    ) : (
      durationText(row.seconds_per_session)
    ),
    row.missing === 0 ? row.sessions : `${row.sessions} (${row.missing} missing)`,
    <Calibration {...row.calibration} />,
  ];
}

interface ComparedProps {
  readonly known: Known;
  readonly n: number;
  readonly text: (value: number) => string;
}

const Compared = ({ known, n, text }: ComparedProps): JSX.Element =>
  known.value === null ? (
    <Unknown reason={known.reason} />
  ) : (
    <Tip text={`Over ${n} ${n === 1 ? "entry" : "entries"} that another judge scored too.`}>
      {text(known.value)}
    </Tip>
  );

function Calibration({ against_panel, against_others }: JudgeRow["calibration"]): JSX.Element {
  if (against_panel.offset === null)
    return <Unknown reason="it scored no anchor that an earlier panel had scored" />;
  return (
    <Tip
      text={
        <>
          {rangeWords(against_panel, "against the earlier panels")}
          <br />
          {rangeWords(against_others, "against them without this judge")}
        </>
      }
    >
      {signedNumber(against_panel.offset)} <span class="soft">{`(n = ${against_panel.n})`}</span>
    </Tip>
  );
}

const rangeWords = ({ offset, n, min, max }: CalibrationOffset, against: string): string =>
  offset === null || min === null || max === null
    ? `Unknown ${against}: no anchor.`
    : `${signedNumber(offset)} ${against}, from ${signedNumber(min)} to ${signedNumber(max)} over ${n} ${n === 1 ? "anchor" : "anchors"}.`;

/** Words for a coefficient after Koo & Li, Journal of Chiropractic Medicine 15 (2016) 155–163. */
const AGREEMENT = [
  { from: 0.9, word: "excellent" },
  { from: 0.75, word: "good" },
  { from: 0.5, word: "moderate" },
] as const;
const agreementWord = (value: number): string => AGREEMENT.find(({ from }) => value >= from)?.word ?? "poor";

function IccWords({ icc }: { readonly icc: Icc }): JSX.Element {
  const { single, average, singleInterval, averageInterval, n, k } = icc;
  return (
    <p>
      <strong>Agreement.</strong> ICC(2,1), how well one judge agrees with another, is{" "}
      <IccNumber value={single} interval={singleInterval} />. ICC(2,k), how reliable the panel's mean is,
      which is the published score, is <IccNumber value={average} interval={averageInterval} />.{" "}
      {n === 0
        ? "No entry was scored by every judge of the selection."
        : `From the ${n} ${n === 1 ? "entry" : "entries"} that all ${k} judges of the selection scored.`}
    </p>
  );
}

const IccNumber = ({
  value,
  interval,
}: {
  readonly value: Known;
  readonly interval: Icc["singleInterval"];
}): ComponentChildren =>
  value.value === null ? (
    `unknown (${value.reason})`
  ) : (
    <>
      {numberText(value.value)}
      {interval === null ? "" : ` (95% interval ${numberText(interval.low)} to ${numberText(interval.high)})`}
      {`: ${agreementWord(value.value)}`}
    </>
  );

interface SelfPreferencesProps {
  readonly index: DataIndex;
  readonly preferences: readonly SelfPreference[];
}

const SelfPreferences = ({ index, preferences }: SelfPreferencesProps): JSX.Element => (
  <DataTable
    caption="Self-preference: whether judges favour entries of their own vendor"
    columns={[
      { id: "vendor", title: "Judges of" },
      {
        id: "preference",
        title: "Self-preference",
        side: "right",
        hint: "What they give their own entries more than judges of other vendors do, beyond what they give other entries more. Positive favours their own.",
      },
      { id: "own", title: "On own entries", side: "right" },
      { id: "own-n", title: "Scores", side: "right" },
      { id: "other", title: "On others", side: "right" },
      { id: "other-n", title: "Scores", side: "right" },
    ]}
    rows={preferences.map(({ vendor, preference, own, own_n, other, other_n }) => ({
      key: vendor,
      cells: [
        <>
          <VendorMark vendor={vendorLook(index, vendor)} /> <Text>{vendorLook(index, vendor).name}</Text>
        </>,
        <KnownCell known={preference} text={signedNumber} />,
        own === null ? <Unknown reason="no score of an entry of its own" /> : signedNumber(own),
        own_n,
        other === null ? <Unknown reason="no score of another vendor's entry" /> : signedNumber(other),
        other_n,
      ],
    }))}
    none="No vendor's judges can be compared with others."
  />
);
