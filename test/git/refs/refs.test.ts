import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { GitError, runGit } from '../../../src/git/processes/process.ts';
import { compareNames, isValidBranchName, isValidRefName, isValidTagName } from '../../../src/git/refs/ref-names.ts';
import { countRefs, listRefs, readHead, readRef } from '../../../src/git/refs/refs.ts';
import { resolveCommit, resolveObject, resolveRef } from '../../../src/git/refs/revisions.ts';
import { peel } from '../../../src/git/refs/tags.ts';
import { createFixture, type Fixture } from '../fixture.ts';

const pool = new GitPool();
after(() => pool.close());

async function assertSameAsGit(fixture: Fixture): Promise<void> {
  const expected = await fixture.git(['for-each-ref', '--format=%(objectname) %(refname)']);
  const refs = await listRefs(fixture.repository, pool);
  assert.equal(refs.map(({ oid, name }) => `${oid} ${name}`).join('\n'), expected);
  assert.equal(await countRefs(fixture.repository, pool, 'refs'), refs.length);
}

describe('refs', () => {
  it('lists loose, packed and symbolic refs as git does, through all changes', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'two', files: { a: '2' } },
    ]);
    const { git, repository } = fixture;
    await assertSameAsGit(fixture);
    for (const name of ['topic/a', 'topic-b', 'topic/a.b', 'zä', 'a/b/c/d']) await git(['branch', name, fixture.id('one')]);
    await git(['tag', '-a', '-m', 'v1', 'v1', 'main']);
    await git(['update-ref', 'refs/pull/1/head', 'main']);
    await assertSameAsGit(fixture);
    await git(['pack-refs', '--all']);
    await assertSameAsGit(fixture);
    await git(['branch', '-f', 'topic-b', 'main']);
    await git(['branch', '-D', 'topic/a']);
    await git(['symbolic-ref', 'refs/heads/alias', 'refs/heads/topic-b']);
    await assertSameAsGit(fixture);
    const names = async (prefix: string) => (await listRefs(repository, pool, prefix)).map(({ name }) => name);
    assert.deepEqual(await names('refs/heads/topic'), ['refs/heads/topic-b', 'refs/heads/topic/a.b']);
    assert.deepEqual(await names('refs/heads/topic/'), ['refs/heads/topic/a.b']);
    assert.deepEqual(await names('refs/heads/main'), ['refs/heads/main']);
    assert.deepEqual(await names('refs/none/'), []);
    assert.deepEqual(await names('refs/../'), []);
  });

  it('sees a change at once, also where the file system has not ticked', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'two', files: { a: '2' } },
    ]);
    for (let round = 0; round < 10; round++) {
      const id = fixture.id(round % 2 === 0 ? 'one' : 'two');
      await fixture.git(['update-ref', 'refs/heads/main', id]);
      assert.equal((await readRef(fixture.repository, pool, 'refs/heads/main'))?.oid, id);
      assert.equal((await listRefs(fixture.repository, pool, 'refs/heads/'))[0]?.oid, id);
    }
  });

  it('relies on what it has read once that has settled', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: '1' } }]);
    const { repository } = fixture;
    await fixture.git(['pack-refs', '--all']);
    await utimes(join(repository.path, 'packed-refs'), new Date(0), new Date(0));
    await new Promise((resolve) => setTimeout(resolve, 2100));
    assert.equal(await listRefs(repository, pool, 'refs/heads/'), await listRefs(repository, pool, 'refs/heads/'));
    await fixture.git(['branch', 'new', 'main']);
    await assertSameAsGit(fixture);
  });

  it('ignores broken files and lock files', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: '1' } }]);
    const heads = join(fixture.repository.path, 'refs/heads');
    await writeFile(join(heads, 'empty'), '');
    await writeFile(join(heads, 'short'), 'abc\n');
    await writeFile(join(heads, 'main.lock'), `${fixture.id('one')}\n`);
    await writeFile(join(heads, 'dangling'), 'ref: refs/heads/nowhere\n');
    await writeFile(join(heads, 'loop'), 'ref: refs/heads/loop\n');
    await writeFile(join(heads, 'escape'), 'ref: ../../../../etc/passwd\n');
    await mkdir(join(heads, 'folder'));
    assert.deepEqual(
      (await listRefs(fixture.repository, pool)).map(({ name }) => name),
      ['refs/heads/main'],
    );
    for (const name of ['empty', 'loop', 'folder', 'dangling'])
      assert.equal(await readRef(fixture.repository, pool, `refs/heads/${name}`), undefined);
    assert.equal(await readRef(fixture.repository, pool, 'refs/heads/main/below'), undefined);
    assert.equal(await readRef(fixture.repository, pool, 'refs/heads/../../HEAD'), undefined);
    assert.equal(await readRef(fixture.repository, pool, 'HEAD'), undefined);
  });

  it('reads HEAD: born, unborn, detached', async () => {
    await using empty = await createFixture();
    assert.deepEqual(await readHead(empty.repository, pool), { ref: 'refs/heads/main', oid: undefined });
    assert.deepEqual(await listRefs(empty.repository, pool), []);
    await using fixture = await createFixture([{ label: 'one', files: { a: '1' } }]);
    assert.deepEqual(await readHead(fixture.repository, pool), { ref: 'refs/heads/main', oid: fixture.id('one') });
    await writeFile(join(fixture.repository.path, 'HEAD'), `${fixture.id('one')}\n`);
    assert.deepEqual(await readHead(fixture.repository, pool), { ref: undefined, oid: fixture.id('one') });
  });

  it('peels tags, packed or not, to whatever they stand for', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: '1' } }]);
    await fixture.git(['tag', '-a', '-m', 'x', 'v1', 'main']);
    await fixture.git(['tag', 'blob', 'main:a']);
    for (const packed of [false, true]) {
      if (packed) await fixture.git(['pack-refs', '--all']);
      const [blob, v1] = await listRefs(fixture.repository, pool, 'refs/tags/');
      assert.ok(blob && v1);
      assert.equal(v1.peeled, packed ? fixture.id('one') : undefined);
      assert.deepEqual((await peel(fixture.repository, pool, v1.oid))?.oid, fixture.id('one'));
      assert.equal((await peel(fixture.repository, pool, blob.oid))?.type, 'blob');
    }
  });
});

