import type { JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import { usdText } from "../../lib/code/aggregate/numbers-text.ts";
import {
  type EffortView,
  FIRST_SELECTION,
  type ScoreColumn,
  type Selection,
} from "../../lib/code/aggregate/selection.ts";
import type { Switchers } from "../../lib/code/aggregate/switchers.ts";
import { safeText } from "../../lib/picture/text.ts";
import type { BoardState } from "../state.ts";
import { plainName } from "./names.tsx";

interface ControlsProps {
  readonly index: DataIndex;
  readonly state: BoardState;
  readonly switchers: Switchers;
  readonly onState: (state: BoardState) => void;
}

const EFFORTS: Readonly<Record<EffortView, string>> = {
  "best-per-model": "Best per model",
  "best-per-lab": "Best per lab",
  all: "All effort levels",
};

const COLUMNS: Readonly<Record<ScoreColumn, string>> = { final: "Final score", council: "Council score" };

/** What may be selected. A switcher that would have nothing to switch is not there. */
export function Controls({ index, state, switchers, onState }: ControlsProps): JSX.Element {
  const { selection } = state;
  const select = (change: Partial<Selection>): void =>
    onState({ ...state, selection: { ...selection, ...change } });
  const { tasks, leads, replicates, efforts } = switchers;
  return (
    <form class="controls" aria-label="What is shown" onSubmit={(event) => event.preventDefault()}>
      {tasks === null ? null : (
        <Choice
          label="Task"
          value={selection.task ?? ""}
          options={[["", "Overall"], ...tasks.map(({ id, title }): Option => [id, title])]}
          onValue={(task) => select({ task: task === "" ? null : task, replicate: null })}
        />
      )}
      {leads === null ? null : (
        <Choice
          label="Lead"
          value={selection.lead ?? ""}
          options={[["", "All leads"], ...leads.map((lead): Option => [lead, plainName(index, lead)])]}
          onValue={(lead) => select({ lead: lead === "" ? null : lead, replicate: null })}
        />
      )}
      {efforts ? (
        <Choice
          label="Show"
          value={selection.efforts}
          options={Object.entries(EFFORTS)}
          onValue={(value) => select({ efforts: named(EFFORTS, value) ?? FIRST_SELECTION.efforts })}
        />
      ) : null}
      {replicates === null ? null : (
        <Choice
          label="Runs"
          value={String(selection.replicate ?? "")}
          options={[["", "Combined"], ...replicates.map((run): Option => [String(run), `Run ${run}`])]}
          onValue={(run) => select({ replicate: run === "" ? null : Number(run) })}
        />
      )}
      <Choice
        label="Rank by"
        value={selection.column}
        options={Object.entries(COLUMNS)}
        onValue={(value) => select({ column: named(COLUMNS, value) ?? FIRST_SELECTION.column })}
      />
      <Budget budget={state.budget} onBudget={(budget) => onState({ ...state, budget })} />
    </form>
  );
}

const named = <T extends string>(names: Readonly<Record<T, string>>, value: string): T | undefined =>
  value in names ? (value as T) : undefined;

type Option = readonly [value: string, title: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
}

function Choice({ label, value, options, onValue }: ChoiceProps): JSX.Element {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {options.map(([id, title]) => (
          <option key={id} value={id} selected={id === value}>
            {safeText(title)}
          </option>
        ))}
      </select>
    </label>
  );
}

const BUDGETS = [0.25, 0.5, 1, 2, 5, 10] as const;

interface BudgetProps {
  readonly budget: number | null;
  readonly onBudget: (budget: number | null) => void;
}

function Budget({ budget, onBudget }: BudgetProps): JSX.Element {
  const known: readonly number[] = BUDGETS;
  const amounts =
    budget === null || known.includes(budget) ? known : [...known, budget].sort((a, b) => a - b);
  return (
    <Choice
      label="Budget a run"
      value={String(budget ?? "")}
      options={[["", "Any cost"], ...amounts.map((usd): Option => [String(usd), `up to ${usdText(usd)}`])]}
      onValue={(value) => onBudget(value === "" ? null : Number(value))}
    />
  );
}
