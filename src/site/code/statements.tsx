import { Fragment, type JSX } from "preact";
import type { DataIndex } from "../../lib/code/aggregate/index-data.ts";
import type { Selection } from "../../lib/code/aggregate/selection.ts";
import { CommandLine } from "../ui/command.tsx";
import { Text } from "../ui/text.tsx";
import { Name } from "./names.tsx";
import type { Strength, Words } from "./statement.ts";
import type { Statements } from "./statements.ts";
import { STRENGTH_RULES } from "./strength-rules.ts";
import { viewCommand } from "./view-command.ts";

interface StatementsSectionProps {
  readonly index: DataIndex;
  readonly selection: Selection;
  readonly statements: Statements;
}

/** What the selection says, each with how strong it is and why, and what to keep in mind. */
export const StatementsSection = ({ index, selection, statements }: StatementsSectionProps): JSX.Element => (
  <>
    {statements.statements.length === 0 ? (
      <p class="none">These data say nothing yet.</p>
    ) : (
      <ul class="statements">
        {statements.statements.map(({ id, strength, says, because }) => (
          <li key={id} id={`says-${id}`}>
            <StrengthMark strength={strength} /> <Sentence index={index} words={says} />
            <p class="soft">
              <Sentence index={index} words={because} />
            </p>
          </li>
        ))}
      </ul>
    )}
    {statements.caveats.length === 0 ? null : (
      <>
        <h3>Keep in mind</h3>
        <ul class="caveats">
          {statements.caveats.map(({ id, says }) => (
            <li key={id}>
              <Sentence index={index} words={says} />
            </li>
          ))}
        </ul>
      </>
    )}
    <details>
      <summary>How strong is strong</summary>
      <dl class="facts">
        {STRENGTH_RULES.map(({ title, rule }) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>{rule}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
    <p>
      The numbers behind this, in a terminal: <CommandLine command={viewCommand(selection)} />
    </p>
  </>
);

/** Bars filled of three, and the word. */
const FILLED: Readonly<Record<Strength, number>> = { strong: 3, moderate: 2, weak: 1, "not clear": 0 };

const StrengthMark = ({ strength }: { readonly strength: Strength }): JSX.Element => (
  <span class={`strength strength-${strength.replace(" ", "-")}`}>
    <span aria-hidden="true">{"●".repeat(FILLED[strength]) + "○".repeat(3 - FILLED[strength])}</span>{" "}
    {strength}
  </span>
);

const Sentence = ({ index, words }: { readonly index: DataIndex; readonly words: Words }): JSX.Element => (
  <>
    {words.map((part, place) =>
      typeof part === "string" ? (
        part
      ) : "quoted" in part ? (
        <Text key={`${part.quoted} ${place}`}>{part.quoted}</Text>
      ) : (
        <Name key={`${part.configuration} ${place}`} index={index} configuration={part.configuration} />
      ),
    )}
  </>
);
