/**
 * A copy of plain JSON that keeps nothing else alive. Strings of a parsed document are views into its whole text; whoever
 * keeps a few of many documents keeps copies.
 */
export const detached = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
