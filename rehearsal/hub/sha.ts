export const ZERO_SHA: string = "0".repeat(40);
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
export const isSha = (value: string): boolean => /^[0-9a-f]{40}$/.test(value);
