import { directiveWord } from "./lex.ts";
import type { Token } from "./token.ts";

/** One `#if … #endif` that is open: its branches so far. */
interface Group {
  readonly branches: { readonly from: number; to: number; balance: number }[];
}

/**
 * C's tokens without directives and, of every `#if … #else … #endif` whose branches open or close braces, without all branches
 * but the first: so that braces match as they do for a compiler. Where all branches are whole, all stay.
 */
export function withoutUnbalancedBranches(text: string, tokens: readonly Token[]): Token[] {
  const dropped = new Uint8Array(tokens.length);
  const open: Group[] = [];
  const current = () => open.at(-1)?.branches.at(-1);
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "mark") {
      const branch = current();
      const char = text[token.start];
      if (branch !== undefined && char === "{") branch.balance++;
      if (branch !== undefined && char === "}") branch.balance--;
    }
    if (token.kind !== "directive" || text[token.start] !== "#") continue;
    const word = directiveWord(text, token.start);
    if (word.startsWith("if")) open.push({ branches: [{ from: index, to: index, balance: 0 }] });
    else if (word === "endif" || word.startsWith("el")) {
      const branch = current();
      if (branch === undefined) continue;
      branch.to = index;
      if (word !== "endif") open.at(-1)?.branches.push({ from: index, to: index, balance: 0 });
      else close(open.pop() as Group, dropped, current());
    }
  }
  return tokens.filter(
    ({ kind }, index) => kind !== "directive" && kind !== "comment" && dropped[index] === 0,
  );
}

/** Drops what has to go of a group that is over, and counts the rest to the branch around it. */
function close(
  { branches }: Group,
  dropped: Uint8Array,
  around: Group["branches"][number] | undefined,
): void {
  const [first, ...others] = branches;
  if (first === undefined || branches.every(({ balance }) => balance === 0)) return;
  for (const { from, to } of others) dropped.fill(1, from, to);
  if (around !== undefined) around.balance += first.balance;
}
