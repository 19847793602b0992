import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { SALT_BYTES } from "./wire.ts";

/** Makes the case of a round from its seed; programs that expand a seed themselves take `seedCase`. */
export type CaseSource = (seed: string) => Uint8Array;

/** 32 bytes that stand for a seed: its SHA-256. The program expands them to its input. */
export const seedCase: CaseSource = (seed) => sha256(utf8ToBytes(seed));

/** What the program learns only with the order to work: the first bytes of another digest of the seed. */
export const saltOf = (seed: string): Uint8Array => sha256(utf8ToBytes(`${seed}/salt`)).slice(0, SALT_BYTES);
