// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { runProgram, withoutProgram } from './program.ts';

it('npm publishes, installs and unpublishes packages of a scope', { skip: withoutProgram('npm') }, async () => {
  const t = await testServer();
  const alice = await t.user('alice');
  const { password: token } = await alice.token(['write:package']);
  const url = `${t.url}/api/packages/alice/npm/`;
  const config = `@alice:registry=${url}\n${url.replace(/^http:/, '')}:_authToken=${token}\n`;
  const folder = async (name: string, manifest: Record<string, unknown>) => {
    const cwd = join(t.folder, name);
    await mkdir(cwd);
    await writeFile(join(cwd, '.npmrc'), config);
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }));
    return (...args: string[]) => runProgram('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd });
  };
  const publisher = await folder('publisher', { name: '@alice/left' });
  await publisher('publish');
  const user = await folder('user', { name: 'user' });
  await user('install', '@alice/left');
  const installed = JSON.parse(await readFile(join(t.folder, 'user/node_modules/@alice/left/package.json'), 'utf8'));
  assert.equal(installed.version, '1.0.0');
  await publisher('unpublish', '@alice/left@1.0.0', '--force');
  assert.deepEqual(await alice.must('GET', '/packages/alice?type=npm'), []);
});
