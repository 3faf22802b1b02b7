// On SQLite alone: git and HTTP need no database.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { fetchRemote } from '../../../src/git/remotes/fetch-remote.ts';
import { listRemote } from '../../../src/git/remotes/list-remote.ts';
import { pushRemote } from '../../../src/git/remotes/push-remote.ts';
import { RemoteError } from '../../../src/git/remotes/remote.ts';
import { HostNotAllowedError } from '../../../src/http/outgoing/allowed-hosts.ts';
import { open, serveRepository } from '../../git/transport.ts';
import { client, commitFile, emptyRepository, git, requireSound } from '../../git/writing.ts';
import { TLS } from '../tls-certificate.ts';
import { fetchInto, passOn, serve, served, settings, source, tip, tree, withUrl } from './remote-source.ts';

describe('repositories on other servers', () => {
  for (const way of ['http', 'git'] as const)
    it(`fetches by ${way}, and moves no ref of ours`, async () => {
      const target = await emptyRepository();
      const lines: string[] = [];
      const refs = await withUrl(served[way], (remote) =>
        fetchRemote(target, remote, { refs: 'all', onProgress: (line) => lines.push(line) }),
      );
      assert.deepEqual([...refs.keys()], ['refs/heads/main', 'refs/notes/commits', 'refs/tags/v1']);
      assert.equal(refs.get('refs/heads/main')?.oid, tip);
      assert.equal(refs.get('refs/tags/v1')?.peeled, tip);
      assert.equal(git(target, ['for-each-ref']), '');
      assert.equal(git(target, ['cat-file', '-t', tip]), 'commit');
      requireSound(target);
      const few = await withUrl(served[way], (remote) => fetchRemote(target, remote, { refs: 'branches-and-tags' }));
      assert.deepEqual([...few.keys()], ['refs/heads/main', 'refs/tags/v1']);
    });

  it('lists refs, HEAD and the format of objects', async () => {
    const listed = await withUrl(served.http, listRemote);
    assert.equal(listed.head, 'refs/heads/main');
    assert.equal(listed.objectFormat, 'sha1');
    assert.equal(listed.refs.get('refs/heads/main'), tip);
  });

  it('fetches what is new alone', async () => {
    const target = await emptyRepository();
    await withUrl(served.http, fetchInto(target));
    git(target, ['update-ref', 'refs/heads/main', tip]);
    const sizes: number[] = [];
    const url = await serve((incoming, response) => {
      incoming.on('data', (chunk: Buffer) =>
        sizes.push(chunk.includes('have ') || incoming.headers['content-encoding'] === 'gzip' ? 1 : 0),
      );
      passOn(incoming, response);
    });
    const next = commitFile(tree, 'next.txt', 'next\n');
    await client(tree, ['push', 'origin', 'main']);
    const refs = await withUrl(url, fetchInto(target));
    assert.equal(refs.get('refs/heads/main')?.oid, next);
    assert.ok(sizes.includes(1), 'the fetch said what is here');
    requireSound(target);
    git(source, ['update-ref', 'refs/heads/main', tip]);
    git(tree, ['reset', '-q', '--hard', tip]);
  });

  it('speaks HTTPS with those whose certificate is valid, unless any is taken', async () => {
    const server = createTlsServer(TLS, passOn);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    after(() => server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`;
    const target = await emptyRepository();
    const refs = await withUrl(url, fetchInto(target), {}, settings({ verifyCertificates: false }));
    assert.equal(refs.get('refs/heads/main')?.oid, tip);
    await assert.rejects(withUrl(url, listRemote), (error) => error instanceof RemoteError && /certificate/.test(error.message));
    const strict = settings({ verifyCertificates: false, allowLocalNetworks: false });
    await assert.rejects(withUrl(url, listRemote, {}, strict), HostNotAllowedError);
  });

  it('pushes: what the other side has else goes', async () => {
    const other = await emptyRepository();
    const place = await serveRepository(other, open());
    git(other, ['fetch', '-q', source.path, 'main:refs/heads/more']);
    await withUrl(place.http, (remote) => pushRemote(source, remote));
    assert.equal(git(other, ['for-each-ref', '--format=%(refname)']), 'refs/heads/main\nrefs/tags/v1');
  });
});

describe('credentials for other servers', () => {
  const password = 'S3cret-of-the-remote';
  const seen: string[] = [];
  const isGood = ({ headers }: IncomingMessage) => headers.authorization === `Basic ${Buffer.from(`alice:${password}`).toString('base64')}`;
  const demanding = (look: () => void = () => {}) =>
    serve((incoming, response) => {
      look();
      if (isGood(incoming)) passOn(incoming, response);
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });

  it('sends them to servers that request them, and shows them in no command line and no file', async () => {
    const target = await emptyRepository();
    const url = await demanding(() => {
      for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
          seen.push(readFileSync(`/proc/${id}/cmdline`, 'utf8'));
        } catch {
          // It has ended.
        }
      for (const file of readdirSync(target.path, { recursive: true, encoding: 'utf8' }).filter((name) => /config$|FETCH_HEAD$/.test(name)))
        seen.push(readFileSync(`${target.path}/${file}`, 'utf8'));
    });
    const refs = await withUrl(url, fetchInto(target), { credentials: { username: 'alice', password } });
    assert.ok(refs.size > 0);
    assert.ok(seen.some((text) => text.includes('git')));
    assert.ok(!seen.some((text) => text.includes(password)));
    assert.ok(!readFileSync(`${target.path}/config`, 'utf8').includes('http'));
  });

  it('says that they are wrong, without them', async () => {
    const url = await demanding();
    for (const options of [{ credentials: { username: 'alice', password: 'Wr0ng' } }, {}])
      await assert.rejects(withUrl(url, listRemote, options), (error) => {
        assert.ok(error instanceof RemoteError);
        assert.equal(error.fault, 'authentication');
        assert.ok(!`${error.message} ${String(error.cause)}`.includes('Wr0ng'));
        return true;
      });
  });

  it('keeps them from other hosts', async () => {
    const other: IncomingMessage[] = [];
    const elsewhere = await serve((incoming, response) => {
      other.push(incoming);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    const url = await serve((incoming, response) => {
      const { pathname, search } = new URL(incoming.url ?? '', 'http://x');
      response.writeHead(302, { location: `${new URL(elsewhere).origin}${pathname}${search}` }).end();
    });
    await assert.rejects(withUrl(url, listRemote, { credentials: { username: 'alice', password } }), HostNotAllowedError);
    assert.equal(other.length, 0);
  });
});
