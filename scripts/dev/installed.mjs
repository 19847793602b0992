// Where this checkout notes that the locked packages are installed. Plain JavaScript: it is read before they are.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const stamp = join(root, "node_modules", ".assay-lock");

const lockDigest = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");

/** True when an install of exactly this lock file has run to its end. */
export const isInstalled = () =>
  existsSync(stamp) &&
  readFileSync(stamp, "utf8") === lockDigest() &&
  existsSync(join(root, "node_modules", "tsx"));

export const noteInstalled = () => writeFileSync(stamp, lockDigest());
export const forgetInstalled = () => rmSync(stamp, { force: true });
