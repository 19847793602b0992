import { constants } from "node:fs";
import { chmod, copyFile, lchown, lstat, mkdir, open, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxWork } from "../../lib/sandbox/order.ts";

/**
 * Between a folder of the host and the writable folder of a sandbox, reached through the stage's root. Both happen
 * while nothing of the guest runs: before it is started, and after its last process has ended.
 */

/** Copies a folder in: files, folders, and links as links, all of them owned by the guest. Modes keep only "executable". */
export async function copyIn(from: string, to: string, owner: number | null): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o755 });
      await copyIn(source, target, owner);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else if (entry.isFile()) {
      await copyFile(source, target, constants.COPYFILE_EXCL);
      await chmod(target, ((await lstat(source)).mode & 0o111) === 0 ? 0o644 : 0o755);
    }
    if (owner !== null && (entry.isDirectory() || entry.isSymbolicLink() || entry.isFile()))
      await lchown(target, owner, owner);
  }
}

/** What `copyOut` did. */
export interface Fetched {
  readonly notFetched: readonly string[];
  /** More came out than could be in: one file under many names, or a file with holes. */
  readonly excess: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const LISTED = 100;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Copies the regular files and folders of `from` into the new folder `to`. Nothing else comes out, and no link is followed. */
export async function copyOut(from: string, to: string, bounds: SandboxWork): Promise<Fetched> {
  const notFetched: string[] = [];
  let [bytes, files] = [bounds.bytes, bounds.files];
  const refuse = (path: string): void => {
    if (notFetched.length < LISTED) notFetched.push(path);
  };

  const copyContent = async (source: string, target: string): Promise<void> => {
    const input = await open(source, READ);
    try {
      const { size, mode } = await input.stat();
      bytes -= size;
      if (bytes < 0) return;
      const output = await open(target, CREATE, (mode & 0o111) === 0 ? 0o644 : 0o755);
      try {
        const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(size, CHUNK_BYTES)));
        for (let left = size; left > 0; ) {
          const { bytesRead } = await input.read(buffer, 0, Math.min(left, buffer.length));
          if (bytesRead === 0) break;
          await output.writeFile(buffer.subarray(0, bytesRead));
          left -= bytesRead;
        }
      } finally {
        await output.close();
      }
    } finally {
      await input.close();
    }
  };

  const walk = async (source: string, target: string, path: string): Promise<void> => {
    await mkdir(target, { mode: 0o755 });
    for (const name of (await readdir(source)).sort()) {
      if (bytes < 0 || files < 0) return;
      const [inside, outside, shown] = [join(source, name), join(target, name), join(path, name)];
      try {
        const found = await lstat(inside);
        files -= 1;
        if (found.isDirectory()) await walk(inside, outside, shown);
        else if (found.isFile()) await copyContent(inside, outside);
        else refuse(shown);
      } catch {
        // A name that is no text, a path that is too long, a mode that forbids reading: what nobody can hand in.
        refuse(shown);
      }
    }
  };

  await walk(from, to, "");
  return { notFetched, excess: bytes < 0 || files < 0 };
}
