import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { open, readFile } from "node:fs/promises";
import type { Sign, VerifySignature } from "../../lib/job/attest.ts";

/** Ed25519 keys (RFC 8032) by Node's own cryptography; in documents they are the 32 bytes of RFC 8032 as hex digits. */

/** What stands before the 32 bytes in the DER form of RFC 8410: of a public key, and of a private one. */
const PUBLIC_HEAD = Buffer.from("302a300506032b6570032100", "hex");
const PRIVATE_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** True when the signature is by the key; false also for what is no key or signature. */
export const verifySignature: VerifySignature = (key, message, signature) => {
  if (!/^[0-9a-f]{64}$/.test(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  try {
    const der = Buffer.concat([PUBLIC_HEAD, Buffer.from(key, "hex")]);
    const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(null, Buffer.from(message), publicKey, Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
};

/** A private key in use. */
export interface HostKey {
  /** 64 hex digits. */
  readonly publicHex: string;
  readonly sign: Sign;
}

const keyOf = (privateKey: KeyObject): HostKey => ({
  publicHex: createPublicKey(privateKey)
    .export({ format: "der", type: "spki" })
    .subarray(PUBLIC_HEAD.length)
    .toString("hex"),
  sign: (message) => sign(null, Buffer.from(message), privateKey).toString("hex"),
});

/** Reads a key file: PEM (PKCS #8), or 64 hex digits. @throws Error that says nothing of its content */
export async function readHostKey(path: string): Promise<HostKey> {
  const text = (await readFile(path, "utf8").catch(() => null))?.trim();
  if (text === undefined) throw new Error("the key file cannot be read");
  try {
    const privateKey = /^[0-9a-f]{64}$/i.test(text)
      ? createPrivateKey({
          key: Buffer.concat([PRIVATE_HEAD, Buffer.from(text, "hex")]),
          format: "der",
          type: "pkcs8",
        })
      : createPrivateKey(text);
    if (privateKey.asymmetricKeyType === "ed25519") return keyOf(privateKey);
  } catch {
    // What a parser says may quote the file.
  }
  throw new Error("the key file holds no Ed25519 key: neither PEM nor 64 hex digits");
}

/** Makes a key and its file, which only its owner may read. @throws Error when there is a file of that name */
export async function makeHostKey(path: string): Promise<HostKey> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(privateKey.export({ format: "pem", type: "pkcs8" }));
    await file.sync();
  } finally {
    await file.close();
  }
  return keyOf(privateKey);
}
