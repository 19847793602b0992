import { tmpdir } from "node:os";
import { join } from "node:path";
import { readHostKey } from "../io/host/keys.ts";
import { type HostWorld, readHost, THIS_HOST } from "../io/host/read.ts";
import { acquireRunLock } from "../io/run/lock.ts";
import type { Host } from "../lib/code/schema/hosts-schema.ts";
import type { Finding } from "../lib/findings.ts";
import { judgeHost } from "../lib/host/compare.ts";
import { fingerprintDigest, type ReadHost, reportReading } from "../lib/host/reading.ts";
import type { Signer } from "../lib/job/attest.ts";
import type { Order } from "../lib/job/order-schema.ts";
import type { HostFacts } from "../lib/job/report-schema.ts";

/** A host that is looked at before it works, and held while it does. */

export interface Looked {
  readonly read: ReadHost;
  readonly facts: HostFacts;
  readonly findings: readonly Finding[];
}

/** Reads this machine and judges it by its record. */
export async function lookAtHost(host: Host, world: HostWorld = THIS_HOST): Promise<Looked> {
  const read = await readHost(world);
  return {
    read,
    findings: judgeHost(host, read),
    facts: {
      id: host.id,
      class: host.class,
      fingerprint_digest: fingerprintDigest(read.fingerprint),
      fingerprint: read.fingerprint,
      before: reportReading(read, now()),
      after: null,
    },
  };
}

export const now = (): string => new Date().toISOString();

type Environment = Readonly<Record<string, string | undefined>>;

/** The key with which this host signs, as far as it is told which one (`ASSAY_HOST_KEY`) and its record knows it. */
export async function openSigner(
  host: Host,
  looked: Looked,
  order: Pick<Order, "nonce" | "head_sha">,
  env: Environment,
): Promise<{ readonly signer: Signer | null; readonly findings: readonly Finding[] }> {
  const refuse = (message: string, hint: string) => ({
    signer: null,
    findings: [
      {
        code: "host-key",
        // What a rehearsal's host measures counts nowhere, signed or not.
        severity: host.class === "board" ? ("error" as const) : ("notice" as const),
        message,
        hint,
      },
    ],
  });
  const path = env.ASSAY_HOST_KEY ?? "";
  if (path === "") return refuse("The host has no key, so nothing that it measures can be signed.", KEY_HINT);
  let key: Awaited<ReturnType<typeof readHostKey>>;
  try {
    key = await readHostKey(path);
  } catch (error) {
    return refuse(`The host's key cannot be used: ${(error as Error).message}.`, KEY_HINT);
  }
  const moment = now();
  const known = host.keys.find(
    ({ ed25519, valid_from, revoked_at }) =>
      ed25519 === key.publicHex && valid_from <= moment && (revoked_at === undefined || moment < revoked_at),
  );
  if (known === undefined)
    return refuse(
      "data/hosts.json does not know this host's key, or no longer.",
      "Register it: bench host register --key.",
    );
  return {
    signer: {
      host: host.id,
      key: known.id,
      fingerprint: looked.facts.fingerprint_digest,
      nonce: order.nonce,
      commit: order.head_sha,
      sign: key.sign,
    },
    findings: [],
  };
}

const KEY_HINT = "Name the file of the host's private key in ASSAY_HOST_KEY (docs/runners.md).";

/** Holds the host for one job; another one that wants it meanwhile is refused. `release` gives it back. */
export async function holdHost(
  id: string,
  folder: string = join(tmpdir(), "assay-host"),
): Promise<
  | { readonly release: () => Promise<void> }
  | { readonly release: null; readonly findings: readonly Finding[] }
> {
  const lock = await acquireRunLock(
    folder,
    id,
    { sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
    folder,
  );
  if (lock.ok) return { release: () => lock.value.release() };
  return {
    release: null,
    findings: lock.findings.map(({ message }) => ({
      code: "host-busy",
      severity: "error",
      message: "Another job is at work on this host.",
      actual: message,
      hint: "Ask again when it has ended; two at a time measure each other.",
    })),
  };
}
