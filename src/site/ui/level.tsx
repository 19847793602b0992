import type { JSX } from "preact";
import { Hidden } from "./text.tsx";

export type LevelName = "recomputed" | "attested" | "declared";

const MEANING: Readonly<Record<LevelName, string>> = {
  recomputed: "recomputed here from committed evidence",
  attested: "measured and signed by a guarded host",
  declared: "said by who sent it",
};

/** How well a number is known, in one letter beside it; `LevelLegend` belongs under the table. */
export const LevelLetter = ({ level }: { readonly level: LevelName }): JSX.Element => (
  <span class={`level letter level-${level}`} title={MEANING[level]}>
    <span aria-hidden="true">{level.slice(0, 1).toUpperCase()}</span>
    <Hidden>{` ${level}`}</Hidden>
  </span>
);

export const LevelLegend = (): JSX.Element => (
  <p class="soft legend">
    How well a number is known:{" "}
    {(["recomputed", "attested", "declared"] as const).map((level, place) => (
      <>
        {place === 0 ? "" : "; "}
        <LevelLetter level={level} /> {MEANING[level]}
      </>
    ))}
    .
  </p>
);

/** How well a number is known. */
export const Level = ({ level }: { readonly level: LevelName }): JSX.Element => (
  <abbr class={`level level-${level}`} title={MEANING[level]}>
    {level}
  </abbr>
);
