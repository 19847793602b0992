import { join } from "node:path";
import { filesBelow, readWhole, writeFilesWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { canonicalDocument } from "../lib/canonical-json.ts";
import { type Hosts, hostsSchema } from "../lib/code/schema/hosts-schema.ts";
import type { Outcome } from "../lib/findings.ts";
import { attested, type Signer } from "../lib/job/attest.ts";
import { type Order, orderSchema } from "../lib/job/order-schema.ts";
import { JOB_REPORT_FILE, type JobReport, jobReportSchema } from "../lib/job/report-schema.ts";
import { parseWithSchema } from "../lib/strict-json/schema.ts";

/** The files that jobs of a guarded workflow hand to each other. */

export const ORDER_FILE = "order.json";
export const RAW_FILE = "raw.json";
export const FACTS_FOLDER = "facts";

const MAX_ORDER = 4 * 1024 * 1024;
const MAX_REPORT = 32 * 1024 * 1024;
const MAX_RAW = 256 * 1024 * 1024;

/** A file's bytes; null when there is none. */
export const readIfThere = async (folder: string, name: string): Promise<Uint8Array | null> =>
  readWhole(join(folder, name)).catch(() => null);

export interface ReadOrder {
  readonly order: Order;
  readonly digest: string;
}

/** The order in a folder. */
export async function readOrder(folder: string): Promise<Outcome<ReadOrder>> {
  const bytes = await readIfThere(folder, ORDER_FILE);
  if (bytes === null) return missing(ORDER_FILE);
  const parsed = parseWithSchema(bytes, orderSchema, {
    path: ORDER_FILE,
    code: "grader-evidence",
    maxBytes: MAX_ORDER,
  });
  return parsed.ok
    ? { ok: true, value: { order: parsed.value, digest: fastDigest(bytes) }, findings: [] }
    : parsed;
}

/** `data/hosts.json` of a folder that holds the base's code. */
export async function readHosts(folder: string): Promise<Outcome<Hosts>> {
  const path = "data/hosts.json";
  const bytes = await readIfThere(folder, path);
  if (bytes === null) return missing(path);
  return parseWithSchema(bytes, hostsSchema, { path, code: "code-data" });
}

export async function readReport(folder: string): Promise<Outcome<JobReport>> {
  const bytes = await readIfThere(folder, JOB_REPORT_FILE);
  return bytes === null ? missing(JOB_REPORT_FILE) : parseReport(bytes, JOB_REPORT_FILE);
}

export const parseReport = (bytes: Uint8Array, path: string): Outcome<JobReport> =>
  parseWithSchema(bytes, jobReportSchema, { path, code: "report", maxBytes: MAX_REPORT });

const missing = (path: string): Outcome<never> => ({
  ok: false,
  findings: [{ code: "job-missing", severity: "error", message: "This file of the job is not there.", path }],
});

/** What goes beside a report. */
export interface JobOutput {
  readonly report: JobReport;
  /** Every sample of every attempt; as `raw.json`. */
  readonly raw?: unknown;
  /** Raw facts of a run: files below `facts/`. */
  readonly facts?: readonly { readonly path: string; readonly data: Uint8Array | string }[];
  /** Signs the report; absent on a rehearsal host without a key. */
  readonly signer?: Signer;
}

/** Writes the report, with the digest of what lies beside it and the host's signature over all of that. */
export async function writeJob(
  folder: string,
  { report, raw, facts = [], signer }: JobOutput,
): Promise<JobReport> {
  const rawText = raw === undefined ? null : canonicalDocument(raw);
  const whole: JobReport = { ...report, raw: rawText === null ? null : fastDigest(rawText) };
  const signed = signer === undefined ? whole : attested(whole, whole.order ?? fastDigest(""), signer);
  await writeFilesWhole(folder, [
    ...facts.map(({ path, data }) => ({ path: `${FACTS_FOLDER}/${path}`, data })),
    ...(rawText === null ? [] : [{ path: RAW_FILE, data: rawText }]),
    { path: JOB_REPORT_FILE, data: canonicalDocument(jobReportSchema.parse(signed)) },
  ]);
  return signed;
}

/** Files beside a report that a later job hands on: raw samples, and facts. */
export async function filesBeside(folder: string): Promise<{ path: string; data: Uint8Array }[]> {
  const files: { path: string; data: Uint8Array }[] = [];
  const raw = await readIfThere(folder, RAW_FILE);
  if (raw !== null && raw.length <= MAX_RAW) files.push({ path: RAW_FILE, data: raw });
  for (const { path } of (await filesBelow(join(folder, FACTS_FOLDER))) ?? [])
    files.push({ path: path.slice(folder.length + 1), data: await readWhole(path) });
  return files;
}
