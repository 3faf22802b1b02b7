// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { repositoryAccess } from '../../src/access/repository-access.ts';
import { FLUSH_PACKET, packet, readPacket } from '../../src/git/protocol/pkt-line.ts';
import { authenticate } from '../../src/lfs/ssh/authenticate.ts';
import { serveTransfer } from '../../src/lfs/ssh/transfer.ts';
import type { LfsTarget } from '../../src/lfs/target.ts';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { download, largeFile, rowOf, upload } from './objects.ts';

const t = await testServer({ lfs: { maxFileSize: 200_000, locksPageSize: 2, maxBatchSize: 3 } });
const alice = await t.user('alice');
await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'art', private: true });
await alice.must('PUT', '/repos/alice/art/collaborators/bob', { permission: 'write' });

const DELIMITER = Buffer.from('0001');
const dataPacket = (bytes: Buffer) => Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
const lines = (...texts: string[]) => texts.map((text) => packet(`${text}\n`));

async function targetOf(name: string): Promise<LfsTarget> {
  const repository = await rowOf(t, 'alice', 'art');
  const actor = (await findUser(t.context.db, name)) ?? null;
  const context = { ...t.context, actor };
  return { context, repository, access: await repositoryAccess(context, repository, actor), mayLink: true, isDeployKey: false };
}

/** What a section of the response says: its lines, or its bytes where they are not lines. */
interface Section {
  status: string;
  args: string[];
  lines: string[];
  bytes: Buffer;
}

/** Sends all of a conversation at once, or byte by byte; returns the responses. */
async function converse(
  name: string,
  operation: 'upload' | 'download',
  sent: readonly Buffer[],
  inBytes = false,
  mayStill = async () => true,
): Promise<Section[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const bytes = Buffer.concat(sent);
  if (inBytes) for (const byte of bytes) input.write(Buffer.of(byte));
  else input.write(bytes);
  input.end();
  const read: Buffer[] = [];
  output.on('data', (chunk: Buffer) => read.push(chunk));
  await serveTransfer(await targetOf(name), operation, { input, output, signal: new AbortController().signal, mayStill });
  return sections(Buffer.concat(read));
}

function sections(bytes: Buffer): Section[] {
  const found: Section[] = [];
  let current: Buffer[][] = [[]];
  for (let at = 0; at < bytes.length; ) {
    const next = readPacket(bytes, at);
    assert.ok(next);
    if (next.payload) current.at(-1)?.push(next.payload);
    else if (bytes.toString('latin1', at, at + 4) === '0001') current.push([]);
    else {
      const [head = [], rest = []] = current;
      const text = (part: Buffer[]) => part.map((line) => line.toString().replace(/\n$/, ''));
      const [status = '', ...args] = text(head);
      found.push({ status, args, lines: text(rest), bytes: Buffer.concat(rest) });
      current = [[]];
    }
    at = next.end;
  }
  return found;
}

const put = (oid: string, size: number, content: Buffer) => [
  ...lines(`put-object ${oid}`, `size=${size}`),
  DELIMITER,
  ...Array.from({ length: Math.ceil(content.length / 1000) }, (_, index) =>
    dataPacket(content.subarray(index * 1000, index * 1000 + 1000)),
  ),
  FLUSH_PACKET,
];
const command = (...texts: string[]) => [...lines(...texts), FLUSH_PACKET];
const batch = (...objects: string[]) => [
  ...lines('batch', 'transfer=ssh', 'hash-algo=sha256'),
  DELIMITER,
  ...lines(...objects),
  FLUSH_PACKET,
];

