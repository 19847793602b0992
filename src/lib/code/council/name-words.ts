/*
 * Words about names that no data file of the benchmark holds. They only decide what is replaced in a pack; adding one
 * changes the packs that are made from then on.
 */

/** Single words that are nobody else's name, whatever the catalogue lists. */
export const BRANDS: ReadonlySet<string> = new Set([
  "anthropic",
  "claude",
  "gpt",
  "codex",
  "gemini",
  "qwen",
  "grok",
  "xai",
  "copilot",
  "kimi",
  "glm",
  "zhipu",
  "mimo",
  "xiaomi",
  "mistral",
  "llama",
  "windsurf",
  "alibaba",
  "aider",
  "devstral",
  "codestral",
]);

/** Names of several words, or written as one with capitals inside. */
export const VENDOR_PHRASES: readonly string[] = [
  "OpenAI",
  "ChatGPT",
  "DeepSeek",
  "MoonshotAI",
  "Moonshot AI",
  "xAI",
  "Z.ai",
  "Google DeepMind",
  "DeepMind",
  "Hugging Face",
  "Meta AI",
  "Muse Wonder",
];

/** Programs that contestants run in. */
export const HARNESS_NAMES: readonly string[] = [
  "Claude Code",
  "Codex CLI",
  "OpenCode",
  "Gemini CLI",
  "Qwen Code",
  "Grok Build",
  "Copilot CLI",
  "GitHub Copilot",
  "Cursor Agent",
  "OpenRouter",
];

/** Names that are words as well: names only in prose, and only with a capital. */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set([
  "opus",
  "sonnet",
  "haiku",
  "fable",
  "muse",
  "wonder",
  "terra",
  "luna",
  "nova",
  "titan",
  "orion",
  "cursor",
  "bolt",
  "command",
  "moonshot",
  "google",
  "seed",
  "step",
  "phoenix",
]);

/** Words that programming languages use themselves. */
export const LANGUAGE_WORDS: ReadonlySet<string> = new Set([
  "core",
  "meta",
  "alloc",
  "self",
  "super",
  "swift",
  "rust",
  "python",
  "elixir",
  "typescript",
  "match",
  "move",
  "type",
]);

/** Parts of names that name nobody: sizes, stages, levels of effort. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set([
  ...["pro", "flash", "mini", "max", "full", "turbo", "preview", "coder", "code", "chat", "instruct", "base"],
  ...["large", "small", "medium", "nano", "lite", "air", "plus", "ultra", "fast", "high", "low", "default"],
  ...["latest", "thinking", "reasoning", "alpha", "beta", "gamma", "delta", "exp", "experimental", "vision"],
  ...["next", "test", "other", "log", "api", "cli", "agent", "judge", "model", "free", "xhigh", "minimal"],
  ...["none", "spec", "open", "deep", "seek", "build", "studio", "text", "audio", "image", "embed", "edge"],
  ...["labs", "lab", "inc", "the", "and", "for", "new", "old", "one", "two", "run", "entry", "version", "v"],
]);
