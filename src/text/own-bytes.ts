/** Bytes of others that a part may hold on to. */
const SLACK = 256;

/**
 * The same bytes in memory of their own, for what is kept for long: a part of Node's pool or of what was received keeps all of that, 64 KiB
 * for a file of a few bytes.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= bytes.length + SLACK) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
