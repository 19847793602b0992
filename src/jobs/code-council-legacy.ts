import type { LockWorld } from "../io/run/lock.ts";
import { legacySessions } from "../lib/code/council/legacy.ts";
import { readLegacyMarkdown } from "../lib/code/council/legacy-markdown.ts";
import {
  type Legacy,
  legacySchema,
  type Overrides,
  overridesSchema,
} from "../lib/code/council/legacy-schema.ts";
import type { Session } from "../lib/code/schema/council-schema.ts";
import { digestOf } from "../lib/digest.ts";
import type { Outcome } from "../lib/findings.ts";
import { checkAgainst, parseWithSchema } from "../lib/strict-json/schema.ts";
import { changeRun } from "./code-council-import.ts";

interface GivenFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface LegacyOptions {
  readonly root: string;
  readonly run: string;
  readonly reviews: GivenFile;
  readonly overrides: GivenFile | null;
}

const NO_OVERRIDES: Overrides = { schema_version: 1, overrides: [] };

/** Sorts and imports reviews of the time before categories. Nothing is written unless every finding has a category. */
export async function importLegacy(options: LegacyOptions, world: LockWorld): Promise<Outcome<Session[]>> {
  const legacy = readLegacy(options.reviews);
  if (!legacy.ok) return legacy;
  const overrides: Outcome<Overrides> =
    options.overrides === null
      ? { ok: true, value: NO_OVERRIDES, findings: [] }
      : parseWithSchema(options.overrides.bytes, overridesSchema, {
          path: options.overrides.path,
          code: "code-data",
        });
  if (!overrides.ok) return overrides;
  return await changeRun(options.root, options.run, world, (run) =>
    legacySessions(legacy.value, overrides.value, run, digestOf(options.reviews.bytes)),
  );
}

function readLegacy({ path, bytes }: GivenFile): Outcome<Legacy> {
  if (!path.endsWith(".md")) return parseWithSchema(bytes, legacySchema, { path, code: "code-data" });
  const { value, findings } = readLegacyMarkdown(new TextDecoder("utf-8").decode(bytes), path);
  if (findings.length > 0) return { ok: false, findings };
  const checked = checkAgainst(value, legacySchema, "code-data");
  return checked.ok
    ? checked
    : { ok: false, findings: checked.findings.map((finding) => ({ path, ...finding })) };
}
