/** What differs between two readings of a host's settings, one sentence each. Settings that neither reading has say nothing. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} was ${before.get(name) ?? "not there"} and is ${after.get(name) ?? "not there"}`);
}
