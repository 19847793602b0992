/** `actions/upload-artifact` and `actions/download-artifact`, as zips in the hub. */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { unzipSync, type Zippable, zipSync } from "fflate";
import { at } from "../events.ts";
import type { LiveStep } from "../live-step.ts";
import { globExpression } from "../patterns.ts";
import { type Builtin, type BuiltinInputs, inside } from "./builtin.ts";
import { findFiles } from "./find-files.ts";

export const uploadArtifact: Builtin = {
  name: "actions/upload-artifact",
  version: "v7.0.1",
  sha: "043fb46d1a93c77aae656e7c1c64a875d1fc6a0a",
  inputs: {
    name: { default: "artifact" },
    path: { default: "" },
    "if-no-files-found": { default: "warn" },
    "retention-days": { default: "" },
    "compression-level": { default: "6" },
    overwrite: { default: "false", unsupported: "the rehearsal cannot replace an artifact" },
    "include-hidden-files": { default: "false" },
    archive: { default: "true", unsupported: "the rehearsal stores artifacts as zips only" },
  },
  run: upload,
};

export const downloadArtifact: Builtin = {
  name: "actions/download-artifact",
  version: "v8.0.1",
  sha: "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c",
  inputs: {
    name: { default: "" },
    "artifact-ids": { default: "", unsupported: "download by id is not supported by the rehearsal runner" },
    path: { default: "" },
    pattern: { default: "" },
    "merge-multiple": { default: "false" },
    "github-token": { default: "" },
    repository: { default: "" },
    "run-id": { default: "" },
    "skip-decompress": {
      default: "false",
      unsupported: "undecompressed downloads are not supported by the rehearsal runner",
    },
    "digest-mismatch": { default: "error" },
  },
  run: download,
};

async function upload(live: LiveStep, inputs: BuiltinInputs): Promise<void> {
  const { job } = live;
  const { hub, run } = job.request;
  const name = inputs.text("name");
  if (/["':<>|*?\r\n\\/]/.test(name)) throw new Error(`The artifact name is not valid: ${name}`);
  const level = Number(inputs.text("compression-level"));
  const whenMissing = inputs.text("if-no-files-found");
  if (!["warn", "error", "ignore"].includes(whenMissing)) {
    throw new Error(`Unrecognized if-no-files-found input. Provided: ${whenMissing}`);
  }
  if (!isLevel(level)) throw new Error("compression-level must be a whole number from 0 to 9");
  if (inputs.has("retention-days")) {
    live.write(
      `retention-days: ${inputs.text("retention-days")} (the rehearsal keeps artifacts while it runs)`,
    );
  }
  const path = inputs.text("path");
  const found = await findFiles(path, {
    workspace: job.workspace,
    home: job.home,
    hidden: inputs.flag("include-hidden-files"),
  });
  if (found.files.length === 0) {
    const message = `No files were found with the provided path: ${path}. No artifacts will be uploaded.`;
    if (whenMissing === "error") throw new Error(message);
    if (whenMissing === "warn") live.annotate({ level: "warning", message });
    else live.write(message);
    return;
  }
  const entries: Zippable = {};
  for (const file of found.files) {
    entries[relative(found.root, file).split(sep).join("/")] = new Uint8Array(await readFile(file));
  }
  const zip = zipSync(entries, { level });
  const id = hub.actions.putArtifact(run.runId, name, zip);
  const { owner, name: repository } = run.trigger.repository;
  live.write(`Artifact ${name}: ${found.files.length} file(s), ${zip.length} bytes, id ${id}`);
  live.setOutput("artifact-id", String(id));
  live.setOutput("artifact-digest", createHash("sha256").update(zip).digest("hex"));
  live.setOutput(
    "artifact-url",
    `${hub.url}/${owner}/${repository}/actions/runs/${run.runId}/artifacts/${id}`,
  );
}

type Level = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

function isLevel(level: number): level is Level {
  return Number.isInteger(level) && level >= 0 && level <= 9;
}

interface Stored {
  readonly name: string;
  read(): Promise<Uint8Array>;
}

async function download(live: LiveStep, inputs: BuiltinInputs): Promise<void> {
  const { job } = live;
  const folder = inputs.text("path").replace(/^~(?=\/|$)/, job.home);
  const target = resolve(job.workspace, folder);
  const stored = await (inputs.has("github-token") ? listRemote(live, inputs) : listOwn(live, inputs));
  const name = inputs.text("name");
  const pattern = inputs.text("pattern");
  const chosen = stored.filter((artifact) => {
    if (name !== "") return artifact.name === name;
    return pattern === "" || globExpression(pattern).test(artifact.name);
  });
  if (name !== "" && chosen.length === 0) throw new Error(`Artifact '${name}' not found`);
  // A single match goes straight into the folder, also when it was found by pattern: so does version 8.
  const flat = name !== "" || inputs.flag("merge-multiple") || chosen.length === 1;
  for (const artifact of chosen) {
    const count = await extract(await artifact.read(), flat ? target : inside(target, artifact.name));
    live.write(`Artifact ${artifact.name}: ${count} file(s)`);
  }
  live.write(`Total of ${chosen.length} artifact(s) downloaded`);
  live.setOutput("download-path", target);
}

async function listOwn(live: LiveStep, inputs: BuiltinInputs): Promise<Stored[]> {
  const { hub, run } = live.job.request;
  if (inputs.has("run-id") && inputs.text("run-id") !== String(run.runId)) {
    throw new Error("run-id of another run needs github-token");
  }
  return hub.actions.listArtifacts(run.runId).map(({ name }) => ({
    name,
    async read() {
      const zip = hub.actions.getArtifact(run.runId, name);
      if (zip === null) throw new Error(`Artifact '${name}' is gone`);
      return zip;
    },
  }));
}

const PAGE = 100;

/** Artifacts of any run through the REST API, with the token's own permissions. */
async function listRemote(live: LiveStep, inputs: BuiltinInputs): Promise<Stored[]> {
  const { hub, run } = live.job.request;
  const { owner, name } = run.trigger.repository;
  const repository = inputs.text("repository") || `${owner}/${name}`;
  const runId = inputs.text("run-id") || String(run.runId);
  const base = `${hub.url}/repos/${repository}/actions`;
  const get = async (url: string): Promise<Response> => {
    const response = await fetch(url, {
      headers: {
        authorization: `token ${inputs.text("github-token")}`,
        accept: "application/vnd.github+json",
      },
      signal: live.signal,
    });
    if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${await response.text()}`);
    return response;
  };
  const stored: Stored[] = [];
  for (let page = 1; ; page += 1) {
    const answer: unknown = await (
      await get(`${base}/runs/${runId}/artifacts?per_page=${PAGE}&page=${page}`)
    ).json();
    const artifacts = at(answer, "artifacts");
    const rows: readonly unknown[] = Array.isArray(artifacts) ? artifacts : [];
    for (const row of rows) {
      const id = String(at(row, "id"));
      stored.push({
        name: String(at(row, "name")),
        read: async () => new Uint8Array(await (await get(`${base}/artifacts/${id}/zip`)).arrayBuffer()),
      });
    }
    if (rows.length < PAGE) return stored;
  }
}

/** Unpacks a zip. @throws Error for an entry that would land outside the folder. */
async function extract(zip: Uint8Array, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  for (const [path, bytes] of Object.entries(unzipSync(zip))) {
    const file = inside(folder, join(".", path));
    if (path.endsWith("/")) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    count += 1;
  }
  return count;
}
