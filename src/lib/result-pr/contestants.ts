/**
 * Contestants of this project that answer the same each time, down to the call's id, on one's own machine: whoever runs
 * them sends the same evidence, and nobody is paid.
 */
export const OWN_CONTESTANTS: readonly string[] = ["baseline/heuristic"];
