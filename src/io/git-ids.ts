import { createHash } from "node:crypto";

/** The ids that git gives to contents (SHA-1 object format), computed without git. */

const objectId = (type: "blob" | "tree", bytes: Uint8Array): string =>
  createHash("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");

/** Git's id of a file with these bytes. */
export const gitBlobId = (bytes: Uint8Array): string => objectId("blob", bytes);

export interface GitTreeItem {
  readonly name: string;
  /** `100644`, `100755`, `120000`, or `040000` for a folder. */
  readonly mode: string;
  readonly oid: string;
}

/** Git's id of a folder with these entries. */
export function gitTreeId(items: readonly GitTreeItem[]): string {
  // Git orders names by bytes, as if a folder's name ended with a slash.
  const keyed = items.map((item) => ({
    item,
    key: Buffer.from(item.mode === "040000" ? `${item.name}/` : item.name),
  }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  const parts = keyed.flatMap(({ item: { name, mode, oid } }) => [
    Buffer.from(`${mode.replace(/^0/, "")} ${name}\0`),
    Buffer.from(oid, "hex"),
  ]);
  return objectId("tree", new Uint8Array(Buffer.concat(parts)));
}

/** SHA-256 of bytes as documents write it; the platform's own, for many or large files. */
export const fastDigest = (bytes: Uint8Array | string): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
