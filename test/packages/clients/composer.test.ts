// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { zip } from '../support/archives.ts';
import { registry } from '../support/registry.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

it('composer installs packages of a private account, and is refused', { skip: withoutClient('composer') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const host = new URL(t.url).host;
  for (const version of ['1.0.0', '1.1.0']) {
    const archive = zip({
      'composer.json': JSON.stringify({ name: 'acme/tool', version, type: 'library' }),
      'tool.php': `<?php return '${version}';`,
    });
    for (const { name, password } of Object.values(refused)) {
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
      assert.equal((await registry('alice').put(t.anonymous, 'composer', archive, { authorization })).status, 401);
    }
    assert.equal((await registry('alice').put(owner, 'composer', archive)).status, 201);
  }
  let folders = 0;
  const composer = async ({ name, password }: Credential, ...args: string[]) => {
    const repositories = [{ type: 'composer', url: `${t.url}api/packages/alice/composer` }, { packagist: false }];
    const cwd = await makeFolder(t, `composer-${++folders}`, {
      'composer.json': JSON.stringify({ repositories, config: { 'secure-http': false } }),
      'auth.json': JSON.stringify({ 'http-basic': { [host]: { username: name, password } } }),
    });
    await runProgram('composer', ['--no-interaction', ...args], {
      cwd,
      env: { COMPOSER_HOME: join(cwd, 'home'), COMPOSER_ALLOW_SUPERUSER: '1' },
    });
    return cwd;
  };
  for (const [who, credential] of Object.entries(hidden))
    await assert.rejects(composer(credential, 'require', 'acme/tool'), /401|[Ii]nvalid credentials/, who);
  const cwd = await composer(owner, 'require', 'acme/tool:^1.0');
  assert.match(await readFile(join(cwd, 'vendor/acme/tool/tool.php'), 'utf8'), /1\.1\.0/);
});
