import { Readable } from 'node:stream';

const bytesByContent = new WeakMap<object, Buffer>();

/** Remembers the bytes of a small content during its request: so later readers need not open its file again. */
export function withBytes<Content extends object>(content: Content, bytes: Uint8Array): Content {
  bytesByContent.set(content, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  return content;
}

/** The bytes of a content that this request has stored, if they are few. */
export function bytesOf(content: object): Buffer | undefined {
  return bytesByContent.get(content);
}

/** Bytes as a stream. */
export function streamOf(bytes: Buffer): Readable {
  const stream = new Readable({ read() {} });
  stream.push(bytes);
  stream.push(null);
  return stream;
}
