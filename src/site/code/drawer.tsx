import type { JSX } from "preact";
import { type EntryDrawer, entryDrawer } from "../../lib/code/aggregate/drawer.ts";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { numberText } from "../../lib/code/aggregate/numbers-text.ts";
import type { FindingData } from "../../lib/code/derive/data-schema.ts";
import type { SiteInfo } from "../site-info.ts";
import { CommandLine } from "../ui/command.tsx";
import { Evidence } from "../ui/evidence.tsx";
import { Text } from "../ui/text.tsx";
import { BUILD_COMMAND, entryChecks, FINAL_CHECK, qualityCommand } from "./commands.ts";
import type { EntryHref } from "./defects.tsx";
import { CodeFacts, CostFacts, SpeedFacts } from "./drawer-facts.tsx";
import { DefectFacts, DrawerFindings, HiddenFacts } from "./drawer-findings.tsx";
import { PointsTable, ScoreFacts, SeatsTable } from "./drawer-scores.tsx";
import { Name } from "./names.tsx";

export interface EntryDetailsProps {
  readonly index: DataIndex;
  readonly site: SiteInfo;
  readonly run: string;
  readonly entry: string;
  /** The entry's findings with their texts; null while they are loaded, "failed" when they could not be. */
  readonly findings: readonly FindingData[] | "failed" | null;
  readonly entryHref: EntryHref;
}

/** What the panel is named by. */
const TITLE_ID = "panel-title";

/** Everything about one entry: where its points went, who said what, what it cost, and how to check each number. */
export function EntryDetails(props: EntryDetailsProps): JSX.Element {
  const { index, site, run, entry, findings, entryHref } = props;
  const loaded = findings !== null && findings !== "failed";
  const drawer = entryDrawer(index, run, entry, loaded ? findings : null);
  if (drawer === null)
    return (
      <>
        <h2 id={TITLE_ID}>No such entry</h2>
        <p>
          There is no entry <Text>{`${run}/${entry}`}</Text> in these results, or its run is excluded.
        </p>
      </>
    );
  return (
    <>
      <h2 id={TITLE_ID}>
        <Name index={index} configuration={drawer.entry.configuration} fast={drawer.entry.fast_mode} />
      </h2>
      <About drawer={drawer} index={index} permalink={entryHref(run, entry)} />
      {drawer.entry.dnf === null ? <Scored drawer={drawer} index={index} findings={findings} /> : null}
      <h3>Cost and time</h3>
      <CostFacts entry={drawer.entry} />
      <h3>Speed</h3>
      <SpeedFacts entry={drawer.entry} task={index.tasks.get(drawer.run.task) ?? null} />
      <h3>Code</h3>
      <CodeFacts entry={drawer.entry} />
      <h3>Evidence, and how to check it</h3>
      <Checks drawer={drawer} site={site} loaded={loaded} />
    </>
  );
}

interface PartProps {
  readonly drawer: EntryDrawer;
  readonly index: DataIndex;
}

function About({ drawer, index, permalink }: PartProps & { readonly permalink: string }): JSX.Element {
  const { entry, run, task_title } = drawer;
  return (
    <>
      <dl class="facts">
        <dt>Task</dt>
        <dd>
          <Text>{task_title}</Text>
        </dd>
        <dt>Brief by</dt>
        <dd>
          <Name index={index} configuration={run.lead} />
        </dd>
        <dt>Run</dt>
        <dd>
          {`${run.replicate}, judged by the ${run.basis === "spec" ? "task's contract" : "brief (such scores do not compare across leads)"}`}
        </dd>
        <dt>Harness</dt>
        <dd>
          <Text>{[entry.harness, entry.harness_version ?? "version unknown"].join(" ")}</Text>
          {entry.fast_mode ? ", on a faster service tier (⚡)" : ""}
        </dd>
      </dl>
      {entry.dnf === null ? null : (
        <p class="dnf">
          <strong>Did not finish:</strong> <Text>{entry.dnf}</Text>{" "}
          <span class="soft">It has cost and time, and no score.</span>
        </p>
      )}
      <p>
        <a href={permalink}>Link to this entry</a>
      </p>
    </>
  );
}

function Scored({
  drawer,
  index,
  findings,
}: PartProps & { readonly findings: EntryDetailsProps["findings"] }): JSX.Element {
  return (
    <>
      <h3>Where the points went</h3>
      <PointsTable entry={drawer.entry} run={drawer.run} />
      <h3>Council</h3>
      <ScoreFacts entry={drawer.entry} />
      <SeatsTable drawer={drawer} index={index} />
      <h3>Hidden suite</h3>
      <HiddenFacts entry={drawer.entry} />
      <h3>Findings</h3>
      <DrawerFindings
        drawer={drawer}
        texts={findings === null ? "loading" : findings === "failed" ? "failed" : "loaded"}
      />
      <DefectFacts drawer={drawer} index={index} />
    </>
  );
}

interface ChecksProps {
  readonly drawer: EntryDrawer;
  readonly site: SiteInfo;
  readonly loaded: boolean;
}

function Checks({ drawer, site, loaded }: ChecksProps): JSX.Element {
  const { entry, run } = drawer;
  const checks = entryChecks(entry, run, loaded ? drawer.findings : null);
  return (
    <>
      <dl class="facts">
        <dt>Facts of the run</dt>
        <dd>
          <Evidence site={site} path={`data/runs/${run.id}.json`} />
        </dd>
        <dt>Deliverable</dt>
        <dd>
          <Evidence
            site={site}
            path={`data/entries/${run.id}/${entry.id}`}
            kind="tree"
            digest={entry.deliverable}
          />
        </dd>
      </dl>
      <p>
        In a clone of the repository, each command prints every step and then the number, unrounded.
        {loaded ? "" : " Those for slop and defect points follow when the findings are loaded."}
      </p>
      {checks.map(({ of, command, gives }) => (
        <details key={of} class="check" open={of === FINAL_CHECK}>
          <summary>{`${of} ${numberText(gives)}`}</summary>
          <CommandLine command={command} />
        </details>
      ))}
      {entry.quality === null ? null : (
        <details class="check">
          <summary>code metrics, from the deliverable</summary>
          <CommandLine command={qualityCommand(run.id, entry.id)} />
        </details>
      )}
      <details class="check">
        <summary>everything, and the cost from the tokens of each request</summary>
        <CommandLine command={BUILD_COMMAND} />
      </details>
    </>
  );
}
