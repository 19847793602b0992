import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one grading. Guests run as another user, so others may read it. */
export interface Scratch {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function makeScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), "assay-task-"));
  await chmod(folder, 0o755);
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
