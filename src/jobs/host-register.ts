import { folderSource, writeFilesWhole } from "../io/files.ts";
import { makeHostKey, readHostKey } from "../io/host/keys.ts";
import { type HostWorld, readHost } from "../io/host/read.ts";
import { userPath, whenWritten } from "../io/user-files.ts";
import { type Host, hostsSchema } from "../lib/code/schema/hosts-schema.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { deriveHostEntry, withHost } from "../lib/host/register.ts";
import { HOSTS_PATH } from "../lib/result-pr/code-paths.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";
import { now } from "./host-check.ts";

/** Making this machine a host that `data/hosts.json` knows. */

export interface RegisterRequest {
  readonly id: string;
  readonly class: Host["class"];
  /** Absent: `self-hosted` and the id, or what the host of that id has. */
  readonly labels?: readonly string[];
  readonly name?: string;
  /** File of the host's private key: read when it is there, made when it is not. Absent: no key. */
  readonly key?: string;
  /** Folder that holds `data/hosts.json`. */
  readonly root: string;
  /** Write the document as well. */
  readonly write: boolean;
}

export interface Registered {
  readonly host: Host;
  /** Whether the key's file was made just now; null without a key. */
  readonly made: boolean | null;
}

const failure = (
  code: string,
  message: string,
  more: Partial<Finding> = {},
): { ok: false; findings: Finding[] } => ({
  ok: false,
  findings: [{ code, severity: "error", message, ...more }],
});

/** Reads this machine and gives its entry; writes it into the document when asked to. */
export async function registerHost(
  request: RegisterRequest,
  world?: HostWorld,
): Promise<Outcome<Registered>> {
  const bytes = await folderSource(request.root)(HOSTS_PATH);
  if (bytes === null) return failure("file-missing", "There is no data/hosts.json.", { path: HOSTS_PATH });
  const parsed = parseWithSchema(bytes, hostsSchema, { path: HOSTS_PATH, code: "code-data" });
  if (!parsed.ok) return parsed;
  const known = parsed.value.hosts.find(({ id }) => id === request.id);
  const key = request.key === undefined ? null : await openKey(userPath(request.key));
  if (key !== null && "why" in key) return failure("host-key", `The key cannot be used: ${key.why}.`);
  let host: Host;
  try {
    host = deriveHostEntry(
      {
        id: request.id,
        name: request.name ?? known?.name ?? request.id,
        class: request.class,
        labels: request.labels ?? known?.labels ?? ["self-hosted", request.id],
        keys: key === null ? [] : [keyEntry(key.publicHex, known)],
      },
      await readHost(world),
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failure("host-unreadable", "This machine does not show what a host's record needs.", {
      actual: error.message,
    });
  }
  const hosts = withHost(parsed.value, host);
  const findings = request.write
    ? await whenWritten(HOSTS_PATH, () =>
        writeFilesWhole(request.root, [{ path: HOSTS_PATH, data: `${JSON.stringify(hosts, null, 2)}\n` }]),
      )
    : [];
  const entry = hosts.hosts.find(({ id }) => id === request.id) ?? host;
  return { ok: true, value: { host: entry, made: key?.made ?? null }, findings };
}

async function openKey(path: string): Promise<{ publicHex: string; made: boolean } | { why: string }> {
  try {
    return { ...(await makeHostKey(path)), made: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return { why: "its file cannot be written" };
  }
  try {
    return { ...(await readHostKey(path)), made: false };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

/** The record of a key: as it stands when it is known, else in force from now. */
function keyEntry(ed25519: string, known: Host | undefined): Host["keys"][number] {
  const standing = known?.keys.find((key) => key.ed25519 === ed25519);
  if (standing !== undefined) return standing;
  const from = now();
  return {
    id: `k-${from.slice(0, 10).replaceAll("-", "")}-${ed25519.slice(0, 8)}`,
    ed25519,
    valid_from: from,
  };
}
