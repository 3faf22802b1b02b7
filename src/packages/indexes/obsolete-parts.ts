/** How long a part stays after it was first found unwanted, in milliseconds: slow clients may still be reading the document that had it. */
const STAYS = 10 * 60_000;
/** Maximum number of parts that a process remembers; if there are more, all of them stay longer. */
const MAX_PARTS = 20_000;

/** The times since when this process has seen that parts of documents are unwanted. */
export class ObsoleteParts {
  readonly #since = new Map<number, number>();

  /** The unwanted parts of a document that can be removed; it also learns which parts are wanted. */
  removable(unwanted: readonly number[], wanted: readonly number[], at = performance.now()): number[] {
    for (const id of wanted) this.#since.delete(id);
    if (this.#since.size + unwanted.length > MAX_PARTS) this.#since.clear();
    const removable = unwanted.filter((id) => at - (this.#since.get(id) ?? at) >= STAYS);
    for (const id of unwanted) if (!this.#since.has(id)) this.#since.set(id, at);
    for (const id of removable) this.#since.delete(id);
    return removable;
  }
}

/** Of this process. */
export const obsoleteParts = new ObsoleteParts();
