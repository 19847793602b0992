/**
 * A profile for `sandbox-exec` of macOS, written to its manual page and to the profiles under /System/Library/Sandbox.
 * The last rule that fits decides, so the profile denies everything first and nothing afterwards widens a later refusal.
 *
 * No Mac has run it yet: docs/sandbox.md says what has to be shown first. Until then no job uses it.
 */
export interface SeatbeltOrder {
  /** Absolute real paths (macOS's /tmp is /private/tmp) that may be read. */
  readonly inputs: readonly string[];
  /** Absolute real path of the folder that may be written. */
  readonly work: string;
}

/** Libraries and tools of the system and of Apple's command line tools. */
const SYSTEM = [
  "/System/Library",
  "/System/Cryptexes",
  "/System/Volumes/Preboot/Cryptexes",
  "/usr/lib",
  "/usr/bin",
  "/usr/libexec",
  "/usr/share",
  "/bin",
  "/Library/Developer/CommandLineTools",
];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/** A string of the profile's language; the quote and the backslash are all that it escapes. */
const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
const subpaths = (paths: readonly string[]): string =>
  paths.map((path) => `(subpath ${quote(path)})`).join(" ");
const literals = (paths: readonly string[]): string =>
  paths.map((path) => `(literal ${quote(path)})`).join(" ");

/** Every folder on the way to a path, which a program must be able to look up to get there. */
function listAncestors(path: string): string[] {
  const words = path.split("/").filter((word) => word !== "");
  return ["/", ...words.slice(0, -1).map((_, index) => `/${words.slice(0, index + 1).join("/")}`)];
}

/** What is wrong with the paths of an order; empty when nothing is. */
export function findSeatbeltProblems({ inputs, work }: SeatbeltOrder): string[] {
  return [...inputs, work]
    .filter((path) => !/^(?:\/[^/\0\n]+)+$/.test(path) || /\/\.{1,2}(?:\/|$)/.test(path))
    .map((path) => `${JSON.stringify(path)} is no absolute, real path of a folder below /`);
}

/** The profile's text. @throws RangeError for paths that `findSeatbeltProblems` names. */
export function renderSeatbeltProfile(order: SeatbeltOrder): string {
  const [problem] = findSeatbeltProblems(order);
  if (problem !== undefined) throw new RangeError(problem);
  const { inputs, work } = order;
  const ways = [...new Set([...inputs, work, ...SYSTEM].flatMap(listAncestors))].sort();
  return `${[
    "(version 1)",
    "(deny default)",
    "(allow process-fork)",
    `(allow process-exec ${subpaths([...SYSTEM, ...inputs, work])})`,
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read)",
    `(allow file-read-metadata ${literals(ways)})`,
    `(allow file-read* ${subpaths([...SYSTEM, ...inputs, work])} ${literals(DEVICES)})`,
    `(allow file-write* ${subpaths([work])} ${literals(["/dev/null"])})`,
    "(deny file-write-setugid)",
    "(deny network*)",
    "(deny mach-lookup)",
  ].join("\n")}\n`;
}
