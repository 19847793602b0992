import type { Identity } from "../../lib/bot/sticky.ts";
import { type Client, statusOf } from "./policy.ts";

/** One repository as the bot sees it. */
export interface Repository {
  readonly client: Client;
  readonly owner: string;
  readonly repo: string;
  readonly id: number;
  readonly defaultBranch: string;
  readonly identity: Identity;
}

/** Route parameters that every call needs. */
export const at = ({ owner, repo }: Repository): { owner: string; repo: string } => ({ owner, repo });

export async function readRepository(
  client: Client,
  owner: string,
  repo: string,
  identity: Identity,
): Promise<Repository> {
  const { data } = await client.request("GET /repos/{owner}/{repo}", { owner, repo });
  return { client, owner, repo, id: Number(data.id), defaultBranch: data.default_branch, identity };
}

/** Gives null instead of throwing where GitHub says that there is no such thing. */
export async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
