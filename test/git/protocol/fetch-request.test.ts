import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { readAhead, requestsPack } from '../../../src/git/protocol/fetch-request.ts';
import { packet } from '../../../src/git/protocol/pkt-line.ts';

const FLUSH = '0000';
const DELIMITER = '0001';
const WANT = `want ${'1'.repeat(40)}\n`;

/** Texts of four digits stand as they are, others become packets. */
function requestOf(...parts: readonly string[]): Buffer {
  return Buffer.concat(parts.map((part) => (/^\d{4}$/.test(part) ? Buffer.from(part) : packet(part))));
}

describe('the request whose response is the pack alone', () => {
  const requests: [string, boolean, Buffer][] = [
    ['a clone', true, requestOf(WANT, FLUSH, 'done\n')],
    ['one with a depth', true, requestOf(WANT, 'deepen 1', FLUSH, 'done')],
    ['the end of a negotiation', true, requestOf(WANT, FLUSH, `have ${'2'.repeat(40)}\n`, 'done\n')],
    ['a part of a negotiation', false, requestOf(WANT, FLUSH, `have ${'2'.repeat(40)}\n`, FLUSH)],
    ['a clone of version 2', true, requestOf('command=fetch', 'object-format=sha1', DELIMITER, 'ofs-delta', WANT, 'done\n', FLUSH)],
    ['one that says it before what it wants', true, requestOf('command=fetch\n', DELIMITER, 'done', WANT, FLUSH)],
    ['a negotiation of version 2', false, requestOf('command=fetch', DELIMITER, WANT, `have ${'2'.repeat(40)}\n`, FLUSH)],
    ['a question for refs', false, requestOf('command=ls-refs\n', DELIMITER, 'done\n', FLUSH)],
    ['one that breaks off', false, requestOf(WANT, FLUSH, 'done\n').subarray(0, -1)],
    ['no packets', false, Buffer.from('done\n0009done\n')],
    ['nothing', false, Buffer.alloc(0)],
  ];
  for (const [what, expected, bytes] of requests)
    it(`${expected ? 'is' : 'is not'} ${what}`, () => assert.equal(requestsPack(bytes), expected));
});

describe('reading ahead', () => {
  it('reads a request to its end', async () => {
    const { bytes, rest } = await readAhead(Readable.from([Buffer.from('one '), Buffer.from('two')], { objectMode: false }));
    assert.deepEqual([bytes.toString(), rest], ['one two', undefined]);
  });

  it('leaves what is long to be read on, and loses nothing of it', async () => {
    const pieces = Array.from({ length: 300 }, () => randomBytes(10_000));
    const { bytes, rest } = await readAhead(Readable.from(pieces, { objectMode: false }));
    assert.ok(rest && bytes.length < 2_000_000, String(bytes.length));
    assert.ok(Buffer.concat([bytes, await buffer(rest)]).equals(Buffer.concat(pieces)));
  });

  it('fails where the client breaks off', async () => {
    const input = new PassThrough();
    input.write('beginning');
    setImmediate(() => input.destroy(new Error('gone')));
    await assert.rejects(readAhead(input), /gone/);
  });
});
