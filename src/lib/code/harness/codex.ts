import { type HarnessAdapter, NO_KEY } from "./adapter.ts";

/** Codex, `codex exec`: prints cumulative totals, and keeps rollouts below `sessions/`, which usage is read from. */
export const codex: HarnessAdapter = {
  api: {
    origin: "https://api.openai.com",
    routes: [
      { method: "POST", path: "/v1/responses" },
      { method: "POST", path: "/v1/responses/compact" },
      { method: "GET", path: "/v1/models" },
    ],
    key: { header: "authorization", prefix: "Bearer " },
  },
  keyVariable: "OPENAI_API_KEY",
  command: ({ model, prompt, work }) => [
    "codex",
    ...["exec", "--json", "--skip-git-repo-check", "--cd", work, "--model", model],
    // Its own sandbox cannot be made inside ours, which is the stricter one.
    "--dangerously-bypass-approvals-and-sandbox",
    prompt,
  ],
  environment: ({ home }) => ({ CODEX_HOME: `${home}/.codex`, OPENAI_API_KEY: NO_KEY }),
  files: ({ api, effort }) => [
    {
      path: ".codex/config.toml",
      text: [
        'model_provider = "assay"',
        ...(effort === "default" ? [] : [`model_reasoning_effort = ${JSON.stringify(effort)}`]),
        "check_for_update_on_startup = false",
        "",
        "[model_providers.assay]",
        'name = "the one API of this run"',
        `base_url = ${JSON.stringify(`${api}/v1`)}`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        "",
      ].join("\n"),
    },
  ],
  logs: ".codex",
  reader: "codex",
};
