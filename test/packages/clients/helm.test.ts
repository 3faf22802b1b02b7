// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { registry } from '../support/registry.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

it('helm installs charts of a classic repository, and is refused', { skip: withoutClient('helm') }, async () => {
  const t = await testServer();
  const { owner, hidden, refused } = await privateOwner(t, 'alice');
  const files = { 'app/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n', 'app/values.yaml': 'size: 1\n' };
  const cwd = await makeFolder(t, 'helm', files);
  const helm = (...args: string[]) => runProgram('helm', args, { cwd });
  await helm('package', 'app');
  const chart = await readFile(join(cwd, 'app-1.0.0.tgz'));
  for (const { name, password } of Object.values(refused)) {
    const headers = { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
    assert.equal((await registry('alice').post(t.anonymous, 'helm/api/charts', chart, headers)).status, 401);
  }
  assert.equal((await registry('alice').post(owner, 'helm/api/charts', chart)).status, 201);
  const url = `${t.url}api/packages/alice/helm`;
  const add = (repository: string, { name, password }: Credential) =>
    helm('repo', 'add', repository, url, '--username', name, '--password', password);
  for (const [who, credential] of Object.entries(hidden)) await assert.rejects(add('none', credential), /401/, who);
  await add('alice', owner);
  assert.match(await helm('search', 'repo', 'alice/app'), /1\.0\.0/);
  await helm('pull', 'alice/app', '--untar', '--untardir', 'pulled');
  assert.match(await readFile(join(cwd, 'pulled/app/values.yaml'), 'utf8'), /size: 1/);
  assert.match(await helm('template', 'alice/app'), /^\s*$/);
});
