import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { before, describe, it } from 'node:test';
import { uploadPackInto } from '../../../src/git/protocol/upload-pack.ts';
import type { GitRepository } from '../../../src/git/repository.ts';
import { closed } from '../../support/closed.ts';
import { addNoise, fetchRequest } from '../fetching.ts';
import { emptyRepository } from '../writing.ts';

let folder: GitRepository;
let noise: string;

before(async () => {
  folder = await emptyRepository();
  noise = addNoise(folder);
});

describe('the process that writes into a connection', () => {
  /** A connection of which the client reads nothing. */
  async function unread(): Promise<{ connection: Socket; reader: Socket }> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const connection = await new Promise<Socket>((resolve) => server.once('connection', resolve));
    for (const socket of [reader, connection]) socket.on('error', () => {});
    server.close();
    return { connection, reader };
  }

  it('is stopped at its deadline', async () => {
    const { connection, reader } = await unread();
    const { ended } = uploadPackInto(connection, folder, fetchRequest(noise), { protocol: 'version=2', timeoutMs: 500 });
    assert.equal((await ended).stopped, 'no end within 500 ms');
    for (const socket of [connection, reader]) socket.destroy();
  });

  it('ends by itself when the client leaves, which the server sees as well', async () => {
    const { connection, reader } = await unread();
    const { ended } = uploadPackInto(connection, folder, fetchRequest(noise), { protocol: 'version=2' });
    await new Promise((resolve) => reader.once('readable', resolve));
    reader.destroy();
    // Without that the server would not see clients leave while git has nothing to say.
    await closed(connection);
    const { code, stopped } = await ended;
    assert.notEqual(code, 0);
    assert.equal(stopped, undefined);
  });

  it('leaves the connection as it is for the server: one that blocks would block all', {
    skip: !existsSync('/proc/self/fdinfo'),
  }, async () => {
    const { connection, reader } = await unread();
    const before = await socketFlags();
    const { ended, stop } = uploadPackInto(connection, folder, fetchRequest(noise), { protocol: 'version=2' });
    await new Promise((resolve) => reader.once('readable', resolve));
    const now = await socketFlags();
    assert.deepEqual(
      [...now].filter(([name]) => before.has(name)),
      [...before].filter(([name]) => now.has(name)),
    );
    stop('the test is done');
    await ended;
    for (const socket of [connection, reader]) socket.destroy();
  });
});

/** The sockets that this process has open, by name, and the flags of each. */
async function socketFlags(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const descriptor of await readdir('/proc/self/fd')) {
    const name = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '');
    if (!name.startsWith('socket:')) continue;
    const info = await readFile(`/proc/self/fdinfo/${descriptor}`, 'utf8').catch(() => '');
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    if (flags !== undefined) found.set(name, flags);
  }
  return found;
}
