import { isWordCode, wordEnd } from "./token.ts";

/** An open string: what closes it, and whether `\` and interpolations mean anything in it. */
interface Open {
  readonly close: string;
  readonly plain: boolean;
  /** Ends with its line when it is not closed there. */
  readonly oneLine: boolean;
}

interface Style {
  /** What begins code inside a string. */
  readonly interpolation: string;
  /** The string that begins at `at`, with the length of what opens it. */
  readonly open: (text: string, at: number) => { readonly open: Open; readonly length: number } | null;
  /** What begins a comment to the end of the line, inside interpolated code. */
  readonly comment: string;
}

const STYLES: Readonly<Record<"javascript" | "elixir", Style>> = {
  javascript: {
    interpolation: "${",
    comment: "//",
    open: (text, at) => {
      const close = text[at] as string;
      if (close === "`") return { open: { close, plain: false, oneLine: false }, length: 1 };
      return close === '"' || close === "'"
        ? { open: { close, plain: true, oneLine: true }, length: 1 }
        : null;
    },
  },
  elixir: { interpolation: "#{", comment: "#", open: openElixir },
};

const PAIRS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

function openElixir(text: string, at: number): { open: Open; length: number } | null {
  const quote = text[at] as string;
  if (quote === '"' || quote === "'") {
    const close = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
    return { open: { close, plain: false, oneLine: false }, length: close.length };
  }
  if (quote !== "~") return null;
  const name = wordEnd(text, at + 1);
  const delimiter = text[name];
  if (name === at + 1 || delimiter === undefined || !/[([{<"'/|]/.test(delimiter)) return null;
  // A sigil named in capitals takes its text as it is.
  const plain = /^[A-Z]/.test(text.slice(at + 1, name));
  const triple = text.startsWith(delimiter.repeat(3), name) && /["']/.test(delimiter);
  const close = triple ? delimiter.repeat(3) : (PAIRS[delimiter] ?? delimiter);
  return {
    open: { close, plain, oneLine: false },
    length: name - at + (triple ? 3 : 1),
  };
}

/**
 * The end of a string that may hold code which may hold strings (`` `a${b ? `c` : ""}` ``), to any depth and in one pass.
 * Gives `at` itself when no string begins there; one that is not closed takes the rest of the text.
 */
export function skipInterpolated(text: string, at: number, language: keyof typeof STYLES): number {
  const style = STYLES[language];
  const first = style.open(text, at);
  if (first === null) return at;
  // Strings, and between them the depth of braces in interpolated code.
  const stack: (Open | number)[] = [first.open];
  let end = at + first.length;
  while (end < text.length) {
    const top = stack.at(-1) as Open | number;
    if (typeof top === "number") {
      end = stepInCode(text, end, style, stack, top);
      continue;
    }
    if (text[end] === "\\" && !(top.plain && language === "elixir")) end += 2;
    else if (text.startsWith(top.close, end) || (top.oneLine && text[end] === "\n")) {
      end += text[end] === "\n" ? 0 : top.close.length;
      stack.pop();
      if (stack.length > 0) continue;
      // Modifiers of a sigil, `~r/x/iu`.
      return text[at] === "~" ? wordEnd(text, end) : end;
    } else if (!top.plain && text.startsWith(style.interpolation, end)) {
      end += style.interpolation.length;
      stack.push(0);
    } else end++;
  }
  return text.length;
}

/** One step through interpolated code: gives where the next one begins. */
function stepInCode(text: string, at: number, style: Style, stack: (Open | number)[], depth: number): number {
  const char = text[at];
  if (char === "{") stack[stack.length - 1] = depth + 1;
  else if (char === "}") {
    if (depth === 0) stack.pop();
    else stack[stack.length - 1] = depth - 1;
  } else if (isWordCode(text.charCodeAt(at))) return wordEnd(text, at);
  else if (text.startsWith(style.comment, at)) {
    const newline = text.indexOf("\n", at);
    return newline < 0 ? text.length : newline;
  } else {
    const opened = style.open(text, at);
    if (opened !== null) {
      stack.push(opened.open);
      return at + opened.length;
    }
  }
  return at + 1;
}
