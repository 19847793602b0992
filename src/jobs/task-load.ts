import { cp, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { filesBelow } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { canonicalJson } from "../lib/canonical-json.ts";
import { type Task, taskSchema } from "../lib/code/schema/task-schema.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { parseStrictJson } from "../lib/strict-json/parse.ts";
import type { KitBuild, Suite, TaskKit } from "../lib/task/kit.ts";
import { vaultFolder } from "./vault.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A task as it lies on this machine. */
export interface LoadedTask {
  readonly id: string;
  readonly about: Task;
  readonly kit: TaskKit;
  /** `tasks/<task>`, absolute. */
  readonly folder: string;
  /** The repository, whose `node_modules` some kits build with. */
  readonly root: string;
  /** How it is built and started on this kind of machine; null where it cannot be. */
  readonly build: KitBuild | null;
  /** Instructions of an emulator are counted here, not time. */
  readonly proxy: boolean;
}

const fail = (code: string, message: string, hint: string): Outcome<never> => ({
  ok: false,
  findings: [{ code, severity: "error", message, hint }],
});

/**
 * Reads `tasks/<task>/task.json` and finds its kit among `kits`.
 * @param platform as Node names it, with the processor: `linux-x64`, `darwin-arm64`
 */
export async function loadTask(
  root: string,
  id: string,
  kits: readonly TaskKit[],
  platform = `${process.platform}-${process.arch}`,
): Promise<Outcome<LoadedTask>> {
  const kit = kits.find(({ task }) => task === id);
  if (kit === undefined)
    return fail(
      "task-unknown",
      `There is no task ${id}.`,
      `Known are ${kits.map(({ task }) => task).join(", ")}; a new one gets its line in tasks/index.ts.`,
    );
  const folder = join(root, "tasks", id);
  const bytes = await readFile(join(folder, "task.json")).catch(() => null);
  const parsed = bytes === null ? null : parseStrictJson(bytes);
  const about = parsed?.ok === true ? taskSchema.safeParse(parsed.value.value) : null;
  if (about?.success !== true || about.data.id !== id)
    return fail(
      "task-broken",
      `tasks/${id}/task.json cannot be used.`,
      "`npm run bench -- data check` says what is wrong with it.",
    );
  const own = platform === "darwin-arm64" ? kit.builds["macos-arm64"] : kit.builds[platform as "linux-x64"];
  const build = own ?? (platform.startsWith("linux-") ? kit.builds.proxy : undefined) ?? null;
  return {
    ok: true,
    value: { id, about: about.data, kit, folder, root, build, proxy: own === undefined && build !== null },
    findings: [],
  };
}

/** A hidden suite and which one it is. */
export interface LoadedSuite {
  readonly suite: Suite;
  /** SHA-256 over the files of its folder. */
  readonly digest: string;
}

/** Loads the hidden suite from the vault or, where that has none, from the task's own folder. */
export async function loadSuite(task: LoadedTask, env: Environment): Promise<Outcome<LoadedSuite>> {
  const vault = vaultFolder(env);
  const places = [
    ...(vault === null ? [] : [join(vault, "tasks", task.id, "hidden")]),
    join(task.folder, "hidden"),
  ];
  for (const place of places) {
    const files = await filesBelow(place);
    if (files === null || files.length === 0) continue;
    const module = (await import(pathToFileURL(join(place, "suite.ts")).href)) as { suite?: Suite };
    if (module.suite === undefined) break;
    const listed = await Promise.all(
      files.map(async ({ path }) => [relative(place, path), fastDigest(await readFile(path))]),
    );
    const found = faultsOf(module.suite, task.about);
    if (found.length > 0) return { ok: false, findings: found };
    return {
      ok: true,
      value: { suite: module.suite, digest: fastDigest(canonicalJson(listed)) },
      findings: [],
    };
  }
  return fail(
    "task-suite-missing",
    `The hidden suite of ${task.id} is not on this machine.`,
    "It lies in the vault that ASSAY_VAULT names, in tasks/<task>/hidden/, or in the task's own folder.",
  );
}

/** The categories must be those that `task.json` promises. */
function faultsOf(suite: Suite, about: Task): Finding[] {
  const [own, promised] = [suite.categories.map(({ id }) => id), about.hidden.categories].map((ids) =>
    [...ids].sort().join(" "),
  );
  if (own === promised) return [];
  return [
    {
      code: "task-suite-other",
      severity: "error",
      message: `The hidden suite of ${about.id} has other categories than task.json lists.`,
      hint: "Take the vault that belongs to this commit, or mend task.json.",
    },
  ];
}

/** Copies the task's `driver/` to where a guest may read it. */
export const copyDriver = (task: LoadedTask, to: string): Promise<void> =>
  cp(join(task.folder, "driver"), to, { recursive: true, dereference: true });
