import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const bob = await t.user('bob');
const source = createServer((request, response) => {
  const status = Number(request.url?.slice(1, 4));
  if (status === 0) request.socket.destroy();
  else response.writeHead(status, status === 401 ? { 'www-authenticate': 'Basic realm="x"' } : {}).end('no');
});
await once(source.listen(0, '127.0.0.1'), 'listening');
const { port } = source.address() as AddressInfo;
const gone = createServer().listen(0, '127.0.0.1');
await once(gone, 'listening');
const closed = (gone.address() as AddressInfo).port;
await new Promise((resolve) => gone.close(resolve));
after(() => source.close());

async function failure(clone_addr: string): Promise<string> {
  const { status, json } = await bob.post('/repos/migrate', { clone_addr, repo_name: 'copy' });
  assert.equal(status, 422, json.message);
  assert.equal((await bob.get('/repos/bob/copy')).status, 404);
  return json.message;
}

describe('a repository that git cannot clone', () => {
  const from = (path: string) => `http://127.0.0.1:${port}/${path}/x.git`;

  it('is refused with the words of git', async () => {
    const url = from('404');
    assert.equal(await failure(url), `Migration failed: clone error: exit status 128 - fatal: repository '${url}/' not found.`);
    for (const status of ['403', '500']) {
      const said = `fatal: unable to access '${from(status)}/': The requested URL returned error: ${status}`;
      assert.equal(await failure(from(status)), `Migration failed: clone error: exit status 128 - ${said}.`);
    }
  });

  it('is one that needs credentials', async () => {
    const said = `fatal: could not read Username for 'http://127.0.0.1:${port}': terminal prompts disabled`;
    assert.equal(await failure(from('401')), `Authentication failed: clone error: exit status 128 - ${said}.`);
  });

  it('is on a server that cannot be reached or hangs up', async () => {
    const unable = (url: string) => `Migration failed: clone error: exit status 128 - fatal: unable to access '${url}/': `;
    const url = `http://127.0.0.1:${closed}/x.git`;
    const refused = await failure(url);
    const connection = `Failed to connect to 127.0.0.1 port ${closed} after N ms: Couldn't connect to server.`;
    assert.equal(refused.replace(/after \d+ ms/, 'after N ms'), unable(url) + connection);
    assert.equal(await failure(from('000')), `${unable(from('000'))}Empty reply from server.`);
  });

  it('is on a server that is not known, which counts as one that is not allowed', async () => {
    assert.equal(await failure('http://nowhere.invalid/x.git'), 'You can not import from disallowed hosts.');
  });
});
