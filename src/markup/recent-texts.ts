/** Length limit of a generation, with the texts themselves, in characters. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * What was made of texts lately. It has two generations: what is used moves to the young one; when that is full it becomes the old one, and the
 * old one is forgotten.
 */
export class RecentTexts<Made> {
  #young = new Map<string, Made>();
  #old = new Map<string, Made>();
  #characters = 0;
  #oldCharacters = 0;
  readonly #sizeOf: (made: Made) => number;

  /** @param sizeOf the characters of what is kept, beside its key */
  constructor(sizeOf: (made: Made) => number) {
    this.#sizeOf = sizeOf;
  }

  /** About what it has in memory: most characters take one byte. */
  get bytes(): number {
    return this.#characters + this.#oldCharacters;
  }

  get(key: string): Made | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, made: Made): void {
    const size = key.length + this.#sizeOf(made);
    this.#characters += size;
    if (this.#characters > MAX_CHARACTERS) {
      this.#characters -= size;
      this.evict();
      this.#characters = size;
    }
    this.#young.set(key, made);
  }

  /** Forgets what was not used lately. */
  evict(): void {
    this.#old = this.#young;
    this.#oldCharacters = this.#characters;
    this.#young = new Map();
    this.#characters = 0;
  }
}
