import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { View } from "../../lib/code/aggregate/view.ts";
import type { LookOf } from "../chart/look.ts";
import { Pareto, paretoNotes, paretoTable } from "../chart/pareto.tsx";
import { Slop, slopTable } from "../chart/slop.tsx";
import { Speed, SpeedProxies, speedNotes, speedTable } from "../chart/speed.tsx";
import { LEAD_STRIPS_NOTE, LeadStrips, leadStripsTable } from "../chart/strip.tsx";
import { Time, timeNotes, timeTable } from "../chart/time.tsx";
import { Figure } from "../ui/figure.tsx";
import { lookOf as lookOfConfiguration, rowAnchor } from "./names.tsx";
import { Part } from "./part.tsx";

interface ChartsProps {
  readonly index: DataIndex;
  readonly view: View;
  readonly budget: number | null;
}

/** What the ranking says, drawn. */
export function Charts({ index, view, budget }: ChartsProps): JSX.Element {
  const { column } = view.selection;
  const shown = new Set(view.rows.map(({ configuration }) => configuration));
  const lookOf: LookOf = (configuration) => ({
    ...lookOfConfiguration(index, configuration),
    href: shown.has(configuration) ? `#${rowAnchor(configuration)}` : null,
  });
  const { pareto, speed, time, slop, leads } = view;
  return (
    <>
      <Part id="cost" title="Score and cost">
        <Figure
          id="pareto"
          title="Score against cost"
          description="Up is better, left is cheaper. The step line is the best score to be had for a budget."
          table={paretoTable({ chart: pareto, lookOf, column })}
          note={<Notes notes={paretoNotes({ chart: pareto, lookOf, budget })} />}
        >
          <Pareto id="pareto-chart" chart={pareto} lookOf={lookOf} column={column} budget={budget} />
        </Figure>
      </Part>
      <Part id="speed-time" title="Speed, time and slop">
        <Figure
          id="speed"
          title="Speed"
          description="How many times as fast as the reference: geometric means. Right of 1× is faster."
          table={speedTable({ chart: speed, lookOf })}
          note={<Notes notes={speedNotes({ chart: speed, lookOf })} />}
        >
          <Speed id="speed-chart" chart={speed} lookOf={lookOf} />
          <SpeedProxies id="proxy-chart" chart={speed} lookOf={lookOf} />
        </Figure>
        <Figure
          id="time"
          title="Time"
          description="Wall clock from the first to the last logged event of a run. Hatched runs did not finish."
          table={timeTable({ bars: time, lookOf })}
          note={<Notes notes={timeNotes(time)} />}
        >
          <Time id="time-chart" bars={time} lookOf={lookOf} />
        </Figure>
        <Figure
          id="slop"
          title="Slop"
          description="Untrue documentation, dead code, redundancy and verbosity, weighted by severity, a judge. Less is better."
          table={slopTable({ bars: slop, lookOf })}
        >
          <Slop id="slop-chart" bars={slop} lookOf={lookOf} />
        </Figure>
      </Part>
      {leads === null ? null : (
        <Part id="leads" title="Leads compared">
          <Figure
            id="lead-strips"
            title="Final scores from each lead's briefs"
            description={`The median over every configuration at every effort level${leads.tasks.length === 0 ? "" : `, over ${leads.tasks.length === 1 ? "one task" : `${leads.tasks.length} tasks`}`}.`}
            table={leadStripsTable({ compared: leads, lookOf })}
            note={<Notes notes={[LEAD_STRIPS_NOTE]} />}
          >
            <LeadStrips id="lead-strips-chart" compared={leads} lookOf={lookOf} />
          </Figure>
        </Part>
      )}
    </>
  );
}

const Notes = ({ notes }: { readonly notes: readonly string[] }): JSX.Element | null =>
  notes.length === 0 ? null : (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
