// Runs a command after making sure that the locked packages are installed:
//   node scripts/dev/with-install.mjs <command> [arguments]
// Plain JavaScript without packages, because it is the first thing that runs in a fresh clone.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 20)) {
  console.error(`Assay needs Node 20.20 or later; this is ${process.version}.`);
  process.exit(1);
}

const stamp = join(root, "node_modules", ".assay-lock");
const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
  console.error("Installing the locked packages (npm ci) …");
  const install = spawnSync(
    "npm",
    ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: ["ignore", 2, 2],
    },
  );
  if (install.status !== 0) {
    console.error("npm ci failed: see above.");
    process.exit(install.status ?? 1);
  }
  writeFileSync(stamp, lock);
}

const [command, ...rest] = process.argv.slice(2);
const child = spawn(command, rest, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}` },
});
// Ctrl-C reaches the command as well: it decides how to end (a clean stop, say), and this wrapper waits for it.
process.on("SIGINT", () => undefined);
// What only this process is told, it passes on.
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`${command}: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
});
