// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { tar } from '../support/archives.ts';
import { runProgram, withoutProgram } from './program.ts';

it('crane pushes, copies, lists and deletes images', { skip: withoutProgram('crane') }, async () => {
  const t = await testServer();
  const { name, password } = await t.user('alice');
  const host = new URL(t.url).host;
  const cwd = join(t.folder, 'crane');
  await mkdir(cwd);
  await writeFile(join(cwd, 'layer.tar'), await tar({ 'greeting.txt': 'hello' }));
  const crane = (...args: string[]) => runProgram('crane', args, { cwd });
  await crane('auth', 'login', host, '-u', name, '-p', password);
  await crane('append', '-f', 'layer.tar', '-t', `${host}/alice/app:v1`);
  await crane('copy', `${host}/alice/app:v1`, `${host}/alice/team/copy:v2`);
  await crane('index', 'append', '-m', `${host}/alice/app:v1`, '-t', `${host}/alice/app:all`);
  assert.equal(await crane('ls', `${host}/alice/app`), 'all\nv1\n');
  assert.equal(await crane('catalog', host), 'alice/app\nalice/team/copy\n');
  await crane('validate', '--remote', `${host}/alice/team/copy:v2`);
  await crane('export', `${host}/alice/team/copy:v2`, 'exported.tar');
  await crane('delete', `${host}/alice/team/copy:v2`);
  assert.equal(await crane('ls', `${host}/alice/team/copy`), '');
});
