/** Which actions a workflow file uses without a commit to hold them (field lesson F09). Pure. */

export interface Unpinned {
  /** 1-based. */
  readonly line: number;
  readonly uses: string;
}

/** Our own actions lie in the same commit as the workflow; all others need 40 hex digits, and their version for the reader. */
export const unpinnedActions = (text: string): Unpinned[] =>
  text.split("\n").flatMap((line, index) => {
    const [, uses] = /^\s*(?:-\s+)?["']?uses["']?\s*:\s*(.+)$/.exec(line) ?? [];
    if (uses === undefined || /^\.\/actions\/[a-z-]+$/.test(uses.trim())) return [];
    return /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses.trim())
      ? []
      : [{ line: index + 1, uses: uses.trim() }];
  });
