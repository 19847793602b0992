import type { Finding } from "../findings.ts";

/**
 * How often one person may have pull requests recomputed in a day. Every recomputation of a private member answers a
 * question about its workbook, so strangers may not ask without end; nobody needs an approval before the first time. Pure.
 */

/** What GitHub knows of the person who opened or pushed. */
export interface AttemptFacts {
  /** The event that started the run. */
  readonly event: string;
  /** 1 unless somebody with write permission ran the same run again. */
  readonly runAttempt: number;
  /** `author_association` of the pull request; it decides a limit here and no permission anywhere. */
  readonly association: string;
  /** Runs that this person's opening and pushing started within the last day, this one included. */
  readonly runs: number;
}

/** Runs a day; people with a role in the repository have no limit. */
const LIMITS: Readonly<Record<string, number>> = {
  OWNER: Number.POSITIVE_INFINITY,
  MEMBER: Number.POSITIVE_INFINITY,
  COLLABORATOR: Number.POSITIVE_INFINITY,
  CONTRIBUTOR: 40,
};
/** Runs a day of somebody who never had a pull request merged here. */
const STRANGERS = 20;

/** Runs a day of somebody with this association. */
export const attemptLimit = (association: string): number =>
  (Object.hasOwn(LIMITS, association) ? LIMITS[association] : undefined) ?? STRANGERS;

/** Why nothing is recomputed now; null when it is. What a maintainer asks for is never limited. */
export function decideAttempt({ event, runAttempt, association, runs }: AttemptFacts): Finding | null {
  const limit = attemptLimit(association);
  if (event !== "pull_request_target" || runAttempt > 1 || runs <= limit) return null;
  return {
    code: "pr-too-many-attempts",
    severity: "error",
    message: "This is more than one person may have recomputed in a day, so nothing was recomputed.",
    expected: `at most ${limit} runs within 24 hours`,
    actual: `${runs}`,
    hint: "Validate on your own machine first: npm run bench:validate -- <file> gives the same answer. Push again tomorrow, or ask a maintainer to comment /assay validate.",
  };
}
