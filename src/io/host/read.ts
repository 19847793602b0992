import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LINUX_CORE_FILES, LINUX_DEVICES, LINUX_FILES, parseLinuxHost } from "../../lib/host/linux.ts";
import { MACOS_COMMANDS, parseMacosHost } from "../../lib/host/macos.ts";
import { type HostTexts, type ReadHost, sensorOf } from "../../lib/host/reading.ts";
import { measureControl } from "./control.ts";

/** Standard output of a command that ended well; null when it did not, or there is none. */
export type CommandRunner = (argv: readonly string[]) => Promise<string | null>;

export interface HostWorld {
  readonly platform: NodeJS.Platform;
  /** As Node names it. */
  readonly arch: string;
  /** Where `/proc` and `/sys` are looked for. */
  readonly root: string;
  readonly run: CommandRunner;
  /** Milliseconds of the control kernel. */
  readonly control: () => number;
}

export const THIS_HOST: HostWorld = {
  platform: process.platform,
  arch: process.arch,
  root: "/",
  run: runCommand,
  control: measureControl,
};

/** Programs that results depend on and the system does not tell of: their versions are part of the fingerprint. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  compiler: ["cc", "--version"],
  rustc: ["rustc", "--version"],
  node: ["node", "--version"],
};

/** What this machine is and does now. @throws Error on a system that nobody knows how to read */
export async function readHost(world: HostWorld = THIS_HOST): Promise<ReadHost> {
  const read = await readSystem(world);
  const tools: Record<string, string | null> = {};
  for (const [name, argv] of Object.entries(TOOLS)) {
    const said = await world.run(argv);
    tools[name] = said === null ? null : (said.split("\n", 1)[0]?.trim().slice(0, 200) ?? null);
  }
  return {
    fingerprint: { ...read.fingerprint, ...tools },
    sensors: { ...read.sensors, control_ms: sensorOf(world.control()) },
  };
}

async function readSystem({ platform, arch, root, run }: HostWorld): Promise<ReadHost> {
  if (platform === "linux") return parseLinuxHost(await readLinux(root), arch);
  if (platform !== "darwin") throw new Error(`nobody knows how to read a host that runs ${platform}`);
  const texts = new Map<string, string | null>();
  for (const [name, argv] of Object.entries(MACOS_COMMANDS)) texts.set(name, await run(argv));
  return parseMacosHost(texts, arch);
}

async function readLinux(root: string): Promise<HostTexts> {
  const texts = new Map<string, string | null>();
  const take = async (path: string): Promise<void> => {
    const text = path.endsWith("/") ? await namesIn(join(root, path)) : await textOf(join(root, path));
    if (text !== undefined) texts.set(path, text);
  };
  for (const path of LINUX_FILES) await take(path);
  const below = async (folder: string, wanted: RegExp, files: readonly string[]): Promise<void> => {
    for (const name of ((await namesIn(join(root, folder))) ?? "").split("\n"))
      if (wanted.test(name)) for (const file of files) await take(`${folder}/${name}/${file}`);
  };
  await below("sys/devices/system/cpu", /^cpu\d+$/, LINUX_CORE_FILES);
  for (const [folder, files] of Object.entries(LINUX_DEVICES)) await below(folder, /./, files);
  return texts;
}

/** Undefined: there is no such thing. Null: there is, and it cannot be read. */
const textOf = (path: string): Promise<string | null | undefined> =>
  readFile(path, "utf8").catch(absentOrUnreadable);
const namesIn = (path: string): Promise<string | null | undefined> =>
  readdir(path).then((names) => names.sort().join("\n"), absentOrUnreadable);

const GONE = new Set(["ENOENT", "ENOTDIR", "ENODEV"]);
const absentOrUnreadable = (error: NodeJS.ErrnoException): null | undefined =>
  GONE.has(error.code ?? "") ? undefined : null;

const COMMAND_MS = 10_000;
const MAX_OUTPUT = 1024 * 1024;

function runCommand([program = "", ...args]: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], timeout: COMMAND_MS });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.length > MAX_OUTPUT) child.kill("SIGKILL");
    });
    child.on("error", () => resolve(null));
    child.on("close", (code) => resolve(code === 0 ? text : null));
  });
}
