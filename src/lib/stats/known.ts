/** A number, or why there is none: unknown is never 0. */
export type Known =
  | { readonly value: number; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/** A number that is known. */
export const known = (value: number): Known => ({ value, reason: null });

/** No number, and in one sentence for people why. */
export const unknown = (reason: string): Known => ({ value: null, reason });
