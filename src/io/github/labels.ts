import type { LabelEvent } from "../../lib/bot/labels.ts";
import { at, orNull, type Repository } from "./repository.ts";

/** Labels of pull requests, and who set and removed them. */

interface EventData {
  readonly id: number;
  readonly event: string;
  readonly actor?: { readonly id: number; readonly login: string; readonly type?: string } | null;
  readonly label?: { readonly name?: string };
  readonly performed_via_github_app?: { readonly id: number } | null;
  readonly created_at: string;
}

/** Every label that was put on or taken off, oldest first. Empty where GitHub has no such history. */
export async function readLabelEvents(repository: Repository, number: number): Promise<LabelEvent[]> {
  const data = await orNull(
    repository.client.paginate("GET /repos/{owner}/{repo}/issues/{issue_number}/events", {
      ...at(repository),
      issue_number: number,
      per_page: 100,
    }),
  );
  return ((data ?? []) as readonly EventData[])
    .filter(({ event }) => event === "labeled" || event === "unlabeled")
    .map((event) => ({
      id: event.id,
      label: event.label?.name ?? "",
      on: event.event === "labeled",
      actorId: event.actor?.id ?? null,
      actorLogin: event.actor?.login ?? null,
      actorType: event.actor?.type ?? null,
      appId: event.performed_via_github_app?.id ?? null,
      at: event.created_at,
    }));
}

/** A label that is there already stays as it is. */
export async function addLabel(repository: Repository, number: number, label: string): Promise<void> {
  await repository.client.request("POST /repos/{owner}/{repo}/issues/{issue_number}/labels", {
    ...at(repository),
    issue_number: number,
    labels: [label],
  });
}

/** A label that is gone already is fine. */
export async function removeLabel(repository: Repository, number: number, label: string): Promise<void> {
  await orNull(
    repository.client.request("DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", {
      ...at(repository),
      issue_number: number,
      name: label,
    }),
  );
}
