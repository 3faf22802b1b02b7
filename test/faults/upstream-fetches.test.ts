// On SQLite alone: on PostgreSQL the process would be found dead only after some time
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
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
const temporary = join(folder, 'temporary');
await mkdir(temporary);
const stub = await stubUpstream();
const environment = environmentOf(join(folder, 'data'), {
  TMPDIR: temporary,
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
/** The files that something is written to while it arrives. */
const unfinished = async () =>
  (await readdir(folder, { recursive: true })).filter((name) => /storage\/tmp\/|upstream-documents\/.*\/|copse-upstream-/.test(name));

it('a file that is being fetched when the process is killed is fetched again', async () => {
  const { server, root } = await start();
  await addUpstream(root, 'root', { type: 'npm', url: stub.url });
  hasPackage(stub, 'large', { '1.0.0': { data } });
  stub.has(TARBALL, (_, response) => void response.write(data.subarray(0, 200_000)));
  const broken = assert.rejects(download(root));
  await eventually(async () => asked() === 1 && (await unfinished()).length > 0, 'the beginning of the file');
  server.child.kill('SIGKILL');
  await server.ended;
  await broken;
  stub.has(TARBALL, data);
  const again = await start();
  await eventually(async () => (await unfinished()).length === 0, 'the end of the file');
  assert.ok((await download(again.root)).bytes.equals(data));
  again.server.child.kill('SIGTERM');
  assert.equal(await again.server.ended, 0);
});

it('a document that is being fetched when the process is killed leaves nothing', async () => {
  const { server, root } = await start();
  let hasAsked = false;
  stub.has('/slow', (_, response) => {
    hasAsked = true;
    response.write('{');
  });
  const broken = assert.rejects(root.get('//api/packages/root/npm/slow'));
  await eventually(async () => hasAsked && (await unfinished()).length > 0, 'the document');
  server.child.kill('SIGKILL');
  await server.ended;
  await broken;
  const again = await start();
  await eventually(async () => (await unfinished()).length === 0, 'the end of the document');
  again.server.child.kill('SIGTERM');
  assert.equal(await again.server.ended, 0);
});
