// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import type { Content } from '../../src/packages/blobs/content.ts';
import { readPublication } from '../../src/packages/cargo/publication.ts';

const sized = (text: string) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  return Buffer.concat([size, Buffer.from(text)]);
};
const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
    { objectMode: false },
  );
/** What is read of a body, or why it is refused. */
const readOf = async (body: Readable | Buffer) => {
  const store = async (content: Readable | Buffer) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    return { size: bytes.length, bytes } as Content;
  };
  try {
    const { document, crate } = await readPublication(body, store);
    return JSON.stringify([document, crate.bytes?.toString()]);
  } catch (error) {
    return (error as Error).message;
  }
};

it('a publication in memory is read as one that arrives in pieces', async () => {
  const whole = Buffer.concat([sized('{"name":"a"}'), sized('the crate')]);
  assert.equal(await readOf(whole), '[{"name":"a"},"the crate"]');
  assert.equal(await readOf(Buffer.concat([whole, Buffer.from('more')])), '[{"name":"a"},"the crate"]');
  for (let length = 0; length <= whole.length; length++) {
    const body = whole.subarray(0, length);
    for (const size of [1, 7, 100]) assert.equal(await readOf(inPieces(body, size)), await readOf(body), `${length} bytes`);
  }
});
