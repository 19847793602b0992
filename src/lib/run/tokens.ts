import { countTokens as countBpe } from "gpt-tokenizer/encoding/o200k_base";

/** The tokenizer that prompts are measured with, whatever model is asked: one yardstick for all. */
export const TOKENIZER = "o200k_base";

/**
 * Tokens of a text in the encoding `o200k_base`. What a provider bills is counted by the model's own tokenizer and may
 * differ by a third either way; its own numbers stand beside each attempt. Text that reads like a control token is text.
 */
export const measureTokens = (text: string): number => countBpe(text, { disallowedSpecial: new Set() });
