import type { Finding } from "../findings.ts";
import { parseStrictJson } from "../strict-json/parse.ts";

/**
 * Gives findings that name a JSON pointer the line and column it has in the file they are about. A pointer that the
 * file does not have takes the position of its nearest existing ancestor. The file is read again only when there is
 * something to locate.
 */
export function locateFindings(findings: readonly Finding[], bytes: Uint8Array | string): Finding[] {
  if (!findings.some(needsPlace)) return [...findings];
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) return [...findings];
  const { position } = parsed.value;
  return findings.map((finding) => {
    if (!needsPlace(finding)) return finding;
    for (let pointer = finding.pointer ?? ""; ; pointer = pointer.slice(0, pointer.lastIndexOf("/"))) {
      const place = position(pointer);
      if (place !== undefined) return { ...finding, line: place.line, column: place.column };
      if (pointer === "") return finding;
    }
  });
}

const needsPlace = (finding: Finding): boolean => finding.pointer !== undefined && finding.line === undefined;
