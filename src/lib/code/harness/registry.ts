import type { HarnessAdapter } from "./adapter.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { opencode } from "./opencode.ts";

/** Harnesses that are known by name: one file and one line each. Any other one is a command (`command.ts`). */
const ADAPTERS: Readonly<Record<string, HarnessAdapter>> = { "claude-code": claudeCode, codex, opencode };

export const HARNESS_NAMES: readonly string[] = Object.keys(ADAPTERS);

export const adapterOf = (name: string): HarnessAdapter | null =>
  Object.hasOwn(ADAPTERS, name) ? (ADAPTERS[name] ?? null) : null;
