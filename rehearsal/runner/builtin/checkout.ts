/** `actions/checkout`: a real git fetch and checkout over the hub's smart HTTP, with the job's token. */
import { randomUUID } from "node:crypto";
import { access, mkdir, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { at } from "../events.ts";
import type { LiveStep } from "../live-step.ts";
import { runProcess } from "../process.ts";
import { type Builtin, type BuiltinInputs, inside } from "./builtin.ts";

const NO_SSH = "SSH is not supported by the rehearsal runner";
const NO_PARTIAL = "partial and sparse checkouts are not supported by the rehearsal runner";

export const checkout: Builtin = {
  name: "actions/checkout",
  version: "v7.0.1",
  sha: "3d3c42e5aac5ba805825da76410c181273ba90b1",
  inputs: {
    repository: { default: "" },
    ref: { default: "" },
    token: { default: "" },
    "ssh-key": { default: "", unsupported: NO_SSH },
    "ssh-known-hosts": { default: "", unsupported: NO_SSH },
    "ssh-strict": { default: "true", unsupported: NO_SSH },
    "ssh-user": { default: "git", unsupported: NO_SSH },
    "persist-credentials": { default: "true" },
    path: { default: "" },
    clean: { default: "true" },
    filter: { default: "", unsupported: NO_PARTIAL },
    "sparse-checkout": { default: "", unsupported: NO_PARTIAL },
    "sparse-checkout-cone-mode": { default: "true", unsupported: NO_PARTIAL },
    "fetch-depth": { default: "1" },
    "fetch-tags": { default: "false" },
    "show-progress": { default: "true" },
    lfs: { default: "false", unsupported: "Git LFS is not supported by the rehearsal runner" },
    submodules: { default: "false", unsupported: "submodules are not supported by the rehearsal runner" },
    "set-safe-directory": { default: "true" },
    "github-server-url": {
      default: "",
      unsupported: "other servers are not supported by the rehearsal runner",
    },
    "allow-unsafe-pr-checkout": { default: "false" },
  },
  run: runCheckout,
};

interface Target {
  readonly repository: string;
  readonly ref: string;
  readonly commit: string;
}

async function runCheckout(live: LiveStep, inputs: BuiltinInputs): Promise<void> {
  const { job } = live;
  const { run, hub } = job.request;
  const target = readTarget(live, inputs);
  if (!inputs.flag("allow-unsafe-pr-checkout")) refuseForkHead(run.trigger.event, run.event, target);
  const folder = inside(job.workspace, inputs.text("path") || ".");
  const url = `${hub.url}/${target.repository}.git`;
  const git = new Git(live, folder);
  if (inputs.flag("set-safe-directory")) {
    await git.run(["config", "--global", "--add", "safe.directory", folder], job.workspace);
  }
  await prepareFolder(git, folder, url, inputs.flag("clean"));
  await git.run(["config", "--local", "gc.auto", "0"]);
  const removeAuth = await configureAuth(git, live, folder, inputs.text("token") || job.request.token);
  if (inputs.flag("persist-credentials")) {
    job.posts.push({
      name: `Post ${live.identity.name}`,
      condition: "always()",
      run: async () => removeAuth().then(() => "success"),
    });
  }
  try {
    const ref = target.ref === "" && target.commit === "" ? await git.defaultRef(url) : target.ref;
    await fetchTarget(git, { ...target, ref }, inputs.count("fetch-depth"), inputs.flag("fetch-tags"));
    const start = await git.startOf(ref, target.commit);
    await git.run(["-c", "advice.detachedHead=false", "checkout", "--progress", "--force", ...start]);
    const commit = (await git.read(["log", "-1", "--format=%H"])).trim();
    live.write(`HEAD is at ${commit}`);
    live.setOutput("commit", commit);
    live.setOutput("ref", ref);
  } finally {
    if (!inputs.flag("persist-credentials")) await removeAuth();
  }
}

function readTarget(live: LiveStep, inputs: BuiltinInputs): Target {
  const { trigger } = live.job.request.run;
  const own = `${trigger.repository.owner}/${trigger.repository.name}`;
  const repository = inputs.text("repository") || own;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new Error(`Invalid repository '${repository}'. Expected format {owner}/{repo}.`);
  }
  const ref = inputs.text("ref");
  if (ref === "") {
    const isOwn = repository.toLowerCase() === own.toLowerCase();
    return isOwn
      ? { repository, ref: trigger.ref, commit: trigger.sha }
      : { repository, ref: "", commit: "" };
  }
  if (ref.startsWith("-")) throw new Error(`'${ref}' is not a ref`);
  return /^[0-9a-f]{40}$/i.test(ref) ? { repository, ref: "", commit: ref } : { repository, ref, commit: "" };
}

