import { instantMs } from "../benchmarks/instant.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Attestation, Host } from "../code/schema/hosts-schema.ts";
import type { Hidden, Perf } from "../code/schema/perf-schema.ts";
import type { Entry } from "../code/schema/run-schema.ts";
import { digestOf } from "../digest.ts";
import type { JobReport } from "./report-schema.ts";

/**
 * What a guarded host signs and what a signature proves: that a host of data/hosts.json measured exactly these numbers of exactly these
 * files, for a job that the App had asked for (F70). Keys and signatures are Ed25519 (RFC 8032). Pure: who signs or verifies bytes comes
 * in as an argument.
 */

/** Whether a signature (128 hex digits) of the message is by the key (64 hex digits). False for what is no key. */
export type VerifySignature = (key: string, message: string, signature: string) => boolean;
/** Signs a message; 128 hex digits. */
export type Sign = (message: string) => string;

/** Keeps these signatures from being taken for signatures of anything else. */
const DOMAIN = "assay-attestation/1\n";

type Statement = Omit<Attestation, "signature">;

/** The bytes that are signed: canonical JSON (RFC 8785) of everything but the signature, after the name of what it is. */
export function statementText(attestation: Statement | Attestation): string {
  const { host, key, fingerprint, nonce, subject, commit, measurement } = attestation;
  return DOMAIN + canonicalJson({ host, key, fingerprint, nonce, subject, commit, measurement });
}

/** What was measured. */
export interface Subject {
  readonly kind: "perf" | "hidden";
  readonly task: string;
  readonly run: string;
  readonly entry: string;
  readonly files: Entry["deliverable"];
}

/** Of an entry's measurement: a signature for one entry says nothing about another, nor about other files of the same entry. */
export const subjectDigest = ({ kind, task, run, entry, files }: Subject): string =>
  digestOf(
    canonicalJson({ kind, task, run, entry, files: files.map(({ path, sha256 }) => [path, sha256]).sort() }),
  );

/** Digest of a measurement or report without its own attestation. */
export function measurementDigest(measured: Hidden | Perf | JobReport): string {
  const { attestation: _, ...rest } = measured;
  return digestOf(canonicalJson(rest));
}

/** Who signs, where, and for which job. */
export interface Signer {
  readonly host: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly nonce: string;
  readonly commit: string;
  readonly sign: Sign;
}

/** The measurement with the host's signature. `subject`: a digest. */
export function attested<T extends Hidden | Perf | JobReport>(
  measured: T,
  subject: string,
  signer: Signer,
): T {
  const { sign, ...who } = signer;
  const statement: Statement = { ...who, subject, measurement: measurementDigest(measured) };
  return { ...measured, attestation: { ...statement, signature: sign(statementText(statement)) } };
}

/** Why a signature does not make a measurement attested. `void`: what it says is not so. `expired`: it may be so, and nobody vouches for it. */
export interface Doubt {
  readonly kind: "void" | "expired";
  /** In words for people. */
  readonly why: string;
}

const no = (why: string): Doubt => ({ kind: "void", why });

/** What is known of a measurement beside its signature. */
export interface Claim {
  readonly measurement: string;
  readonly subject: string;
  /** The host that it names; null when it names none. */
  readonly host: string | null;
  readonly fingerprint?: string;
  /** When it was made (ISO 8601 UTC): the key must have been in force then. */
  readonly at: string;
}

/** What is wrong with an attestation; null when it holds. Says nothing about the host's class. */
export function doubtOf(
  attestation: Attestation,
  claim: Claim,
  hosts: ReadonlyMap<string, Host>,
  verify: VerifySignature,
): Doubt | null {
  const host = hosts.get(attestation.host);
  if (host === undefined) return no(`data/hosts.json has no host ${attestation.host}`);
  if (claim.host !== null && claim.host !== attestation.host)
    return no("it is of another host than the one named");
  if (claim.fingerprint !== undefined && claim.fingerprint !== attestation.fingerprint)
    return no("it is of another fingerprint of the host");
  if (attestation.measurement !== claim.measurement) return no("the values are not those that were signed");
  if (attestation.subject !== claim.subject)
    return no("it was signed for another entry, or for other files of it");
  const key = host.keys.find(({ id }) => id === attestation.key);
  if (key === undefined) return no(`the host ${host.id} has no key ${attestation.key}`);
  if (!verify(key.ed25519, statementText(attestation), attestation.signature))
    return no(`the signature is not by key ${key.id} of host ${host.id}`);
  const [at, from, until] = [claim.at, key.valid_from, key.revoked_at ?? null].map((text) =>
    text === null ? Number.POSITIVE_INFINITY : instantMs(text),
  );
  if (at == null || from == null || until == null) return no("one of its times is no moment");
  if (at < from) return no(`key ${key.id} was not in force yet (from ${key.valid_from})`);
  if (at >= until)
    return { kind: "expired", why: `key ${key.id} was no longer in force (revoked at ${key.revoked_at})` };
  return null;
}

/** What an entry's hidden result or timing claims, as its place in the run says it. */
export function claimOf(
  kind: "perf" | "hidden",
  measured: Hidden | Perf,
  place: { readonly task: string; readonly run: string; readonly entry: Pick<Entry, "id" | "deliverable"> },
): Claim {
  const { task, run, entry } = place;
  return {
    measurement: measurementDigest(measured),
    subject: subjectDigest({ kind, task, run, entry: entry.id, files: entry.deliverable }),
    host: measured.host ?? null,
    ...("fingerprint" in measured ? { fingerprint: measured.fingerprint } : {}),
    at: measured.at,
  };
}
