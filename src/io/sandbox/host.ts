import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { release } from "node:os";
import { delimiter, join } from "node:path";
import type { SandboxHost } from "../../lib/sandbox/bubblewrap.ts";
import { isRecentKernel } from "../../lib/sandbox/kernel.ts";
import type { SandboxInput, SandboxSocket } from "../../lib/sandbox/order.ts";
import type { SandboxArchitecture } from "../../lib/sandbox/seccomp.ts";
import { deriveThrowAwayUid, hasUid } from "../../lib/sandbox/uid.ts";
import { SandboxError } from "./error.ts";

/** What the sandbox is built with: the packages bubblewrap, util-linux, coreutils and bash. */
const TOOLS = ["bwrap", "unshare", "setpriv", "prlimit", "mount", "bash", "timeout", "getconf"];
/** Where they are looked for; whatever else is in the PATH of a job is not trusted. */
export const TOOL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Folders of the file system standard that a stage may cover in its own mount namespace. */
const STAGE_FOLDERS = ["/media", "/mnt", "/srv"];
const ROOT_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

let runs = 0;

function rootFolders(): Record<string, string | null> {
  const folders: Record<string, string | null> = {};
  for (const path of ROOT_FOLDERS) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) folders[path] = found.isSymbolicLink() ? readlinkSync(path) : null;
  }
  return folders;
}

function pickUid(): number | null {
  if (process.geteuid?.() !== 0) return null;
  const uid = deriveThrowAwayUid(process.pid, runs++);
  if (hasUid(readFileSync("/proc/self/uid_map", "utf8"), uid)) return uid;
  throw new SandboxError(
    "sandbox-uid",
    `The harness is root, and there is no throw-away uid for the guest: ${uid} is not mapped here.`,
    "Run the job as an ordinary user, or outside of the container that takes the uids away.",
  );
}

/** The kind of processor whose system calls we know. @throws SandboxError on others and on systems other than Linux. */
export function readArchitecture(): SandboxArchitecture {
  if (process.platform !== "linux")
    throw new SandboxError(
      "sandbox-host",
      process.platform === "darwin"
        ? "On macOS the sandbox is a profile that no Mac has proved yet: nothing hostile is run here."
        : `There is no sandbox for ${process.platform}.`,
      "Run the job on Linux; docs/sandbox.md says what a Mac has to show first.",
    );
  if (process.arch === "x64" || process.arch === "arm64") return process.arch;
  throw new SandboxError(
    "sandbox-host",
    `There is no filter of system calls for ${process.arch}.`,
    "Run the job on x86-64 or AArch64.",
  );
}

/** Facts that the launch depends on, without a cgroup. @throws SandboxError when this host lacks what is needed. */
export function readSandboxHost(): SandboxHost {
  readArchitecture();
  if (!isRecentKernel(release()) || !existsSync(`/proc/self/task/${process.pid}/children`))
    throw new SandboxError(
      "sandbox-host",
      `Linux ${release()} does not count processes by namespace, or does not list the children of one.`,
      "Take a kernel of 5.14 or later, built with CONFIG_PROC_CHILDREN.",
    );
  const missing = TOOLS.filter(
    (tool) => !TOOL_PATH.split(delimiter).some((folder) => existsSync(join(folder, tool))),
  );
  if (missing.length > 0)
    throw new SandboxError(
      "sandbox-tool",
      `The sandbox needs ${missing.join(", ")}, which this host does not have.`,
      "Install bubblewrap and util-linux (apt-get install bubblewrap util-linux).",
    );
  return {
    stageFolders: STAGE_FOLDERS.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory()),
    rootFolders: rootFolders(),
    throwAwayUid: pickUid(),
    cgroup: null,
  };
}

/** An input by its real path. @throws SandboxError when the guest could not read it. */
export function resolveInput({ from, to }: SandboxInput, otherUid: boolean): SandboxInput {
  let real: string;
  try {
    real = realpathSync(from);
  } catch {
    throw new SandboxError("sandbox-input", `The input ${from} is not there.`, "Check the order of the job.");
  }
  const found = statSync(real);
  if (!found.isFile() && !found.isDirectory())
    throw new SandboxError(
      "sandbox-input",
      `The input ${from} is neither a file nor a folder.`,
      "Leave it out.",
    );
  const needed = found.isDirectory() ? 0o005 : 0o004;
  if (otherUid && (found.mode & needed) !== needed)
    throw new SandboxError(
      "sandbox-input",
      `The input ${from} cannot be read by others, and the guest runs as another user.`,
      "Copy it to a folder of its own with mode 755 (files 644).",
    );
  return { from: real, to };
}

/** A socket by its real path. @throws SandboxError when there is none, or the guest could not call it. */
export function resolveSocket({ from, to }: SandboxSocket, otherUid: boolean): SandboxSocket {
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (found === undefined || !found.isSocket())
    throw new SandboxError("sandbox-input", `${from} is no unix socket.`, "Listen on it before the run.");
  if (otherUid && (found.mode & 0o002) === 0)
    throw new SandboxError(
      "sandbox-input",
      `The socket ${from} cannot be called by others, and the guest runs as another user.`,
      "Give it mode 666, in a folder that is closed to others.",
    );
  return { from: realpathSync(from), to };
}
