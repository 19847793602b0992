/** What the built-in actions have in common. */
import { relative, resolve } from "node:path";
import type { LiveStep } from "../live-step.ts";

export interface BuiltinInput {
  readonly default: string;
  /** Why any other value than the default is an error. */
  readonly unsupported?: string;
}

export interface Builtin {
  readonly name: string;
  /** The release whose behaviour this follows. */
  readonly version: string;
  readonly sha: string;
  readonly inputs: Readonly<Record<string, BuiltinInput>>;
  run(live: LiveStep, inputs: BuiltinInputs): Promise<void>;
}

/** Inputs of a step, checked against what the action has and what of it works here. */
export class BuiltinInputs {
  readonly #builtin: Builtin;
  readonly #given = new Map<string, string>();

  /** @throws Error for an input that the action does not have or the runner does not support. */
  constructor(builtin: Builtin, given: ReadonlyMap<string, string>) {
    this.#builtin = builtin;
    for (const [name, value] of given) {
      const key = name.toLowerCase();
      const known = builtin.inputs[key];
      if (known === undefined) throw new Error(`${builtin.name} has no input '${name}'`);
      if (known.unsupported !== undefined && value !== "" && value !== known.default) {
        throw new Error(`input '${name}' of ${builtin.name}: ${known.unsupported}`);
      }
      this.#given.set(key, value);
    }
  }

  /** Whether the workflow gives this input itself. */
  has(name: string): boolean {
    return (this.#given.get(name) ?? "") !== "";
  }

  text(name: string): string {
    const value = this.#given.get(name)?.trim() ?? "";
    return value === "" ? (this.#builtin.inputs[name]?.default ?? "") : value;
  }

  /** @throws Error unless it is one of YAML's spellings of true and false. */
  flag(name: string): boolean {
    const value = this.text(name);
    if (["true", "True", "TRUE"].includes(value)) return true;
    if (["false", "False", "FALSE"].includes(value)) return false;
    throw new Error(`input '${name}' of ${this.#builtin.name} must be true or false, not '${value}'`);
  }

  /** @throws Error unless it is a whole number of 0 or more. */
  count(name: string): number {
    const value = this.text(name);
    if (!/^\d+$/.test(value)) {
      throw new Error(`input '${name}' of ${this.#builtin.name} must be a whole number, not '${value}'`);
    }
    return Number(value);
  }
}

/** A path inside a folder. @throws Error when it leads outside. */
export function inside(folder: string, path: string): string {
  const full = resolve(folder, path);
  const way = relative(folder, full);
  if (way === ".." || way.startsWith("../")) throw new Error(`'${path}' is outside '${folder}'`);
  return full;
}
