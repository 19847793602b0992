import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CodeRun } from "../../../src/lib/code/schema/run-schema.ts";
import { digestOf } from "../../../src/lib/digest.ts";
import { REPOSITORY } from "../../jobs/temp-suite.ts";
import { realModels } from "../../lib/code/council/catalogue.ts";
import { entry, hosts, run, session, task } from "../../lib/code/facts.ts";
import type { ProviderRequest } from "../run/provider.ts";

export const SPEC = "# Range coder\n\nWrite a range coder in Rust. Empty input encodes to no bytes.\n";
const JOINED = "2026-01-01T00:00:00.000Z";

const judge = (id: string, configuration: string) => ({
  id,
  name: id,
  configuration,
  harness: "openai-api",
  joined_at: JOINED,
});

export const councilJudges = () => ({
  schema_version: 1 as const,
  judges: [judge("j-opus", "claude-opus-5.5@xhigh"), judge("j-sol", "gpt-6.1-sol@high")],
});

/** What an entry delivers: its own function, and a comment that names its maker. */
const sourceOf = (run: string, id: string, configuration: string): string =>
  `// ${id} of ${run}\n// Generated with ${configuration.split("@")[0]}\npub fn encode_${id.replaceAll("-", "_")}() -> u32 {\n    ${id.length}\n}\n`;

export interface CouncilRoot {
  readonly folder: string;
  readonly run: CodeRun;
}

/** Configurations of all models at two efforts: more than two packs full. */
export const CONFIGURATIONS: readonly string[] = realModels().models.flatMap(({ id }) => [
  `${id}@high`,
  `${id}@xhigh`,
]);

/** A small data folder: an old run with a panel, whose entries are anchors, and a new one of 23 entries without reviews. */
export function makeCouncilRoot(count = 23): CouncilRoot {
  const folder = mkdtempSync(join(tmpdir(), "assay-council-"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const deliver = (given: CodeRun): CodeRun => ({
    ...given,
    entries: given.entries.map(({ usage: _u, perf: _p, hidden: _h, ...each }) => {
      const source = sourceOf(given.id, each.id, each.configuration);
      write(`data/entries/${given.id}/${each.id}/src/lib.rs`, source);
      return {
        ...each,
        deliverable: [{ path: "src/lib.rs", sha256: digestOf(source), bytes: Buffer.byteLength(source) }],
      };
    }),
  });
  const spec = { sha256: digestOf(SPEC) };
  const old = deliver(
    run({
      id: "old-run",
      spec,
      lead: "claude-opus-5.5@xhigh",
      started_at: "2026-10-01T00:00:00.000Z",
      entries: [entry("e1", "grok-5@high"), entry("e2", "glm-5.2@high"), entry("e3", "kimi-k3@high")],
      council: {
        sessions: [session("s1", "j-opus", [8, 6, 3]), session("s2", "j-sol", [7.6, 7, 4])],
        revisions: [],
      },
    }),
  );
  const made = deliver(
    run({
      id: "new-run",
      spec,
      lead: "gpt-6.1-sol@high",
      entries: [
        ...CONFIGURATIONS.slice(0, count).map((configuration, index) =>
          entry(`entry-${index + 1}`, configuration),
        ),
        ...(count < CONFIGURATIONS.length
          ? [entry("entry-dnf", CONFIGURATIONS[count] ?? "", { dnf: { reason: "stopped" } })]
          : []),
      ],
      council: { sessions: [], revisions: [] },
    }),
  );
  const anchor = (id: string, of: string, level: string) => ({
    ...{ id, run: "old-run", entry: of, level },
    added_at: "2026-10-02T00:00:00.000Z",
  });
  const documents: Record<string, unknown> = {
    "data/models.json": realModels(),
    "data/judges.json": councilJudges(),
    "data/hosts.json": hosts(),
    "data/pricing.json": { schema_version: 1, currency: "USD", per_tokens: 1_000_000, cards: [] },
    "tasks/coder/task.json": task(),
    "data/anchors/coder.json": {
      schema_version: 1,
      task: "coder",
      anchors: [anchor("top", "e1", "high"), anchor("mid", "e2", "middle"), anchor("bottom", "e3", "low")],
    },
    "data/runs/old-run.json": old,
    "data/runs/new-run.json": made,
  };
  for (const [path, document] of Object.entries(documents))
    write(path, `${JSON.stringify(document, null, 2)}\n`);
  write("tasks/coder/SPEC.md", SPEC);
  return { folder, run: made };
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts `bench council …` as a person would, with nothing in the environment but what is given. */
export function startCouncil(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/bench/main.ts", "council", ...args], {
    cwd: REPOSITORY,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, out, err })));
  return { child, ended };
}

export const council = (...args: readonly string[]): Promise<Ended> => startCouncil(args).ended;

/** The letters that a question asks for. */
export const lettersOf = (request: ProviderRequest): string[] =>
  (/letters ([A-Z, ]+)\. Answer with/.exec(request.body.messages.at(-1)?.content ?? "")?.[1] ?? "").split(
    ", ",
  );

/** A review as a judge would send it. */
export const reviewOf = (letter: string, score: unknown = 7, findings: unknown = []) => ({
  letter,
  findings,
  summary: `On ${letter}.`,
  score,
});

export const foundIn = (file: string | null, line: number | null, change: Record<string, unknown> = {}) => ({
  ...{ file, line, severity: "low", category: "docs", text: "Says nothing of units." },
  ...change,
});
