import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { packet } from '../../src/git/protocol/pkt-line.ts';
import { codeRepository } from '../code/repository.ts';
import { git } from '../git/writing.ts';
import type { Client } from '../support/client.ts';
import { closed } from '../support/closed.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { workTree } from './work-tree.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({
  server: { idleTimeout: 1000 },
  limits: { concurrentUploads: 3, uploadsPerCaller: 2, concurrentFetches: 3, fetchesPerCaller: 2 },
});
const alice = await t.user('alice');
const mallory = await t.user('mallory');
const { semaphores } = t.context;

/** Begins a chunked request and sends these bytes of its body; the connection stays as it is. */
function begin(path: string, type: string, sent: Buffer, client?: Client, agent = 'git/2.39.5'): Socket {
  const { hostname, port } = new URL(t.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const sender = client && `Authorization: Basic ${Buffer.from(`${client.name}:${client.password}`).toString('base64')}`;
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `User-Agent: ${agent}`,
    'Git-Protocol: version=2',
    `Content-Type: application/x-git-${type}-request`,
    'Transfer-Encoding: chunked',
    ...(sender ? [sender] : []),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${sent.length.toString(16)}\r\n`);
  socket.write(Buffer.concat([sent, Buffer.from('\r\n')]));
  return socket;
}

const END = '0\r\n\r\n';

async function pushes(client: Client, name: string): Promise<number> {
  const tree = await workTree(t, client, `${client.name}/${name}`);
  await tree.commit({ 'a.txt': 'a' });
  return (await tree.run('push', '-q', 'origin', 'HEAD:refs/heads/main')).code;
}

describe('permits for pushes', () => {
  it('are not taken by clients that send no push', async () => {
    await alice.must('POST', '/user/repos', { name: 'open' });
    const sockets = Array.from({ length: 10 }, () => begin('/alice/open.git/git-receive-pack', 'receive-pack', Buffer.from('00'), mallory));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    assert.equal(await pushes(alice, 'open'), 0);
    for (const socket of sockets) socket.destroy();
  });

  it('cannot be taken by one caller alone, and not be held for long by who sends nothing more', async () => {
    await mallory.must('POST', '/user/repos', { name: 'mine' });
    const head = Buffer.concat([packet(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/x\0report-status`), Buffer.from('0000PACK')]);
    const sockets = Array.from({ length: 3 }, () => begin('/mallory/mine.git/git-receive-pack', 'receive-pack', head, mallory));
    await eventually(() => semaphores.uploads.taken === 2, 'pushes under way');
    await alice.must('POST', '/user/repos', { name: 'other' });
    assert.equal(await pushes(alice, 'other'), 0);
    await eventually(() => semaphores.uploads.taken === 0 && semaphores.uploads.waiting === 0, 'the end of all that are idle');
    for (const socket of sockets) socket.resume();
    await Promise.all(sockets.map((socket) => socket.closed || closed(socket)));
  });
});

describe('permits for fetches', () => {
  for (const [words, agent] of [
    ['that git writes itself', 'git/2.39.5'],
    ['that are relayed', 'JGit/6.8'],
  ] as const) {
    it(`are given back by clients that read nothing of packs ${words}`, async () => {
      const name = agent.startsWith('git') ? 'direct' : 'relayed';
      const { row } = await codeRepository(t, alice, name, [{ label: 'one', files: { 'a.txt': 'a' } }]);
      const folder = t.context.git.locate(row);
      // More than the kernel keeps; random, so it stays as large.
      const noise = git(folder, ['-c', 'core.compression=0', 'hash-object', '-w', '--stdin'], randomBytes(24 * 1024 * 1024));
      git(folder, ['update-ref', 'refs/tags/noise', noise]);
      const lines = ['ofs-delta', 'no-progress', `want ${noise}\n`, 'done\n'].map(packet);
      const request = [packet('command=fetch'), packet('object-format=sha1'), Buffer.from('0001'), ...lines, Buffer.from('0000')];
      const sockets = Array.from({ length: 3 }, () => {
        const socket = begin(`/alice/${name}.git/git-upload-pack`, 'upload-pack', Buffer.concat(request), undefined, agent);
        return socket.pause();
      });
      for (const socket of sockets) socket.write(END);
      await eventually(() => semaphores.fetches.taken === 2 && semaphores.fetches.waiting === 1, 'two fetches and one that waits');
      // Others do not wait for them.
      const tree = await workTree(t, mallory, `alice/${name}`);
      await tree.git('fetch', '-q', 'origin', 'main');
      await eventually(() => semaphores.fetches.taken === 0 && semaphores.fetches.waiting === 0, 'the end of all that are not read');
      for (const socket of sockets) socket.destroy();
    });
  }
});