describe('git-lfs-transfer', () => {
  it('takes objects and serves them', async () => {
    const file = largeFile(Buffer.alloc(100_000, 5));
    const name = `${file.oid} ${file.size}`;
    const sent = [
      ...command('version 1'),
      ...batch(name),
      ...put(file.oid, file.size, file.content),
      ...command(`verify-object ${file.oid}`, `size=${file.size}`),
      ...batch(name),
      ...command('quit'),
    ];
    const [hello, version, asked, took, verified, again, quit] = await converse('bob', 'upload', sent);
    assert.deepEqual([hello?.status, hello?.args], ['version=1', ['locking']]);
    assert.deepEqual([version?.status, took?.status, verified?.status, quit?.status], Array(4).fill('status 200'));
    assert.deepEqual([asked?.args, asked?.lines, again?.lines], [['hash-algo=sha256'], [`${name} upload`], [`${name} noop`]]);
    assert.deepEqual((await download(alice, 'alice/art', file.oid)).bytes, file.content);

    const missing = `${'a'.repeat(64)} 5`;
    const reading = [
      ...command('version 1'),
      ...batch(name, missing),
      ...command(`get-object ${file.oid}`),
      ...command(`get-object ${'a'.repeat(64)}`),
    ];
    const [, , told, got, lost] = await converse('alice', 'download', reading, true);
    assert.deepEqual(told?.lines, [`${name} download`, `${missing} noop`]);
    assert.deepEqual([got?.status, got?.args], ['status 200', [`size=${file.size}`]]);
    assert.deepEqual(got?.bytes, file.content);
    assert.deepEqual([lost?.status, lost?.lines], ['status 404', ['Not Found']]);
  });

  it('ends for who has lost the access meanwhile', async () => {
    const file = largeFile(Buffer.alloc(5000, 8));
    assert.equal((await upload(alice, 'alice/art', file)).status, 200);
    const sent = [
      ...command('version 1'),
      ...command(`get-object ${file.oid}`),
      ...batch(`${file.oid} ${file.size}`),
      ...put(file.oid, file.size, file.content),
      ...command('lock', 'path=lost.dat'),
      ...command('quit'),
    ];
    const answers = [true, false, false, false, false];
    const [, ...responses] = await converse('bob', 'upload', sent, false, async () => answers.shift() ?? false);
    assert.deepEqual(
      responses.map(({ status }) => status),
      ['status 200', ...Array(4).fill('status 403'), 'status 200'],
    );
    assert.equal(
      responses.some(({ bytes }) => bytes.includes(file.content.subarray(0, 100))),
      false,
    );
  });

  it('refuses what is wrong, and goes on', async () => {
    const file = largeFile(Buffer.alloc(5000, 6));
    const sent = [
      ...put(file.oid, file.size, Buffer.alloc(5000, 7)),
      ...put(file.oid, 4000, file.content),
      ...put(file.oid, 200_001, file.content),
      ...put('abc', 3, Buffer.from('abc')),
      ...command(`verify-object ${file.oid}`, 'size=5000'),
      ...command('verify-object abc'),
      ...batch('a 1', 'b 2', 'c 3', 'd 4'),
      ...batch('abc 1'),
      ...command('sideways'),
      ...command('version 2'),
      ...lines('batch', 'hash-algo=md5'),
      DELIMITER,
      FLUSH_PACKET,
      ...put(file.oid, file.size, file.content),
    ];
    const [, ...rest] = await converse('bob', 'upload', sent);
    assert.deepEqual(
      rest.map(({ status }) => status.slice('status '.length)),
      ['422', '422', '422', '422', '404', '422', '413', '422', '400', '400', '409', '200'],
    );
    const [, refused, locked] = await converse('bob', 'download', [
      ...put(file.oid, file.size, file.content),
      ...command('lock', 'path=a'),
    ]);
    assert.deepEqual([refused?.status, locked?.status], ['status 403', 'status 403']);
    for (const broken of ['zzzz', '0003', 'ffff', '000ahello', FLUSH_PACKET.toString()]) {
      await assert.rejects(converse('bob', 'upload', [Buffer.from(broken)]), { name: 'MalformedPacketError' }, broken);
    }
    const half = put(file.oid, file.size, file.content).slice(0, 4);
    await assert.rejects(converse('bob', 'upload', half), { name: 'MalformedPacketError' });
  });

  it('locks and unlocks', async () => {
    const [, made, again] = await converse('alice', 'upload', [...command('lock', 'path=a.psd'), ...command('lock', 'path=A.psd')]);
    const [id = '', path, time, owner] = made?.args ?? [];
    assert.deepEqual(
      [made?.status, path, owner, again?.status, again?.args],
      ['status 201', 'path=a.psd', 'ownername=alice', 'status 409', made?.args],
    );
    assert.match(time ?? '', /^locked-at=\d{4}-.*Z$/);
    const number = id.slice('id='.length);
    for (const lock of ['b.psd', 'c.psd']) await converse('bob', 'upload', command('lock', `path=${lock}`));
    const [, first, second, one] = await converse('bob', 'upload', [
      ...command('list-lock'),
      ...command('list-locks', 'cursor=1'),
      ...command('list-lock', 'path=a.psd'),
    ]);
    const owners = (section: Section | undefined) =>
      section?.lines.filter((line) => /^owner /.test(line)).map((line) => line.split(' ').at(-1));
    assert.deepEqual(
      [owners(first), first?.args, owners(second), second?.args, owners(one)],
      [['theirs', 'ours'], ['next-cursor=1'], ['ours'], [], ['theirs']],
    );
    const [, refused, forced, gone] = await converse('bob', 'upload', [
      ...command(`unlock ${number}`),
      ...command(`unlock ${number}`, 'force=true'),
      ...command(`unlock ${number}`),
    ]);
    assert.deepEqual([refused?.status, forced?.status, forced?.args, gone?.status], ['status 403', 'status 200', made?.args, 'status 404']);
  });
});

it('git-lfs-authenticate returns a URL and a token for it', async () => {
  const file = largeFile();
  await upload(alice, 'alice/art', file);
  const target = await targetOf('bob');
  const { actor: user } = target.context;
  assert.ok(user);
  const { href, header, expires_in } = JSON.parse(authenticate(target, 'download', { kind: 'certificate', user }));
  assert.equal(href, `${t.server.services.settings.server.rootUrl}alice/art.git/info/lfs`);
  assert.equal(expires_in, 3600);
  const caller = new Client(() => t.url, { authorization: header.Authorization });
  assert.equal((await download(caller, 'alice/art', file.oid)).status, 200);
  assert.equal((await upload(caller, 'alice/art', largeFile())).status, 401);
});
