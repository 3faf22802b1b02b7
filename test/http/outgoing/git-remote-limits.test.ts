// On SQLite alone: git and HTTP need no database.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { listRemote } from '../../../src/git/remotes/list-remote.ts';
import { RemoteError } from '../../../src/git/remotes/remote.ts';
import { HostNotAllowedError } from '../../../src/http/outgoing/allowed-hosts.ts';
import { RemoteTooLargeError } from '../../../src/http/outgoing/git-proxy.ts';
import { open, serveRepository } from '../../git/transport.ts';
import { emptyRepository, git } from '../../git/writing.ts';
import { eventually } from '../../support/eventually.ts';
import { fetchInto, passOn, requireUntouched, serve, served, settings, withUrl } from './remote-source.ts';

describe('limits of transfers from other servers', () => {
  it('refuses forbidden URLs', async () => {
    let requests = 0;
    const url = await serve((incoming, response) => {
      requests++;
      passOn(incoming, response);
    });
    const strict = settings({ allowLocalNetworks: false });
    for (const given of [url, url.replace('127.0.0.1', 'localhost'), served.git])
      await assert.rejects(withUrl(given, listRemote, {}, strict), HostNotAllowedError);
    assert.equal(requests, 0);
  });

  it('follows no redirect to such a URL', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: 'http://10.1.2.3/repository.git/info/refs' }).end());
    await assert.rejects(
      withUrl(url, listRemote, {}, settings({ allowLocalNetworks: false, allowedHosts: ['loopback'] })),
      HostNotAllowedError,
    );
  });

  it('ends a transfer that is too large, and leaves nothing', async () => {
    for (const way of ['http', 'git'] as const) {
      const target = await emptyRepository();
      await assert.rejects(withUrl(served[way], fetchInto(target), {}, settings({ maxSize: 200 })), RemoteTooLargeError);
      requireUntouched(target);
    }
  });

  it('ends when it takes too long, and when it is aborted', async () => {
    const url = await serve(() => {});
    await assert.rejects(
      withUrl(url, listRemote, { timeoutMs: 300 }),
      (error) => error instanceof RemoteError && error.fault === 'timeout',
    );
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await assert.rejects(withUrl(url, listRemote, { signal: controller.signal }), { name: 'AbortError' });
  });

  it('refuses objects that would harm who fetches them', async () => {
    const bad = await emptyRepository();
    const blob = git(bad, ['hash-object', '-w', '--stdin'], 'x');
    const tree = git(
      bad,
      ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
      Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]),
    );
    git(bad, ['update-ref', 'refs/heads/main', git(bad, ['commit-tree', '-m', 'Bad', tree])]);
    const place = await serveRepository(bad, open());
    const target = await emptyRepository();
    await assert.rejects(withUrl(place.http, fetchInto(target)), (error) => error instanceof RemoteError && error.fault === 'objects');
    requireUntouched(target);
  });

  it('says that there is no such repository', async () => {
    const url = await serve((_, response) => response.writeHead(404).end());
    await assert.rejects(withUrl(url, listRemote), (error) => error instanceof RemoteError && error.fault === 'repository');
  });

  it('lets nobody else use its way', async () => {
    await withUrl(served.http, async ({ config }) => {
      const proxy = new URL(config.find(([key]) => key === 'http.proxy')?.[1] ?? '');
      const ask = (authorization: string) =>
        new Promise<number | undefined>((resolve) => {
          const headers = { 'proxy-authorization': `Basic ${Buffer.from(authorization).toString('base64')}` };
          request({ host: proxy.hostname, port: proxy.port, path: `${served.http}/info/refs?service=git-upload-pack`, headers }, (answer) =>
            resolve(answer.resume().statusCode),
          ).end();
        });
      assert.equal(await ask('git:wrong'), 407);
      assert.notEqual(await ask(`${proxy.username}:${proxy.password}`), 407);
    });
  });

  it('has a bound on the connections to its way', async () => {
    await withUrl(served.http, async ({ config }) => {
      const proxy = new URL(config.find(([key]) => key === 'http.proxy')?.[1] ?? '');
      const sockets = Array.from({ length: 12 }, () => connect(Number(proxy.port), proxy.hostname).on('error', () => {}));
      const closed = sockets.map((socket) => once(socket.resume(), 'close'));
      await Promise.race(closed);
      await eventually(async () => sockets.filter(({ closed }) => closed).length === 4, 'the end of those beyond the bound');
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    });
  });
});
