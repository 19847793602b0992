import { readdir } from "node:fs/promises";
import type { DataSource } from "../io/code/data-source.ts";
import { writeFilesWhole } from "../io/files.ts";
import { renderData } from "../lib/code/derive/render-data.ts";
import { type Finding, hasErrors, type Outcome } from "../lib/findings.ts";
import { readCodeData } from "./code-data.ts";

/** What the public tree holds: derived data, and two files of this repository that are public by themselves. */
export const PUBLIC_FILES = ["METHODOLOGY.md", "data.json", "pricing.json"] as const;

const problem = (code: string, message: string, path: string, hint: string): Finding => ({
  code,
  severity: "error",
  message,
  path,
  hint,
});

/**
 * Writes the public tree into a folder that is new, empty, or an earlier public tree: anything else there could be
 * mistaken for public. Nothing is copied by pattern: each file is named here.
 */
export async function publishCode(source: DataSource, folder: string): Promise<Outcome<string[]>> {
  const strangers = (await namesIn(folder)).filter(
    (name) => name !== ".git" && !PUBLIC_FILES.some((file) => file === name),
  );
  const [stranger] = strangers;
  if (stranger !== undefined)
    return {
      ok: false,
      findings: [
        problem(
          "code-publish-folder",
          "The folder holds something that is not part of the public tree.",
          stranger,
          "Name a new or empty folder, or a checkout of the public repository.",
        ),
      ],
    };
  const files = await publicFiles(source);
  if (!files.ok) return files;
  if (files.value.length === 0)
    return {
      ok: false,
      findings: [
        problem(
          "code-publish-empty",
          "No run is committed: there is nothing to publish.",
          "data/runs",
          "Publish when the first run is merged.",
        ),
      ],
    };
  await writeFilesWhole(folder, files.value);
  return { ok: true, value: [...PUBLIC_FILES], findings: files.findings };
}

export interface PublicFile {
  readonly path: (typeof PUBLIC_FILES)[number];
  readonly data: string | Uint8Array;
}

/** The files of the public tree, the same bytes for the same facts; none while no run is committed. */
export async function publicFiles(source: DataSource): Promise<Outcome<PublicFile[]>> {
  const { data, runs, findings } = await readCodeData(source, { synthetic: false, deliverables: false });
  if (runs === 0 && !hasErrors(findings)) return { ok: true, value: [], findings: [...findings] };
  if (data === null) return { ok: false, findings: [...findings] };
  const files: PublicFile[] = [{ path: "data.json", data: renderData(data) }];
  for (const [name, path] of [
    ["METHODOLOGY.md", "METHODOLOGY.md"],
    ["pricing.json", "data/pricing.json"],
  ] as const) {
    const bytes = await source.read(path);
    if (bytes === null)
      return {
        ok: false,
        findings: [
          problem("code-data-missing-file", "This file is needed and is not there.", path, "Restore it."),
        ],
      };
    files.push({ path: name, data: bytes });
  }
  return { ok: true, value: files, findings: [...findings] };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
