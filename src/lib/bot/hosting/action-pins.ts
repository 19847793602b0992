/** Which actions a workflow file uses without a commit to hold them (field lesson F09). Pure. */

export interface Unpinned {
  /** 1-based. */
  readonly line: number;
  readonly uses: string;
}

const USES = /(?:^|[\s{,-])["']?uses["']?\s*:\s*["']?([^\s,}"'#]+)/g;

/** Our own actions lie in the same commit as the workflow; all others need 40 hex digits, and their version for the reader. */
export const unpinnedActions = (text: string): Unpinned[] =>
  text.split("\n").flatMap((line, index) => {
    if (/^\s*#/.test(line)) return [];
    return [...line.matchAll(USES)].flatMap(([, uses = ""]) => {
      if (/^\.\/actions\/[a-z-]+$/.test(uses)) return [];
      const pinned =
        /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40}$/.test(uses) && / # v\d+\.\d+\.\d+$/.test(line.trimEnd());
      return pinned ? [] : [{ line: index + 1, uses }];
    });
  });
