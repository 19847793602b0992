#!/usr/bin/env node
// Stands in for a harness where none is installed: it is told what a harness is told, asks one model for one answer over the one API that it
// reaches, writes the files that the answer holds, and logs as Claude Code does. It is scripted, and its logs say so.
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { OPENAI_BASE_URL, OPENAI_API_KEY, ASSAY_MODEL, ASSAY_EFFORT, ASSAY_PROMPT, HOME } = process.env;
const session = randomUUID();
const log = join(HOME, ".claude", "projects", "job", `${session}.jsonl`);
mkdirSync(dirname(log), { recursive: true });
const lines = [];
const note = (record) => {
  lines.push(
    JSON.stringify({
      sessionId: session,
      isSidechain: false,
      version: "scripted-1",
      timestamp: new Date().toISOString(),
      ...record,
    }),
  );
  writeFileSync(log, `${lines.join("\n")}\n`);
};

const brief = readFileSync("BRIEF.md", "utf8");
note({ type: "user", message: { role: "user", content: ASSAY_PROMPT } });
const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json", authorization: `Bearer ${OPENAI_API_KEY}` },
  body: JSON.stringify({
    model: ASSAY_MODEL,
    stream: true,
    stream_options: { include_usage: true },
    ...(ASSAY_EFFORT === "default" ? {} : { reasoning_effort: ASSAY_EFFORT }),
    messages: [
      { role: "system", content: ASSAY_PROMPT },
      { role: "user", content: brief },
    ],
  }),
});
if (!answer.ok) {
  process.stderr.write(`the API answered ${answer.status}\n`);
  process.exit(1);
}

let [id, text, usage, rest] = ["", "", null, ""];
for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
  rest += chunk;
  const events = rest.split("\n\n");
  rest = events.pop() ?? "";
  for (const event of events) {
    const data = event.replace(/^data: /, "");
    if (data === "[DONE]") continue;
    const part = JSON.parse(data);
    id = part.id;
    text += part.choices[0]?.delta?.content ?? "";
    usage = part.usage ?? usage;
  }
}
const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
note({
  type: "assistant",
  uuid: randomUUID(),
  requestId: `req_${id}`,
  message: {
    id,
    role: "assistant",
    model: ASSAY_MODEL,
    content: [{ type: "text", text: "(scripted)" }],
    stop_reason: "end_turn",
    usage: {
      input_tokens: usage.prompt_tokens - cached,
      cache_creation_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      cache_read_input_tokens: cached,
      output_tokens: usage.completion_tokens,
      service_tier: "standard",
    },
  },
});
for (const [path, content] of Object.entries(JSON.parse(text).files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
note({ type: "system", subtype: "done" });
process.stdout.write(`${JSON.stringify({ type: "result", is_error: false, session_id: session })}\n`);
