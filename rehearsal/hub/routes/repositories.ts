import {
  ApiError,
  invalid,
  isObject,
  type Json,
  jsonBody,
  NotHeldError,
  notFound,
  paged,
  type Route,
  reply,
  repositoryRoute,
  route,
  text,
} from "../http.ts";
import { userObject } from "../payloads.ts";
import { hasRole, may, ROLES, type Role, reads, roleOf, writes } from "../permissions.ts";
import type { HubState, RepositoryState } from "../state.ts";
import { actorOf } from "../tokens.ts";
import { forward } from "./issues.ts";

/** GitHub's older field knows four levels: triage counts as read, maintain as write. */
const LEGACY: Record<Role, string> = {
  none: "none",
  read: "read",
  triage: "read",
  write: "write",
  maintain: "write",
  admin: "admin",
};

const permissionFlags = (role: Role): Json => ({
  admin: hasRole(role, "admin"),
  maintain: hasRole(role, "maintain"),
  push: hasRole(role, "write"),
  triage: hasRole(role, "triage"),
  pull: hasRole(role, "read"),
});

/** Gives a role, here and in the emulator, which guards private repositories by it. */
export async function grant(
  state: HubState,
  repository: RepositoryState,
  login: string,
  role: Role,
): Promise<void> {
  const permission = { read: "pull", write: "push" }[role as string] ?? role;
  await state.emulate.operate("PUT", `/repos/${repository.fullName}/collaborators/${login}`, { permission });
  repository.roles.set(login.toLowerCase(), role);
  repository.customRoles.delete(login.toLowerCase());
}

/** Repositories, accounts, collaborators and forks. `fork` makes one: setup knows how. */
export function repositoryRoutes(
  state: HubState,
  fork: (parent: RepositoryState, login: string, name: string) => Promise<RepositoryState>,
): Route[] {
  const metadata = reads("metadata");
  return [
    repositoryRoute("GET", "", metadata, async (call, repository) => {
      const answer = await forward(state, call, repository);
      if (answer.status !== 200 || !isObject(answer.json)) return answer;
      const { identity } = call;
      const role = identity.kind === "user" ? roleOf(repository, identity.account.login) : null;
      const { permissions: _whose, ...whole } = answer.json;
      return reply(200, {
        ...whole,
        ...(role === null ? {} : { permissions: permissionFlags(role) }),
        ...(repository.parent === null
          ? {}
          : { parent: repository.parent.payload, source: repository.parent.payload }),
      });
    }),
    route("GET", "/repositories/:id", (call) => {
      const repository = state.repositoryById(Number(call.params.id));
      if (repository === undefined || !may(state, call.identity, repository, metadata)) throw notFound();
      return reply(200, repository.payload);
    }),
    repositoryRoute("GET", "/collaborators/:login/permission", metadata, (call, repository) => {
      const account = state.account(call.params.login ?? "");
      if (account === undefined) throw notFound();
      const role = account.type === "User" ? roleOf(repository, account.login) : "none";
      const role_name = repository.customRoles.get(account.login.toLowerCase()) ?? role;
      return reply(200, {
        permission: LEGACY[role],
        role_name,
        user: { ...userObject(state, account), permissions: permissionFlags(role), role_name },
      });
    }),
    repositoryRoute("GET", "/collaborators", writes("metadata"), (call, repository) => {
      const people = [...state.accounts.values()].filter(
        (account) =>
          account.login.toLowerCase() === repository.owner.toLowerCase() ||
          repository.roles.has(account.login.toLowerCase()),
      );
      return paged(
        state.url,
        call,
        people.filter((account) => account.type === "User"),
        (page) =>
          page.map((account) => {
            const role = roleOf(repository, account.login);
            const role_name = repository.customRoles.get(account.login.toLowerCase()) ?? role;
            return { ...userObject(state, account), permissions: permissionFlags(role), role_name };
          }),
      );
    }),
    repositoryRoute(
      "PUT",
      "/collaborators/:login",
      writes("administration", "admin"),
      async (call, repository) => {
        const account = state.account(call.params.login ?? "");
        if (account === undefined) throw notFound();
        const wanted = text(jsonBody(call).permission) ?? "push";
        const role = ROLES.find(
          (candidate) => candidate === ({ pull: "read", push: "write" }[wanted] ?? wanted),
        );
        if (role === undefined || role === "none")
          throw invalid("Validation Failed", [{ field: "permission", code: "invalid" }]);
        await grant(state, repository, account.login, role);
        return { status: 204 };
      },
    ),
    repositoryRoute(
      "DELETE",
      "/collaborators/:login",
      writes("administration", "admin"),
      (call, repository) => {
        const login = (call.params.login ?? "").toLowerCase();
        repository.roles.delete(login);
        repository.customRoles.delete(login);
        return { status: 204 };
      },
    ),
    repositoryRoute("GET", "/forks", metadata, (call, repository) => {
      const forks = [...state.repositories.values()].filter((candidate) => candidate.parent === repository);
      return paged(
        state.url,
        call,
        forks.map((candidate) => candidate.payload),
      );
    }),
    repositoryRoute(
      "POST",
      "/forks",
      { permissions: ["contents"], level: "write", role: "read" },
      (call, repository) =>
        state.serial(async () => {
          const actor = actorOf(call.identity);
          if (actor.kind !== "user") throw new ApiError(403, "Resource not accessible by integration");
          const body = jsonBody(call);
          if (body.organization !== undefined) throw new NotHeldError("forks for organizations");
          const made = await fork(repository, actor.account.login, text(body.name) ?? repository.name);
          return reply(202, made.payload);
        }),
    ),
    route("GET", "/user", (call) => {
      const { identity } = call;
      if (identity.kind === "anonymous" || identity.kind === "app")
        throw new ApiError(401, "Requires authentication");
      if (identity.kind !== "user") throw new ApiError(403, "Resource not accessible by integration");
      return reply(200, userObject(state, identity.account));
    }),
    route("GET", "/users/:login", (call) => {
      const account = state.account(call.params.login ?? "");
      if (account === undefined) throw notFound();
      return reply(200, userObject(state, account));
    }),
    route("GET", "/user/:id", (call) => {
      const account = [...state.accounts.values()].find(
        (candidate) => candidate.id === Number(call.params.id),
      );
      if (account === undefined) throw notFound();
      return reply(200, userObject(state, account));
    }),
    route("GET", "/meta", () =>
      reply(200, { verifiable_password_authentication: false, hooks: ["127.0.0.1/32"] }),
    ),
    route("GET", "/rate_limit", (call) => {
      const core = state.rates.core(call.identity);
      return reply(200, { resources: { core, search: core, graphql: core }, rate: core });
    }),
  ];
}
