import { link, mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Outcome } from "../../lib/findings.ts";

/**
 * One process per run. Each contender puts a file of its own, complete from its first moment, beside the runs and then
 * looks for others: whoever finds a live one steps back. Files whose process is gone are removed; since a name is used
 * once only, removing one can never take another's lock. When two start at the same moment, the one whose file name
 * sorts last steps back and the other waits briefly for that.
 */
export interface RunLock {
  release(): Promise<void>;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start time of the process where the system tells it, so that a reused number is not taken for the same process. */
  readonly started: string | null;
}

const SETTLE_TRIES = 20;
const DYING_TRIES = 6;
const SETTLE_MS = 50;

export interface LockWorld {
  sleep(ms: number): Promise<void>;
}

/** Takes the lock `name` in `folder`, which findings call `shown`, or says who holds it. */
export async function acquireRunLock(
  folder: string,
  name: string,
  world: LockWorld,
  shown = "benchmarks/.runs",
): Promise<Outcome<RunLock>> {
  await mkdir(folder, { recursive: true });
  const self: Holder = {
    pid: process.pid,
    host: hostname(),
    started: await processStart(process.pid),
  };
  const mine = `${name}.lock-${self.pid}-${Math.random().toString(36).slice(2, 10)}`;
  // Written aside and linked in, so that nobody ever reads half a lock.
  const draft = join(folder, `${mine}.draft`);
  await writeFile(draft, `${JSON.stringify(self)}\n`);
  await link(draft, join(folder, mine));
  await unlink(draft);
  const release = async (): Promise<void> => {
    await unlink(join(folder, mine)).catch(() => undefined);
  };
  for (let tries = 0; ; tries++) {
    const others = await liveLocks(folder, name, mine, self.host);
    const [other] = others;
    if (other === undefined) return { ok: true, value: { release }, findings: [] };
    const first = others.every(({ file }) => mine < file);
    // A process that was killed a moment ago may still be there; the one who steps back waits less, so both never wait out.
    if (tries < (first ? SETTLE_TRIES : DYING_TRIES)) {
      await world.sleep(SETTLE_MS);
      continue;
    }
    await release();
    return {
      ok: false,
      findings: [
        {
          code: "run-locked",
          severity: "error",
          message: `Another process is at this run: number ${other.holder.pid} on ${other.holder.host}.`,
          path: `${shown}/${other.file}`,
          hint:
            other.holder.host === self.host
              ? "Wait for it or stop it (Ctrl-C keeps its state), then start again."
              : "If that machine is no longer at it, remove the file named here.",
        },
      ],
    };
  }
}

async function liveLocks(
  folder: string,
  name: string,
  mine: string,
  host: string,
): Promise<{ file: string; holder: Holder }[]> {
  const live: { file: string; holder: Holder }[] = [];
  for (const file of (await readdir(folder)).sort()) {
    if (!file.startsWith(`${name}.lock-`) || file === mine) continue;
    const text = await readFile(join(folder, file), "utf8").catch(() => null);
    if (text === null) continue;
    const holder = parseHolder(text);
    // A draft holds nothing. One whose process was killed before it became a lock stays for nobody.
    if (file.endsWith(".draft")) {
      if (holder?.host === host && !(await isAlive(holder))) await unlink(join(folder, file)).catch(() => {});
      continue;
    }
    if (holder !== null && (holder.host !== host || (await isAlive(holder)))) live.push({ file, holder });
    else await unlink(join(folder, file)).catch(() => undefined);
  }
  return live;
}

function parseHolder(text: string): Holder | null {
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    if (!Number.isSafeInteger(value.pid) || typeof value.host !== "string") return null;
    return { pid: Number(value.pid), host: value.host, started: value.started ?? null };
  } catch {
    return null;
  }
}

async function isAlive(holder: Holder): Promise<boolean> {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it exists and is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const started = await processStart(holder.pid);
  return holder.started === null || started === null || holder.started === started;
}

/** Linux tells the start time in field 22 of `/proc/<pid>/stat`; null elsewhere. */
async function processStart(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  // The command's name, in parentheses, may hold anything: count fields after the last one.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}
