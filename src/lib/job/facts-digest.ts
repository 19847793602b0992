import { canonicalJson } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";

/** SHA-256 over paths and digests of a job's raw facts, which the host's signature of the report then covers. In whatever order they come. */
export const factsDigest = (
  files: readonly { readonly path: string; readonly data: Uint8Array | string }[],
): string => digestOf(canonicalJson(files.map(({ path, data }) => [path, digestOf(data)]).toSorted(byPath)));

const byPath = ([a = ""]: readonly string[], [b = ""]: readonly string[]): number => (a < b ? -1 : 1);