/**
 * Version 7's guard: under `pull_request_target` and `workflow_run` the code of a fork's pull request is refused,
 * whether asked for by repository, by `refs/pull/…` or by sha.
 * @throws Error with the reason.
 */
export function refuseForkHead(event: string, payload: unknown, target: Target): void {
  if (event !== "pull_request_target" && event !== "workflow_run") return;
  const isTarget = event === "pull_request_target";
  const origin = String(at(payload, "workflow_run", "event") ?? "");
  if (!isTarget && !origin.startsWith("pull_request")) return;
  const head = isTarget
    ? at(payload, "pull_request", "head", "repo")
    : at(payload, "workflow_run", "head_repository");
  const headId = at(head, "id");
  if (typeof headId !== "number" || headId === at(payload, "repository", "id")) return;
  const shas = isTarget
    ? [at(payload, "pull_request", "head", "sha"), at(payload, "pull_request", "merge_commit_sha")]
    : [
        at(payload, "workflow_run", "head_commit", "id"),
        ...(origin === "pull_request_target" ? [] : [at(payload, "workflow_run", "head_sha")]),
      ];
  const fullName = at(head, "full_name");
  const refused =
    (typeof fullName === "string" && fullName.toLowerCase() === target.repository.toLowerCase()) ||
    /^refs\/pull\/\d+\/(?:head|merge)$/.test(target.ref) ||
    (target.commit !== "" && shas.includes(target.commit.toLowerCase()));
  if (!refused) return;
  throw new Error(
    `Refusing to check out fork pull request code from a '${event}' workflow: it runs with the base repository's token and secrets. See https://gh.io/securely-using-pull_request_target`,
  );
}

class Git {
  readonly #live: LiveStep;
  readonly #folder: string;

  constructor(live: LiveStep, folder: string) {
    this.#live = live;
    this.#folder = folder;
  }

  /** Runs git with its output in the log. @throws Error when it fails. */
  async run(args: readonly string[], cwd = this.#folder): Promise<void> {
    this.#live.write(`[command]git ${args.join(" ")}`);
    await this.#spawn(args, cwd, (line) => this.#live.write(line));
  }

  /** Runs git and returns what it prints. @throws Error when it fails. */
  async read(args: readonly string[]): Promise<string> {
    const lines: string[] = [];
    await this.#spawn(args, this.#folder, (line) => lines.push(line));
    return lines.join("\n");
  }

