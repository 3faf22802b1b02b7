import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { countRefs, listRefs } from '../../../src/git/refs/refs.ts';
import { storedRef, storedRefs } from '../../../src/git/refs/stored-refs.ts';
import { createFixture } from '../fixture.ts';

const pool = new GitPool();
after(() => pool.close());

it('thousands of loose refs are listed as git does, and others are served meanwhile', async () => {
  await using fixture = await createFixture([{ label: 'one', files: { a: '1' } }]);
  const { git, repository } = fixture;
  const folder = join(repository.path, 'refs/heads/many');
  mkdirSync(folder);
  await git(['branch', 'man', 'main']);
  await git(['branch', 'packed', 'main']);
  await git(['pack-refs', '--all']);
  const oid = fixture.id('one');
  for (let i = 0; i < 10_000; i++) writeFileSync(join(folder, `a-branch-of-many-${(i * 7919) % 10_000}`), `${oid}\n`);
  let turns = 0;
  const serve = () => {
    turns++;
    waiting = setImmediate(serve);
  };
  let waiting = setImmediate(serve);
  const refs = await listRefs(repository, pool);
  const turnsOfList = turns;
  assert.equal(await countRefs(repository, pool, 'refs/heads'), refs.length);
  clearImmediate(waiting);
  const listed = refs.map(({ oid, name }) => `${oid} ${name}`).join('\n');
  assert.equal(listed, await git(['for-each-ref', '--format=%(objectname) %(refname)']));
  assert.ok(turnsOfList > 1 && turns > turnsOfList + 1, `${turnsOfList} and ${turns}`);
});

it('many refs are read at once as one by one', async () => {
  await using fixture = await createFixture([
    { label: 'one', files: { a: '1' } },
    { label: 'two', files: { a: '2' } },
  ]);
  const { git, repository } = fixture;
  for (const name of ['packed', 'moved', 'deleted']) await git(['branch', name, fixture.id('one')]);
  await git(['pack-refs', '--all']);
  await git(['branch', '-D', 'deleted']);
  await git(['branch', '-f', 'moved', fixture.id('two')]);
  await git(['branch', 'loose', fixture.id('two')]);
  await git(['symbolic-ref', 'refs/heads/alias', 'refs/heads/packed']);
  await git(['symbolic-ref', 'refs/heads/dangling', 'refs/heads/none']);
  const names = ['packed', 'moved', 'deleted', 'loose', 'alias', 'dangling', 'none'].map((name) => `refs/heads/${name}`);
  const found = await storedRefs(repository, names);
  assert.deepEqual(
    names.map((name) => found.get(name)),
    names.map((name) => storedRef(repository, name)),
  );
  assert.deepEqual([found.get('refs/heads/moved'), found.get('refs/heads/alias')], [fixture.id('two'), fixture.id('one')]);
});
