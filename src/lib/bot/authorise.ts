import type { Verb } from "./command.ts";

/** Who may ask for what (field lesson F39). Pure. */

/** GitHub's roles in rising order. On a public repository everybody has `read`, so `read` never counts. */
export const ROLES = ["read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The role a command needs; null: anybody. */
export const NEEDED: Readonly<Record<Verb, Role | null>> = {
  help: null,
  validate: "triage",
  accept: "write",
  supersede: "write",
  merge: "write",
  hold: "write",
  release: "write",
  // Jobs run code of strangers on machines of ours, and cost hours of theirs.
  perf: "write",
  run: "write",
  verify: "write",
  cancel: "write",
  // Says nothing that does not stand on the pull request for all to read.
  status: null,
};

/** What the collaborator-permission API answered; null when it could not be asked. */
export interface PermissionFacts {
  /** Numeric id of the account that the answer is about. */
  readonly userId: number;
  readonly roleName: string;
  /** The coarse legacy field: maintain counts as write, triage as read. */
  readonly permission: string;
}

export type Authorisation =
  | { readonly allowed: true; readonly role: string }
  | { readonly allowed: false; readonly role: string | null; readonly needs: Role };

/**
 * Whether a command may run. A role with a name of its own (a custom role) counts as what the legacy field says it at
 * least is. An answer about another account, or none at all, denies.
 */
export function authorise(verb: Verb, senderId: number, facts: PermissionFacts | null): Authorisation {
  const needs = NEEDED[verb];
  if (needs === null) return { allowed: true, role: facts?.roleName ?? "none" };
  return authoriseRole(needs, senderId, facts);
}

/** As `authorise`, for what needs a role and is no command. */
export function authoriseRole(needs: Role, senderId: number, facts: PermissionFacts | null): Authorisation {
  if (facts === null || facts.userId !== senderId) return { allowed: false, role: null, needs };
  const known = ROLES.find((role) => role === facts.roleName);
  const role = known ?? ROLES.find((name) => name === facts.permission);
  const allowed = role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needs);
  return allowed ? { allowed, role: facts.roleName } : { allowed, role: facts.roleName, needs };
}
