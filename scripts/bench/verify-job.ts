import { printable } from "../../src/io/terminal.ts";
import { verifyJobReport } from "../../src/jobs/job-import.ts";
import type { JobStep } from "../../src/lib/job/verify-report.ts";
import { rootOf } from "../benchmarks/root.ts";
import { register } from "./command.ts";

const SIGNS: Readonly<Record<JobStep["state"], string>> = { holds: "ok  ", fails: "FAIL", open: "?   " };

/** Follows a job's report back to the host that signed it. */
export const verifyJob = register<{ report: string; root?: string; nonce?: string; commit?: string }>({
  words: ["verify-job"],
  summary: "follow a job's report back to the host that signed it, offline, one line a step",
  declare: (command) =>
    command
      .argument("<report>", "report.json of the artifact assay-job, with the files beside it")
      .option("--root <folder>", "the folder that holds data/hosts.json (default: this repository)")
      .option("--nonce <id>", "the check run that it must be of")
      .option("--commit <sha>", "the commit that it must be of"),
  async action({ report, root, nonce, commit }, { stdout }) {
    const verified = await verifyJobReport(report, rootOf(root), {
      ...(nonce === undefined ? {} : { nonce }),
      ...(commit === undefined ? {} : { commit }),
    });
    if (!verified.ok) return verified.findings;
    for (const { id, state, text } of verified.value)
      stdout.write(`${SIGNS[state]}  ${id.padEnd(11)}  ${printable(text)}\n`);
    return verified.findings;
  },
});
