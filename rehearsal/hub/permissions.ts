import { ApiError, notFound } from "./http.ts";
import type { HubState, RepositoryState } from "./state.ts";
import type { Identity } from "./tokens.ts";

/** Roles in GitHub's order; each includes those before it. */
export const ROLES = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof ROLES)[number];
export type Level = "read" | "write" | "none";
export type Permissions = Readonly<Record<string, Level>>;

/** What a route asks of its caller. */
export interface Need {
  /** Any one of these suffices for a token that carries permissions. */
  readonly permissions: readonly string[];
  readonly level: "read" | "write";
  /** For people; `write` routes ask for the role `write` unless they say otherwise. */
  readonly role?: Role;
  /** Check runs: people cannot write them. */
  readonly appsOnly?: boolean;
}

export const reads = (...permissions: string[]): Need => ({ permissions, level: "read" });
export const writes = (permission: string | readonly string[], role: Role = "write"): Need => ({
  permissions: typeof permission === "string" ? [permission] : permission,
  level: "write",
  role,
});

export const hasRole = (role: Role, wanted: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(wanted);

/** The role of a person in a repository: the owner is admin, everybody reads what is public. */
export function roleOf(repository: RepositoryState, login: string): Role {
  const key = login.toLowerCase();
  if (repository.owner.toLowerCase() === key) return "admin";
  return repository.roles.get(key) ?? (repository.private ? "none" : "read");
}

const grants = (permissions: Permissions, need: Need): boolean =>
  need.permissions.some((name) => {
    const level = permissions[name];
    return level === "write" || (need.level === "read" && (level === "read" || name === "metadata"));
  });

/** Whether the token is for this repository at all. */
export function covers(state: HubState, identity: Identity, repository: RepositoryState): boolean {
  if (identity.kind === "workflow") return identity.repositoryId === repository.id;
  if (identity.kind !== "installation") return false;
  if (state.app?.installationId !== identity.installationId) return false;
  if (state.app.account.toLowerCase() !== repository.owner.toLowerCase()) return false;
  return identity.repositoryIds === null || identity.repositoryIds.has(repository.id);
}

/**
 * Lets the caller through, or says no as GitHub does.
 * @throws ApiError 401 without a valid token, 404 for a repository the caller must not know of, 403 otherwise.
 */
export function authorise(
  state: HubState,
  identity: Identity,
  repository: RepositoryState,
  need: Need,
): void {
  const open = !repository.private && need.level === "read";
  switch (identity.kind) {
    case "anonymous":
    case "app":
      if (open) return;
      if (identity.kind === "app" && !repository.private)
        throw new ApiError(403, "Resource not accessible by integration");
      if (repository.private) throw notFound();
      throw new ApiError(401, "Requires authentication");
    case "user": {
      const role = roleOf(repository, identity.account.login);
      if (role === "none") throw notFound();
      if (need.appsOnly) throw new ApiError(403, "You must authenticate via a GitHub App.");
      const wanted = need.level === "read" ? "read" : (need.role ?? "write");
      if (!hasRole(role, wanted)) throw new ApiError(403, `Must have ${wanted} rights to Repository.`);
      return;
    }
    case "installation":
    case "workflow":
      if (open) return;
      if (!covers(state, identity, repository)) {
        throw repository.private ? notFound() : new ApiError(403, "Resource not accessible by integration");
      }
      if (!grants(identity.permissions, need))
        throw new ApiError(403, "Resource not accessible by integration");
      return;
  }
}

/** `authorise`, as a question. */
export function may(state: HubState, identity: Identity, repository: RepositoryState, need: Need): boolean {
  try {
    authorise(state, identity, repository, need);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
