const [QUOTE = 0, BACKSLASH = 0, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/** Whether JSON has more objects, lists and members than this: many small ones take far longer to parse than their bytes suggest. */
export function hasMoreParts(json: Uint8Array, max: number): boolean {
  // Each part has a byte of its own.
  if (json.length <= max) return false;
  const counter = new JsonPartCounter();
  counter.add(json);
  return counter.parts > max;
}

/** Counts objects, lists and members in pieces of JSON. */
export class JsonPartCounter {
  parts = 0;
  #isInText = false;
  /** Bytes of the next piece that belong to an escape. */
  #escaped = 0;

  add(json: Uint8Array): void {
    let at = this.#escaped;
    let [quote, backslash] = [-1, -1];
    while (at < json.length) {
      if (!this.#isInText) {
        const byte = json[at++];
        if (byte === QUOTE) this.#isInText = true;
        else if (byte === COMMA || byte === LIST || byte === OBJECT) this.parts++;
        continue;
      }
      // Texts may be long: their ends are found natively.
      if (quote < at) quote = positionOf(QUOTE, json, at);
      if (backslash < at) backslash = positionOf(BACKSLASH, json, at);
      this.#isInText = backslash < quote || quote === json.length;
      at = backslash < quote ? backslash + 2 : quote + 1;
    }
    this.#escaped = this.#isInText && backslash === json.length - 1 ? 1 : 0;
  }
}

/** Where a byte comes next; the length if nowhere. */
function positionOf(byte: number, bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found < 0 ? bytes.length : found;
}
