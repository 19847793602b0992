import { dirname } from "node:path";
import { folderSource, writeFilesWhole } from "../io/files.ts";
import { fastDigest } from "../io/git-ids.ts";
import { verifySignature } from "../io/host/keys.ts";
import { readUserFile, userPath, whenWritten } from "../io/user-files.ts";
import type { Host } from "../lib/code/schema/hosts-schema.ts";
import type { Finding, Outcome } from "../lib/findings.ts";
import { checkImport, importResults } from "../lib/job/import-report.ts";
import type { JobReport } from "../lib/job/report-schema.ts";
import { type JobStep, verifyReport } from "../lib/job/verify-report.ts";
import { ORDER_FILE, parseReport, RAW_FILE, readHosts, readIfThere, readOrder } from "./job-files.ts";

/** A job's report in the hands of a person: is it to be believed, and into its run with it. Offline. */

async function readBoth(
  path: string,
  root: string,
): Promise<Outcome<{ report: JobReport; hosts: ReadonlyMap<string, Host> }>> {
  const bytes = await readUserFile(path);
  if (!bytes.ok) return bytes;
  const report = parseReport(bytes.value, path);
  if (!report.ok) return report;
  const hosts = await readHosts(root);
  if (!hosts.ok) return hosts;
  return {
    ok: true,
    value: { report: report.value, hosts: new Map(hosts.value.hosts.map((host) => [host.id, host])) },
    findings: [],
  };
}

/**
 * Follows a report step by step, from its own files and `data/hosts.json` of `root`. What lies beside it (`order.json`, `raw.json`) is
 * looked at as well.
 */
export async function verifyJobReport(
  path: string,
  root: string,
  expected: { readonly nonce?: string; readonly commit?: string },
): Promise<Outcome<readonly JobStep[]>> {
  const both = await readBoth(path, root);
  if (!both.ok) return both;
  const folder = dirname(userPath(path));
  const order = (await readIfThere(folder, ORDER_FILE)) === null ? null : await readOrder(folder);
  if (order !== null && !order.ok) return order;
  const raw = await readIfThere(folder, RAW_FILE);
  const steps = verifyReport({
    ...both.value,
    order: order?.value ?? null,
    raw: raw === null ? null : fastDigest(raw),
    expected,
    verify: verifySignature,
  });
  return { ok: true, value: steps, findings: steps.filter(({ state }) => state === "fails").map(failed) };
}

const failed = ({ id, text }: JobStep): Finding => ({
  code: "job-unverified",
  severity: "error",
  message: `The step "${id}" does not hold: this report proves nothing.`,
  actual: text,
});

/** Puts what a job measured into `data/runs/<run>.json` of `root`. Nothing is written when anything of it does not hold. */
export async function importJob(
  path: string,
  root: string,
  at: string,
): Promise<{ readonly done: readonly string[]; readonly findings: readonly Finding[] }> {
  const both = await readBoth(path, root);
  if (!both.ok) return { done: [], findings: both.findings };
  const { report, hosts } = both.value;
  const refused = checkImport(report, hosts);
  if (refused.length > 0) return { done: [], findings: refused };
  const source = folderSource(root);
  const done: string[] = [];
  const files: { path: string; data: string }[] = [];
  for (const run of new Set(report.results.map((result) => result.run))) {
    const file = `data/runs/${run}.json`;
    const bytes = await source(file);
    if (bytes === null)
      return {
        done: [],
        findings: [
          {
            code: "code-data-missing-file",
            severity: "error",
            message: "This file is needed and is not there, or is no plain file.",
            path: file,
          },
        ],
      };
    const imported = importResults(bytes, file, report, { hosts, verify: verifySignature, at });
    if (!imported.ok) return { done: [], findings: imported.findings };
    done.push(...imported.value.done);
    files.push({ path: file, data: imported.value.text });
  }
  const findings = await whenWritten("data/runs", () => writeFilesWhole(root, files));
  return { done, findings };
}