describe('names of refs', () => {
  it('are judged as git judges them', async () => {
    const names = [
      'main',
      'a/b',
      'a..b',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a/',
      '/a',
      'a//b',
      'a.',
      '@',
      'a@{b',
      '@/a',
      'a b',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a*',
      'a[',
      'a\\b',
      'a\x7f',
      'a\nb',
      'a\tb',
      'ä',
      '🌳',
      'a-',
      '-a',
      'a.b',
      'HEAD',
      '{}',
      "a'b",
    ];
    for (const name of names) {
      const byGit = await runGit(['check-ref-format', `refs/heads/${name}`]).then(
        () => true,
        (error) => assert.ok(error instanceof GitError) ?? false,
      );
      assert.equal(isValidRefName(`refs/heads/${name}`), byGit, name);
    }
    assert.equal(isValidRefName(''), false);
    assert.equal(isValidRefName('a\0b'), false);
    assert.equal(isValidRefName('\ud800'), false);
    assert.equal(isValidRefName('@'), false);
    assert.equal(isValidRefName('x'.repeat(251)), false);
    assert.deepEqual(['-a', 'HEAD', 'a/HEAD', 'a'].map(isValidBranchName), [false, false, true, true]);
    assert.deepEqual(['-a', 'v1.0'].map(isValidTagName), [false, true]);
    assert.ok(compareNames('\u{1f333}', '\uffee') > 0);
  });
});

describe('revisions', () => {
  it('mean a branch before a tag before a commit', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'two', files: { a: '2' } },
    ]);
    const { git, repository } = fixture;
    const [one, two] = [fixture.id('one'), fixture.id('two')];
    await git(['branch', 'both', one]);
    await git(['tag', '-a', '-m', 'x', 'both', two]);
    await git(['tag', 'blob', 'main:a']);
    const resolved = await resolveRef(repository, pool, 'both');
    assert.deepEqual(resolved, { kind: 'branch', name: 'both', ref: 'refs/heads/both', commit: one });
    assert.equal(await resolveCommit(repository, pool, 'both'), two);
    assert.equal(await resolveCommit(repository, pool, 'heads/both'), one);
    assert.deepEqual(await resolveRef(repository, pool, one), { kind: 'commit', name: one, ref: one, commit: one });
    assert.equal((await resolveRef(repository, pool, one.slice(0, 7), { minPrefix: 7 }))?.commit, one);
    for (const name of [one.slice(0, 7), 'blob', 'missing', '', 'main~1', 'main@{1}', '-h', 'a\0', '../main', one.replace(/./g, 'f')]) {
      assert.equal(await resolveRef(repository, pool, name), undefined, name);
    }
  });

  it('reach back', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'side', branch: 'side', from: 'one', files: { b: '1' } },
      { label: 'two', files: { a: '2' } },
      { label: 'merge', merge: ['side'] },
    ]);
    const resolve = (revision: string) => resolveCommit(fixture.repository, pool, revision);
    for (const revision of [
      'HEAD',
      '@',
      'main',
      'main~',
      'main~2',
      'main^2',
      'main^2~1',
      'HEAD~1^',
      'main^0',
      'main^^',
      fixture.id('two').slice(0, 10),
    ]) {
      assert.equal(await resolve(revision), await fixture.git(['rev-parse', revision]), revision);
    }
    for (const revision of ['main^3', 'main~9', 'main~99999', 'main^{tree}', 'main:a', '', '^', 'main..side', '--all', 'main\n'])
      assert.equal(await resolve(revision), undefined, revision);
    const tree = await fixture.git(['rev-parse', 'main^{tree}']);
    assert.equal(await resolveObject(fixture.repository, pool, tree), tree);
    assert.equal(await resolveObject(fixture.repository, pool, 'main'), fixture.id('merge'));
    assert.equal(await resolve(tree), undefined);
  });

  it('find nothing in an empty repository', async () => {
    await using fixture = await createFixture();
    for (const revision of ['HEAD', 'main', 'abcd']) assert.equal(await resolveCommit(fixture.repository, pool, revision), undefined);
    assert.equal(await resolveRef(fixture.repository, pool, 'main'), undefined);
  });
});
