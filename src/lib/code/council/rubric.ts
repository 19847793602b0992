import type { Random } from "../../stats/random.ts";

const OPEN = "<!-- criteria -->";
const CLOSE = "<!-- /criteria -->";

/**
 * The rubric with its criteria in an order of the draw: the order of options shifts scores, so it must not be the same for
 * all. What stands outside the two marks stays; a rubric without them is returned as it is.
 */
export function permuteCriteria(rubric: string, random: Random): string {
  const start = rubric.indexOf(OPEN);
  const end = rubric.indexOf(CLOSE);
  if (start === -1 || end < start) return rubric;
  const criteria = rubric
    .slice(start + OPEN.length, end)
    .split(/^(?=### )/m)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  return `${rubric.slice(0, start)}${random.shuffled(criteria).join("\n\n")}\n${rubric.slice(end + CLOSE.length)}`;
}
