/** One measured number, with its budget where it has one. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Null for a number that only explains another. */
  readonly budget: { readonly at: "most" | "least"; readonly value: number } | null;
  /** Whether what was run keeps to the budget; null without one. */
  readonly met: boolean | null;
  /**
   * What was run instead of what the budget is about, or `on` what it ran, so that `met` says little; null when it was the
   * real thing.
   */
  readonly only: string | null;
}

/** A row of the budgets in design section 7. */
export interface Row {
  readonly id: string;
  readonly what: string;
  /** What was run to measure it, and how it falls short of the budget's own conditions. */
  readonly ran: string;
  readonly measures: readonly Measure[];
}

export const plain = (name: string, value: number, unit: string): Measure => ({
  name,
  value,
  unit,
  budget: null,
  met: null,
  only: null,
});

export function held(
  name: string,
  value: number,
  unit: string,
  at: "most" | "least",
  budget: number,
  only: string | null = null,
): Measure {
  const met = at === "most" ? value <= budget : value >= budget;
  return { name, value, unit, budget: { at, value: budget }, met, only };
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

const shown = (value: number, unit: string): string => `${Number(value.toPrecision(4))} ${unit}`;

function verdictOf({ met, only }: Measure): string {
  if (met === null) return "";
  return `${met ? "met" : "missed"}${only === null ? "" : only.startsWith("on ") ? ` (${only})` : ` (${only} only)`}`;
}

export function renderTable(rows: readonly Row[]): string {
  return rows
    .map(({ what, ran, measures }) => {
      const cells = measures.map((measure) => {
        const { name, value, unit, budget } = measure;
        const limit =
          budget === null ? "" : `${budget.at === "most" ? "≤" : "≥"} ${shown(budget.value, unit)}`;
        return [name, shown(value, unit), limit, verdictOf(measure)];
      });
      const widths = [0, 1, 2].map((at) => Math.max(...cells.map((cell) => cell[at]?.length ?? 0)));
      const lines = cells.map((cell) =>
        `  ${cell.map((text, at) => text.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd(),
      );
      return [what, `  ran: ${ran}`, ...lines].join("\n");
    })
    .join("\n\n");
}
