// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { addUpstream } from '../support/upstream.ts';
import { runProgram, withoutProgram } from './program.ts';

const upstream = await testServer();
const t = await testServer({ packages: { upstreams: 'owners' }, outgoing: { allowedHosts: ['loopback'] } });
const publisher = await upstream.user('publisher', { visibility: 'private' });
const acme = await t.user('acme');
const { password: token } = await publisher.token(['write:package']);
const { password: reading } = await acme.token(['read:package']);
const common = { allow: ['**'], username: 'publisher', password: token };

it('npm installs packages of another Copse, with their dependencies', { skip: withoutProgram('npm') }, async () => {
  const theirs = `${upstream.url}api/packages/publisher/npm/`;
  const ours = `${t.url}api/packages/acme/npm/`;
  await addUpstream(acme, 'acme', { type: 'npm', url: theirs, ...common });
  const folder = async (name: string, manifest: Record<string, unknown>, registry: string, secret: string) => {
    const cwd = join(t.folder, name);
    await mkdir(cwd);
    await writeFile(join(cwd, '.npmrc'), `registry=${registry}\n${registry.replace(/^http:/, '')}:_authToken=${secret}\n`);
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }));
    return (...args: string[]) => runProgram('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd });
  };
  await (await folder('base', { name: '@base/part' }, theirs, token))('publish');
  await (await folder('whole', { name: 'whole', dependencies: { '@base/part': '^1.0.0' } }, theirs, token))('publish');
  const user = await folder('user', { name: 'user' }, ours, reading);
  await user('install', 'whole');
  const installed = JSON.parse(await readFile(join(t.folder, 'user/node_modules/@base/part/package.json'), 'utf8'));
  assert.equal(installed.version, '1.0.0');
  const lock = await readFile(join(t.folder, 'user/package-lock.json'), 'utf8');
  assert.ok(lock.includes(ours) && !lock.includes(theirs));
});
