import { type HarnessAdapter, NO_KEY } from "./adapter.ts";

/** Claude Code, `claude -p`: prints events, and keeps the transcripts that usage is read from below its configuration folder. */
export const claudeCode: HarnessAdapter = {
  api: {
    origin: "https://api.anthropic.com",
    routes: [
      { method: "POST", path: "/v1/messages" },
      { method: "POST", path: "/v1/messages/count_tokens" },
    ],
    key: { header: "x-api-key", prefix: "" },
  },
  keyVariable: "ANTHROPIC_API_KEY",
  command: ({ model, effort, prompt }) => [
    "claude",
    ...["-p", prompt, "--output-format", "stream-json", "--verbose"],
    ...["--model", model, ...(effort === "default" ? [] : ["--effort", effort])],
    // The sandbox is the permission: asking would wait for somebody who is not there.
    "--dangerously-skip-permissions",
  ],
  environment: ({ api, home, model }) => ({
    ANTHROPIC_BASE_URL: api,
    ANTHROPIC_API_KEY: NO_KEY,
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    // Titles and summaries would otherwise be asked of a model that the configuration does not name.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_SUBAGENT_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  files: () => [],
  logs: ".claude/projects",
  reader: "claude-code",
};
