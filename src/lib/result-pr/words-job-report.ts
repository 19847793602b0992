import type { JobKind } from "../job/order-schema.ts";
import type { JobReport, JobResult } from "../job/report-schema.ts";
import { speedOfFacts } from "../perf/speed-of-facts.ts";
import { type Block, fitBlocks, folded, moreItem, moreRow } from "./words-fit.ts";
import type { JobCheckWords } from "./words-jobs.ts";
import { findingLink, pullLink, runLink, type Web } from "./words-links.ts";
import { cell, code, plain, plural, prose, row, short, tableHead } from "./words-text.ts";

/** What the report of a job on a guarded host says, for its check run and the comment that quotes it. Pure. */

/** How far the numbers of a report can be believed. */
export type JobLevel =
  /** Signed by a host of the board: the signature was verified. */
  | { readonly level: "attested"; readonly host: string; readonly key: string }
  | { readonly level: "rehearsal"; readonly host: string; readonly signed: boolean }
  | { readonly level: "declared"; readonly why: string };

export interface JobReportContext {
  readonly level: JobLevel;
  readonly run: number;
  /** The pull request that the App opened with what a `run` job brought. */
  readonly factsPull: number | null;
  /** Why it could open none, in words; null when it did, or there was none to open. */
  readonly factsProblem: string | null;
  /** What a verification says beside its table; empty when nothing. */
  readonly verification: string;
  readonly repositoryUrl: string | null;
}

const RESULTS_IN_FULL = 30;
/** A check run's summary, and its part of the comment, stay below this; units and bytes. */
const BUDGET = { units: 20_000, bytes: 20_000 };

/** `1.42× (1.38 to 1.46)` */
function speedWords({ perf }: JobResult): string {
  if (perf === undefined) return "–";
  if (!perf.output_ok) return "not scored: its output was wrong";
  const speed = speedOfFacts(perf);
  if (speed === null) return "not scored: samples are missing";
  const number = `**${speed.ratio.toFixed(2)}×** (${speed.interval.low.toFixed(2)} to ${speed.interval.high.toFixed(2)})`;
  return perf.proxy ? `${number} by instructions of an emulator: a proxy, never mixed with timings` : number;
}

const hiddenWords = ({ hidden }: JobResult): string =>
  hidden === undefined
    ? "–"
    : `**${hidden.categories.filter(({ passed }) => passed).length} of ${hidden.categories.length}**`;

const flagWords = ({ perf }: JobResult): string =>
  perf === undefined || perf.flags.length === 0 ? "none" : perf.flags.map((flag) => code(flag)).join(", ");

const perfRow = (result: JobResult): string =>
  row([
    cell(`${result.run}/${result.entry}`, 200),
    hiddenWords(result),
    speedWords(result),
    flagWords(result),
  ]);

function resultBlocks(report: JobReport, { verification }: JobReportContext): Block[] {
  if (report.kind === "verify")
    return verification === "" ? [] : [{ kind: "text", text: verification, priority: 0 }];
  if (report.kind !== "perf" || report.results.length === 0) return [];
  return [
    {
      kind: "rows",
      open: tableHead(["Entry", "Hidden suite", "Speed-up over the reference", "Flags"], "lrll"),
      rows: report.results.slice(0, RESULTS_IN_FULL).map(perfRow),
      close: "",
      priority: 0,
      more: moreRow(4, "entry"),
    },
  ];
}

function findingBlock({ findings }: JobReport, web: Web): Block[] {
  if (findings.length === 0) return [];
  const rows = findings.map(({ code: name, message, path, expected, actual, hint }) => {
    const parts = [
      ...(path === undefined ? [] : [`at ${code(path, { max: 300 })}`]),
      ...(expected === undefined ? [] : [`expected ${code(expected, { max: 300 })}`]),
      ...(actual === undefined ? [] : [`found ${code(actual, { max: 300 })}`]),
    ];
    const more = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
    return `- ${findingLink(name, web)}: ${prose(message)}${more}${hint === undefined ? "" : ` ${prose(hint)}`}`;
  });
  return [{ kind: "rows", open: "", rows, close: "", priority: 1, more: moreItem("finding") }];
}

function levelWords(level: JobLevel): string {
  switch (level.level) {
    case "attested":
      return `**Attested** by host ${code(level.host)}: the signature by its key ${code(level.key)} was verified.`;
    case "rehearsal":
      return `Host ${code(level.host)} is for **rehearsing**: this proves the way, and never reaches a board.${level.signed ? " Its signature was verified." : ""}`;
    case "declared":
      return `**Not attested**: ${prose(level.why)}. It is worth no more than what anybody declares.`;
  }
}

