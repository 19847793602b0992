import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type RunningSandbox, runSandboxed, startSandboxed } from "../io/sandbox/run.ts";
import { encodeGo, encodeMessage, readMessage, SALT_BYTES } from "../lib/perf/wire.ts";
import type { SandboxInput, SandboxLimits, SandboxOrder } from "../lib/sandbox/order.ts";
import { type Answer, type KitBuild, PLACES, type Suite, type TaskKit } from "../lib/task/kit.ts";
import { vaultFolder } from "./vault.ts";

const MIB = 2 ** 20;
const BUILD: SandboxLimits = {
  wallSeconds: 120,
  cpuSeconds: 120,
  memoryBytes: 2048 * MIB,
  processes: 128,
  fileBytes: 256 * MIB,
  outputBytes: MIB,
  openFiles: 512,
};
const RUN: SandboxLimits = {
  ...BUILD,
  wallSeconds: 15,
  cpuSeconds: 30,
  memoryBytes: 512 * MIB,
  processes: 64,
};
const WORK = { bytes: 256 * MIB, files: 4000 };

/** A deliverable that was built, with its task's driver. */
export interface BuiltEntry {
  /** Asks the driver one question, in a fresh process. */
  readonly ask: (question: { readonly content: Uint8Array; readonly seconds?: number }) => Promise<Answer>;
  /** Runs a script of the task's probes; its exit code, null when it did not end by itself. */
  readonly script: (file: string) => Promise<number | null>;
  readonly close: () => Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");

/** The kit of a task, from its folder. @throws when there is none, or it cannot be loaded. */
export async function loadKit(root: string, task: string): Promise<TaskKit> {
  const { kit } = (await import(pathToFileURL(join(root, "tasks", task, "kit.ts")).href)) as { kit: TaskKit };
  return kit;
}

/** The hidden suite of a task: the vault's, when there is one. @throws when it cannot be loaded. */
export async function loadSuite(root: string, task: string, env: Environment): Promise<Suite> {
  const file = join("tasks", task, "hidden", "suite.ts");
  const vault = vaultFolder(env);
  const private_ = vault === null ? null : join(vault, file);
  const path = private_ !== null && existsSync(private_) ? private_ : join(root, file);
  const { suite } = (await import(pathToFileURL(path).href)) as { suite: Suite };
  return suite;
}

/** Builds a deliverable; null when it does not build. @throws SandboxError when this host cannot isolate. */
export async function buildEntry(root: string, kit: TaskKit, folder: string): Promise<BuiltEntry | null> {
  const build = kit.builds["linux-x64"] ?? kit.builds.proxy;
  if (build === undefined) throw new Error(`${kit.task} is not built on this platform`);
  const scratch = await mkdtemp(join(tmpdir(), "assay-probe-"));
  const close = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  const inputs: SandboxInput[] = [
    { from: folder, to: PLACES.entry },
    { from: join(root, "tasks", kit.task, "driver"), to: PLACES.driver },
  ];
  const done = join(scratch, "work");
  const run = await runSandboxed({
    command: ["sh", "-c", build.steps.map(({ command }) => quoted(command)).join(" && ")],
    inputs,
    work: { ...WORK, to: done },
    limits: { ...BUILD, ...build.limits?.build },
    stdio: "discard",
    ...(build.environment === undefined ? {} : { environment: build.environment }),
  });
  if (run.outcome !== "exited" || run.code !== 0) {
    await close();
    return null;
  }
  const all = [...inputs, { from: join(done, "out"), to: PLACES.built }];
  return {
    ask: (question) => ask(build, all, question),
    script: async (file) => {
      const ended = await runSandboxed({
        command: ["sh", `/in/probes/${file}`],
        inputs: [...all, { from: join(root, "tasks", kit.task, "probes"), to: "/in/probes" }],
        work: WORK,
        limits: { ...BUILD, ...build.limits?.build },
        stdio: "discard",
      });
      return ended.outcome === "exited" ? ended.code : null;
    },
    close,
  };
}

async function ask(
  build: KitBuild,
  inputs: readonly SandboxInput[],
  { content, seconds = 10 }: { readonly content: Uint8Array; readonly seconds?: number },
): Promise<Answer> {
  const order: SandboxOrder = {
    command: build.start,
    inputs,
    work: WORK,
    limits: { ...RUN, ...build.limits?.run, wallSeconds: seconds + 5, outputBytes: 64 * MIB },
    stdio: "pipes",
    ...(build.environment === undefined ? {} : { environment: build.environment }),
  };
  const guest = await startSandboxed(order);
  guest.stdin.on("error", () => undefined);
  guest.stderr.resume();
  const late = setTimeout(guest.stop, 1000 * seconds);
  const answer = await converse(guest, content);
  clearTimeout(late);
  guest.stop();
  await guest.ended;
  return answer;
}

async function converse(
  { stdin, stdout }: Pick<RunningSandbox, "stdin" | "stdout">,
  content: Uint8Array,
): Promise<Answer> {
  const words = [
    { word: "ready", next: encodeGo(1, new Uint8Array(SALT_BYTES)) },
    { word: "done", next: encodeMessage("end") },
  ] as const;
  stdin.write(encodeMessage("case", content));
  let at = 0;
  let reader = readMessage(words[0].word, 0);
  for await (const chunk of stdout) {
    const reading = reader.take(chunk as Buffer);
    if (reading.state === "garbage") return { kind: "fault", what: reading.why };
    if (reading.state === "too-large") return { kind: "fault", what: "its answer is too large" };
    if (reading.state === "more") continue;
    stdin.write(words[at]?.next ?? "");
    if (at === 1) return { kind: "answer", bytes: reading.content };
    at += 1;
    reader = readMessage(words[1].word, 64 * MIB);
  }
  return { kind: "fault", what: "it ended before it answered" };
}
