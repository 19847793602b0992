import { type Readable, Transform } from "node:stream";

/** The two output streams of a guest under one bound. */
export interface BoundedOutput {
  readonly streams: readonly [stdout: Readable, stderr: Readable];
  /** Bytes delivered. */
  readonly bytes: () => number;
  readonly truncated: () => boolean;
  /** The beginning of what was written to standard error, for telling why a sandbox was not built. */
  readonly complaint: () => string;
}

const COMPLAINT_BYTES = 1000;

/** Passes on what is written up to `bound` bytes of both together; then calls `exceeded` and swallows the rest. */
export function boundOutput(
  [stdout, stderr]: readonly [Readable, Readable],
  bound: number,
  exceeded: () => void,
): BoundedOutput {
  let bytes = 0;
  let truncated = false;
  let complaint = "";
  const pass = (source: Readable): Readable => {
    const gate = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const room = bound - bytes;
        const kept = chunk.subarray(0, room);
        bytes += kept.length;
        if (source === stderr && complaint.length < COMPLAINT_BYTES)
          complaint += kept.toString("utf8", 0, COMPLAINT_BYTES);
        if (chunk.length > room && !truncated) {
          truncated = true;
          exceeded();
        }
        done(null, kept.length === 0 ? undefined : kept);
      },
    });
    // A guest that is killed may break its pipe in mid-sentence; how it ended is told elsewhere.
    source.on("error", () => gate.end());
    return source.pipe(gate);
  };
  return {
    streams: [pass(stdout), pass(stderr)],
    bytes: () => bytes,
    truncated: () => truncated,
    complaint: () => complaint.trim(),
  };
}