  async #spawn(args: readonly string[], cwd: string, onLine: (line: string) => void): Promise<void> {
    const { job } = this.#live;
    const own = new Map([...job.env, ["GIT_TERMINAL_PROMPT", "0"] as const]);
    const env = job.processEnv(own, job.github(this.#live.identity));
    const result = await runProcess({ command: "git", args, cwd, env, onLine, signal: this.#live.signal });
    if (result.exitCode !== 0 && !result.aborted) {
      throw new Error(`The process 'git' failed with exit code ${result.exitCode}`);
    }
  }

  /** Whether a ref exists. */
  async has(ref: string): Promise<boolean> {
    return this.read(["rev-parse", "--verify", "--quiet", `${ref}^{}`]).then(
      () => true,
      () => false,
    );
  }

  async defaultRef(url: string): Promise<string> {
    const found = /^ref: (\S+)\s+HEAD$/m.exec(await this.read(["ls-remote", "--symref", url, "HEAD"]));
    if (!found?.[1]) throw new Error(`cannot find the default branch of ${url}`);
    return found[1];
  }

  /** What to give to `git checkout` after a fetch. */
  async startOf(ref: string, commit: string): Promise<string[]> {
    if (ref === "") return [commit];
    if (ref.startsWith("refs/heads/")) {
      const branch = ref.slice("refs/heads/".length);
      return ["-B", branch, `refs/remotes/origin/${branch}`];
    }
    if (ref.startsWith("refs/pull/")) return [`refs/remotes/pull/${ref.slice("refs/pull/".length)}`];
    if (ref.startsWith("refs/tags/")) return [ref];
    if (ref.startsWith("refs/")) return [commit || ref];
    if (await this.has(`refs/remotes/origin/${ref}`)) return ["-B", ref, `refs/remotes/origin/${ref}`];
    if (await this.has(`refs/tags/${ref}`)) return [`refs/tags/${ref}`];
    throw new Error(`A branch or tag with the name '${ref}' could not be found`);
  }
}

async function prepareFolder(git: Git, folder: string, url: string, clean: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const isRepository = await access(join(folder, ".git")).then(
    () => true,
    () => false,
  );
  const sameOrigin = isRepository && (await git.read(["config", "--get", "remote.origin.url"])) === url;
  if (sameOrigin) {
    if (!clean) return;
    await git.run(["clean", "-ffdx"]);
    await git.run(["reset", "--hard", "HEAD"]);
    return;
  }
  for (const entry of await readdir(folder)) await rm(join(folder, entry), { recursive: true, force: true });
  await git.run(["init", "--quiet"]);
  await git.run(["remote", "add", "origin", url]);
}

/** Puts the token into a file of its own that the repository includes, as version 6 and later do. */
async function configureAuth(
  git: Git,
  live: LiveStep,
  folder: string,
  token: string,
): Promise<() => Promise<void>> {
  const { job } = live;
  const basic = Buffer.from(`x-access-token:${token}`).toString("base64");
  job.masks.add(token);
  job.masks.add(basic);
  const file = join(job.temp, `git-credentials-${randomUUID()}.config`);
  const origin = `${job.request.hub.url}/`;
  await writeFile(file, `[http "${origin}"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`, {
    mode: 0o600,
  });
  const key = `includeIf.gitdir:${join(await realpath(folder), ".git")}.path`;
  await git.run(["config", "--local", key, file]);
  return async () => {
    await rm(file, { force: true });
    // The workspace may be gone by now; then so is its configuration.
    await git.run(["config", "--local", "--unset-all", key]).catch(() => {});
  };
}

async function fetchTarget(git: Git, target: Target, depth: number, tags: boolean): Promise<void> {
  const base = ["-c", "protocol.version=2", "fetch", "--no-tags", "--prune", "--no-recurse-submodules"];
  if (depth > 0) {
    await git.run([...base, `--depth=${depth}`, "origin", ...refSpecs(target, tags)]);
  } else {
    const all = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
    await git.run([...base, "origin", ...all]);
    const { ref, commit } = target;
    if (commit !== "" || (ref.startsWith("refs/") && !/^refs\/(heads|tags)\//.test(ref))) {
      await git.run([...base, "origin", ...refSpecs(target, false)]);
    }
  }
  if (target.commit === "" || !target.ref.startsWith("refs/")) return;
  const start = (await git.startOf(target.ref, target.commit)).at(-1) ?? target.commit;
  const reached = (await git.read(["rev-parse", `${start}^{commit}`])).trim();
  if (reached !== target.commit.toLowerCase()) {
    throw new Error(
      `The ref '${target.ref}' does not point to the expected commit '${target.commit}'. The ref may have been updated after the workflow was triggered.`,
    );
  }
}

function refSpecs({ ref, commit }: Target, tags: boolean): string[] {
  const specs = tags ? ["+refs/tags/*:refs/tags/*"] : [];
  const source = commit || ref;
  if (ref.startsWith("refs/heads/")) {
    specs.push(`+${source}:refs/remotes/origin/${ref.slice("refs/heads/".length)}`);
  } else if (ref.startsWith("refs/pull/")) {
    specs.push(`+${source}:refs/remotes/pull/${ref.slice("refs/pull/".length)}`);
  } else if (ref.startsWith("refs/tags/")) {
    if (!tags) specs.push(`+${ref}:${ref}`);
  } else if (commit !== "") specs.push(commit);
  else if (ref.startsWith("refs/")) specs.push(`+${ref}:${ref}`);
  else {
    specs.push(`+refs/heads/${ref}*:refs/remotes/origin/${ref}*`);
    if (!tags) specs.push(`+refs/tags/${ref}*:refs/tags/${ref}*`);
  }
  return specs;
}
