import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isSha } from "./sha.ts";

/** git-check-ref-format(1), for full names. */
export function validRef(name: string): boolean {
  const parts = name.split("/");
  return (
    parts.length > 1 &&
    parts.every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock")) &&
    !name.startsWith("-") &&
    !name.endsWith(".") &&
    !name.includes("..") &&
    !name.includes("@{") &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids exactly these.
    !/[\x00-\x20\x7f~^:?*[\\]/.test(name)
  );
}

/** Reads and moves refs in git's own files, under git's own locks. */
export class RefFiles {
  readonly #dir: string;
  #packed: { readonly stamp: string; readonly refs: ReadonlyMap<string, string> } | null = null;

  constructor(gitDir: string) {
    this.#dir = gitDir;
  }

  /** What a full ref points at, or null. */
  read(name: string): string | null {
    if (!validRef(name)) return null;
    try {
      const value = readFileSync(join(this.#dir, name), "latin1").trim();
      if (isSha(value)) return value;
    } catch {
      // No file of its own: it may be packed.
    }
    return this.#packedRefs().get(name) ?? null;
  }

  /**
   * Moves a ref from `before` (null: it must not exist; undefined: wherever it stands) to `after` (null: delete).
   * @returns whether it moved, or null where git itself must decide: a name that is also a folder, or a packed one to delete.
   */
  move(name: string, before: string | null | undefined, after: string | null): boolean | null {
    if (!validRef(name)) return false;
    const path = join(this.#dir, name);
    const packed = this.#packedRefs();
    if (after === null && packed.has(name)) return null;
    for (const other of packed.keys())
      if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) return null;
    let lock: number;
    try {
      mkdirSync(dirname(path), { recursive: true });
      lock = openSync(`${path}.lock`, "wx");
    } catch {
      return null;
    }
    try {
      if (before !== undefined && this.read(name) !== before) return false;
      if (after === null) rmSync(path);
      else {
        writeSync(lock, `${after}\n`);
        renameSync(`${path}.lock`, path);
      }
      return true;
    } catch {
      return null;
    } finally {
      closeSync(lock);
      rmSync(`${path}.lock`, { force: true });
    }
  }

  #packedRefs(): ReadonlyMap<string, string> {
    const path = join(this.#dir, "packed-refs");
    try {
      const { ino, mtimeMs, size } = statSync(path);
      const stamp = `${ino} ${mtimeMs} ${size}`;
      if (this.#packed?.stamp === stamp) return this.#packed.refs;
      const refs = new Map<string, string>();
      for (const row of readFileSync(path, "utf8").split("\n"))
        if (/^[0-9a-f]{40} /.test(row)) refs.set(row.slice(41), row.slice(0, 40));
      this.#packed = { stamp, refs };
      return refs;
    } catch {
      return new Map();
    }
  }
}
