/** The first and the last requested byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header (RFC 9110, 14.2) for a body of `size` bytes.
 * @returns undefined for the whole body: without a header, with another unit, with several ranges, or for an empty body;
 *   `'invalid'` for a malformed range, `'unsatisfiable'` if the range is outside the body
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'invalid' | 'unsatisfiable' | undefined {
  const given = header?.trim() ?? '';
  if (!given.startsWith('bytes=') || size === 0) return undefined;
  const [only, ...more] = given
    .slice('bytes='.length)
    .split(',')
    .flatMap((part) => part.trim() || []);
  if (only === undefined || more.length > 0) return undefined;
  const [, first, last] = /^(\d{0,15})-(\d{0,15})$/.exec(only) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'invalid';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'invalid';
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** The bytes of a range of a stream that can only be read from its beginning. */
export async function* bytesOfRange(stream: AsyncIterable<Uint8Array>, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of stream) {
    const wanted = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.length;
    if (wanted.length > 0) yield wanted;
    if (at > end) return;
  }
}