/** How anybody checks the report without this office. */
function checkIt(run: number, kind: JobKind): Block {
  const lines = [
    `gh run download ${run} --name assay-job --dir assay-job`,
    "npm run bench -- verify-job assay-job/report.json   # signature, digests, order and commit, offline",
    ...(kind === "perf"
      ? ["npm run bench -- run import-job assay-job/report.json   # puts the numbers into data/runs/"]
      : []),
  ];
  return folded("Verify it yourself", "", ["```sh", ...lines, "```"], {
    priority: 2,
    more: (hidden) => `${hidden} more`,
  });
}

const OUTCOME_WORDS: Readonly<Record<Exclude<JobReport["outcome"], "measured">, string>> = {
  refused: "**Refused**, before anything of a deliverable was run:",
  candidate: "**The deliverable is at fault**:",
  ours: "**The office or its host failed.** Nothing of it counts, and nothing is held against the entry:",
};

/** A title: plain text that fits a check run and a row of the comment. */
function titleOf(report: JobReport, context: JobReportContext): string {
  const [first] = report.findings;
  const why = first === undefined ? "" : `: ${first.message}`;
  switch (report.outcome) {
    case "refused":
      return `Refused${why}`;
    case "candidate":
      return `The deliverable is at fault${why}`;
    case "ours":
      return `The office failed${why}`;
    case "measured":
      return measuredTitle(report, context);
  }
}

const VERIFICATIONS: Readonly<Record<NonNullable<JobReport["verification"]>, string>> = {
  confirmed: "Confirmed",
  "not-reproduced": "Not reproduced",
  partly: "Confirmed in part",
  "control-failed": "Control failed: this proves nothing",
};

function measuredTitle(report: JobReport, { factsPull }: JobReportContext): string {
  const rehearsal = report.host?.class === "rehearsal" ? " (rehearsal)" : "";
  if (report.kind === "verify")
    return `${report.verification === undefined ? "No answer" : VERIFICATIONS[report.verification]}${rehearsal}`;
  if (report.kind === "run")
    return `Ran${factsPull === null ? "" : `, what it brought is pull request ${factsPull}`}${rehearsal}`;
  const parts = report.results.slice(0, 1).flatMap((result) => {
    const { hidden, perf } = result;
    const speed = perf?.output_ok === true ? speedOfFacts(perf) : null;
    return [
      ...(hidden === undefined
        ? []
        : [
            `hidden ${hidden.categories.filter(({ passed }) => passed).length} of ${hidden.categories.length}`,
          ]),
      ...(speed === null
        ? []
        : [
            [
              `${speed.ratio.toFixed(2)}× the reference${perf?.proxy === true ? " by proxy" : ""}`,
              ...(perf?.flags ?? []),
            ].join(", "),
          ]),
      ...(perf?.output_ok === false ? ["speed not scored: wrong output"] : []),
    ];
  });
  return `Measured${parts.length === 0 ? "" : `: ${parts.join(", ")}`}${rehearsal}`;
}

/** The check run of a job whose report counts as one. */
export function renderJobReport(report: JobReport, context: JobReportContext): JobCheckWords {
  const web: Web = { repositoryUrl: context.repositoryUrl, docs: null };
  const blocks: Block[] = [];
  if (report.outcome !== "measured") blocks.push({ kind: "text", text: OUTCOME_WORDS[report.outcome] });
  // What was measured of a deliverable that is at fault further on stands as well.
  blocks.push(...resultBlocks(report, context), ...findingBlock(report, web));
  if (report.kind === "run" && report.outcome === "measured") blocks.push(factsBlock(context, web));
  if (report.outcome === "measured" || report.outcome === "candidate")
    blocks.push({ kind: "text", text: levelWords(context.level) }, checkIt(context.run, report.kind));
  blocks.push({ kind: "text", text: provenance(report, context, web) });
  return { title: plain(titleOf(report, context), 200), summary: fitBlocks(blocks, BUDGET) };
}

const factsBlock = ({ factsPull, factsProblem }: JobReportContext, web: Web): Block => ({
  kind: "text",
  text:
    factsPull !== null
      ? `What it brought is ${pullLink(factsPull, web)}, to be judged like every other.`
      : `What it brought could not be made a pull request: ${prose(factsProblem ?? "it brought nothing")}.`,
});

function provenance(report: JobReport, { run }: JobReportContext, web: Web): string {
  const { host, started_at, finished_at, raw } = report;
  return [
    `Report: artifact \`assay-job\` of ${runLink(run, web)}`,
    ...(host === null ? [] : [`host ${code(host.id)}, fingerprint ${short(host.fingerprint_digest)}`]),
    ...(started_at === null || finished_at === null
      ? []
      : [`from ${code(started_at)} to ${code(finished_at)}`]),
    ...(raw === null ? [] : [`raw samples ${short(raw)}`]),
    ...(report.findings.length === 0 ? [] : [plural(report.findings.length, "finding")]),
  ].join(" · ");
}
