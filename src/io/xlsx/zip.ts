import { crc32, inflateRawSync } from "node:zlib";
import { XlsxFault } from "./fault.ts";

/** One file inside the archive, as both of its headers describe it. */
interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Offset of the compressed bytes. */
  readonly start: number;
}

/** A zip file whose directory has been checked; parts inflate on demand, under one shared cap. */
export interface ZipArchive {
  /** Entry names as the file spells them, folders left out. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /**
   * The inflated bytes of a part (names are compared as OPC does, without case).
   * @throws XlsxFault when it is absent, damaged, or would inflate past the cap.
   */
  read(name: string): Uint8Array;
  /** Counts what a reader keeps of the parts, besides cells. @throws XlsxFault past the cap. */
  hold(items: number): void;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END64 = 0x06064b50;
const END64_LOCATOR = 0x07064b50;
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Folds a part name the way package parts are compared: no leading slash, `/` only, no case. */
export const foldPartName = (name: string): string =>
  name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase();

/**
 * Walks the central directory and checks every entry against its local header before anything is
 * inflated. Two readers must not be able to see two different workbooks in one file, so duplicate
 * names, headers that disagree, overlapping entries and trailing bytes are all refused.
 * @throws XlsxFault
 */
export function openZip(
  bytes: Uint8Array,
  caps: { entries: number; inflatedBytes: number; items: number },
): ZipArchive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  refuseOtherFormats(bytes, view);
  const directory = findDirectory(bytes, view);
  if (directory.count > caps.entries) {
    throw new XlsxFault("xlsx-too-many-entries", "The workbook holds too many files.", {
      expected: `at most ${caps.entries} entries`,
      actual: `${directory.count} entries`,
    });
  }
  const entries = new Map<string, ZipEntry>();
  const spans: { name: string; from: number; to: number }[] = [];
  let at = directory.offset;
  for (let index = 0; index < directory.count; index++) {
    const { entry, next, from, to } = readEntry(bytes, view, at, directory.offset);
    at = next;
    spans.push({ name: entry.name, from, to });
    if (entry.name.endsWith("/")) continue;
    const folded = foldPartName(entry.name);
    if (entries.has(folded)) {
      throw new XlsxFault(
        "xlsx-duplicate-entry",
        `The workbook holds "${entry.name}" twice; readers would disagree about which one counts.`,
        { hint: "Open the file in a spreadsheet program and save it again." },
      );
    }
    entries.set(folded, entry);
  }
  if (at !== directory.offset + directory.size) {
    throw badZip("the central directory does not have the size it declares");
  }
  spans.sort((a, b) => a.from - b.from);
  for (let index = 1; index < spans.length; index++) {
    const before = spans[index - 1];
    const here = spans[index];
    if (before !== undefined && here !== undefined && before.to > here.from) {
      throw badZip(`entries "${before.name}" and "${here.name}" overlap`);
    }
  }
  let inflated = 0;
  let held = 0;
  const names = [...entries.values()].map((entry) => entry.name);
  return {
    names,
    has: (name) => entries.has(foldPartName(name)),
    read(name) {
      const entry = entries.get(foldPartName(name));
      if (entry === undefined) {
        throw new XlsxFault("xlsx-missing-part", `The workbook lacks its part "${name}".`);
      }
      const data = inflate(bytes, entry, caps.inflatedBytes - inflated, caps.inflatedBytes);
      inflated += data.length;
      return data;
    },
    hold(items) {
      held += items;
      if (held > caps.items) {
        throw new XlsxFault(
          "xlsx-too-large",
          "The workbook holds too many texts, styles, merges or comments.",
          {
            expected: `at most ${caps.items}`,
          },
        );
      }
    },
  };
}

