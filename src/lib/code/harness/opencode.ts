import { type HarnessAdapter, NO_KEY } from "./adapter.ts";

/** OpenCode, `opencode run`: keeps its sessions in a database below the data folder, which usage is read from. */
export const opencode: HarnessAdapter = {
  api: {
    origin: "https://openrouter.ai",
    routes: [{ method: "POST", path: "/api/v1/chat/completions" }],
    key: { header: "authorization", prefix: "Bearer " },
  },
  keyVariable: "OPENROUTER_API_KEY",
  command: ({ model, effort, prompt }) => [
    "opencode",
    ...["run", "--format", "json", "--model", `assay/${model}`],
    ...(effort === "default" ? [] : ["--variant", effort]),
    prompt,
  ],
  environment: ({ home }) => ({
    OPENCODE_CONFIG: `${home}/opencode.json`,
    XDG_DATA_HOME: `${home}/data`,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_STATE_HOME: `${home}/state`,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  }),
  files: ({ api, model }) => [
    {
      path: "opencode.json",
      text: `${JSON.stringify(
        {
          model: `assay/${model}`,
          small_model: `assay/${model}`,
          autoupdate: false,
          share: "disabled",
          permission: { edit: "allow", bash: "allow", webfetch: "deny" },
          provider: {
            assay: {
              npm: "@ai-sdk/openai-compatible",
              name: "the one API of this run",
              options: { baseURL: `${api}/api/v1`, apiKey: NO_KEY },
              models: { [model]: { name: model, reasoning: true, tool_call: true } },
            },
          },
        },
        null,
        2,
      )}\n`,
    },
  ],
  logs: "data/opencode",
  reader: "opencode",
};
