// Runs a script or program after making sure that the locked packages are installed:
//   node scripts/dev/with-install.mjs <script.ts | program> [arguments]
// Plain JavaScript without packages, because it is the first thing that runs in a fresh clone.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { forgetInstalled, isInstalled, root } from "./installed.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 20)) {
  console.error(`Assay needs Node 20.20 or later; this is ${process.version}.`);
  process.exit(1);
}

const exitCode = await install();
if (exitCode !== 0) {
  console.error("The packages are not installed: see above. The same command tries again.");
  process.exit(exitCode);
}
const [command = "", ...rest] = process.argv.slice(2);
process.exitCode = command.endsWith(".ts")
  ? await run(process.execPath, ["--import", "tsx", command, ...rest], "inherit")
  : await run(command, rest, "inherit");

/** Runs a program to its end and gives its exit code, 128 + signal when one ended it. */
function run(program, words, stdio) {
  const path = `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`;
  const child = spawn(program, words, { cwd: root, stdio, env: { ...process.env, PATH: path } });
  // Ctrl-C reaches the program as well: it decides how to end (a clean stop, say), and this one waits for it.
  const wait = () => undefined;
  // What only this process is told, it passes on.
  const tell = (signal) => child.kill(signal);
  process.on("SIGINT", wait);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, tell);
  return new Promise((resolve) => {
    const end = (code) => {
      process.off("SIGINT", wait);
      for (const signal of ["SIGTERM", "SIGHUP"]) process.off(signal, tell);
      resolve(code);
    };
    child.on("error", (error) => {
      console.error(`${program}: ${error.message}`);
      end(1);
    });
    child.on("exit", (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** Installs what the lock file names, unless it is there; two commands at once take turns. */
async function install() {
  if (isInstalled()) return 0;
  const lock = join(root, ".installing");
  for (let told = false; !takeLock(lock); told = true) {
    if (!told) console.error("Another command is installing the packages; waiting for it …");
    await pause(300);
  }
  try {
    if (isInstalled()) return 0;
    console.error("Installing the locked packages (npm ci) …");
    forgetInstalled();
    const code = await run(
      "npm",
      ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"],
      ["ignore", 2, 2],
    );
    return code === 0 && !isInstalled() ? 1 : code;
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/** The lock is a folder that names its owner; one left by a process that is gone is taken over. */
function takeLock(lock) {
  const owner = join(lock, "pid");
  try {
    mkdirSync(lock);
    writeFileSync(owner, String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  try {
    process.kill(Number(readFileSync(owner, "utf8")), 0);
  } catch (error) {
    // Not yet written, or already gone: the next look decides. No such process: nobody holds it.
    if (error.code === "ESRCH") rmSync(lock, { recursive: true, force: true });
  }
  return false;
}
