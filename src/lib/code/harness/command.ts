import { type HarnessAdapter, NO_KEY } from "./adapter.ts";

/** Any program that does as a harness does: reads the prompt, asks an OpenAI-compatible API, writes files, keeps logs in its home. */
export interface CommandHarness {
  /** A command line for `/bin/sh`. */
  readonly line: string;
  /** `https://api.example.com`. */
  readonly origin: string;
}

export const COMMAND_KEY = "ASSAY_API_KEY";

export const commandHarness = ({ line, origin }: CommandHarness): HarnessAdapter => ({
  api: {
    origin,
    routes: [
      { method: "POST", path: "/v1/chat/completions" },
      { method: "POST", path: "/v1/responses" },
    ],
    key: { header: "authorization", prefix: "Bearer " },
  },
  keyVariable: COMMAND_KEY,
  command: () => ["/bin/sh", "-c", line],
  environment: ({ api, model, effort, prompt }) => ({
    OPENAI_BASE_URL: `${api}/v1`,
    OPENAI_API_KEY: NO_KEY,
    ASSAY_MODEL: model,
    ASSAY_EFFORT: effort,
    ASSAY_PROMPT: prompt,
  }),
  files: () => [],
  logs: ".",
  reader: null,
});
