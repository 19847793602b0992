import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sqlite from "node-sqlite3-wasm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isDatabase, readOpenCodeDatabase } from "../../../src/io/code/usage-database.ts";
import { fastDigest } from "../../../src/io/git-ids.ts";
import { importUsage } from "../../../src/lib/code/usage/import-usage.ts";
import { OPENCODE_MESSAGE, opencodeTokens, sumsOf, usageOf } from "../../lib/code/usage/logs.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-database-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const { message: MESSAGE, parts: STEPS } = OPENCODE_MESSAGE;

/** A database with nothing but its tables in the main file: the rows are in the `-wal` file, as while OpenCode runs. */
function makeDatabase(fill: (database: InstanceType<typeof sqlite.Database>) => void): string {
  const path = join(folder, "open.db");
  const database = new sqlite.Database(path);
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  database.exec(`CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, version TEXT, title TEXT);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, time_created INTEGER, data TEXT);
    PRAGMA wal_checkpoint(TRUNCATE)`);
  fill(database);
  const copy = join(folder, "opencode.db");
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  database.close();
  return copy;
}

const older = (database: InstanceType<typeof sqlite.Database>): void => {
  database.run("INSERT INTO session VALUES ('ses_1', NULL, '1.18.2', 'a private title')");
  database.run("INSERT INTO message VALUES ('msg_1', 'ses_1', 1793869200000, 0, ?)", [
    JSON.stringify(MESSAGE),
  ]);
  for (const [index, step] of STEPS.entries())
    database.run("INSERT INTO part VALUES (?, 'msg_1', 'ses_1', 1793869210000, ?)", [
      `p${index}`,
      JSON.stringify(step),
    ]);
  const tool = {
    type: "tool",
    state: { output: "what the tool said", time: { start: 1_793_869_200_000, end: 1_793_869_260_000 } },
  };
  database.run("INSERT INTO part VALUES ('p9', 'msg_1', 'ses_1', 1793869210000, ?)", [JSON.stringify(tool)]);
  database.run("INSERT INTO part VALUES ('px', 'msg_1', 'ses_1', 1793869210000, '{\"half')");
};

describe("OpenCode's database", () => {
  it("is read with what only its -wal file holds, on Node 20, and is not changed", async () => {
    const path = makeDatabase(older);
    const before = [readFileSync(path), readFileSync(`${path}-wal`)];
    const read = await readOpenCodeDatabase(path, "opencode.db");
    if (!read.ok) throw new Error(JSON.stringify(read.findings));
    expect([readFileSync(path), readFileSync(`${path}-wal`)]).toEqual(before);
    expect(existsSync(`${path}-shm`)).toBe(false);
    const outcome = importUsage([read.value]);
    expect(sumsOf(outcome)).toEqual({ uncached_input: 2300, cache_read: 2000, output: 280, reasoning: 50 });
    expect(usageOf(outcome)).toMatchObject({
      harness: "opencode",
      harness_version: "1.18.2",
      cost_recorded_usd: 0.0031,
      last_event_at: "2026-11-05T09:01:00.000Z",
      skipped_lines: 1,
      logs: [
        {
          name: "opencode.db+wal",
          sha256: fastDigest(Buffer.concat(before)),
          bytes: Buffer.concat(before).length,
        },
      ],
    });
    const text = new TextDecoder().decode(read.value.bytes);
    expect(text).not.toContain("what the tool said");
    expect(text).not.toContain("a private title");
  });

  it("is read in its newer layout, where the type of a row is its role", async () => {
    const path = makeDatabase((database) => {
      const data = {
        time: MESSAGE.time,
        model: { id: "glm-5", providerID: "zai" },
        tokens: opencodeTokens(5, 6, 7, 8),
        content: ["said"],
      };
      database.run("INSERT INTO session_message VALUES ('m', 'ses_1', 'assistant', 1793869200000, ?)", [
        JSON.stringify(data),
      ]);
      database.run("INSERT INTO session_message VALUES ('u', 'ses_1', 'user', 1793869190000, '{}')");
    });
    const read = await readOpenCodeDatabase(path, "opencode.db");
    if (!read.ok) throw new Error(JSON.stringify(read.findings));
    const outcome = importUsage([read.value]);
    expect(sumsOf(outcome)).toEqual({ uncached_input: 5, cache_read: 8, output: 13, reasoning: 7 });
    expect(usageOf(outcome).models).toEqual(["glm-5"]);
    expect(usageOf(outcome).first_event_at).toBe("2026-11-05T08:59:50.000Z");
  });

  it("gives a finding when it is broken, or is another program's", async () => {
    const path = makeDatabase(older);
    const bytes = readFileSync(path);
    rmSync(`${path}-wal`);
    writeFileSync(path, bytes.subarray(0, 5000));
    const broken = await readOpenCodeDatabase(path, "opencode.db");
    expect(broken.ok ? [] : broken.findings).toMatchObject([
      { code: "code-usage-database", path: "opencode.db" },
    ]);
    const other = join(folder, "other.db");
    const database = new sqlite.Database(other);
    database.exec("CREATE TABLE message (text TEXT); INSERT INTO message VALUES ('x')");
    database.close();
    const read = await readOpenCodeDatabase(other, "other.db");
    expect(read.ok && importUsage([read.value]).ok).toBe(false);
  });

  it("is known by its first bytes", () => {
    expect(isDatabase(new TextEncoder().encode("SQLite format 3\u0000…"))).toBe(true);
    expect(isDatabase(new TextEncoder().encode('{"a":1}'))).toBe(false);
  });
});
