// On SQLite alone: it needs no database.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { compressionOf, decompress } from '../../../src/packages/archives/decompress.ts';
import { ArchiveBudget, type ArchiveLimits } from '../../../src/packages/archives/limits.ts';
import { readXml } from '../../../src/packages/archives/read-xml.ts';
import { type EntryVisitor, readTar } from '../../../src/packages/archives/tar.ts';
import { parseXml } from '../../../src/packages/archives/xml.ts';
import { readZip } from '../../../src/packages/archives/zip.ts';
import { PackageError } from '../../../src/packages/errors.ts';
import { WorkerPool } from '../../../src/workers/pool.ts';
import { tar, zip } from '../support/archives.ts';

const inPieces = (bytes: Buffer, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
    {
      objectMode: false,
    },
  );

type Limits = Partial<ArchiveLimits>;
async function contents(read: (visit: EntryVisitor) => Promise<void>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  await read(async (entry) => {
    if (entry.isFile) found[entry.path] = (await entry.read()).toString();
    return undefined;
  });
  return found;
}
const ofTar = (bytes: Buffer, limits?: Limits) => contents((visit) => readTar(inPieces(bytes, 1000), visit, limits));
const ofZip = (bytes: Buffer, limits?: Limits) =>
  contents((visit) =>
    readZip({ size: bytes.length, open: async ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]) }, visit, limits),
  );
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof PackageError && error.status === 400 && message.test(error.message);

