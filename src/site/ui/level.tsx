import type { JSX } from "preact";

export type LevelName = "recomputed" | "attested" | "declared";

const MEANING: Readonly<Record<LevelName, string>> = {
  recomputed: "recomputed here from committed evidence",
  attested: "measured and signed by a guarded host",
  declared: "said by who sent it",
};

/** How well a number is known. */
export const Level = ({ level }: { readonly level: LevelName }): JSX.Element => (
  <abbr class={`level level-${level}`} title={MEANING[level]}>
    {level}
  </abbr>
);
