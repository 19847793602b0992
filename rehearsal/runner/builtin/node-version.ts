/** Version ranges as `actions/setup-node` takes them, as far as the rehearsal needs them. */

type Parts = readonly [major: number, minor: number, patch: number];

/**
 * Whether a Node version satisfies a specification (`20`, `20.x`, `v20.20.2`, `>=20.20`, `^20.1`, `~20.20`, ranges joined
 * by spaces or `||`); `null` for one that needs a list of releases (`lts/*`, `latest`) or that is not understood.
 */
export function satisfiesNode(version: string, specification: string): boolean | null {
  const actual = parts(version);
  if (actual === null) return null;
  let result: boolean | null = false;
  for (const alternative of specification.split("||")) {
    const held = satisfiesAll(actual, alternative.trim());
    if (held === null) result = null;
    else if (held) return true;
  }
  return result;
}

function satisfiesAll(actual: Parts, range: string): boolean | null {
  let result: boolean | null = true;
  for (const term of range.replace(/([<>=^~])\s+/g, "$1").split(/\s+/)) {
    const held = satisfiesTerm(actual, term);
    if (held === false) return false;
    if (held === null) result = null;
  }
  return result;
}

function satisfiesTerm(actual: Parts, term: string): boolean | null {
  const found = /^(>=|<=|>|<|=|\^|~)?v?(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/.exec(term);
  if (!found) return term === "" || term === "*" ? true : null;
  const [, operator = "=", major = "", minor, patch] = found;
  const given = [major, minor, patch].filter((part) => part !== undefined && /^\d+$/.test(part)).map(Number);
  const low: Parts = [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0];
  switch (operator) {
    case ">=":
      return compare(actual, low) >= 0;
    case "<":
      return compare(actual, low) < 0;
    case ">":
      return compare(actual, low) > 0 && !startsWith(actual, given);
    case "<=":
      return compare(actual, low) <= 0 || startsWith(actual, given);
    case "^":
      return compare(actual, low) >= 0 && actual[0] === low[0];
    case "~":
      return compare(actual, low) >= 0 && startsWith(actual, given.slice(0, 2));
    default:
      return startsWith(actual, given);
  }
}

function startsWith(actual: Parts, given: readonly number[]): boolean {
  return given.every((part, index) => actual[index] === part);
}

function compare(left: Parts, right: Parts): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function parts(version: string): Parts | null {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : null;
}
