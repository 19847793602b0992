/**
 * What a job asks of the sandbox: a command, what it may read, where it may write, and how much of everything.
 * All of it is decided by our code; nothing of the guest (names of files, texts of errors) ends up in it.
 */

/** A folder or file of the host that the guest may read. */
export interface SandboxInput {
  /** Absolute path on the host. */
  readonly from: string;
  /** Absolute path inside, below `/in` or `/opt`. */
  readonly to: string;
}

/**
 * A unix socket of the host that the guest may call: the one way to say something to a process outside. Whoever listens there must take
 * every caller for hostile.
 */
export interface SandboxSocket {
  /** Absolute path on the host. */
  readonly from: string;
  /** Absolute path inside, below `/in`. */
  readonly to: string;
}

/**
 * The writable folder, `/job` inside: in memory, gone afterwards. `/tmp` and `/dev/shm` count against the same bounds.
 */
export interface SandboxWork {
  /** Bytes that all files together may take. */
  readonly bytes: number;
  /** How many files, folders and links there may be. */
  readonly files: number;
  /** A folder of the host whose regular files and folders are there at the start. */
  readonly from?: string;
  /** A folder of the host, which must not exist, that receives the regular files and folders at the end. */
  readonly to?: string;
}

/** Bounds of one run. Bytes are bytes, seconds are seconds. */
export interface SandboxLimits {
  readonly wallSeconds: number;
  /** Processor time of all processes together. */
  readonly cpuSeconds: number;
  /** Memory of all processes together, without the files in `/job`. */
  readonly memoryBytes: number;
  /** Processes and threads at one time. */
  readonly processes: number;
  /** Size of any one file. */
  readonly fileBytes: number;
  /** Standard output and standard error together. */
  readonly outputBytes: number;
  /** Open files of each process. */
  readonly openFiles: number;
}

export interface SandboxOrder {
  /** The program (a path inside, or a name found in the PATH) and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly inputs: readonly SandboxInput[];
  /** None when absent, and then no process outside can be reached. */
  readonly sockets?: readonly SandboxSocket[];
  readonly work: SandboxWork;
  readonly limits: SandboxLimits;
  /** `discard` gives the guest `/dev/null` three times. */
  readonly stdio: "pipes" | "discard";
  /** Variables beside PATH, HOME, TMPDIR and LANG. Nothing of the host's environment is inherited. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What the guest finds in its environment when the order says no more. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/job",
  TMPDIR: "/tmp",
  LANG: "C.UTF-8",
};

/** The whole environment of the guest. */
export const deriveEnvironment = (order: SandboxOrder): Readonly<Record<string, string>> => ({
  ...ENVIRONMENT,
  ...order.environment,
});

const INSIDE = /^\/(?:in|opt)(?:\/[A-Za-z0-9_][A-Za-z0-9._+-]*)*$/;
/** All that is bound into the sandbox: inputs, then sockets. */
export const boundPaths = ({ inputs, sockets = [] }: SandboxOrder): readonly SandboxInput[] => [
  ...inputs,
  ...sockets,
];

const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const isPlainPath = (path: string): boolean => path.startsWith("/") && path !== "/" && !path.includes("\0");

/** Largest bound that a shell, a kernel and a double all hold alike. */
const MAX_BOUND = 2 ** 50;

/** What is wrong with an order, in words for the programmer of the job; empty when nothing is. */
export function deriveOrderProblems(order: SandboxOrder): string[] {
  const problems: string[] = [];
  const bounds = { ...order.limits, "work.bytes": order.work.bytes, "work.files": order.work.files };
  for (const [name, value] of Object.entries(bounds))
    if (!Number.isSafeInteger(value) || value < 1 || value > MAX_BOUND)
      problems.push(`${name} is ${value}: it must be a whole number of at least 1`);
  const bound = boundPaths(order);
  bound.forEach(({ from, to }, index) => {
    if (!isPlainPath(from)) problems.push(`input ${from} is no absolute path of a file or folder`);
    if (!INSIDE.test(to)) problems.push(`input target ${to} is not below /in or /opt`);
    if (bound.some((other, at) => at !== index && within(to, other.to)))
      problems.push(`input target ${to} lies in another one`);
  });
  for (const path of [order.work.from, order.work.to])
    if (path !== undefined && !isPlainPath(path)) problems.push(`work folder ${path} is no absolute path`);
  const texts = [...order.command, ...Object.entries(order.environment ?? {}).flat()];
  if (texts.some((text) => text.includes("\0"))) problems.push("a text holds a NUL character");
  for (const name of Object.keys(order.environment ?? {}))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) problems.push(`${name} is no name of a variable`);
  return problems;
}
