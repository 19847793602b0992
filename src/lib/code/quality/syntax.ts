import type { FunctionRange } from "./complexity.ts";

/** A walk through a syntax tree; `web-tree-sitter`'s `TreeCursor` is one. Positions are UTF-16 code units. */
export interface SyntaxCursor {
  readonly nodeType: string;
  readonly nodeIsMissing: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly currentFieldName: string | null;
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
}

/** A grammar that is ready: Rust, C, Go, Python, TypeScript, or TypeScript with JSX. */
export type GrammarName = "rust" | "c" | "go" | "python" | "typescript" | "tsx";

/** What a syntax tree says of a text; plain data. */
export interface SyntaxFacts {
  readonly functions: readonly FunctionRange[];
  /** Text that the grammar does not take apart: what it could not read, and what is inside Rust's macros. */
  readonly opaque: readonly { readonly start: number; readonly end: number }[];
  /** Start of each place that could not be read or lacks something. */
  readonly errors: readonly number[];
}

const FUNCTIONS = new Set([
  // Rust
  "function_item",
  // C, Python
  "function_definition",
  // Go, TypeScript
  "function_declaration",
  "method_declaration",
  "func_literal",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
]);

/** Nodes that name the function which is their value: `const f = () => 1`, `{ f: () => 1 }`, `class { f = () => 1 }`. */
const NAMING = new Set(["variable_declarator", "pair", "public_field_definition", "assignment_expression"]);

/** C: the name in a head that macros have made unreadable (`int EXPORTED main(void)`). */
const HEAD = /([A-Za-z_]\w*)\s*\(/;

/** Names nobody gave. */
export const ANONYMOUS = "(anonymous)";

interface Frame {
  readonly type: string;
  /** Index of the function that this node is, or -1. */
  readonly made: number;
  /** Index of the function that this node lies in, or is; -1 outside of any. */
  readonly inside: number;
  /** The text that this node gives a function as its name. */
  label: string | null;
}

/**
 * Reads the functions off a syntax tree, without recursion: a tree may be as deep as its text is long. A body is what makes a
 * function; declarations without one are none.
 */
export function readSyntax(text: string, cursor: SyntaxCursor): SyntaxFacts {
  const functions: { name: string; start: number; end: number; named: boolean }[] = [];
  const opaque: { start: number; end: number }[] = [];
  const errors: number[] = [];
  const frames: Frame[] = [{ type: "", made: -1, inside: -1, label: null }];

  /** Looks at the node under the cursor; true when its children matter. */
  const enter = (): boolean => {
    const parent = frames.at(-1) as Frame;
    const type = cursor.nodeType;
    const { startIndex: start, endIndex: end } = cursor;
    const label = nameHere(text, cursor, parent, type);
    if (label !== null) {
      const target = functions[parent.inside];
      if (NAMING.has(parent.type)) parent.label ??= label;
      else if (target !== undefined && !target.named) Object.assign(target, { name: label, named: true });
    }
    if (type === "ERROR" || cursor.nodeIsMissing) {
      errors.push(start);
      if (end > start) opaque.push({ start, end });
    } else if (type === "token_tree") {
      opaque.push({ start, end });
      return false;
    } else if (type === "template_string") return false;
    let made = -1;
    if (FUNCTIONS.has(type)) {
      made = functions.length;
      const given = NAMING.has(parent.type) ? parent.label : null;
      const guess =
        type === "function_definition" ? (HEAD.exec(text.slice(start, start + 300))?.[1] ?? null) : null;
      functions.push({ name: given ?? guess ?? ANONYMOUS, start, end, named: given !== null });
    }
    frames.push({ type, made, inside: made >= 0 ? made : parent.inside, label: null });
    return true;
  };

  for (;;) {
    if (enter()) {
      if (cursor.gotoFirstChild()) continue;
      frames.pop();
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) return { functions, opaque, errors };
      frames.pop();
    }
  }
}

/** The name that the node under the cursor gives to what it stands in, if it is one. */
function nameHere(text: string, cursor: SyntaxCursor, parent: Frame, type: string): string | null {
  const { startIndex: start, endIndex: end } = cursor;
  const field = cursor.currentFieldName;
  const names = NAMING.has(parent.type)
    ? field === "name" || field === "key" || field === "left" || field === "property"
    : parent.made >= 0
      ? field === "name"
      : // C: the first name below the declarator of a function, whatever pointers and brackets stand around it.
        type === "identifier" && field === "declarator" && parent.type.endsWith("declarator");
  return names ? text.slice(start, Math.min(end, start + 200)) : null;
}
