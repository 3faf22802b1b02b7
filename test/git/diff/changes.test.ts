import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { changedFiles, commitChanges, withoutRenames } from '../../../src/git/diff/changes.ts';
import { commitDiff, diffBetween, patchesBetween } from '../../../src/git/diff/diff.ts';
import { compareCommits, parseComparison } from '../../../src/git/history/compare.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { GitError, GitLimitError } from '../../../src/git/processes/process.ts';
import { createFixture, type FixtureCommit } from '../fixture.ts';

const pool = new GitPool();
after(() => pool.close());

const LINES = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('');
const HISTORY: readonly FixtureCommit[] = [
  { label: 'one', files: { 'old.txt': LINES, 'gone.txt': 'x\n', 'keep.txt': 'a\nb\n', bin: Buffer.from([0, 1]) } },
  {
    label: 'two',
    files: {
      'old.txt': null,
      'ü new\n.txt': `${LINES}more\n`,
      'gone.txt': null,
      'keep.txt': 'a\nB\nc\n',
      bin: Buffer.from([0, 2]),
      'added.txt': 'n\n',
      run: { mode: '100755', content: 'r\n' },
    },
  },
  { label: 'side', branch: 'side', from: 'one', files: { 'side.txt': 's\n' } },
  { label: 'merge', branch: 'main', merge: ['side'], files: { 'side.txt': 's\n' } },
  { label: 'nothing', files: {} },
];

describe('changes', () => {
  for (const objectFormat of ['sha1', 'sha256'] as const) {
    it(`of commits, from the first parent on (${objectFormat})`, async () => {
      await using fixture = await createFixture(HISTORY, { objectFormat });
      const oids = ['one', 'two', 'merge', 'nothing'].map(fixture.id);
      const changes = await commitChanges(fixture.repository, pool, [...oids, fixture.id('one').replace(/./g, 'f')]);
      assert.deepEqual([...changes.keys()], oids);
      const [one, two, merge, nothing] = [...changes.values()];
      assert.deepEqual([one?.additions, one?.deletions, one?.files.length], [23, 0, 4]);
      assert.deepEqual([two?.additions, two?.deletions], [5, 2]);
      const short = two?.files.map(({ path, status, oldPath, additions, deletions, binary }) => [
        path,
        status,
        oldPath,
        additions,
        deletions,
        binary,
      ]);
      assert.deepEqual(short, [
        ['added.txt', 'added', undefined, 1, 0, false],
        ['bin', 'modified', undefined, 0, 0, true],
        ['gone.txt', 'removed', undefined, 0, 1, false],
        ['keep.txt', 'modified', undefined, 2, 1, false],
        ['run', 'added', undefined, 1, 0, false],
        ['ü new\n.txt', 'renamed', 'old.txt', 1, 0, false],
      ]);
      assert.deepEqual(
        merge?.files.map(({ path }) => path),
        ['side.txt'],
      );
      assert.deepEqual(nothing, { files: [], additions: 0, deletions: 0 });
      assert.deepEqual(
        withoutRenames(two?.files ?? []).filter(({ path }) => /old|new/.test(path)),
        [
          { path: 'old.txt', status: 'removed' },
          { path: 'ü new\n.txt', status: 'added' },
        ],
      );
      const renamed = two?.files.find(({ status }) => status === 'renamed');
      assert.ok(renamed);
      const mixed = [
        { ...renamed, path: 'b', status: 'removed' as const },
        { ...renamed, path: 'c', oldPath: 'a' },
      ];
      assert.deepEqual(
        withoutRenames(mixed).map(({ path }) => path),
        ['a', 'b', 'c'],
      );
    });
  }

  it('are found for many commits at once, also with long responses', async () => {
    const commits = Array.from({ length: 60 }, (_, i) => ({
      label: `${i}`,
      files: Object.fromEntries(Array.from({ length: i % 7 === 0 ? 500 : 1 }, (_, file) => [`${file}-${i % 3}`, `${i}\n`])),
    }));
    await using fixture = await createFixture(commits);
    const changes = await commitChanges(
      fixture.repository,
      pool,
      commits.map(({ label }) => fixture.id(label)),
    );
    for (const { label } of commits.slice(1)) {
      const expected = (await fixture.git(['diff', '--name-only', `${fixture.id(label)}^`, fixture.id(label)])).split('\n');
      assert.deepEqual(
        changes.get(fixture.id(label))?.files.map(({ path }) => path),
        expected,
        label,
      );
    }
  });

  it('between any two commits, white space aside if so wished', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: 'x y\n', b: '1\n', c: 'x\n' } },
      { label: 'two', files: { a: 'x  y\n', b: '2\n', c: 'x \n' } },
    ]);
    const paths = async (whitespace?: 'ignore-all' | 'ignore-change' | 'ignore-eol') => {
      const options = whitespace === undefined ? {} : { whitespace };
      return (await changedFiles(fixture.repository, pool, fixture.id('one'), fixture.id('two'), options)).files.map(({ path }) => path);
    };
    assert.deepEqual(await paths(), ['a', 'b', 'c']);
    assert.deepEqual(await paths('ignore-all'), ['b']);
    assert.deepEqual(await paths('ignore-change'), ['b']);
    assert.deepEqual(await paths('ignore-eol'), ['a', 'b']);
    await assert.rejects(changedFiles(fixture.repository, pool, fixture.id('one'), '--output=/tmp/x'), GitError);
  });
});

