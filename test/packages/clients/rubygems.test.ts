// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { runProgram, withoutProgram } from './program.ts';

it('gem pushes, installs with dependencies, and yanks', { skip: withoutProgram('gem') }, async () => {
  const t = await testServer();
  const alice = await t.user('alice');
  const { password: token } = await alice.token(['write:package']);
  const source = `${t.url}/api/packages/alice/rubygems`;
  const cwd = join(t.folder, 'gem');
  await mkdir(cwd);
  const gem = (...args: string[]) => runProgram('gem', args, { cwd, env: { GEM_HOST_API_KEY: `Bearer ${token}` } });
  for (const [name, more] of [
    ['base', ''],
    ['tool', "s.add_dependency 'base', '~> 1.0'"],
  ] as const) {
    const about = `s.name = '${name}'; s.version = '1.0.0'; s.summary = 'x'; s.authors = ['a']; s.files = []; ${more}`;
    await writeFile(join(cwd, `${name}.gemspec`), `Gem::Specification.new { |s| ${about} }\n`);
    await gem('build', `${name}.gemspec`);
    await gem('push', '--host', source, `${name}-1.0.0.gem`);
  }
  const installed = await gem(
    'install',
    '--clear-sources',
    '--source',
    `${source}/`,
    '--install-dir',
    join(cwd, 'gems'),
    '--no-document',
    'tool',
  );
  assert.match(installed, /2 gems installed/);
  await gem('yank', 'tool', '-v', '1.0.0', '--host', source);
  assert.equal((await alice.must('GET', '/packages/alice?type=rubygems')).length, 1);
});
