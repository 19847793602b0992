import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogFile } from "../../lib/code/usage/log-file.ts";
import type { Outcome } from "../../lib/findings.ts";
import { fastDigest } from "../git-ids.ts";

const MAGIC = "SQLite format 3\u0000";

/** True for the bytes of an SQLite database. */
export const isDatabase = (bytes: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(bytes.subarray(0, MAGIC.length)) === MAGIC;

/** What is read of each table, where it and its columns are there. Tool output is left behind: only kinds and times matter. */
const TABLES = {
  session: { columns: ["id", "parent_id", "version"], data: null },
  session_v2: { columns: ["id", "parent_id", "version"], data: null },
  message: { columns: ["id", "session_id", "time_created"], data: "data" },
  part: {
    columns: ["id", "message_id", "session_id", "time_created"],
    data: "CASE WHEN NOT json_valid(data) OR json_extract(data, '$.type') = 'step-finish' THEN data ELSE json_object('type', json_extract(data, '$.type'), 'time', json_extract(data, '$.time'), 'state', json_object('time', json_extract(data, '$.state.time'))) END",
  },
  session_message: {
    columns: ["id", "session_id", "type", "time_created"],
    data: "CASE WHEN json_valid(data) THEN json_remove(data, '$.content') ELSE data END",
  },
} as const;

/**
 * The rows of OpenCode's database that say what was used, one JSON line each: `{"table": …, "row": {…}}`. Works on a copy of the
 * database and of its `-wal` file, in which the newest rows are until a checkpoint: the original is neither locked nor changed.
 */
export async function readOpenCodeDatabase(path: string, name: string): Promise<Outcome<LogFile>> {
  const folder = await mkdtemp(join(tmpdir(), "assay-usage-"));
  try {
    const copy = join(folder, "copy.db");
    await copyFile(path, copy);
    const hasLog = await copyFile(`${path}-wal`, `${copy}-wal`).then(
      () => true,
      () => false,
    );
    const parts = [await readFile(copy), ...(hasLog ? [await readFile(`${copy}-wal`)] : [])];
    const whole = Buffer.concat(parts);
    const bytes = new TextEncoder().encode(await rowsOf(copy));
    const source = { sha256: fastDigest(whole), bytes: whole.length };
    return { ok: true, value: { name: hasLog ? `${name}+wal` : name, bytes, source }, findings: [] };
  } catch (error) {
    return {
      ok: false,
      findings: [
        {
          code: "code-usage-database",
          severity: "error",
          path: name,
          message: "The database cannot be read.",
          actual: error instanceof Error ? error.message : String(error),
          hint: "Copy it together with its -wal file while OpenCode is closed, or give `opencode export`.",
        },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rowsOf(path: string): Promise<string> {
  // Loaded when there is a database: few runs have one, and its program is large.
  const { default: sqlite } = await import("node-sqlite3-wasm");
  const database = new sqlite.Database(path, { fileMustExist: true });
  try {
    // Without shared memory, which WebAssembly has none of, SQLite reads a -wal file only as its one user.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    const lines: string[] = [];
    for (const [table, { columns, data }] of Object.entries(TABLES)) {
      const known = new Set(database.all(`PRAGMA table_info(${table})`).map((column) => String(column.name)));
      const wanted = columns.filter((column) => known.has(column));
      if (known.size === 0 || !wanted.includes("id")) continue;
      if (data !== null && !known.has("data")) continue;
      const selected = data === null ? wanted : [...wanted, `${data} AS data`];
      for (const row of database.all(`SELECT ${selected.join(", ")} FROM ${table} ORDER BY id`))
        lines.push(
          JSON.stringify({ table, row }, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
        );
    }
    return lines.map((line) => `${line}\n`).join("");
  } finally {
    database.close();
  }
}
