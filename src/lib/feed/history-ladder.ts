/** Curated models of a suite in the order of the board: best composite first, ties by model id. */

export interface Rung {
  readonly model: string;
  readonly composite: number;
}

const isBefore = (a: Rung, b: Rung): boolean =>
  a.composite !== b.composite ? a.composite > b.composite : a.model < b.model;

/** Keeps models in order while they come, move and go, without sorting all of them each time. */
export class Ladder {
  readonly #rungs: Rung[];
  readonly #composites: Map<string, number>;

  constructor(rungs: readonly Rung[]) {
    this.#rungs = [...rungs].sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#composites = new Map(rungs.map(({ model, composite }) => [model, composite]));
  }

  /** 1 is best; null for a model that is not there. */
  rank(model: string): number | null {
    const composite = this.#composites.get(model);
    return composite === undefined ? null : this.#find({ model, composite }) + 1;
  }

  /** Models in order. */
  models(): readonly string[] {
    return this.#rungs.map(({ model }) => model);
  }

  /** Puts a model where its composite belongs; null takes it off. */
  move(model: string, composite: number | null): void {
    const was = this.#composites.get(model);
    if (was !== undefined) this.#rungs.splice(this.#find({ model, composite: was }), 1);
    this.#composites.delete(model);
    if (composite === null) return;
    this.#rungs.splice(this.#find({ model, composite }), 0, { model, composite });
    this.#composites.set(model, composite);
  }

  /** How many models come before this one. */
  #find(rung: Rung): number {
    let low = 0;
    let high = this.#rungs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#rungs[middle];
      if (other !== undefined && isBefore(other, rung)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