describe('diffs and patches', () => {
  it('are what git writes', async () => {
    await using fixture = await createFixture(HISTORY);
    const { repository, git } = fixture;
    const [one, two] = [fixture.id('one'), fixture.id('two')];
    const read = async (oid: string, format: 'diff' | 'patch') => text((await commitDiff(repository, pool, oid, format)) ?? assert.fail());
    const diff = await read(two, 'diff');
    assert.match(diff, /^diff --git a\/added.txt b\/added.txt\n/);
    assert.match(diff, /rename from old.txt\nrename to "ü new\\n.txt"\n/);
    assert.match(await read(one, 'diff'), new RegExp(`^commit ${one}\nAuthor: Ann Author`));
    assert.match(await read(two, 'patch'), new RegExp(`^From ${two} Mon Sep 17 00:00:00 2001\nFrom: Ann Author`));
    assert.match(await read(one, 'patch'), new RegExp(`^From ${one} `));
    assert.match(await read(fixture.id('merge'), 'diff'), /^diff --git a\/side.txt b\/side.txt\nnew file/);
    assert.match(await read(fixture.id('merge'), 'patch'), new RegExp(`^From ${fixture.id('side')} `));
    assert.equal(await commitDiff(repository, pool, await git(['rev-parse', 'main^{tree}']), 'diff'), undefined);
    const between = await text(diffBetween(repository, one, two));
    assert.equal(between, diff);
    assert.match(await text(diffBetween(repository, one, two, { binary: true })), /GIT binary patch/);
    assert.match(
      await text(diffBetween(repository, one, two, { paths: ['keep.txt'], context: 0 })),
      /^diff --git a\/keep.txt.*@@ -2 \+2,2 @@ a\n-b\n\+B\n\+c\n$/s,
    );
    assert.match(await text(patchesBetween(repository, one, two)), /Subject: \[PATCH\] two/);
    assert.throws(() => diffBetween(repository, 'main', two), TypeError);
  });

  it('keep to their bounds', async () => {
    await using fixture = await createFixture(HISTORY);
    const { repository } = fixture;
    const stream = diffBetween(repository, fixture.id('one'), fixture.id('two'), { maxOutput: 100 });
    await assert.rejects(text(stream), GitLimitError);
    const ended = patchesBetween(repository, fixture.id('one'), fixture.id('two'));
    ended.destroy();
    assert.equal(ended.destroyed, true);
  });
});

describe('comparison', () => {
  it('reads the requested parts', () => {
    const parse = (text: string) => Object.values(parseComparison(text)).join('|');
    assert.equal(parse('main...topic'), 'main||||topic|...');
    assert.equal(parse('main..topic/a'), 'main||||topic/a|..');
    assert.equal(parse('topic'), '||||topic|...');
    assert.equal(parse('main...bo:topic'), 'main||bo||topic|...');
    assert.equal(parse('main...bo/fork:topic'), 'main||bo|fork|topic|...');
    assert.equal(parse('bo/fork:a:b'), '||bo|fork|a:b|...');
    assert.equal(parse('main^...topic'), 'main|^|||topic|...');
    assert.equal(parse('main@{1}..topic'), 'main|@{1}|||topic|..');
    assert.equal(parse('v1..x...y'), 'v1..x||||y|...');
    assert.equal(parse(''), '|||||...');
  });

  it('lists what the head has since it left the base', async () => {
    await using fixture = await createFixture(HISTORY);
    const { repository } = fixture;
    const [one, two, side, merge] = ['one', 'two', 'side', 'merge'].map(fixture.id) as [string, string, string, string];
    const since = await compareCommits(repository, pool, side, two, '...');
    assert.deepEqual(since, { base: side, head: two, mergeBase: one, commits: [two] });
    const direct = await compareCommits(repository, pool, side, two, '..');
    assert.equal(direct.mergeBase, side);
    assert.deepEqual((await compareCommits(repository, pool, two, merge, '...')).commits, [merge, side]);
    assert.deepEqual((await compareCommits(repository, pool, merge, two, '...')).commits, []);
  });
});
