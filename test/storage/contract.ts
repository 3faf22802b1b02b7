import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { BlobExistsError, BlobMismatchError, BlobTooLargeError, type ListedBlob, type Storage } from '../../src/storage/storage.ts';

/**
 * What every storage has to do, as tests of the suite that calls this.
 * @param unfinished what is left of uploads that have ended or failed: nothing
 */
export function storageContract(storage: Storage, unfinished: () => Promise<readonly unknown[]>): void {
  it('come back as they were put, whole and in parts', async () => {
    assert.deepEqual(await storage.put('avatars/ab', Buffer.from('hello')), { size: 5 });
    const whole = await storage.get('avatars/ab');
    assert.equal(whole && (await buffer(whole.stream)).toString(), 'hello');
    const part = await storage.get('avatars/ab', { start: 1, end: 3 });
    assert.equal(part && (await buffer(part.stream)).toString(), 'ell');
  });

  it('are not there before they were put, nor after they were deleted', async () => {
    assert.equal(await storage.get('avatars/none'), undefined);
    await storage.put('gone', Buffer.from('x'));
    await storage.delete('gone');
    await storage.delete('gone');
    assert.equal(await storage.info('gone'), undefined);
  });

  it('leave nothing when they are too large or break off', async () => {
    await assert.rejects(storage.put('large', Readable.from([Buffer.alloc(10), Buffer.alloc(10)]), { maxSize: 15 }), BlobTooLargeError);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('gone');
      })(),
    );
    await assert.rejects(storage.put('broken', broken), /gone/);
    assert.equal(await storage.info('large'), undefined);
    assert.equal(await storage.info('broken'), undefined);
    assert.deepEqual(await unfinished(), []);
  });

  it('are stored only with the size and the digest that were expected', async () => {
    const sha256 = createHash('sha256').update('hello').digest('hex');
    const stream = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));
    assert.deepEqual(await storage.put('exact', stream('hel', 'lo'), { size: 5, sha256 }), { size: 5 });
    for (const [text, part] of [
      ['hello!', 'size'],
      ['hell', 'size'],
      ['', 'size'],
      ['hallo', 'sha256'],
    ] as const) {
      await assert.rejects(storage.put('other', stream(text), { size: 5, sha256 }), { name: 'BlobMismatchError', part }, text);
    }
    await assert.rejects(storage.put('exact', stream('hallo'), { sha256 }), BlobMismatchError);
    assert.equal(await storage.info('other'), undefined);
    // What was there before stays.
    const kept = await storage.get('exact');
    assert.equal(kept && (await buffer(kept.stream)).toString(), 'hello');
    assert.deepEqual(await unfinished(), []);
  });

  it('stop reading what is too long already', async () => {
    let read = 0;
    const endless = Readable.from(
      (function* () {
        for (; ; read++) yield Buffer.alloc(1000);
      })(),
    );
    await assert.rejects(storage.put('endless', endless, { size: 5000 }), BlobMismatchError);
    assert.ok(read < 1000, `read ${read}`);
  });

  it('are listed by prefix', async () => {
    for (const key of ['list/ab/one', 'list/ab/two', 'list/cd/ef/three', 'listed/four']) await storage.put(key, Buffer.from(key));
    const all = async (prefix: string) =>
      (await Array.fromAsync<ListedBlob>(storage.list(prefix))).sort((a, b) => (a.key < b.key ? -1 : 1));
    assert.deepEqual(
      (await all('list/')).map(({ key, size }) => [key, size]),
      [
        ['list/ab/one', 11],
        ['list/ab/two', 11],
        ['list/cd/ef/three', 16],
      ],
    );
    const [first] = await all('list/cd/');
    assert.ok(first && Math.abs(first.modified - Date.now() / 1000) < 3600);
    assert.deepEqual(await all('nothing/'), []);
  });

  it('refuse another one of the same key when they have to be new', async () => {
    assert.deepEqual(await storage.put('new', Buffer.from('first'), { isNew: true }), { size: 5 });
    await assert.rejects(storage.put('new', Buffer.from('other'), { isNew: true }), BlobExistsError);
    const there = await storage.get('new');
    assert.equal(there && (await buffer(there.stream)).toString(), 'first');
    assert.deepEqual(await unfinished(), []);
  });

  it('are stored under keys that nobody knows before', async () => {
    assert.deepEqual(await storage.put('unknown/one', Buffer.from('hello'), { isUnknown: true }), { size: 5 });
    const there = await storage.get('unknown/one');
    assert.equal(there && (await buffer(there.stream)).toString(), 'hello');
    await assert.rejects(storage.put('unknown/two', Buffer.from('hello'), { isUnknown: true, maxSize: 4 }), BlobTooLargeError);
    assert.equal(await storage.info('unknown/two'), undefined);
    assert.deepEqual(await unfinished(), []);
  });

  it('are stored from a stream of any length', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const pieces = function* () {
      for (let index = 0; index < 400; index++) {
        piece.writeUInt32BE(index);
        yield Buffer.from(piece);
      }
    };
    const hash = createHash('sha256');
    for (const each of pieces()) hash.update(each);
    const size = 400 * piece.length;
    assert.deepEqual(await storage.put('long', Readable.from(pieces())), { size });
    const found = await storage.get('long');
    assert.equal(found?.size, size);
    const read = createHash('sha256');
    for await (const chunk of found.stream) read.update(chunk as Buffer);
    assert.equal(read.digest('hex'), hash.digest('hex'));
    const tail = await storage.get('long', { start: size - 3, end: size + 100 });
    assert.deepEqual([tail?.size, tail && (await buffer(tail.stream)).toString()], [size, 'xxx']);
    const broken = Readable.from(pieces());
    setImmediate(() => broken.destroy());
    await assert.rejects(storage.put('broken-off', broken));
    await assert.rejects(storage.put('wrong', Readable.from(pieces()), { sha256: '0'.repeat(64) }), BlobMismatchError);
    assert.deepEqual([await storage.info('wrong'), await storage.info('broken-off')], [undefined, undefined]);
    assert.deepEqual(await unfinished(), []);
  });

  it('are copied, in place of what was there', async () => {
    await storage.put('copy/from', Buffer.from('hello'));
    await storage.put('copy/to', Buffer.from('something else'));
    for (let round = 0; round < 2; round++) assert.deepEqual(await storage.copy('copy/from', 'copy/to'), { size: 5 });
    await storage.put('copy/from', Buffer.from('changed'));
    const copied = await storage.get('copy/to');
    assert.equal(copied && (await buffer(copied.stream)).toString(), 'hello');
    await storage.delete('copy/from');
    assert.deepEqual(await storage.info('copy/to'), { size: 5 });
    assert.equal(await storage.copy('copy/from', 'copy/other'), undefined);
    assert.equal(await storage.info('copy/other'), undefined);
    await assert.rejects(storage.copy('../x', 'copy/to'), /not a storage key/);
    await assert.rejects(storage.copy('copy/to', '../x'), /not a storage key/);
    assert.deepEqual(await unfinished(), []);
  });

  it('may be empty', async () => {
    await storage.put('empty', Buffer.alloc(0));
    const found = await storage.get('empty', { start: 0, end: 5 });
    assert.deepEqual([found?.size, found && (await buffer(found.stream)).length], [0, 0]);
  });

  it('take no key that would be a path of its own', async () => {
    for (const key of ['../x', '/etc/passwd', 'a//b', 'a/../b', '.hidden', '', 'a\0b', 'a/']) {
      await assert.rejects(storage.put(key, Buffer.from('x')), /not a storage key/, key);
    }
  });
}
