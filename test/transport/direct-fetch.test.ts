import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { GitRepository } from '../../src/git/repository.ts';
import { codeRepository } from '../code/repository.ts';
import { addNoise, fetchRequest, LARGE, LS_REFS } from '../git/fetching.ts';
import { client, git, temporaryFolder } from '../git/writing.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
let folder: GitRepository;
let tip: string;
let noise: string;

before(async () => {
  const commits = ['one', 'two'].map((label) => ({ label, files: { 'a.txt': `${label}\n` } }));
  await codeRepository(t, alice, 'small', commits);
  const { row, id } = await codeRepository(t, alice, 'large', commits);
  folder = t.context.git.locate(row);
  tip = id('two');
  noise = addNoise(folder);
});

function post(body: Buffer, more = '', agent = 'git/2.39.5'): Buffer {
  const lines = [
    'POST /alice/large.git/git-upload-pack HTTP/1.1',
    'Host: x',
    `User-Agent: ${agent}`,
    'Git-Protocol: version=2',
    'Content-Type: application/x-git-upload-pack-request',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n${more}\r\n`), body]);
}

/** A client that reads nothing unless it is told to. */
function caller(url = t.url): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

async function readAll(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function ask(...requests: readonly Buffer[]): Promise<{ head: string; body: Buffer }> {
  const socket = caller();
  socket.write(Buffer.concat(requests));
  const response = await readAll(socket);
  const end = response.indexOf('\r\n\r\n');
  return { head: response.toString('latin1', 0, end), body: response.subarray(end + 4) };
}

const canListProcesses = existsSync('/proc/self/cwd');

/** How many processes serve fetches of the repository. */
async function fetchesUnderWay(): Promise<number> {
  const isFetch = async (id: string) => {
    const [cwd, command] = await Promise.all([readlink(join('/proc', id, 'cwd')), readFile(join('/proc', id, 'cmdline'), 'utf8')]);
    return cwd === folder.path && /\0(upload-pack|pack-objects)\0/.test(command);
  };
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(ids.map((id) => isFetch(id).catch(() => false)))).filter(Boolean).length;
}

/** Begins to fetch what no connection takes, and resolves once git has begun to answer. */
async function begin(url = t.url): Promise<Socket> {
  const socket = caller(url);
  socket.write(post(fetchRequest(noise)));
  await new Promise((resolve) => socket.once('readable', resolve));
  return socket;
}

/** Counted requests of a method, by the kind of their status. */
function counts(method: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name, labels, value } of t.context.metrics.snapshot()) {
    const [, kind = ''] = new RegExp(`method="${method}",status="(\\dxx)"`).exec(labels) ?? [];
    if (name === 'copse_requests_total' && kind !== '') counts[kind] = (counts[kind] ?? 0) + value;
  }
  return counts;
}

describe('a pack that git writes into the connection', () => {
  for (const version of ['0', '1', '2']) {
    it(`is a sound clone, whole, shallow or partial, with version ${version} of the protocol`, async () => {
      const into = temporaryFolder();
      for (const [name, ...options] of [['whole'], ['shallow', '--depth=1'], ['partial', '--filter=blob:none', '--no-checkout']] as const) {
        const args = ['-c', `protocol.version=${version}`, 'clone', '-q', ...options, `${t.url}alice/small.git`, name];
        const { code, stderr } = await client(into, args);
        assert.equal(code, 0, stderr);
        const at = join(into, name);
        assert.equal(git(at, ['rev-parse', 'HEAD']), tip);
        assert.equal(git(at, ['rev-list', '--count', 'HEAD']), name === 'shallow' ? '1' : '2');
        if (name !== 'partial') git(at, ['fsck', '--full', '--strict']);
      }
    });
  }

  it('ends with the connection, packed requests or not, and is counted like every response', async () => {
    const counted = () => counts('POST')['2xx'] ?? 0;
    const count = Number(counted());
    const request = fetchRequest(tip);
    for (const sent of [post(request), post(gzipSync(request), 'Content-Encoding: gzip\r\n')]) {
      const { head, body } = await ask(sent);
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(head, /^content-type: application\/x-git-upload-pack-result$/im);
      assert.match(head, /^cache-control: no-cache/im);
      assert.match(head, /^connection: close$/im);
      assert.doesNotMatch(head, /transfer-encoding|content-length/i);
      assert.match(body.toString('latin1'), /^000dpackfile\n[\s\S]*PACK[\s\S]*0000$/);
    }
    await eventually(() => Number(counted()) === count + 2, 'the count of both');
  });

  it('comes after other responses on the same connection', async () => {
    const socket = caller();
    socket.write(post(LS_REFS));
    let read = Buffer.alloc(0);
    for await (const piece of socket.iterator({ destroyOnReturn: false })) {
      read = Buffer.concat([read, piece]);
      if (read.toString('latin1').endsWith('0000')) break;
    }
    assert.match(read.toString('latin1'), /^connection: keep-alive$/im);
    socket.write(post(fetchRequest(tip)));
    assert.match((await readAll(socket)).toString('latin1'), /^connection: close$[\s\S]*PACK[\s\S]*0000$/im);
  });

  it('is relayed to clients that may want to know its length or its pieces', async () => {
    for (const agent of ['git/2.0 (libgit2 1.9.7)', 'git/2.0 (something else)', 'JGit/6.8', 'git/oxide-0.40', '']) {
      const { head, body } = await ask(post(fetchRequest(tip), 'Connection: close\r\n', agent));
      assert.match(head, /^transfer-encoding: chunked$/im, agent);
      assert.match(body.toString('latin1'), /PACK[\s\S]*0000\r\n0\r\n\r\n$/, agent);
    }
    for (const agent of ['git/2.39.5 (Apple Git-154)', 'git/2.50.0.windows.1', 'git/2.51.0-Linux']) {
      const { head } = await ask(post(fetchRequest(tip), '', agent));
      assert.doesNotMatch(head, /transfer-encoding/i, agent);
    }
  });

  it('says what git has to say', async () => {
    const missing = 'f'.repeat(40);
    assert.match((await ask(post(fetchRequest(missing)))).body.toString(), /^[0-9a-f]{4}ERR upload-pack: not our ref f{40}/);
    const { stderr } = await client(folder.path, ['fetch', '--no-write-fetch-head', `${t.url}alice/large.git`, missing]);
    assert.match(stderr, /remote error: upload-pack: not our ref f{40}/);
  });

  it('waits for a client that does not read', async () => {
    const socket = await begin();
    const response = await readAll(socket);
    assert.ok(response.length > LARGE);
    assert.equal(response.toString('latin1', response.length - 4), '0000');
  });

  it('is the last response, whatever the client requests next', async () => {
    const socket = await begin();
    const before = counts('GET');
    socket.write('GET /api/v1/version HTTP/1.1\r\nHost: x\r\n\r\n');
    const response = await readAll(socket);
    assert.equal(response.toString('latin1', response.length - 4), '0000');
    assert.equal(response.lastIndexOf('HTTP/1.1 '), 0);
    assert.deepEqual(counts('GET'), before);
  });

  it('ends git when the client leaves', { skip: !canListProcesses }, async () => {
    const socket = await begin();
    assert.ok((await fetchesUnderWay()) > 0);
    socket.destroy();
    await eventually(async () => (await fetchesUnderWay()) === 0, 'the end of git');
  });

  // The last one, since the server is elsewhere afterwards.
  it('is waited for when the server stops', async () => {
    const socket = await begin();
    const { url } = t;
    const again = t.restart();
    await eventually(
      () =>
        new Promise((resolve) =>
          caller(url)
            .on('error', () => resolve(true))
            .on('connect', () => resolve(false)),
        ),
      'the stop',
    );
    const response = await readAll(socket);
    assert.ok(response.length > LARGE);
    assert.equal(response.toString('latin1', response.length - 4), '0000');
    await again;
  });
});
