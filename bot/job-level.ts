import type { JobReport } from "../src/lib/job/report-schema.ts";
import type { JobLevel } from "../src/lib/result-pr/words-job-report.ts";
import type { BotContext } from "./context.ts";
import { readHosts } from "./job-report.ts";

/** How far the numbers of a report can be believed: its signature against the keys of the default branch. */
export async function readLevel(context: BotContext, report: JobReport): Promise<JobLevel> {
  const hosts = await readHosts(context);
  const host = hosts?.find(({ id }) => id === report.host?.id);
  if (host === undefined) return { level: "declared", why: "data/hosts.json has no such host" };
  const signed = false;
  if (host.class === "rehearsal") return { level: "rehearsal", host: host.id, signed };
  return { level: "declared", why: "it has no signature" };
}
