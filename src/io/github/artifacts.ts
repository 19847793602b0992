import { unzipSync } from "fflate";
import { at, type Repository } from "./repository.ts";

/** Artifacts: downloaded and unpacked under limits, because what made them had read a stranger's files. */

export interface ArtifactLimits {
  /** Bytes of the zip. */
  readonly zipBytes: number;
  readonly files: number;
  /** Bytes of all files together, inflated. */
  readonly bytes: number;
}

export const REPORT_LIMITS: ArtifactLimits = { zipBytes: 8 * 2 ** 20, files: 1, bytes: 24 * 2 ** 20 };
export const PUBLISHED_LIMITS: ArtifactLimits = {
  zipBytes: 64 * 2 ** 20,
  files: 20_000,
  bytes: 256 * 2 ** 20,
};

export type ArtifactFiles = ReadonlyMap<string, Uint8Array>;

/** Why an artifact could not be used. */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
}

/** `a/b.json`: segments of letters, digits, `.`, `_` and `-` that begin with a letter or digit. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/**
 * Unpacks a zip. `only`: the one file that it must hold.
 * @throws ArtifactError for odd or doubled names, or more than the limits allow; nothing is inflated before they hold.
 */
export function unpack(zip: Uint8Array, limits: ArtifactLimits, only?: string): ArtifactFiles {
  if (zip.length > limits.zipBytes) throw new ArtifactError(`the zip has ${zip.length} bytes`);
  const sizes = new Map<string, number>();
  let total = 0;
  let files: Record<string, Uint8Array>;
  try {
    // First only the directory: names and declared sizes.
    unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (name.endsWith("/")) return false;
        if (!NAME.test(name) || (only !== undefined && name !== only)) {
          throw new ArtifactError("it holds a file with an unexpected name");
        }
        if (sizes.has(name)) throw new ArtifactError("it holds a file twice");
        sizes.set(name, originalSize);
        total += originalSize;
        if (sizes.size > limits.files || total > limits.bytes)
          throw new ArtifactError("it holds more than allowed");
        return false;
      },
    });
    // fflate never writes more than the declared size, so the limits just checked bound the memory.
    files = unzipSync(zip, { filter: ({ name }) => sizes.has(name) });
  } catch (error) {
    if (error instanceof ArtifactError) throw error;
    throw new ArtifactError("it is not a readable zip", { cause: error });
  }
  const unpacked = new Map<string, Uint8Array>();
  for (const [name, size] of sizes) {
    const data = files[name];
    if (data === undefined || data.length !== size)
      throw new ArtifactError("a file is not as long as it says");
    unpacked.set(name, data);
  }
  if (only !== undefined && !unpacked.has(only)) throw new ArtifactError(`it does not hold ${only}`);
  return unpacked;
}

/** Reads a body to its end, but never more than `limit` bytes. @throws ArtifactError */
async function readCapped(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new ArtifactError("the zip is larger than allowed");
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}

/**
 * The files of a run's artifact; null when the run has none of this name (or an expired one).
 * @throws ArtifactError when it is too large or not what it should be.
 */
export async function readArtifact(
  repository: Repository,
  runId: number,
  name: string,
  limits: ArtifactLimits,
  only?: string,
): Promise<ArtifactFiles | null> {
  const { data } = await repository.client.request(
    "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
    {
      ...at(repository),
      run_id: runId,
      name,
      per_page: 10,
    },
  );
  // A re-run leaves one per attempt: the newest counts.
  const [artifact] = data.artifacts
    .filter((candidate) => candidate.name === name && !candidate.expired)
    .sort((a, b) => b.id - a.id);
  if (artifact === undefined) return null;
  if (artifact.size_in_bytes > limits.zipBytes)
    throw new ArtifactError(`the zip has ${artifact.size_in_bytes} bytes`);
  const answer = await repository.client.request(
    "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
    {
      ...at(repository),
      artifact_id: artifact.id,
      archive_format: "zip",
      request: { parseSuccessResponseBody: false },
    },
  );
  const body: unknown = answer.data;
  if (!(body instanceof ReadableStream)) throw new ArtifactError("the download had no body");
  return unpack(await readCapped(body as ReadableStream<Uint8Array>, limits.zipBytes), limits, only);
}