function inflate(bytes: Uint8Array, entry: ZipEntry, left: number, cap: number): Uint8Array {
  const packed = bytes.subarray(entry.start, entry.start + entry.compressedSize);
  let data: Uint8Array;
  if (entry.method === 0) {
    if (packed.length > left) throw tooLarge(cap);
    data = packed;
  } else {
    try {
      // The cap is on bytes as they come out, not on the size the file declares.
      data = inflateRawSync(packed, { maxOutputLength: Math.max(1, left) });
    } catch (error) {
      if (error instanceof RangeError || codeOf(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge(cap);
      throw new XlsxFault("xlsx-corrupt-entry", `The part "${entry.name}" cannot be inflated.`, {
        hint: "The file is damaged; obtain it again.",
      });
    }
  }
  if (data.length !== entry.size || crc32(data) !== entry.crc) {
    throw new XlsxFault(
      "xlsx-corrupt-entry",
      `The part "${entry.name}" does not have the size and checksum the archive states.`,
      { hint: "The file is damaged; obtain it again." },
    );
  }
  return data;
}

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

const tooLarge = (cap: number): XlsxFault =>
  new XlsxFault("xlsx-too-large", "The workbook inflates to more bytes than allowed.", {
    expected: `at most ${cap} bytes`,
  });

const badZip = (why: string): XlsxFault =>
  new XlsxFault("xlsx-bad-zip", `The workbook is not a sound zip archive: ${why}.`, {
    hint: "Open the file in a spreadsheet program and save it again.",
  });

/** Names what the file is when it is no zip at all. */
function refuseOtherFormats(bytes: Uint8Array, view: DataView): void {
  if (bytes.length >= 8 && view.getUint32(0) === 0xd0cf11e0 && view.getUint32(4) === 0xa1b11ae1) {
    if (includesUtf16(bytes, "EncryptedPackage")) {
      throw new XlsxFault("xlsx-encrypted", "The workbook is encrypted with a password.", {
        hint: "Save it without a password.",
      });
    }
    throw new XlsxFault("xlsx-legacy-xls", "This is a legacy binary workbook (.xls), not an .xlsx file.", {
      hint: "Save it as .xlsx.",
    });
  }
  const isZip = bytes.length >= 4 && view.getUint32(0, true) === LOCAL;
  const isEmptyZip = bytes.length >= 22 && view.getUint32(0, true) === END;
  if (!isZip && !isEmptyZip) {
    throw new XlsxFault(
      "xlsx-not-a-zip",
      bytes.length === 0 ? "The file is empty." : "This is not an .xlsx workbook: it is not a zip archive.",
      { hint: "An .xlsx file starts with the bytes 50 4B 03 04." },
    );
  }
}

function includesUtf16(bytes: Uint8Array, word: string): boolean {
  const pattern = Buffer.from(word, "utf16le");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(pattern);
}

interface Directory {
  readonly offset: number;
  readonly size: number;
  readonly count: number;
}

function findDirectory(bytes: Uint8Array, view: DataView): Directory {
  const lowest = Math.max(0, bytes.length - 22 - MAX_16);
  for (let at = bytes.length - 22; at >= lowest; at--) {
    if (view.getUint32(at, true) !== END || at + 22 + view.getUint16(at + 20, true) !== bytes.length)
      continue;
    if (view.getUint16(at + 4, true) !== 0 || view.getUint16(at + 6, true) !== 0) {
      throw badZip("it is split over several disks");
    }
    let count = view.getUint16(at + 10, true);
    let size = view.getUint32(at + 12, true);
    let offset = view.getUint32(at + 16, true);
    let end = at;
    if (count !== view.getUint16(at + 8, true)) throw badZip("its entry counts disagree");
    if (count === MAX_16 || size === MAX_32 || offset === MAX_32) {
      const wide = readDirectory64(view, at);
      if (wide !== null) ({ count, size, offset, end } = wide);
    }
    if (offset + size !== end) throw badZip("its directory is not where it says");
    return { offset, size, count };
  }
  throw new XlsxFault("xlsx-truncated", "The file ends before the workbook does.", {
    hint: "The download or copy was cut short; obtain the file again.",
  });
}

function readDirectory64(view: DataView, end: number): (Directory & { end: number }) | null {
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== END64_LOCATOR) return null;
  const at = Number(view.getBigUint64(locator + 8, true));
  if (at + 56 > locator || view.getUint32(at, true) !== END64)
    throw badZip("its 64-bit directory is damaged");
  return {
    count: Number(view.getBigUint64(at + 32, true)),
    size: Number(view.getBigUint64(at + 40, true)),
    offset: Number(view.getBigUint64(at + 48, true)),
    end: at,
  };
}

function readEntry(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  directoryOffset: number,
): { entry: ZipEntry; next: number; from: number; to: number } {
  if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) {
    throw badZip("its central directory is damaged");
  }
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const crc = view.getUint32(at + 16, true);
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const commentLength = view.getUint16(at + 32, true);
  const nameEnd = at + 46 + nameLength;
  const next = nameEnd + extraLength + commentLength;
  if (next > bytes.length) throw badZip("its central directory is damaged");
  const nameBytes = bytes.subarray(at + 46, nameEnd);
  const name = decodeName(nameBytes);
  const wide = readExtra64(view, nameEnd, extraLength, {
    size: view.getUint32(at + 24, true),
    compressedSize: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  });
  if ((flags & 0x2041) !== 0) {
    throw new XlsxFault("xlsx-encrypted", `The part "${name}" is encrypted.`, {
      hint: "Save the workbook without a password.",
    });
  }
  if (method !== 0 && method !== 8) {
    throw new XlsxFault(
      "xlsx-unsupported-compression",
      `The part "${name}" is compressed by method ${method}; a workbook may store or deflate its parts.`,
      { hint: "Open the file in a spreadsheet program and save it again." },
    );
  }
  const local = wide.offset;
  if (local + 30 > directoryOffset || view.getUint32(local, true) !== LOCAL) {
    throw mismatch(name, "is not where the directory says");
  }
  const localNameLength = view.getUint16(local + 26, true);
  const start = local + 30 + localNameLength + view.getUint16(local + 28, true);
  const to = start + wide.compressedSize;
  if (to > directoryOffset) throw mismatch(name, "reaches into the directory");
  const localName = bytes.subarray(local + 30, local + 30 + localNameLength);
  if (localName.length !== nameBytes.length || localName.some((byte, index) => byte !== nameBytes[index])) {
    throw mismatch(name, "has another name in its own header");
  }
  if (view.getUint16(local + 8, true) !== method) throw mismatch(name, "has another compression method");
  const localFlags = view.getUint16(local + 6, true);
  if ((localFlags & 0x2041) !== 0) throw mismatch(name, "is marked as encrypted");
  // With bit 3 the sizes follow the data and the local header holds zeros.
  if ((localFlags & 8) === 0) {
    const own = readExtra64(view, local + 30 + localNameLength, view.getUint16(local + 28, true), {
      size: view.getUint32(local + 22, true),
      compressedSize: view.getUint32(local + 18, true),
      offset: 0,
    });
    if (own.size !== wide.size || own.compressedSize !== wide.compressedSize) {
      throw mismatch(name, "has another size in its own header");
    }
    if (view.getUint32(local + 14, true) !== crc)
      throw mismatch(name, "has another checksum in its own header");
  }
  if (method === 0 && wide.size !== wide.compressedSize) throw mismatch(name, "is stored with two sizes");
  return {
    entry: { name, method, crc, compressedSize: wide.compressedSize, size: wide.size, start },
    next,
    from: local,
    to,
  };
}

const mismatch = (name: string, why: string): XlsxFault =>
  new XlsxFault("xlsx-entry-mismatch", `The part "${name}" ${why}.`, {
    hint: "Open the file in a spreadsheet program and save it again.",
  });

function decodeName(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    // Parts of a workbook have ASCII names; an old-code-page name belongs to something we never read.
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}

interface Sizes {
  size: number;
  compressedSize: number;
  offset: number;
}

/** Replaces saturated 32-bit fields by those of the zip64 extra field, in the order the format fixes. */
function readExtra64(view: DataView, at: number, length: number, sizes: Sizes): Sizes {
  const result = { ...sizes };
  const end = at + length;
  let field = at;
  while (field + 4 <= end) {
    const id = view.getUint16(field, true);
    const fieldEnd = field + 4 + view.getUint16(field + 2, true);
    if (id === 1 && fieldEnd <= end) {
      let cursor = field + 4;
      for (const key of ["size", "compressedSize", "offset"] as const) {
        if (result[key] === MAX_32 && cursor + 8 <= fieldEnd) {
          result[key] = Number(view.getBigUint64(cursor, true));
          cursor += 8;
        }
      }
    }
    field = fieldEnd;
  }
  return result;
}
