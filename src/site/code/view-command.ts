import { FIRST_SELECTION, type Selection } from "../../lib/code/aggregate/selection.ts";

const PLAIN = /^[A-Za-z0-9@._/-]+$/;

/** A word of a command line, in quotes where a shell would read it otherwise. */
export const shellWord = (word: string): string =>
  PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The command that computes the view of a selection from `data.json`. */
export function viewCommand({ lead, task, efforts, replicate, column }: Selection): string {
  return [
    "npm run -s bench -- data view",
    ...(task === null ? [] : [`--task ${shellWord(task)}`]),
    ...(lead === null ? [] : [`--lead ${shellWord(lead)}`]),
    ...(efforts === FIRST_SELECTION.efforts ? [] : [`--efforts ${efforts}`]),
    ...(replicate === null ? [] : [`--replicate ${replicate}`]),
    ...(column === FIRST_SELECTION.column ? [] : [`--column ${column}`]),
  ].join(" ");
}