const files = { 'a.txt': 'first', [`${'deep/'.repeat(40)}b`]: 'second', empty: '' };
describe('an archive', () => {
  it('is read entry by entry, however it is compressed', async () => {
    const plain = await tar(files);
    for (const bytes of [plain, gzipSync(plain), zstdCompressSync(plain)]) assert.deepEqual(await ofTar(bytes), files);
    assert.deepEqual(await ofZip(zip({ 'a.txt': 'first', empty: '' })), { 'a.txt': 'first', empty: '' });
  });

  it('of many entries is read in few pieces', async () => {
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`file-${index}`, '']));
    const bytes = zip({ ...many, 'last.txt': 'last' });
    let opened = 0;
    const open = async ({ start, end }: { start: number; end: number }) => {
      opened++;
      return Readable.from([bytes.subarray(start, end + 1)]);
    };
    let last = '';
    const visit: EntryVisitor = async ({ path, read }) => {
      if (path === 'last.txt') last = (await read()).toString();
      return undefined;
    };
    await readZip({ size: bytes.length, open }, visit);
    assert.equal(last, 'last');
    assert.ok(opened < 20, `${opened} pieces`);
  });

  it('is decompressed', async () => {
    const compressed: Record<string, string> = {
      xz: '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAIaGVsbG8geHoKAAAAAMFJOvpjUhRaAAEhCWwYxdUftvN9AQAAAAAEWVo=',
      bzip2: 'QlpoOTFBWSZTWfKFJPAAAALZgAAQQAAQABJEgBAgADEGTEEA09JY9EOH4u5IpwoSHlCkngA=',
    };
    for (const [name, text] of Object.entries(compressed)) {
      const bytes = Buffer.from(text, 'base64');
      assert.equal(compressionOf(bytes), name);
      const read = Buffer.concat(await Array.fromAsync(decompress(inPieces(bytes, 10), compressionOf(bytes))));
      assert.match(read.toString(), /^hello (?:xz|bz2)\n$/);
      const broken = bytes.with(20, 1 ^ (bytes[20] ?? 0));
      await assert.rejects(Array.fromAsync(decompress(inPieces(Buffer.from(broken), 10), compressionOf(bytes))), name);
    }
  });

  it('lets others run while it is decompressed from xz', async () => {
    const zeros = Buffer.from(
      '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj//8RAWxdAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5WwI+F84OBwGXEJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvEgn5lif/xABKwDsc1On/b6ufDEan7eNMW5wnqcjX+woy4XRlZiKfiqR8id19xnABphNmP3Yr9WQD8QlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p/Hze+5owLlbAj4Xzg4HAZcQlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p/Hze+5owLlbAj4Xzg4HAZcQlUQ8/soAB3AAFAEHqpi0AAGtsRXzSCWHbAAHEBYCAgALTUy1YscRn+wIAAAAABFla',
      'base64',
    );
    let turns = 0;
    let goesOn = true;
    const count = () => {
      turns++;
      if (goesOn) setImmediate(count);
    };
    setImmediate(count);
    await Array.fromAsync(decompress(Readable.from([zeros], { objectMode: false }), 'xz', new ArchiveBudget({ maxRatio: 1e6 })));
    goesOn = false;
    assert.ok(turns > 10, String(turns));
  });

  it('is read block by block from bzip2, within its bounds', async () => {
    // Five streams, one after the other, each of a mebibyte of zeros.
    const one = Buffer.from('QlpoOTFBWSZTWThXHOUACAhAAMAEAAggADDMBSmmCAbEIB4u5IpwoSBwrjnK', 'base64');
    const bytes = Buffer.concat(Array.from({ length: 5 }, () => one));
    const read = (limits?: Limits) => Array.fromAsync(decompress(inPieces(bytes, 7), 'bzip2', new ArchiveBudget(limits)));
    await assert.rejects(read(), refused(/1000 times/));
    assert.equal(Buffer.concat(await read({ maxRatio: 1e6 })).equals(Buffer.alloc(5 * 1024 * 1024)), true);
    await assert.rejects(Array.fromAsync(decompress(inPieces(bytes.subarray(0, -10), 7), 'bzip2', new ArchiveBudget({ maxRatio: 1e6 }))));
    await assert.rejects(ofTar(bytes), refused(/bzip2/));
  });

  it('is left where the reader stops', async () => {
    const source = inPieces(await tar({ a: 'x', b: randomBytes(1_000_000) }), 1000);
    const seen: string[] = [];
    await readTar(source, ({ path }) => {
      seen.push(path);
      return 'stop';
    });
    assert.deepEqual([seen, source.destroyed], [['a'], true]);
  });

  it('keeps to its bounds', async () => {
    const zeros = gzipSync(await tar({ zeros: Buffer.alloc(20_000_000) }));
    await assert.rejects(ofTar(zeros, { maxRatio: 100, maxEntryBytes: 1e9 }), refused(/100 times/));
    await assert.rejects(ofTar(zeros, { maxBytes: 1e6 }), refused(/more than/));
    await assert.rejects(ofTar(zeros), refused(/an entry .* more than 4194304 bytes/));
    await assert.rejects(ofTar(await tar(files), { maxEntries: 2 }), refused(/more than 2 entries/));
    await assert.rejects(ofTar(await tar(files), { timeoutMs: -1 }), refused(/too long/));
    await assert.rejects(ofZip(zip(files), { maxEntries: 2 }), refused(/more than 2 entries/));
    await assert.rejects(ofZip(zip(files), { maxEntryBytes: 3 }), refused(/more than 3 bytes/));
    const header = Buffer.from((await tar({ a: 'x' })).subarray(0, 512));
    header.write('x', 156);
    header.write('77777777777', 124);
    await assert.rejects(ofTar(header), refused(/header of more than/));
  });

  it('is refused if it is none', async () => {
    for (const bytes of [
      randomBytes(2000),
      gzipSync(randomBytes(2000)),
      gzipSync(await tar(files)).subarray(0, 100),
      Buffer.from('xBZh9 and no more'),
    ]) {
      await assert.rejects(ofTar(bytes), refused(/cannot be read|without a size/));
    }
    for (const bytes of [Buffer.alloc(0), randomBytes(2000)]) await assert.rejects(ofZip(bytes), refused(/cannot be read/));
  });
});

