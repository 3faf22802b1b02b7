/** Bytes of others that a part may hold on to. */
const SLACK = 256;

/**
 * A copy of the bytes in separate memory, for long-lived values: a slice of Node's pool or of a received buffer retains all of it, 64 KiB
 * for a file of a few bytes.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength <= bytes.length + SLACK) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
