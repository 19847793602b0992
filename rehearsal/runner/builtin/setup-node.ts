/** `actions/setup-node`: puts a Node of this machine on the path and says which. Nothing is downloaded. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isPrivileged } from "../contexts.ts";
import { at } from "../events.ts";
import type { LiveStep } from "../live-step.ts";
import { type Builtin, type BuiltinInputs, inside } from "./builtin.ts";
import { satisfiesNode } from "./node-version.ts";

const NO_REGISTRY = "registry authentication is not supported by the rehearsal runner";
const NO_MIRROR = "nothing is downloaded here, so there is no mirror";

export const setupNode: Builtin = {
  name: "actions/setup-node",
  version: "v6.4.0",
  sha: "48b55a011bda9f5d6aeb4c2d9c7372e8dae4041e",
  inputs: {
    "node-version": { default: "" },
    "node-version-file": { default: "" },
    architecture: { default: "" },
    "check-latest": { default: "false" },
    "registry-url": { default: "", unsupported: NO_REGISTRY },
    scope: { default: "", unsupported: NO_REGISTRY },
    token: { default: "" },
    cache: { default: "" },
    "package-manager-cache": { default: "true" },
    "cache-dependency-path": { default: "" },
    mirror: { default: "", unsupported: NO_MIRROR },
    "mirror-token": { default: "", unsupported: NO_MIRROR },
  },
  run: runSetupNode,
};

async function runSetupNode(live: LiveStep, inputs: BuiltinInputs): Promise<void> {
  const { job } = live;
  const { host, run } = job.request;
  const architecture = inputs.text("architecture");
  if (architecture !== "" && architecture.toUpperCase() !== host.arch) {
    throw new Error(`cannot run here: this machine is ${host.arch}, not ${architecture}`);
  }
  const cache = await cacheAsked(job.workspace, inputs);
  if (cache !== null && isPrivileged(run.trigger)) {
    throw new Error(
      `${cache} would use the cache in a job under '${run.trigger.event}', where a cache can be poisoned: set package-manager-cache: false and no cache input`,
    );
  }
  if (cache !== null)
    job.log.warning(`${cache}: the rehearsal has no cache, so nothing is restored or saved`);
  const wanted = await wantedVersion(job.workspace, inputs);
  const nodes = [host.node, host.node24];
  const fits = wanted === "" ? host.node : nodes.find((node) => satisfiesNode(node.version, wanted));
  const node = fits ?? host.node;
  if (!fits) {
    job.log.warning(
      `Node '${wanted}' was asked for; this machine has ${[...new Set(nodes.map((n) => n.version))].join(" and ")}, and the rehearsal goes on with ${node.version}`,
    );
  }
  job.path.unshift(node.bin);
  live.write(`node: v${node.version} (${node.path})`);
  live.setOutput("node-version", `v${node.version}`);
  live.setOutput("cache-hit", "false");
}

/** What asks for a cache: the input, or version 5's automatic caching for packages managed by npm. */
async function cacheAsked(workspace: string, inputs: BuiltinInputs): Promise<string | null> {
  if (inputs.has("cache")) return `cache: ${inputs.text("cache")}`;
  if (!inputs.flag("package-manager-cache")) return null;
  const text = await readFile(join(workspace, "package.json"), "utf8").catch(() => null);
  if (text === null) return null;
  const manifest: unknown = JSON.parse(text);
  const manager = at(manifest, "packageManager");
  const engines = at(manifest, "devEngines", "packageManager");
  const names = (Array.isArray(engines) ? engines : [engines]).map((engine) => at(engine, "name"));
  const npm = names.includes("npm") || (typeof manager === "string" && manager.startsWith("npm"));
  return npm ? "automatic caching (package.json names npm as its package manager)" : null;
}

async function wantedVersion(workspace: string, inputs: BuiltinInputs): Promise<string> {
  if (inputs.has("node-version")) return inputs.text("node-version");
  if (!inputs.has("node-version-file")) return "";
  const path = inputs.text("node-version-file");
  const text = await readFile(inside(workspace, path), "utf8").catch(() => {
    throw new Error(`The specified node version file at: ${path} does not exist`);
  });
  if (!path.endsWith("package.json")) {
    const found = /^(?:nodejs\s+|node\s+)?v?([^\s#]+)/m.exec(text);
    if (!found?.[1]) throw new Error(`cannot read a Node version from ${path}`);
    return found[1];
  }
  const manifest: unknown = JSON.parse(text);
  const found = [at(manifest, "volta", "node"), at(manifest, "engines", "node")].find(
    (value) => typeof value === "string",
  );
  if (typeof found !== "string") throw new Error(`${path} names no Node version`);
  return found;
}
