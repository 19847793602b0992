/**
 * The throw-away uid: one that no account has, another one for each run that a harness has open. Far above what
 * distributions, directories and containers hand out (systemd's table of uids ends at 1,879,048,191), below 2³¹.
 */
const FIRST_UID = 1_900_000_000;
/** Runs that one harness may have open at a time. */
const UIDS_PER_HARNESS = 16;

export function deriveThrowAwayUid(harnessPid: number, run: number): number {
  return FIRST_UID + UIDS_PER_HARNESS * (harnessPid % 4_194_304) + (run % UIDS_PER_HARNESS);
}

/** Whether this user namespace (the text of `/proc/self/uid_map`) knows a uid at all. */
export function hasUid(uidMap: string, uid: number): boolean {
  return uidMap
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .some(([first = 0, , count = 0]) => uid >= first && uid < first + count);
}
