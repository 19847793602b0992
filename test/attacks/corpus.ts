import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Honest } from "../fixtures/attacks/attack.ts";

/** Finds every file of the corpus: adding an attack is adding a file. */

const folder = join(import.meta.dirname, "../fixtures/attacks");

/** Kinds of attack: the folders. Attacks on the office itself are made over HTTP, by `office.test.ts`. */
export const KINDS = [
  "scores",
  "identity",
  "copied-evidence",
  "json",
  "text",
  "git",
  "recipes",
  "facts",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Named<T> {
  /** The file's name without `.ts`. */
  readonly name: string;
  readonly case: T;
}

/** The cases of one folder, by name. @throws when a file does not say `export const <what>` */
export async function readCases<T extends { readonly title: string }>(
  kind: string,
  what: string,
): Promise<Named<T>[]> {
  const names = readdirSync(join(folder, kind)).sort();
  return Promise.all(
    names.map(async (file) => {
      const loaded = (await import(join(folder, kind, file))) as Record<string, T | undefined>;
      const found = loaded[what];
      if (found === undefined) throw new Error(`${kind}/${file} exports no ${what}`);
      return { name: file.replace(/\.ts$/, ""), case: found };
    }),
  );
}

export const readAttacks = (kind: Kind): Promise<Named<Attack>[]> => readCases<Attack>(kind, "attack");
export const readHonest = (): Promise<Named<Honest>[]> => readCases<Honest>("honest", "honest");
