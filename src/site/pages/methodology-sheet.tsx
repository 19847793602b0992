import type { JSX } from "preact";
import {
  ATTEMPTS,
  COMPOSITE,
  CONTAMINATION,
  CORRECTIONS,
  formulaLines,
  LEVELS,
  PROVENANCE,
  RANKING,
  REPEATED,
  REPRODUCE,
  runCommand,
  SCORING,
  UNCERTAINTY,
  versionText,
  weightText,
} from "../../lib/benchmarks/method.ts";
import { METRIC_LIST } from "../../lib/benchmarks/metrics.ts";
import type { Suite } from "../../lib/benchmarks/suite-schema.ts";
import { boardPagePath, METHODOLOGY_PATH, suitePagePath } from "../sheet/addresses.ts";
import { Below, Code, Paragraphs, Prose, To, Wide } from "../sheet/parts.tsx";
import type { SiteInfo } from "../site-info.ts";
import { CommandLine } from "../ui/command.tsx";
import type { Page } from "../ui/document.tsx";
import { Evidence } from "../ui/evidence.tsx";
import { DataTable } from "../ui/table.tsx";
import { Text } from "../ui/text.tsx";

export interface MethodologyInput {
  readonly site: SiteInfo;
  /** In the order of the list of boards. */
  readonly suites: readonly Pick<Suite, "id" | "title" | "note" | "members" | "digest" | "frozen_at">[];
}

/** The sources that this page's claims can be traced to. */
const SOURCES: readonly { readonly path: string; readonly kind: "blob" | "tree" }[] = [
  { path: "benchmarks/suites", kind: "tree" },
  { path: "benchmarks/vocabulary/structure-features.json", kind: "blob" },
  { path: "src/lib/benchmarks/metrics.ts", kind: "blob" },
  { path: "src/lib/benchmarks/result-schema.ts", kind: "blob" },
  { path: "scripts/benchmarks/run.ts", kind: "blob" },
  { path: "docs/benchmarks.md", kind: "blob" },
];

/** How the sheet benchmark scores, ranks and records: made of the same texts and definitions as the documentation. */
export function sheetMethodologyPage(input: MethodologyInput): Page {
  return {
    path: METHODOLOGY_PATH,
    title: "How the sheet benchmark scores",
    description:
      "Frozen suites, deterministic local scoring, five metrics and a provisional composite, what every result records, and how to run it again.",
    section: "methodology",
    body: <Methodology {...input} />,
  };
}

const Section = ({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: JSX.Element | readonly (JSX.Element | null)[];
}): JSX.Element => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

const Methodology = ({ site, suites }: MethodologyInput): JSX.Element => (
  <>
    <h1>How the sheet benchmark scores</h1>
    <p>
      A model reads a spreadsheet as people publish them and writes a recipe that turns it into a tidy table.
      Every score stands on a frozen suite, on scoring that is deterministic and runs anywhere, on a canonical
      document of the result, and on a command that another maintainer can run. Model output is not
      deterministic, and the suites are public: both limits are said, not hidden.
    </p>
    <Section id="metrics" title="Metrics">
      <DataTable
        caption="Metrics, their definitions, and their weights in the composite"
        columns={[
          { id: "metric", title: "Metric" },
          { id: "definition", title: "Definition" },
          { id: "weight", title: "Weight", side: "right" },
        ]}
        rows={METRIC_LIST.map((metric) => ({
          key: metric.id,
          cells: [
            <>
              {metric.title} <Code>{metric.id}</Code>
            </>,
            <Wide key="definition">{metric.definition}</Wide>,
            weightText(metric),
          ],
        }))}
      />
      <Paragraphs texts={SCORING} />
    </Section>
    <Section id="composite" title="Composite, provisional">
      <p>
        <Prose>{versionText()}</Prose>
      </p>
      <pre class="sheet-formula">
        <code>{formulaLines().join("\n")}</code>
      </pre>
      <Paragraphs texts={COMPOSITE} />
    </Section>
    <Section id="ranking" title="Ranks, and how sure they are">
      <Paragraphs texts={RANKING} />
      <Paragraphs texts={UNCERTAINTY} />
    </Section>
    <Section id="suites" title="Suites">
      <p>
        A suite is frozen: its digest covers every workbook, reference recipe, reference table, tag and the
        vocabulary.
      </p>
      <DataTable
        caption="Frozen suites"
        none="There is no suite yet."
        columns={[
          { id: "suite", title: "Suite" },
          { id: "what", title: "What it is" },
          { id: "members", title: "Members", side: "right" },
          { id: "frozen", title: "Frozen" },
          { id: "digest", title: "Digest" },
        ]}
        rows={suites.map((suite) => ({
          key: suite.id,
          cells: [
            <To key="link" from={METHODOLOGY_PATH} path={suitePagePath(suite.id)}>
              {suite.id}
            </To>,
            <Wide key="what">
              <Text>{suite.title}</Text>. <Text>{suite.note}</Text>{" "}
              <To from={METHODOLOGY_PATH} path={boardPagePath(suite.id)}>
                Its board
              </To>
            </Wide>,
            <>
              {suite.members.length}
              <Below>
                {suite.members.filter((member) => member.published_in_bank).length} in the Data Bank
              </Below>
            </>,
            suite.frozen_at,
            <Wide key="digest">
              <code>{suite.digest}</code>
            </Wide>,
          ],
        }))}
      />
    </Section>
    <Section id="contamination" title="What models may have seen">
      <Paragraphs texts={CONTAMINATION} />
    </Section>
    <Section id="provenance" title="What every result records">
      <ul>
        {PROVENANCE.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
      <Paragraphs texts={[ATTEMPTS, LEVELS]} />
    </Section>
    <Section id="corrections" title="Corrections and withdrawals">
      <p>
        <Prose>{CORRECTIONS.before}</Prose>
      </p>
      <ul>
        {CORRECTIONS.ways.map((way) => (
          <li key={way}>
            <Prose>{way}</Prose>
          </li>
        ))}
      </ul>
      <p>
        <Prose>{CORRECTIONS.after}</Prose>
      </p>
    </Section>
    <Section id="reproduce" title="Run it again">
      <p>
        <Prose>{REPRODUCE}</Prose>
      </p>
      <ul class="sheet-plain">
        {suites.map((suite) => (
          <li key={suite.id}>
            <CommandLine command={runCommand(suite)} />
          </li>
        ))}
      </ul>
      <p>
        <Prose>{REPEATED}</Prose>
      </p>
    </Section>
    <Section id="sources" title="Where this is laid down">
      <ul>
        {SOURCES.map(({ path, kind }) => (
          <li key={path}>
            <Evidence site={site} path={path} kind={kind} />
          </li>
        ))}
      </ul>
    </Section>
  </>
);
