import { sumUsage, type Tokens, type Usage } from "../../../../src/lib/code/schema/usage-schema.ts";
import type { LogFile } from "../../../../src/lib/code/usage/log-file.ts";
import type { Finding, Outcome } from "../../../../src/lib/findings.ts";

/*
 * Small logs in the shapes that harnesses write, with what they must come to.
 */

type Line = string | Readonly<Record<string, unknown>>;

export const textOf = (lines: readonly Line[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

export const log = (name: string, lines: readonly Line[]): LogFile => raw(name, textOf(lines));

export const raw = (name: string, text: string): LogFile => ({ name, bytes: new TextEncoder().encode(text) });

/** The usage; fails with the findings when there is none. */
export function usageOf(outcome: Outcome<Usage>): Usage {
  if (!outcome.ok) throw new Error(`no usage: ${JSON.stringify(outcome.findings)}`);
  return outcome.value;
}

export const codesOf = ({ findings }: { findings: readonly Finding[] }): string[] =>
  findings.map(({ code }) => code);

/** Buckets that are not 0. */
export const sumsOf = (outcome: Outcome<Usage>): Partial<Tokens> =>
  Object.fromEntries(Object.entries(sumUsage(usageOf(outcome))).filter(([, tokens]) => tokens !== 0));

interface Assistant {
  id: string;
  request: string;
  at: string;
  usage: Record<string, unknown>;
  sidechain?: boolean;
  model?: string;
  stop?: string | null;
}

export const OPUS = "claude-opus-5-5";

export const claudeUsage = (
  input: number,
  writes: { short?: number; long?: number },
  read: number,
  output: number,
  more: Record<string, unknown> = { service_tier: "standard", speed: "standard" },
): Record<string, unknown> => ({
  input_tokens: input,
  cache_creation_input_tokens: (writes.short ?? 0) + (writes.long ?? 0),
  cache_creation: {
    ephemeral_5m_input_tokens: writes.short ?? 0,
    ephemeral_1h_input_tokens: writes.long ?? 0,
  },
  cache_read_input_tokens: read,
  output_tokens: output,
  ...more,
});

let line = 0;
export const assistant = ({
  id,
  request,
  at,
  usage,
  sidechain = false,
  model = OPUS,
  stop = "end_turn",
}: Assistant) => ({
  type: "assistant",
  uuid: `u${++line}`,
  parentUuid: null,
  isSidechain: sidechain,
  sessionId: "s1",
  requestId: request,
  timestamp: at,
  version: "2.4.1",
  message: { id, role: "assistant", model, content: [], stop_reason: stop, usage },
});

export const user = (at: string) => ({
  type: "user",
  isSidechain: false,
  sessionId: "s1",
  timestamp: at,
  message: { role: "user", content: "go" },
});

const CLAUDE_PARENT = [
  user("2026-11-05T09:00:00.000Z"),
  assistant({
    id: "msg_A",
    request: "req_1",
    at: "2026-11-05T09:00:04.100Z",
    stop: null,
    usage: claudeUsage(3, { long: 20_000 }, 0, 2),
  }),
  assistant({
    id: "msg_A",
    request: "req_1",
    at: "2026-11-05T09:00:06.900Z",
    usage: claudeUsage(3, { long: 20_000 }, 0, 410),
  }),
  assistant({
    id: "msg_B",
    request: "req_2",
    at: "2026-11-05T09:00:25.000Z",
    usage: claudeUsage(5, { long: 1500 }, 20_000, 95),
  }),
];

const CLAUDE_CHILD = [
  assistant({
    id: "msg_B",
    request: "req_9",
    at: "2026-11-05T09:00:25.500Z",
    usage: claudeUsage(5, { long: 1500 }, 20_000, 95, {}),
    sidechain: true,
  }),
  assistant({
    id: "msg_C",
    request: "req_3",
    at: "2026-11-05T09:00:40.250Z",
    usage: claudeUsage(4, { short: 3000 }, 0, 60, {}),
    sidechain: true,
  }),
];

/** A session that wrote one response twice, and a sub-agent that replays a line of its parent: 0.202348 USD at 4/0.2/5/8/20. */
export const CLAUDE: readonly LogFile[] = [
  log("s1.jsonl", CLAUDE_PARENT),
  log("s1/subagents/agent-1.jsonl", CLAUDE_CHILD),
];
export const CLAUDE_LINES: readonly (readonly Line[])[] = [CLAUDE_PARENT, CLAUDE_CHILD];

/** Codex's usage object: gross input, with its parts. */
export const codexUsage = (
  input: number,
  cached: number,
  write: number,
  output: number,
  reasoning: number,
) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  cache_write_input_tokens: write,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: input + output,
});
export type CodexUsage = ReturnType<typeof codexUsage>;

