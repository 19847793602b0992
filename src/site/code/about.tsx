import type { JSX } from "preact";
import type { View } from "../../lib/code/aggregate/view.ts";
import { counted } from "./part.tsx";

interface AboutProps {
  readonly view: View;
  /** Query of the view; empty for the first one. */
  readonly address: string;
}

/** What the numbers are about, and the address to come back to them. */
export function About({ view: { about, hidden_configurations }, address }: AboutProps): JSX.Element {
  const parts = [
    counted(about.configurations, "configuration"),
    counted(about.tasks.length, "task"),
    counted(about.leads.length, "lead"),
    counted(about.runs, "run"),
    about.entries === 1 ? "1 entry" : `${about.entries} entries`,
    counted(about.judges.length, "judge"),
    ...(about.dnf > 0 ? [`${about.dnf} did not finish`] : []),
    ...(about.judged_by_brief > 0
      ? [`${counted(about.judged_by_brief, "run")} judged against the brief`]
      : []),
    ...(hidden_configurations > 0
      ? [`${counted(hidden_configurations, "other effort level")} not shown`]
      : []),
  ];
  return (
    <p class="soft">
      {parts.join(" · ")} · <a href={address === "" ? "index.html" : address}>link to this view</a>
    </p>
  );
}
