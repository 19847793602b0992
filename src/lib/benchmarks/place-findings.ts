import type { Finding } from "../findings.ts";
import { locateFindings, parseStrictJson } from "../strict-json/parse.ts";

/**
 * Gives findings about one JSON file, made from its parsed value, the line and column of their pointers in its bytes.
 * Findings that are about another file than `path`, or that have a position, stay as they are.
 */
export function placeFindings(
  findings: readonly Finding[],
  bytes: Uint8Array | string,
  path: string,
): Finding[] {
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return [...findings];
  const { position } = parsed.value;
  return findings.flatMap((finding) =>
    finding.path === path ? locateFindings([finding], position) : [finding],
  );
}
