import { deliverablePathSchema } from "../code/schema/names.ts";
import type { Finding } from "../findings.ts";
import type { TaskKit } from "./kit.ts";

/** A file of a deliverable as it was found. */
export interface FoundFile {
  /** Relative, `/`-separated. */
  readonly path: string;
  readonly bytes: number;
  /** False for links, pipes, devices: what is no plain file. */
  readonly plain: boolean;
}

/** What a deliverable has that it may not have, or lacks; empty when it can be built. */
export function findDeliverableFaults(
  files: readonly FoundFile[],
  { required, allowed, maxFiles, maxBytes }: TaskKit["deliverable"],
): Finding[] {
  const faults: Finding[] = [];
  const fault = (code: string, message: string, hint: string, path?: string): void => {
    if (faults.length < MOST_FAULTS)
      faults.push({ code, severity: "error", message, hint, ...(path === undefined ? {} : { path }) });
  };
  const paths = new Set(files.map(({ path }) => path));
  for (const path of required)
    if (!paths.has(path))
      fault(
        "task-deliverable-missing",
        "The deliverable lacks this file.",
        "SPEC.md lists what is to be delivered.",
        path,
      );
  for (const { path, plain } of files) {
    const isKnown = required.includes(path) || allowed.test(path);
    if (!plain || !deliverablePathSchema.safeParse(path).success || !isKnown)
      fault(
        "task-deliverable-file",
        plain ? "This file is no part of a deliverable of this task." : "This is no plain file.",
        "Deliver the files that SPEC.md names, as plain files, and nothing else.",
        path,
      );
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length > maxFiles || bytes > maxBytes)
    fault(
      "task-deliverable-size",
      `The deliverable has ${files.length} files with ${bytes} bytes; at most ${maxFiles} with ${maxBytes} are taken.`,
      "Leave out what was generated or built.",
    );
  return faults;
}

const MOST_FAULTS = 20;
