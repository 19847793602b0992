import type { Outcome } from "../../findings.ts";
import type { Usage } from "../schema/usage-schema.ts";
import { claudeRequests, type Response } from "./claude-usage.ts";
import type { LogFile } from "./log-file.ts";
import { Reading } from "./reading.ts";
import { at, objectAt, textAt } from "./values.ts";

/**
 * Usage of a run by Claude Code, from its transcripts: `<sessionId>.jsonl` and `<sessionId>/subagents/agent-*.jsonl`, all
 * files of the run together.
 *
 * A response is written once for each content block, with the same `message.id` and `requestId`: its input repeats, its
 * output grows, and the line with the highest output is kept whole. A sub-agent's file can replay a line of its parent under
 * a new `requestId`; a resumed or forked session can copy lines: both are the same response and count once. Sub-agents'
 * totals in `toolUseResult` are in their own files and are not read.
 *
 * @param files transcripts of one run, in any order
 * @param sessions only these sessions; sub-agents carry the id of their parent
 */
export function importClaudeCode(
  files: readonly LogFile[],
  sessions: readonly string[] = [],
): Outcome<Usage> {
  const reading = new Reading(files);
  const responses = new Map<string, Response>();
  let version: { text: string; ms: number } | null = null;
  const found = new Set<string>();
  for (const file of files)
    for (const { value, place } of reading.events(file)) {
      const session = textAt(value, "sessionId") ?? "";
      found.add(session);
      if (sessions.length > 0 && !sessions.includes(session)) continue;
      const ms = reading.time(value, "timestamp", place);
      const text = textAt(value, "version");
      if (text !== null && (version === null || (ms ?? 0) >= version.ms)) version = { text, ms: ms ?? 0 };
      if (at(value, "type") !== "assistant" || at(value, "isApiErrorMessage") === true) continue;
      const message = objectAt(value, "message");
      const usage = objectAt(message, "usage");
      if (message === null || usage === null || at(message, "model") === "<synthetic>") continue;
      const output = reading.counts(usage, ["output_tokens"], place)?.output_tokens;
      if (output === undefined) continue;
      const id = textAt(message, "id");
      const request = textAt(value, "requestId") ?? "";
      if (sessions.length === 0) reading.addSession(session);
      const response: Response = {
        id,
        request,
        sidechain: at(value, "isSidechain") === true,
        output,
        ms,
        model: textAt(message, "model"),
        usage,
        isOpen: at(message, "stop_reason") === null,
        place,
      };
      const key = id === null ? `line ${place.path}:${place.line}` : `${id} ${request}`;
      responses.set(key, better(responses.get(key), response));
    }
  reading.missSessions(sessions, (session) => found.has(session));
  const kept = withoutReplays([...responses.values()]);
  warnOfPlaceholders(kept, reading);
  for (const response of kept) claudeRequests(response, reading);
  return reading.finish("claude-code", {
    harness_version: version?.text ?? null,
    per: "request",
    cost_recorded_usd: null,
  });
}

/** Some versions write a placeholder for the output until a response ends, and never correct it. */
function warnOfPlaceholders(responses: readonly Response[], reading: Reading): void {
  const open = responses.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return;
  reading.assume("output-as-logged");
  reading.warn(
    "code-usage-placeholder",
    open[0]?.place ?? null,
    "Responses have no reason why they stopped: they were broken off, or their output is a placeholder.",
    {
      expected: "a `stop_reason` in the last line of each response",
      actual: `none for ${open.length} of ${responses.length}`,
      hint: "Old versions of Claude Code log too little output. Compare with what the vendor billed.",
    },
  );
}

/** Of two lines of one response: the higher output, the parent's line, the later one. */
function better(before: Response | undefined, response: Response): Response {
  if (before === undefined) return response;
  const order =
    response.output - before.output ||
    Number(before.sidechain) - Number(response.sidechain) ||
    (response.ms ?? 0) - (before.ms ?? 0);
  return order >= 0 ? response : before;
}

/**
 * One response of the API has one `message.id`. Where several requests claim it, the ones of sub-agents are replays: of the
 * parent's line when there is one, else of the earliest of them.
 */
function withoutReplays(responses: readonly Response[]): Response[] {
  const originals = new Map<string, Response>();
  for (const response of responses) {
    if (response.id === null) continue;
    const before = originals.get(response.id);
    if (before === undefined || isEarlier(response, before)) originals.set(response.id, response);
  }
  return responses.filter(
    (response) => response.id === null || !response.sidechain || originals.get(response.id) === response,
  );
}

function isEarlier(response: Response, before: Response): boolean {
  if (response.sidechain !== before.sidechain) return before.sidechain;
  return (response.ms ?? 0) < (before.ms ?? 0);
}
