import { randomBytes } from "node:crypto";
import { InvalidArgumentError } from "commander";
import { userPath } from "../../src/io/user-files.ts";
import { openProbe } from "../../src/jobs/defect-prober.ts";
import { stateFindings } from "../../src/lib/defects/findings.ts";
import { PROBE_EXIT } from "../../src/lib/defects/probe.ts";
import { type Finding, hasErrors } from "../../src/lib/findings.ts";
import { TASKS } from "../../tasks/index.ts";
import { REPOSITORY } from "../benchmarks/root.ts";
import { register } from "./command.ts";

interface ProbeOptions {
  probe: { readonly task: string; readonly file: string };
  folder: string;
}

/** From findings, since a verb's exit code follows from them. */
function exitOf(findings: readonly Finding[]): number {
  const has = (code: string): boolean => findings.some((finding) => finding.code === code);
  if (has("defect-not-built")) return 2;
  if (hasErrors(findings) || has("defect-probe-failed")) return PROBE_EXIT.ours;
  return has("defect-present") ? PROBE_EXIT.present : PROBE_EXIT.absent;
}

const present: Finding = {
  code: "defect-present",
  severity: "notice",
  message: "The probe shows the defect.",
};

/** Runs one probe on one deliverable, for whoever writes probes. */
export const defectsProbe = register<ProbeOptions>({
  words: ["defects", "probe"],
  summary: "run one probe on one deliverable: exit 0 absent, 1 present, 2 does not build, 3 ours",
  declare: (command) =>
    command
      .argument("<probe>", "<task>/<file below tasks/<task>/probes/>", probeOf)
      .argument("<folder>", "the deliverable"),
  async action({ probe: { task, file }, folder }, { stdout }) {
    const opened = await openProbe(file, {
      root: REPOSITORY,
      kits: TASKS,
      env: process.env,
      task,
      seed: randomBytes(16).toString("hex"),
    });
    if (!opened.ok) return [...opened.findings];
    const { state, why, ours } = await opened.prober(userPath(folder));
    if (ours.length > 0) return [...ours];
    stdout.write(`${state}\n`);
    const said = stateFindings({ run: task, entry: "probed", role: "judged", probe: state }, why);
    return [
      ...said.map((finding) => ({ ...finding, path: folder })),
      ...(state === "present" ? [present] : []),
    ];
  },
  exitOf,
});

function probeOf(text: string): ProbeOptions["probe"] {
  const [, task, file] = /^([a-z0-9][a-z0-9._-]*)\/(.+)$/.exec(text) ?? [];
  if (task === undefined || file === undefined) throw new InvalidArgumentError("<task>/<file>");
  return { task, file };
}
