import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "./http.ts";
import type { Permissions } from "./permissions.ts";

/** A user, bot or organization. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Bot" | "Organization";
  readonly nodeId: string;
}

/** Who is asking. */
export type Identity =
  | { readonly kind: "anonymous" }
  | { readonly kind: "user"; readonly account: Account; readonly token: string }
  /** The app itself, by JWT; the emulator verifies the signature where it is used. */
  | { readonly kind: "app"; readonly token: string }
  | {
      readonly kind: "installation";
      readonly account: Account;
      readonly token: string;
      readonly installationId: number;
      readonly permissions: Permissions;
      /** Null: every repository of the account. */
      readonly repositoryIds: ReadonlySet<number> | null;
      readonly expiresAt: number;
    }
  /** `GITHUB_TOKEN`. */
  | {
      readonly kind: "workflow";
      readonly account: Account;
      readonly token: string;
      readonly runId: number;
      readonly repositoryId: number;
      readonly permissions: Permissions;
    };

/** Identities that can write, and so have an account. */
export type Actor = Exclude<Identity, { kind: "anonymous" } | { kind: "app" }>;

/** Every token the hub knows; a token that is not here is bad credentials. */
export class Tokens {
  readonly #identities = new Map<string, Actor>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new secret of the form GitHub's scanners would know by its prefix. */
  static make(prefix: "ghp" | "ghs"): string {
    return `${prefix}_${randomBytes(18).toString("hex")}`;
  }

  add(identity: Actor): void {
    this.#identities.set(identity.token, identity);
  }

  revoke(token: string): void {
    this.#identities.delete(token);
  }

  revokeRun(runId: number): void {
    for (const [token, identity] of this.#identities) {
      if (identity.kind === "workflow" && identity.runId === runId) this.#identities.delete(token);
    }
  }

  userToken(login: string): string | undefined {
    for (const identity of this.#identities.values()) {
      if (identity.kind === "user" && identity.account.login.toLowerCase() === login.toLowerCase()) {
        return identity.token;
      }
    }
    return undefined;
  }

  /**
   * Who sent this request; reads `Bearer`, `token` and `Basic` (the password is the token).
   * @throws ApiError 401 for a token that is unknown, dead or expired.
   */
  identify(headers: IncomingHttpHeaders): Identity {
    const header = headers.authorization;
    if (header === undefined) return { kind: "anonymous" };
    const [scheme = "", value = ""] = header.trim().split(/\s+/, 2);
    let token = value;
    if (scheme.toLowerCase() === "basic") {
      const [user = "", password = ""] = Buffer.from(value, "base64").toString("utf8").split(":", 2);
      token = password === "" || password === "x-oauth-basic" ? user : password;
    }
    if (token.startsWith("eyJ")) return { kind: "app", token };
    const identity = this.#identities.get(token);
    const expired = identity?.kind === "installation" && identity.expiresAt <= this.#now();
    if (identity === undefined || expired) throw new ApiError(401, "Bad credentials");
    return identity;
  }
}

/** The identity, once it is sure that it can act. @throws ApiError 401 */
export function actorOf(identity: Identity): Actor {
  if (identity.kind === "anonymous" || identity.kind === "app")
    throw new ApiError(401, "Requires authentication");
  return identity;
}
