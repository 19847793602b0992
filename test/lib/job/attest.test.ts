import { generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { verifySignature } from "../../../src/io/host/keys.ts";
import type { Attestation, Host } from "../../../src/lib/code/schema/hosts-schema.ts";
import { type Perf, perfSchema } from "../../../src/lib/code/schema/perf-schema.ts";
import { attested, claimOf, doubtOf, statementText, subjectDigest } from "../../../src/lib/job/attest.ts";
import { finishResults } from "../../../src/lib/job/finish.ts";
import { hosts, perf as perfFacts } from "../code/facts.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");
const hex = (key: typeof publicKey): string =>
  key.export({ format: "der", type: "spki" }).subarray(12).toString("hex");

const host = (change: Partial<Host["keys"][number]> = {}): ReadonlyMap<string, Host> => {
  const [first] = hosts().hosts;
  if (first === undefined) throw new Error("there is a host");
  const key = { id: "k1", ed25519: hex(publicKey), valid_from: "2026-11-01T00:00:00.000Z", ...change };
  return new Map([[first.id, { ...first, keys: [key] }]]);
};

const place = {
  task: "coder",
  run: "run-1",
  entry: { id: "e1", deliverable: [{ path: "src/lib.rs", sha256: `sha256:${"1".repeat(64)}`, bytes: 3 }] },
};
const perf = (): Perf => perfFacts({ at: "2026-11-20T10:00:00.000Z" });
const signer = (key = privateKey) => ({
  host: "ryzen",
  key: "k1",
  fingerprint: perf().fingerprint,
  nonce: "900",
  commit: "a".repeat(40),
  sign: (message: string) => sign(null, Buffer.from(message), key).toString("hex"),
});
const subject = (): string =>
  subjectDigest({ kind: "perf", task: "coder", run: "run-1", entry: "e1", files: place.entry.deliverable });
const signed = (key = privateKey): Perf => attested(perf(), subject(), signer(key));
const doubt = (
  measured: Perf,
  known: ReadonlyMap<string, Host> = host(),
  where: typeof place = place,
): string | null => {
  const { attestation } = measured;
  if (attestation === undefined) throw new Error("it is signed");
  return doubtOf(attestation, claimOf("perf", measured, where), known, verifySignature)?.why ?? null;
};
const altered = (change: (perf: Perf) => void): Perf => {
  const copy = structuredClone(signed());
  change(copy);
  return copy;
};

describe("a host's signature", () => {
  it("F70: holds for what was measured, offline, and is of the committed form", () => {
    expect(perfSchema.parse(signed())).toEqual(signed());
    expect(doubt(signed())).toBeNull();
  });

  it("F70: holds for nothing that differs in any value", () => {
    const changes: ((perf: Perf) => void)[] = [
      (copy) => copy.metrics[0]?.candidate.push(1),
      (copy) => void copy.flags.push("noisy"),
      (copy) => {
        copy.output_ok = !copy.output_ok;
      },
      (copy) => {
        copy.at = "2026-11-20T10:00:00.001Z";
      },
    ];
    for (const change of changes) expect(doubt(altered(change))).toMatch(/not those that were signed/);
    const fields: (keyof Attestation)[] = ["nonce", "commit", "signature"];
    for (const field of fields)
      expect(
        doubt(
          altered((copy) => {
            if (copy.attestation !== undefined)
              copy.attestation[field] = copy.attestation[field].replace(/^./, (first) =>
                first === "1" ? "2" : "1",
              );
          }),
        ),
      ).toMatch(/signature is not by key/);
  });

  it("says nothing about another entry, run, task, kind, or other files", () => {
    const elsewhere: (typeof place)[] = [
      { ...place, task: "other" },
      { ...place, run: "run-2" },
      { ...place, entry: { ...place.entry, id: "e2" } },
      { ...place, entry: { ...place.entry, deliverable: [] } },
    ];
    for (const where of elsewhere) expect(doubt(signed(), host(), where)).toMatch(/another entry/);
    const { attestation } = signed();
    if (attestation === undefined) throw new Error("it is signed");
    expect(doubtOf(attestation, claimOf("hidden", signed(), place), host(), verifySignature)?.why).toMatch(
      /another entry/,
    );
  });

  it("F62: is a key's of this very host, in force at that time", () => {
    expect(doubt(signed(other.privateKey))).toMatch(/not by key/);
    expect(doubt(signed(), host({ id: "k2" }))).toMatch(/no key k1/);
    expect(doubt(signed(), new Map())).toMatch(/no host/);
    expect(
      doubt(
        altered((copy) => {
          copy.host = "here";
        }),
        host(),
      ),
    ).toMatch(/another host/);
    expect(
      doubt(
        altered((copy) => {
          copy.fingerprint = `sha256:${"9".repeat(64)}`;
        }),
      ),
    ).toMatch(/another fingerprint/);
    expect(doubt(signed(), host({ valid_from: "2026-11-20T10:00:00.001Z" }))).toMatch(/not in force yet/);
    expect(doubt(signed(), host({ revoked_at: "2026-11-20T10:00:00.000Z" }))).toMatch(/no longer in force/);
    expect(doubt(signed(), host({ revoked_at: "2026-11-20T10:00:00.001Z" }))).toBeNull();
  });

  it("is over bytes that mean nothing else, by RFC 8785", () => {
    const { attestation } = signed();
    if (attestation === undefined) throw new Error("it is signed");
    expect(statementText(attestation)).toMatch(/^assay-attestation\/1\n\{"commit":"a{40}","fingerprint":/);
    expect(statementText(attestation)).not.toContain("signature");
  });

  it("takes no broken key or signature for one", () => {
    expect(verifySignature("", "x", "0".repeat(128))).toBe(false);
    expect(verifySignature("f".repeat(64), "x", "0".repeat(128))).toBe(false);
    expect(verifySignature(hex(publicKey), "x", "00")).toBe(false);
  });
});

describe("results as they leave a host", () => {
  const order = {
    task: "coder",
    entries: [{ run: "run-1", entry: "e1", role: "judged" as const, files: place.entry.deliverable }],
  };
  const results = [{ run: "run-1", entry: "e1", role: "judged" as const, perf: perf() }];

  it("are signed, each for its entry", () => {
    const [result] = finishResults(results, order, [], signer());
    expect(result?.perf).toEqual(signed());
    const [plain] = finishResults(results, order, [], null);
    expect(plain?.perf).toEqual(perf());
  });

  it("F64: are marked as disturbed by a host that changed, and signed so", () => {
    const [result] = finishResults(
      results,
      order,
      ["governor changed from performance to powersave"],
      signer(),
    );
    if (result?.perf === undefined) throw new Error("it was measured");
    expect(result.perf).toMatchObject({
      flags: ["disturbed"],
      note: "governor changed from performance to powersave",
    });
    expect(doubt(result.perf)).toBeNull();
  });
});