export const tokenCount = (timestamp: string, total: CodexUsage | null, last: CodexUsage | null = total) => ({
  timestamp,
  type: "event_msg",
  payload: {
    type: "token_count",
    info:
      total === null
        ? null
        : { total_token_usage: total, last_token_usage: last, model_context_window: 258_400 },
    rate_limits: { primary: { used_percent: 2 } },
  },
});

export const codexMeta = (timestamp: string, id: string, more: Record<string, unknown> = {}) => ({
  timestamp,
  type: "session_meta",
  payload: { id, cwd: "/w", originator: "codex_exec", cli_version: "0.150.0", ...more },
});

export const codexModel = (timestamp: string, model = "gpt-6.1-sol") => ({
  timestamp,
  type: "turn_context",
  payload: { model, effort: "high" },
});

export const codexTier = (timestamp: string, thread: string, service_tier: string) => ({
  timestamp,
  type: "event_msg",
  payload: {
    type: "thread_settings_applied",
    thread_id: thread,
    thread_settings: { model: "gpt-6.1-sol", service_tier },
  },
});

const FIRST = codexUsage(12_000, 0, 11_000, 300, 120);
const SECOND = codexUsage(36_500, 11_500, 12_000, 900, 300);
const DIFFERENCE = codexUsage(24_500, 11_500, 1000, 600, 180);

export const CODEX_LINES: readonly Line[] = [
  codexMeta("2026-11-05T09:00:00.000Z", "th1"),
  codexModel("2026-11-05T09:00:00.400Z"),
  codexTier("2026-11-05T09:00:00.500Z", "th1", "priority"),
  tokenCount("2026-11-05T09:00:09.000Z", FIRST),
  tokenCount("2026-11-05T09:00:09.500Z", FIRST),
  tokenCount("2026-11-05T09:00:31.000Z", SECOND, DIFFERENCE),
  tokenCount("2026-11-05T09:00:31.200Z", null),
  {
    timestamp: "2026-11-05T09:00:32.000Z",
    type: "event_msg",
    payload: { type: "task_complete", duration_ms: 31_500 },
  },
];
export const CODEX: readonly LogFile[] = [log("rollout-1-th1.jsonl", CODEX_LINES)];

export const opencodeTokens = (
  input: number,
  output: number,
  reasoning: number,
  read: number,
  write = 0,
) => ({
  input,
  output,
  reasoning,
  cache: { read, write },
});

/** One message with two steps, of which it keeps the last one's tokens. */
export const OPENCODE_MESSAGE = {
  message: {
    id: "msg_1",
    role: "assistant",
    providerID: "deepseek",
    modelID: "deepseek-v4-pro",
    time: { created: 1_793_869_200_000, completed: 1_793_869_230_500 },
    cost: 0.0031,
    tokens: opencodeTokens(300, 80, 0, 2000),
  },
  parts: [
    { type: "step-finish", reason: "tool-calls", cost: 0.0025, tokens: opencodeTokens(2000, 150, 50, 0) },
    { type: "step-finish", reason: "stop", cost: 0.0006, tokens: opencodeTokens(300, 80, 0, 2000) },
  ],
};

export const GEMINI_MESSAGE = {
  id: "g1",
  type: "gemini",
  model: "gemini-3-pro",
  timestamp: "2026-11-05T09:00:12.000Z",
  tokens: { input: 9000, output: 200, cached: 7000, thoughts: 500, tool: 40, total: 9740 },
};

export const QWEN_LINE = {
  uuid: "q1",
  sessionId: "s",
  type: "assistant",
  model: "qwen3.7-max",
  timestamp: "2026-11-05T09:00:12.000Z",
  usageMetadata: {
    promptTokenCount: 9000,
    cachedContentTokenCount: 8000,
    candidatesTokenCount: 400,
    thoughtsTokenCount: 100,
    totalTokenCount: 9500,
  },
};
