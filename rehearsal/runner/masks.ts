/** Secrets, and their replacement in everything a job prints. */

const SHORTEST = 2;

export class Masks {
  readonly #secrets = new Set<string>();

  /** Adds a secret. Each line of a longer one is a secret too, since logs are read line by line. */
  add(secret: string): void {
    for (const part of [secret, ...secret.split(/\r?\n/)]) {
      const text = part.trim();
      if (text.length >= SHORTEST) this.#secrets.add(text);
    }
  }

  /** Replaces every secret by `***`, the longest first. */
  apply(text: string): string {
    let result = text;
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      result = result.replaceAll(secret, "***");
    }
    return result;
  }

  /** Whether a text holds a secret. */
  found(text: string): boolean {
    return [...this.#secrets].some((secret) => text.includes(secret));
  }
}
