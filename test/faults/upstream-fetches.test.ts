// On SQLite alone: on PostgreSQL the process would be found dead only after some time
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { addUpstream, hasPackage, stubUpstream } from '../packages/support/upstream.ts';
import { afterwards } from '../support/afterwards.ts';
import { Client } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { environmentOf, ServerProcess } from '../support/server-process.ts';

const PASSWORD = 'Test-Passw0rd';
const TARBALL = '/large/-/large-1.0.0.tgz';
const data = randomBytes(400_000);

const folder = await mkdtemp(join(tmpdir(), 'copse-upstream-fetches-'));
afterwards(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const stub = await stubUpstream();
const environment = environmentOf(join(folder, 'data'), {
  COPSE_ADMIN_USERNAME: 'root',
  COPSE_ADMIN_PASSWORD: PASSWORD,
  COPSE_PACKAGES_UPSTREAMS: 'administrators',
  COPSE_OUTGOING_ALLOWED_HOSTS: 'localhost',
});

async function start(): Promise<{ server: ServerProcess; root: Client }> {
  const server = new ServerProcess(environment);
  afterwards(() => server.child.kill('SIGKILL'));
  const { url } = await server.logged('serving');
  return { server, root: new Client(() => String(url), { name: 'root', password: PASSWORD }) };
}

const download = (caller: Client) => caller.get('//api/packages/root/npm/large/-/1.0.0/large-1.0.0.tgz');
const asked = () => stub.requests.filter((path) => path === TARBALL).length;

it('a file that is being fetched when the process is killed is fetched again', async () => {
  const { server, root } = await start();
  await addUpstream(root, 'root', { type: 'npm', url: stub.url });
  hasPackage(stub, 'large', { '1.0.0': { data } });
  stub.has(TARBALL, (_, response) => void response.write(data.subarray(0, 200_000)));
  const broken = assert.rejects(download(root));
  await eventually(async () => asked() === 1, 'the request');
  server.child.kill('SIGKILL');
  await server.ended;
  await broken;
  stub.has(TARBALL, data);
  const again = await start();
  assert.ok((await download(again.root)).bytes.equals(data));
  again.server.child.kill('SIGTERM');
  assert.equal(await again.server.ended, 0);
});
