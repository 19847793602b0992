import type { LogFile, LogPlace } from "./log-file.ts";
import { momentOf } from "./moment.ts";
import type { Reading } from "./reading.ts";
import { at, type Json, listAt, objectAt, objectOf, textAt } from "./values.ts";

/** Where messages came from. One only is read: the trees that remain after a migration are a part of the database. */
export type Store = "database" | "export" | "tree";

export interface Message {
  readonly id: string;
  readonly session: string;
  readonly value: Json;
  /** Milliseconds since 1970 of a row's own column, for what has no time inside. */
  readonly row: number | null;
  readonly place: LogPlace;
}

export interface Part {
  readonly id: string;
  readonly message: string;
  readonly value: Json;
  readonly row: number | null;
  readonly place: LogPlace;
}

export interface Session {
  readonly id: string;
  /** Sub-agents are sessions with a parent. */
  readonly parent: string | null;
  readonly version: string | null;
}

/** What one store holds. */
export interface Contents {
  readonly sessions: Map<string, Session>;
  /** `message` and `part` of the older layout, and whatever an export or a tree holds. */
  readonly messages: Message[];
  readonly parts: Part[];
  /** `session_message` of the newer layout, assistants only; migrated rows keep their ids. */
  readonly newer: Message[];
}

const empty = (): Contents => ({ sessions: new Map(), messages: [], parts: [], newer: [] });

/**
 * Reads OpenCode's files by their shape: rows of a database (`{"table": …, "row": {…}}`, as our reader of databases gives
 * them), `opencode export` (`{info, messages: [{info, parts}]}`), and single messages, parts and sessions of the JSON tree.
 */
export function readStores(files: readonly LogFile[], reading: Reading): Map<Store, Contents> {
  const stores = new Map<Store, Contents>();
  const storeOf = (store: Store): Contents => {
    const contents = stores.get(store) ?? empty();
    stores.set(store, contents);
    return contents;
  };
  for (const file of files)
    for (const { value, place } of reading.events(file)) {
      const row = objectAt(value, "row");
      const table = textAt(value, "table");
      if (table !== null && row !== null) addRow(storeOf("database"), table, row, place, reading);
      else if (Array.isArray(at(value, "messages"))) addExport(storeOf("export"), value, place);
      else if (objectAt(value, "message") !== null) addMessage(storeOf("export"), value, "message", place);
      else addFile(storeOf("tree"), value, place);
    }
  for (const [store, { sessions, messages, parts, newer }] of stores)
    if (sessions.size + messages.length + parts.length + newer.length === 0) stores.delete(store);
  return stores;
}

function addRow(contents: Contents, table: string, row: Json, place: LogPlace, reading: Reading): void {
  const id = textAt(row, "id");
  if (id === null) return;
  if (table === "session" || table === "session_v2") {
    contents.sessions.set(id, sessionOf(id, textAt(row, "parent_id"), textAt(row, "version"), contents));
    return;
  }
  const data = dataOf(row, place, reading);
  const session = textAt(row, "session_id");
  if (data === null || session === null) return;
  const made = momentOf(at(row, "time_created"));
  if (table === "message") contents.messages.push({ id, session, value: data, row: made, place });
  else if (table === "part")
    contents.parts.push({ id, message: textAt(row, "message_id") ?? "", value: data, row: made, place });
  else if (table === "session_message")
    contents.newer.push({ id, session, value: { ...data, role: textAt(row, "type") }, row: made, place });
}

/** A row of one table must not wipe out what the other knows of the same session. */
function sessionOf(
  id: string,
  parent: string | null,
  version: string | null,
  { sessions }: Contents,
): Session {
  const before = sessions.get(id);
  return { id, parent: parent ?? before?.parent ?? null, version: version ?? before?.version ?? null };
}

/** The column `data`: JSON text. */
function dataOf(row: Json, place: LogPlace, reading: Reading): Json | null {
  const text = at(row, "data");
  if (typeof text !== "string") return objectOf(text);
  try {
    const data = objectOf(JSON.parse(text));
    if (data !== null) return data;
  } catch {
    // Said below.
  }
  reading.skip(place, "its `data` is no JSON object");
  return null;
}

function addExport(contents: Contents, value: Json, place: LogPlace): void {
  const info = objectAt(value, "info");
  const id = textAt(info, "id");
  if (id !== null)
    contents.sessions.set(id, {
      id,
      parent: textAt(info, "parentID"),
      version: textAt(info, "version"),
    });
  for (const entry of listAt(value, "messages")) {
    const message = objectOf(entry);
    if (message !== null) addMessage(contents, message, "info", place, id);
  }
}

/** A message with its parts. */
function addMessage(
  contents: Contents,
  entry: Json,
  key: "info" | "message",
  place: LogPlace,
  session: string | null = null,
): void {
  const value = objectAt(entry, key);
  if (value === null) return;
  const of = textAt(value, "sessionID") ?? session ?? "";
  const id = textAt(value, "id") ?? `${place.path}:${place.line}:${contents.messages.length}`;
  contents.messages.push({ id, session: of, value, row: null, place });
  for (const [index, part] of listAt(entry, "parts").entries()) {
    const inner = objectOf(part);
    if (inner !== null)
      contents.parts.push({
        id: textAt(inner, "id") ?? `part ${index}`,
        message: id,
        value: inner,
        row: null,
        place,
      });
  }
}

/** One file of the JSON tree. */
function addFile(contents: Contents, value: Json, place: LogPlace): void {
  const id = textAt(value, "id");
  if (id === null) return;
  const session = textAt(value, "sessionID");
  const message = textAt(value, "messageID");
  if (message !== null) contents.parts.push({ id, message, value, row: null, place });
  else if (session !== null && textAt(value, "role") !== null)
    contents.messages.push({ id, session, value, row: null, place });
  else if (objectAt(value, "time") !== null)
    contents.sessions.set(id, { id, parent: textAt(value, "parentID"), version: textAt(value, "version") });
}
