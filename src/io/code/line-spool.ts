import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Text is gathered up to about this many characters before it is written. */
const BLOCK = 1 << 20;

/** Lines that wait on the disk for what is to stand before them, which is known only after the last. */
export interface LineSpool {
  add(line: string): Promise<void>;
  /** Writes `before`, the lines with `,\n` between them, and `after`: the file is there whole, or as it was. */
  finish(frame: { readonly before: string; readonly after: string }): Promise<void>;
  /** Removes what waits. */
  close(): Promise<void>;
}

/** Opens a spool beside the file that it will become. */
export async function openLineSpool(file: string): Promise<LineSpool> {
  const [waiting, temporary] = [`${file}.${process.pid}.lines`, `${file}.${process.pid}.tmp`];
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(waiting, "w");
  let block: string[] = [];
  let length = 0;
  let empty = true;
  const flush = async (): Promise<void> => {
    await handle.writeFile(block.join(""));
    block = [];
    length = 0;
  };
  return {
    async add(line) {
      block.push(empty ? line : `,\n${line}`);
      empty = false;
      length += line.length;
      if (length >= BLOCK) await flush();
    },
    async finish({ before, after }) {
      await flush();
      const target = await open(temporary, "w");
      try {
        await target.writeFile(before);
        for await (const bytes of createReadStream(waiting, { highWaterMark: BLOCK }))
          await target.writeFile(bytes as Uint8Array);
        await target.writeFile(after);
        await target.sync();
      } finally {
        await target.close();
      }
      await rename(temporary, file);
    },
    async close() {
      await handle.close();
      await rm(waiting, { force: true });
      await rm(temporary, { force: true });
    },
  };
}
