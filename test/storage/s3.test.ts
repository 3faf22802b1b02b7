// On SQLite alone: no database is used.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { createClient } from '../../src/storage/s3/client.ts';
import { copyObject } from '../../src/storage/s3/copy.ts';
import { S3Storage } from '../../src/storage/s3/s3-storage.ts';
import { StorageUnavailableError } from '../../src/storage/storage.ts';
import { startS3Server, withoutS3 } from '../support/s3-server.ts';
import { storageContract } from './contract.ts';

const skip = withoutS3();
const server = skip ? undefined : await startS3Server();
after(() => server?.close());

describe('blobs in S3', { skip }, () => {
  if (!server) return;
  const { options } = server;
  const storage = new S3Storage({ ...options, prefix: 'some/where/' });
  const client = createClient(options);
  const uploads = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket: options.bucket }))).Uploads ?? [];
  storageContract(storage, uploads);

  it('do not see those of another prefix', async () => {
    const other = new S3Storage({ ...options, prefix: 'some/' });
    await other.put('ab/cd', Buffer.from('x'));
    assert.equal(await storage.info('ab/cd'), undefined);
    assert.deepEqual(await Array.fromAsync(storage.list('ab/')), []);
  });

  it('are read by links without credentials, as long as these are valid', async () => {
    await storage.put('linked', Buffer.from('hello'));
    const wanted = { contentType: 'text/plain; charset=utf-8', contentDisposition: 'attachment; filename=a.txt' };
    assert.equal(await storage.link('linked', wanted), undefined);
    const linking = new S3Storage({ ...options, prefix: 'some/where/', directDownloads: true, linkLifetime: 60_000 });
    const url = await linking.link('linked', wanted);
    assert.ok(url);
    const response = await fetch(url, { headers: { range: 'bytes=1-2' } });
    assert.deepEqual(
      [response.status, await response.text(), response.headers.get('content-type'), response.headers.get('content-disposition')],
      [206, 'el', wanted.contentType, wanted.contentDisposition],
    );
    assert.equal((await fetch(url.replace('linked', 'other'))).status, 403);
    assert.equal((await fetch(url.split('?')[0] ?? '')).status, 403);
    const elsewhere = new S3Storage({ ...options, directDownloads: true, publicEndpoint: 'https://files.example.com/' });
    assert.match((await elsewhere.link('linked', wanted)) ?? '', /^https:\/\/files\.example\.com\/copse-test\/linked\?/);
  });

  it('go on being read after a connection is lost, unless they have changed', async () => {
    const content = randomBytes(6_000_000);
    await storage.put('large', content);
    const proxy = await cuttingProxy(Number(new URL(options.endpoint ?? '').port), 2_000_000);
    const cut = new S3Storage({ ...options, endpoint: `http://127.0.0.1:${proxy.port}/`, prefix: 'some/where/' });
    const found = await cut.get('large', { start: 10, end: content.length });
    assert.ok(found && (await buffer(found.stream)).equals(content.subarray(10)));
    assert.ok(proxy.connections() > 2);
    const changed = await cut.get('large');
    assert.ok(changed);
    const read = buffer(changed.stream);
    await storage.put('large', randomBytes(6_000_000));
    await assert.rejects(read);
    proxy.close();
  });

  it('leave nothing of uploads that nobody ends', async () => {
    await client.send(new CreateMultipartUploadCommand({ Bucket: options.bucket, Key: 'some/where/left' }));
    await storage.removeUnfinished(3600);
    assert.equal((await uploads()).length, 1);
    await storage.removeUnfinished(-60);
    assert.deepEqual(await uploads(), []);
  });

  it('are copied in parts when they are larger than one request may copy', async () => {
    const content = randomBytes(11_000_000);
    await storage.put('parts', content);
    const source = { Bucket: options.bucket, Key: 'some/where/parts', size: content.length, etag: undefined };
    const target = { Bucket: options.bucket, Key: 'some/where/copied', ContentType: 'application/octet-stream' };
    await copyObject(client, source, target, { maxSize: 6_000_000, partSize: 5 * 1024 ** 2 });
    const copied = await storage.get('copied');
    assert.ok(copied && (await buffer(copied.stream)).equals(content));
    await assert.rejects(copyObject(client, { ...source, etag: '"other"' }, target, { maxSize: 6_000_000, partSize: 5 * 1024 ** 2 }));
    assert.deepEqual(await uploads(), []);
  });

  it('are unavailable where no service is reached', async () => {
    const nowhere = new S3Storage({ ...options, endpoint: 'http://127.0.0.1:1/', attempts: 2 });
    await assert.rejects(nowhere.get('a'), StorageUnavailableError);
    await assert.rejects(nowhere.info('a'), StorageUnavailableError);
    await assert.rejects(nowhere.put('a', Readable.from([Buffer.from('x')])), StorageUnavailableError);
    await assert.rejects(nowhere.delete('a'), StorageUnavailableError);
    await assert.rejects(Array.fromAsync(nowhere.list('list/')), StorageUnavailableError);
    const refused = new S3Storage({ ...options, credentials: { accessKeyId: 'test-key', secretAccessKey: 'other' } });
    await assert.rejects(refused.get('a'), StorageUnavailableError);
  });
});

/** A proxy that cuts each connection after some bytes of responses. */
async function cuttingProxy(port: number, bytes: number): Promise<{ port: number; connections: () => number; close: () => void }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    connections++;
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    let left = bytes;
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      near.write(chunk);
      left -= chunk.length;
      if (left < 0 && near.writable) near.destroySoon();
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  };
  return { port: (proxy.address() as { port: number }).port, connections: () => connections, close };
}
