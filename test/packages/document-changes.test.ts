// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testServer } from '../support/server.ts';
import { digestsOf, registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const upload = (version: string, file: string) => {
  const form = new FormData();
  form.set('name', 'left');
  form.set('version', version);
  form.set('sha256_digest', digestsOf(file).sha256);
  form.set('content', new Blob([file]), file);
  return alice.send('POST', '//api/packages/alice/pypi', { form });
};
const listed = async (owner = 'alice') => {
  const { text } = await registry(owner).get(t.anonymous, 'pypi/simple/left', { accept: 'application/vnd.pypi.simple.v1+json' });
  return JSON.parse(text).files.map(({ filename, url }: { filename: string; url: string }) => [
    filename,
    new URL(url).pathname.split('/')[3],
  ]);
};

it('documents show what has changed of a version since they were made', async () => {
  for (const version of ['1.0', '1.1']) assert.equal((await upload(version, `left-${version}.tar.gz`)).status, 201);
  const both = [
    ['left-1.0.tar.gz', 'alice'],
    ['left-1.1.tar.gz', 'alice'],
  ];
  assert.deepEqual(await listed(), both);
  assert.equal((await upload('1.0', 'left-1.0-py3-none-any.whl')).status, 201);
  assert.deepEqual(await listed(), [['left-1.0-py3-none-any.whl', 'alice'], ...both]);
  await alice.must('DELETE', '/packages/alice/pypi/left/1.0');
  assert.deepEqual(await listed(), both.slice(1));
});

it('documents have the name of their owner in links after it has changed', async () => {
  await t.admin.must('POST', '/admin/users/alice/rename', { new_username: 'alicia' });
  await t.settled();
  assert.deepEqual(await listed('alicia'), [['left-1.1.tar.gz', 'alicia']]);
});

it('a block that was made of an earlier revision is not used', async () => {
  const { db } = t.context;
  await db
    .updateTable('package_blocks')
    .set({ content: Buffer.from('stale') })
    .execute();
  await db.updateTable('package_versions').set({ revision: 1 }).where('version', '=', '1.1').execute();
  await db
    .updateTable('package_indexes')
    .set((row) => ({ wanted: row('wanted', '+', 1) }))
    .execute();
  assert.deepEqual(await listed('alicia'), [['left-1.1.tar.gz', 'alicia']]);
});
