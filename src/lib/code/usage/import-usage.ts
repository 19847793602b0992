import type { Finding, Outcome } from "../../findings.ts";
import type { Harness, Usage } from "../schema/usage-schema.ts";
import { importClaudeCode } from "./claude-code.ts";
import { importCodex } from "./codex.ts";
import { importCopilotCli } from "./copilot-cli.ts";
import { detectKind, type Kind } from "./detect.ts";
import { importGeminiCli } from "./gemini-cli.ts";
import { importGrokBuild } from "./grok-build.ts";
import type { LogFile } from "./log-file.ts";
import { importOpenCode } from "./opencode.ts";
import { importQwenCode } from "./qwen-code.ts";

type Importer = (files: readonly LogFile[], sessions: readonly string[]) => Outcome<Usage>;

/** Harnesses whose logs can be read: one line each. */
const IMPORTERS = {
  "claude-code": importClaudeCode,
  codex: importCodex,
  opencode: importOpenCode,
  "gemini-cli": importGeminiCli,
  "qwen-code": importQwenCode,
  "grok-build": importGrokBuild,
  "copilot-cli": importCopilotCli,
} as const satisfies Partial<Record<Harness, Importer>>;

export type ReadableHarness = keyof typeof IMPORTERS;

/** Their names, sorted. */
export const READABLE_HARNESSES: readonly ReadableHarness[] = (
  Object.keys(IMPORTERS) as ReadableHarness[]
).sort();

/** What a harness prints while it runs, and where what it keeps is. */
const STREAMS: Partial<Record<Kind, string>> = {
  "claude-stream":
    "`claude -p --output-format stream-json` prints totals of a session, without the lifetimes of cache writes. Give the transcript under `projects/`.",
  "codex-stream":
    "`codex exec --json` prints cumulative totals, without a model. Give the rollout under `sessions/`.",
  "opencode-stream":
    "`opencode run --format json` prints steps without their model. Give the database, or `opencode export`.",
};

export interface ImportOptions {
  /** Told from the content when left out. */
  readonly harness?: ReadableHarness;
  /** Sessions of the run, where logs hold several. */
  readonly sessions?: readonly string[];
}

/**
 * Usage of one agent run from all the logs of it: sub-agents, resumed and forked sessions, archived copies. The same logs give
 * the same document, in whatever order they come.
 */
export function importUsage(
  files: readonly LogFile[],
  { harness, sessions = [] }: ImportOptions = {},
): Outcome<Usage> {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (harness !== undefined) return IMPORTERS[harness](sorted, sessions);
  const findings: Finding[] = [];
  const byKind = new Map<Kind, LogFile[]>();
  for (const file of sorted) {
    const kind = detectKind(file);
    if (kind === null)
      findings.push({
        code: "code-usage-unknown-file",
        severity: "warning",
        path: file.name,
        message: "This is no log of a known harness, and was not read.",
        hint: `Leave it out, or force a reading with --harness (${READABLE_HARNESSES.join(", ")}).`,
      });
    else byKind.set(kind, [...(byKind.get(kind) ?? []), file]);
  }
  const kinds = [...byKind.keys()].filter((kind): kind is ReadableHarness => Object.hasOwn(IMPORTERS, kind));
  for (const [kind, streams] of byKind) {
    const hint = STREAMS[kind];
    for (const { name } of hint === undefined ? [] : streams)
      findings.push({
        code: "code-usage-stream",
        severity: kinds.length === 0 ? "error" : "notice",
        path: name,
        message: "This is what a harness printed, not the log that it keeps, and was not read.",
        hint: hint ?? "",
      });
  }
  const [only] = kinds;
  if (only === undefined || kinds.length > 1)
    return {
      ok: false,
      findings: [
        ...findings,
        {
          code: "code-usage-harness",
          severity: "error",
          message:
            only === undefined
              ? "None of the files is a log that can be read."
              : "The files are logs of several harnesses.",
          expected: "the logs of one run",
          actual: kinds.length > 1 ? kinds.join(", ") : `${files.length} files`,
          hint: "Import the logs of one run at a time.",
        },
      ],
    };
  const read = IMPORTERS[only](byKind.get(only) ?? [], sessions);
  return { ...read, findings: [...findings, ...read.findings] };
}
