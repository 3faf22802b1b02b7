const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = Buffer.from('"\\,[{');

/** Whether JSON has more objects, lists and members than this: many small ones take far longer to parse than their bytes suggest. */
export function hasMoreParts(json: Uint8Array, max: number): boolean {
  // Each part has a byte of its own.
  if (json.length <= max) return false;
  let parts = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (byte === BACKSLASH) at++;
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) parts++;
    if (parts > max) return true;
  }
  return false;
}
