import { collectNames, type NameBook, type NameSources } from "../../../../src/lib/code/council/names.ts";
import type { Models } from "../../../../src/lib/code/schema/models-schema.ts";
import { judges } from "../facts.ts";

/** Vendors and models as a real round has them. */
export const VENDORS: Readonly<Record<string, readonly string[]>> = {
  Anthropic: ["claude-opus-5.5", "claude-sonnet-5"],
  OpenAI: ["gpt-6.1-sol", "gpt-6.1-terra"],
  DeepSeek: ["deepseek-v4"],
  xAI: ["grok-5"],
  Meta: ["muse-wonder-full-1.0"],
  "Z.ai": ["glm-5.2"],
  "Moonshot AI": ["kimi-k3"],
  Google: ["gemini-3.5-pro"],
  Alibaba: ["qwen4-coder"],
  Xiaomi: ["mimo-v3"],
};

export const realModels = (): Models => ({
  schema_version: 1,
  vendors: Object.keys(VENDORS).map((name) => ({
    id: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
    name,
    colour: { light: "#000000", dark: "#ffffff" },
    marker: "circle",
    mark: name[0] ?? "?",
  })),
  models: Object.entries(VENDORS).flatMap(([vendor, ids]) =>
    ids.map((id) => ({
      id,
      name: id.replaceAll("-", " "),
      vendor: vendor.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"),
      efforts: ["high", "xhigh"],
      price_card: null,
      log_names: [id.replaceAll(".", "-")],
    })),
  ),
});

export const bookOf = (change: Partial<NameSources> = {}): NameBook =>
  collectNames({
    models: realModels(),
    judges: judges(),
    harnesses: ["claude-code", "codex", "opencode"],
    ids: ["run-1", "2026-11-05-coder-lead-two", "e1", "e2"],
    spec: "# Range coder\nWrite a range coder.\n",
    ...change,
  });
