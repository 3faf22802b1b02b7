// On SQLite alone: no database is used.
import assert from 'node:assert/strict';
import { mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { FileStream } from '../../src/storage/file-stream.ts';
import { eventually } from '../support/eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-stream-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'file');
const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * index) % 251));
writeFileSync(path, content);
const streamOf = (start = 0, end = content.length) => new FileStream(openSync(path, 'r'), { start, end });

let served: FileStream;
const server = createServer((_, response) => {
  const stream = served;
  response.on('close', () => stream.destroy());
  stream.on('error', () => response.destroy());
  stream.pipe(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const ask = () =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: (server.address() as AddressInfo).port, agent: false }, resolve).on('error', reject);
  });

describe('a file as a stream', () => {
  it('has its bytes, or those of a range, for a response and for others', async () => {
    for (const [start, end] of [
      [0, content.length],
      [1, 2],
      [131_071, 400_000],
      [131_071, 2_400_000],
      [content.length, content.length],
    ] as const) {
      served = streamOf(start, end);
      assert.deepEqual(await buffer(await ask()), content.subarray(start, end));
      assert.deepEqual(await buffer(streamOf(start, end)), content.subarray(start, end));
    }
    await eventually(() => served.closed);
  });

  it('is whole for each of many responses at one time', async () => {
    const streams: FileStream[] = [];
    const responses: IncomingMessage[] = [];
    for (let count = 0; count < 20; count++) {
      served = streamOf();
      streams.push(served);
      responses.push((await ask()).pause());
    }
    for (const response of responses) assert.ok(content.equals(await buffer(response)));
    await eventually(() => streams.every(({ closed }) => closed));
  });

  it('is closed when the reader leaves', async () => {
    served = streamOf();
    const response = await ask();
    response.pause();
    response.destroy();
    await eventually(() => served.closed);
  });

  it('breaks off where the file has become shorter', async () => {
    served = streamOf();
    truncateSync(path, 1_500_000);
    await assert.rejects(buffer(await ask()), /aborted/);
    await assert.rejects(buffer(streamOf()), /shorter than it was/);
    await eventually(() => served.closed);
  });
});
