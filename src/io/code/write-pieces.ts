import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Pieces are gathered up to about this many characters before they are written. */
const BLOCK = 1 << 20;

/** Writes a text that comes in pieces; the file is there whole or, when anything fails, as it was. */
export async function writePieces(file: string, pieces: Iterable<string>): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(temporary, "w");
    try {
      let block: string[] = [];
      let length = 0;
      const flush = async (): Promise<void> => {
        await handle.writeFile(block.join(""));
        block = [];
        length = 0;
      };
      for (const piece of pieces) {
        block.push(piece);
        length += piece.length;
        if (length >= BLOCK) await flush();
      }
      await flush();
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}