describe('an XML document', () => {
  it('is read without numbers, and without entities of its own', () => {
    const pom = '<?xml version="1.0"?><a:project x="1"><name>A &amp; B</name><version>1.10</version></a:project>';
    assert.deepEqual(parseXml(pom).project, { '@x': '1', name: 'A & B', version: '1.10' });
    assert.throws(() => parseXml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), refused(/document type/));
    assert.throws(() => parseXml('<a>'.repeat(101) + '</a>'.repeat(101)), refused(/within each other/));
    assert.throws(() => parseXml('<a><b></a>'), refused(/cannot be read/));
    assert.throws(() => parseXml('nothing'), refused(/XML/));
    assert.throws(() => parseXml('<a/>', 3), refused(/more than 3 bytes/));
  });

  it('is read by a worker where it is long, with the same refusals', async () => {
    const workers = new WorkerPool();
    try {
      const elements = 200_000;
      const before = process.threadCpuUsage();
      const { r } = (await readXml({ workers }, `<r>${'<a/>'.repeat(elements)}</r>`)) as { r: { a: string[] } };
      const { user } = process.threadCpuUsage(before);
      assert.equal(r.a.length, elements);
      assert.ok(user < 200_000, `${user / 1000} ms of the main thread`);
      await assert.rejects(readXml({ workers }, Buffer.from('<a>'.repeat(50_000))), refused(/within each other/));
      await assert.rejects(readXml({ workers }, 'x'.repeat(50_000), 10_000), refused(/more than 10000 bytes/));
    } finally {
      await workers.close();
    }
  });
});

describe('an archive in memory', () => {
  it('is read as one that arrives in pieces', async () => {
    const plain = await tar({ 'a/one': 'first', [`a/${'long'.repeat(60)}`]: 'second', empty: '' });
    const large = await tar({ one: Buffer.alloc(600_000, 'x') });
    for (const [archive, compression] of [
      [plain, 'none'],
      [gzipSync(plain), 'gzip'],
      [gzipSync(large), 'gzip'],
      [zstdCompressSync(plain), 'zstd'],
    ] as const) {
      const whole = await contents((visit) => readTar(archive, visit, { compression }));
      assert.deepEqual(whole, await contents((visit) => readTar(inPieces(archive, 100), visit, { compression })));
      assert.deepEqual(whole, await contents((visit) => readTar(archive, visit)));
      assert.ok(Object.keys(whole).length > 0);
    }
  });

  it('is refused as one that arrives in pieces', async () => {
    const plain = await tar({ one: 'first', two: 'second' });
    const withoutSize = Buffer.from(plain);
    withoutSize.write('no number', 124);
    const cut = gzipSync(plain).subarray(0, -12);
    for (const archive of [Buffer.from('no archive at all'.repeat(100)), withoutSize, cut, plain.subarray(0, 700)]) {
      const refusalOf = (source: Buffer | Readable) =>
        contents((visit) => readTar(source, visit)).then(
          (found) => JSON.stringify(found),
          (error: unknown) => (error instanceof PackageError ? 'refused' : String(error)),
        );
      assert.equal(await refusalOf(archive), await refusalOf(inPieces(archive, 100)), archive.toString('latin1', 0, 20));
    }
    await assert.rejects(
      contents((visit) => readTar(plain, visit, { maxEntries: 1 })),
      /more than 1 entries/,
    );
    await assert.rejects(
      contents((visit) => readTar(plain, visit, { maxEntryBytes: 3 })),
      /more than 3 bytes/,
    );
  });

  it('of zip is read as one that is stored', async () => {
    for (const isDeflated of [false, true]) {
      const bytes = zip({ 'a.txt': 'first', 'b.txt': 'second'.repeat(1000) }, { isDeflated });
      const open = async ({ start, end }: { start: number; end: number }) => inPieces(bytes.subarray(start, end + 1), 100);
      const stored = await contents((visit) => readZip({ size: bytes.length, open }, visit));
      assert.deepEqual(await contents((visit) => readZip({ size: bytes.length, bytes, open }, visit)), stored);
      assert.equal(stored['b.txt'], 'second'.repeat(1000));
      // The size without compression in the directory, which clients could believe.
      const at = bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
      const shorter = Buffer.from(bytes);
      shorter.writeUInt32LE(4, at + 24);
      const noEntry = Buffer.from(bytes);
      noEntry.writeUInt32LE(0, 0);
      for (const broken of [bytes.subarray(10), bytes.subarray(0, -5), shorter, noEntry]) {
        await assert.rejects(
          contents((visit) => readZip({ size: broken.length, bytes: broken, open }, visit)),
          PackageError,
        );
      }
    }
  });
});
