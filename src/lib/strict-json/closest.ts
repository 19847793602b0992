/** Words longer than this are not compared: nobody mistypes them by one letter, and comparing costs length squared. */
const MAX_LENGTH = 64;
const MAX_CANDIDATES = 500;

/** Edit distance with transposition of neighbours (optimal string alignment), in UTF-16 code units. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The candidate a person most likely meant, or null when none is near (a third of its length, at least one letter). */
export function closestTo(word: string, candidates: Iterable<string>): string | null {
  if (word.length > MAX_LENGTH) return null;
  const plain = simplify(word);
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    seen += 1;
    if (seen > MAX_CANDIDATES) break;
    if (candidate.length > MAX_LENGTH) continue;
    const distance = editDistance(plain, simplify(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Case, hyphens, underscores and spaces are what people most often get wrong in a name. */
const simplify = (word: string): string => word.toLowerCase().replace(/[-_\s]+/g, "");
