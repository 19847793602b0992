import { canonicalJson } from "../../canonical-json.ts";
import { digestOf } from "../../digest.ts";
import type { Finding, Outcome } from "../../findings.ts";
import { type Random, randomFrom } from "../../stats/random.ts";
import { findInstructions } from "./instructions.ts";
import { findLeaks, type PackFile } from "./leak.ts";
import type { NameBook } from "./names.ts";
import type { Letters, Pack } from "./pack-schema.ts";
import { permuteCriteria } from "./rubric.ts";
import { type DeliveredFile, type ScrubNote, scrubEntry } from "./scrub.ts";

/** An entry or anchor that is to be judged. */
export interface PackItem {
  readonly place: { readonly entry: string } | { readonly anchor: string };
  /** Where its files lie, for findings: `data/entries/<run>/<entry>`. */
  readonly folder: string;
  readonly files: readonly DeliveredFile[];
}

export interface PackOrder {
  readonly run: string;
  readonly judge: string;
  readonly seed: string;
  /** Most entries in one pack, anchors not counted. */
  readonly size: number;
}

export interface PackTexts {
  readonly spec: string;
  readonly rubric: string;
}

/** A pack ready to be written. */
export interface MadePack {
  /** `pack-` and the first 12 digits of its digest. */
  readonly name: string;
  readonly document: Pack;
  /** All files of the pack's folder but `pack.json`. */
  readonly files: readonly PackFile[];
  readonly letters: Letters;
  /** What scrubbing did, by letter. */
  readonly notes: readonly (ScrubNote & { readonly letter: string })[];
}

/** How many entries each pack gets: as few packs as the size allows, and sizes that differ by at most one. */
export function packSizes(entries: number, size: number): number[] {
  const packs = Math.ceil(entries / size);
  return Array.from(
    { length: packs },
    (_, index) => Math.floor(entries / packs) + (index < entries % packs ? 1 : 0),
  );
}

/**
 * A judge's packs of a run: entries shuffled over them, the same anchors in each, identity taken out, letters drawn at
 * random, the rubric's criteria in an order of their own. The draw depends on seed, run, judge and number of the pack, so each judge has its own. Same input, same bytes.
 * A leak is an error, and then there is no pack; instructions to the judge are warnings.
 */
export function makePacks(
  order: PackOrder,
  entries: readonly PackItem[],
  anchors: readonly PackItem[],
  texts: PackTexts,
  book: NameBook,
): Outcome<MadePack[]> {
  const findings: Finding[] = [];
  const scrubbed = new Map(
    [...entries, ...anchors].map((item) => {
      for (const { path, content } of item.files)
        if (typeof content === "string")
          findings.push(...findInstructions(`${item.folder}/${path}`, content));
      return [keyOf(item), { item, ...scrubEntry(item.files, book) }] as const;
    }),
  );
  const draw = (what: string): Random => randomFrom([order.seed, order.run, order.judge, what].join("\n"));
  const shuffled = draw("entries").shuffled(entries.toSorted(byKey));
  const sizes = packSizes(entries.length, order.size);
  const packs: MadePack[] = [];
  let from = 0;
  for (const [index, size] of sizes.entries()) {
    const chosen = shuffled.slice(from, from + size);
    from += size;
    const number = index + 1;
    const random = draw(`pack ${number}`);
    const items = random.shuffled([...chosen, ...anchors.toSorted(byKey)]);
    const letters = drawLetters(random, items.length);
    const lettered = items.flatMap((item, place) => {
      const found = scrubbed.get(keyOf(item));
      return found === undefined ? [] : [{ letter: letters[place] ?? "", ...found }];
    });
    const files: PackFile[] = [
      { path: "SPEC.md", content: texts.spec },
      { path: "rubric.md", content: permuteCriteria(texts.rubric, draw(`criteria ${number}`)) },
      ...lettered.flatMap(({ letter, files: each }) =>
        each.map(({ path, content }) => ({ path: `${letter}/${path}`, content })),
      ),
    ].sort((a, b) => (a.path < b.path ? -1 : 1));
    const leaks = findLeaks(
      files.filter(({ path }) => path !== "SPEC.md" && path !== "rubric.md"),
      book,
    );
    findings.push(...leaks.map((leak) => withOrigin(leak, lettered)));
    const document = describePack({ order, number, of: sizes.length, texts, letters, files });
    packs.push({
      name: packName(document.sha256),
      document,
      files,
      letters: {
        schema_version: 1,
        pack: document.sha256,
        run: order.run,
        judge: order.judge,
        seed: order.seed,
        rubric: document.rubric,
        order: lettered.map(({ letter, item, files: each }) => ({
          letter,
          ...item.place,
          renamed: Object.fromEntries(
            each
              .filter(({ path, original }) => path !== original)
              .map(({ path, original }) => [path, original]),
          ),
        })),
      },
      notes: lettered.flatMap(({ letter, notes }) => notes.map((note) => ({ letter, ...note }))),
    });
  }
  return findings.some(({ severity }) => severity === "error")
    ? { ok: false, findings }
    : { ok: true, value: packs, findings };
}

/** The name of a pack's folder. */
export const packName = (sha256: string): string => `pack-${sha256.replace("sha256:", "").slice(0, 12)}`;

/** A pack's digest: over everything that its document says. */
export const packDigest = ({ sha256: _, ...rest }: Pack): string => digestOf(canonicalJson(rest));

const keyOf = ({ place }: PackItem): string =>
  "entry" in place ? `entry ${place.entry}` : `anchor ${place.anchor}`;
const byKey = (a: PackItem, b: PackItem): number => (keyOf(a) < keyOf(b) ? -1 : 1);

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Letters out of the whole alphabet, in no order; pairs of letters when one alphabet is not enough. */
function drawLetters(random: Random, count: number): string[] {
  const all = count <= ALPHABET.length ? ALPHABET : ALPHABET.flatMap((a) => ALPHABET.map((b) => a + b));
  return random.shuffled(all).slice(0, count);
}

function describePack(given: {
  order: PackOrder;
  number: number;
  of: number;
  texts: PackTexts;
  letters: readonly string[];
  files: readonly PackFile[];
}): Pack {
  const { order, number, of, texts, letters, files } = given;
  const document: Pack = {
    schema_version: 1,
    sha256: "",
    seed: order.seed,
    number,
    of,
    rubric: digestOf(texts.rubric),
    spec: digestOf(texts.spec),
    letters: [...letters],
    files: files.map(({ path, content }) => ({ path, sha256: digestOf(content) })),
  };
  return { ...document, sha256: packDigest(document) };
}

/** A leak as people find it: under the folder of the entry that it is in. */
function withOrigin(
  leak: Finding,
  lettered: readonly {
    letter: string;
    item: PackItem;
    files: readonly { path: string; original: string }[];
  }[],
): Finding {
  const [letter = "", ...rest] = (leak.path ?? "").split("/");
  const found = lettered.find((each) => each.letter === letter);
  if (found === undefined) return leak;
  const path = rest.join("/");
  const original = found.files.find((file) => file.path === path)?.original ?? path;
  return { ...leak, path: `${found.item.folder}/${original}` };
}
