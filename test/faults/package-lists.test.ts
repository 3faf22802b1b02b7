// On SQLite alone: on PostgreSQL the process would be found dead only after some time
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { tar } from '../packages/support/archives.ts';
import { registry } from '../packages/support/registry.ts';
import { afterwards } from '../support/afterwards.ts';
import { Client } from '../support/client.ts';
import { environmentOf, ServerProcess } from '../support/server-process.ts';

const PASSWORD = 'Test-Passw0rd';
const folder = await mkdtemp(join(tmpdir(), 'copse-package-lists-'));
afterwards(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
const environment = environmentOf(join(folder, 'data'), { COPSE_ADMIN_USERNAME: 'root', COPSE_ADMIN_PASSWORD: PASSWORD });
const packages = registry('root');

async function start(): Promise<{ server: ServerProcess; root: Client }> {
  const server = new ServerProcess(environment);
  afterwards(() => server.child.kill('SIGKILL'));
  const { url } = await server.logged('serving');
  return { server, root: new Client(() => String(url), { name: 'root', password: PASSWORD }) };
}

async function publish(root: Client, name: string): Promise<void> {
  const archive = gzipSync(await tar({ [`${name}/DESCRIPTION`]: `Package: ${name}\nVersion: 1.0\nLicense: MIT\n` }));
  assert.equal((await packages.put(root, 'cran/src', archive)).status, 201);
}

it('a list of packages is whole after its process was killed between a publication and the end of the list', async () => {
  const names: string[] = [];
  // Right after the publication, and while the list is made.
  for (const delay of [undefined, 0, 4, 12]) {
    const { server, root } = await start();
    for (const part of ['one', 'two']) {
      const name = `${part}${names.length}`;
      await publish(root, name);
      names.push(name);
    }
    const reading = delay === undefined ? undefined : packages.get(root, 'cran/src/contrib/PACKAGES').catch(() => {});
    if (delay !== undefined) await sleep(delay);
    server.child.kill('SIGKILL');
    await server.ended;
    await reading;
  }
  const { server, root } = await start();
  const { text } = await packages.get(root, 'cran/src/contrib/PACKAGES');
  const listed = [...text.matchAll(/^Package: (.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), names.toSorted());
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0);
});
