import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { registerHost } from "../../src/jobs/host-register.ts";
import { hostsSchema } from "../../src/lib/code/schema/hosts-schema.ts";
import { startScriptedApi } from "../contestant/scripted-api.ts";
import type { StageOptions } from "../stage.ts";
import { readFolder } from "./facts.ts";

/** A checkout for the hub in which this machine is a host, and what a job on it finds. */

const run = promisify(execFile);

const LABELS = ["self-hosted", "rehearsal"];

export interface JobsCheckout {
  /** A repository whose HEAD knows this machine. */
  readonly folder: string;
  /** This machine, and one of another fingerprint that has the same labels. */
  readonly hostId: string;
  readonly otherHostId: string;
  readonly host: NonNullable<StageOptions["host"]>;
  /** Lets hosts find a brief. */
  putBrief(name: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes one of the HEAD of `root`, with its bundles as they are built. `hostId`: jobs of one host wait for each other, on the whole machine.
 * `without`: folders that no workflow of jobs looks at, left out to save time.
 * @throws Error when this machine shows too little of itself
 */
export async function makeJobsCheckout(
  root: string,
  hostId = "rehearsal",
  without: readonly string[] = [],
): Promise<JobsCheckout> {
  const otherHostId = `${hostId}-other`;
  const scratch = await mkdtemp(join(tmpdir(), "assay-jobs-"));
  const [folder, briefs, key] = ["repository", "briefs", "host-key.pem"].map((name) =>
    join(scratch, name),
  ) as [string, string, string];
  const closers: (() => Promise<void>)[] = [
    () => rm(scratch, { recursive: true, force: true, maxRetries: 5 }),
  ];
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).reverse()) await stop();
  };
  try {
    await mkdir(briefs);
    await run("git", ["clone", "--quiet", "--depth=1", `file://${root}`, folder]);
    for (const name of without) await rm(join(folder, name), { recursive: true, force: true });
    await cp(join(root, "dist"), join(folder, "dist"), { recursive: true });
    const registered = await registerHost({
      id: hostId,
      class: "rehearsal",
      labels: LABELS,
      key,
      root: folder,
      write: true,
    });
    if (!registered.ok) throw new Error(registered.findings.map(({ message }) => message).join(" "));
    await addOtherHost(folder, hostId, otherHostId);
    await commitAll(folder, "This machine is a host");
    // The model that is none answers with the reference of the task that the brief names.
    const api = await startScriptedApi(async ({ brief }) => {
      const task = /^Task: ([a-z0-9-]+)$/m.exec(brief)?.[1] ?? "";
      const files = await readFolder(join(folder, "tasks", task, "reference"));
      return Object.fromEntries(files.map(({ path, data }) => [path, Buffer.from(data).toString("utf8")]));
    });
    closers.push(() => api.close());
    return {
      folder,
      hostId,
      otherHostId,
      host: {
        labels: LABELS,
        env: hostEnvironment({ scratch, briefs, key, api }, root),
      },
      putBrief: (name, text) => writeFile(join(briefs, name), text),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What this machine's runner has in its environment. The harness is scripted, and says so in its facts. */
function hostEnvironment(
  {
    scratch,
    briefs,
    key,
    api,
  }: { scratch: string; briefs: string; key: string; api: { origin: string; key: string } },
  root: string,
): Record<string, string> {
  const { PATH = "", HOME = "", RUSTUP_HOME, CARGO_HOME } = process.env;
  return {
    PATH,
    RUSTUP_HOME: RUSTUP_HOME ?? join(HOME, ".rustup"),
    CARGO_HOME: CARGO_HOME ?? join(HOME, ".cargo"),
    XDG_CACHE_HOME: join(scratch, "cache"),
    ASSAY_HOST_KEY: key,
    ASSAY_BRIEFS: briefs,
    ASSAY_HARNESS_COMMAND: "exec node /opt/harness/scripted-harness.mjs",
    ASSAY_HARNESS_FOLDER: join(root, "rehearsal/contestant"),
    ASSAY_NODE_MODULES: join(root, "node_modules"),
    ASSAY_API_ORIGIN: api.origin,
    ASSAY_API_KEY: api.key,
  };
}

/** A record whose fingerprint this machine does not have. */
async function addOtherHost(folder: string, hostId: string, otherHostId: string): Promise<void> {
  const path = join(folder, "data/hosts.json");
  const { hosts, ...rest } = hostsSchema.parse(JSON.parse(await readFile(path, "utf8")));
  const own = hosts.find(({ id }) => id === hostId);
  if (own === undefined) throw new Error("the host was not registered");
  const other = {
    ...own,
    id: otherHostId,
    keys: [],
    fingerprint: { ...own.fingerprint, cpu: "Another processor" },
  };
  await writeFile(path, `${JSON.stringify({ ...rest, hosts: [...hosts, other] }, null, 2)}\n`);
}

async function commitAll(folder: string, message: string): Promise<void> {
  const git = (...words: string[]): Promise<unknown> =>
    run("git", ["-C", folder, "-c", "user.name=office", "-c", "user.email=office@example.org", ...words]);
  await git("add", "--all");
  await git("-c", "commit.gpgsign=false", "commit", "--quiet", "-m", message);
}
