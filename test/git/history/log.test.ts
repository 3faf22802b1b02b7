import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { lastCommit, lastCommits } from '../../../src/git/history/last-commits.ts';
import { aheadBehind, commitsOfBranchAlone, countCommits, isAncestor, listCommits, mergeBase } from '../../../src/git/history/log.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { GitError, isGitMissing } from '../../../src/git/processes/process.ts';
import { joinRepositories } from '../../../src/git/repository.ts';
import { createFixture, type FixtureCommit } from '../fixture.ts';
import { HISTORY } from '../small-history.ts';

const pool = new GitPool();
after(() => pool.close());

describe('history', () => {
  it('is what git lists, page by page', async () => {
    await using fixture = await createFixture(HISTORY);
    const { repository, git } = fixture;
    const head = fixture.id('four');
    const all = (await git(['rev-list', 'main'])).split('\n');
    assert.deepEqual(await listCommits(repository, pool, { head }, { limit: 100 }), all);
    assert.deepEqual(await listCommits(repository, pool, { head }, { skip: 2, limit: 2 }), all.slice(2, 4));
    assert.deepEqual(await listCommits(repository, pool, { head }, { skip: 9, limit: 2 }), []);
    assert.equal(await countCommits(repository, pool, { head }), 6);
  });

  it('of a new branch is what no other has, and needs no git where another stands on its head', async () => {
    await using fixture = await createFixture(HISTORY);
    const { repository, id, git } = fixture;
    await git(['branch', 'new', 'side']);
    const alone = (branch: string, label: string) => commitsOfBranchAlone(repository, pool, { branch, head: id(label) }, 10);
    assert.deepEqual(await alone('main', 'four'), [id('four'), id('merge'), id('three')]);
    await git(['branch', 'below', id('merge')]);
    assert.deepEqual(await alone('main', 'four'), [id('four')]);
    await git(['branch', '-D', 'below']);
    const { PATH } = process.env;
    process.env.PATH = '/nonexistent';
    try {
      assert.deepEqual(await alone('new', 'side'), []);
      await assert.rejects(alone('main', 'four'), isGitMissing);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('of a new branch needs no git where its few commits stand on another branch, and no other has them', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'two', files: { a: '2' } },
      { label: 'first', branch: 'topic', from: 'two', files: { b: '1' } },
      { label: 'second', branch: 'topic', files: { b: '2' } },
      { label: 'merge', branch: 'other', from: 'two', merge: ['first'], files: { b: '1' } },
      { label: 'later', branch: 'third', from: 'one', files: { c: '1' } },
    ]);
    const { repository, id, git } = fixture;
    const alone = () => commitsOfBranchAlone(repository, pool, { branch: 'topic', head: id('second') }, 10);
    assert.deepEqual(await alone(), [id('second')]);
    await git(['branch', '-D', 'other']);
    await alone();
    const { PATH } = process.env;
    process.env.PATH = '/nonexistent';
    try {
      assert.deepEqual(await alone(), [id('second'), id('first')]);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('is narrowed by path, time, author and what is excluded', async () => {
    await using fixture = await createFixture(HISTORY);
    const head = fixture.id('four');
    const labels = async (filter: object) => {
      const ids = await listCommits(fixture.repository, pool, { head, ...filter }, { limit: 100 });
      assert.equal(await countCommits(fixture.repository, pool, { head, ...filter }), ids.length);
      return ids.map((id) => HISTORY.map(({ label = '' }) => label).find((label) => fixture.id(label) === id));
    };
    assert.deepEqual(await labels({ path: 'a.txt' }), ['four', 'two', 'one']);
    assert.deepEqual(await labels({ path: 'src' }), ['merge', 'three', 'side', 'one']);
    assert.deepEqual(await labels({ path: 'src/*.js' }), ['one']);
    assert.deepEqual(await labels({ path: ':/' }), []);
    assert.deepEqual(await labels({ path: 'missing' }), []);
    assert.deepEqual(await labels({ exclude: [fixture.id('two')] }), ['four', 'merge', 'three', 'side']);
    assert.deepEqual(await labels({ exclude: [fixture.id('merge')] }), ['four']);
    assert.deepEqual(await labels({ exclude: [head] }), []);
    assert.deepEqual(await labels({ exclude: [fixture.id('three'), fixture.id('side')] }), ['four', 'merge']);
    assert.deepEqual(await labels({ since: 1_700_000_180 }), ['four', 'merge', 'three']);
    assert.deepEqual(await labels({ until: 1_700_000_060 }), ['two', 'one']);
    assert.deepEqual(await labels({ since: -62_135_596_800 }), await labels({}), 'the year 1');
    assert.deepEqual(await labels({ until: -1 }), [], 'before 1970');
    assert.deepEqual(await labels({ author: 'BO OTHER' }), ['two']);
    assert.deepEqual(await labels({ author: '.*' }), []);
  });

  it('lists a line of commits like git, be it short or long', async () => {
    await using fixture = await createFixture(Array.from({ length: 30 }, (_, n) => ({ label: `c${n}`, files: { a: `${n}` } })));
    const { repository, git } = fixture;
    const head = fixture.id('c29');
    for (const end of ['c28', 'c15', 'c2', 'c0']) {
      const all = (await git(['rev-list', head, `^${fixture.id(end)}`])).split('\n');
      assert.deepEqual(await listCommits(repository, pool, { head, exclude: [fixture.id(end)] }, { limit: 100 }), all, end);
      assert.deepEqual(
        await listCommits(repository, pool, { head, exclude: [fixture.id(end)] }, { skip: 1, limit: 3 }),
        all.slice(1, 4),
        end,
      );
    }
    const behind = await listCommits(repository, pool, { head: fixture.id('c3'), exclude: [head] }, { limit: 9 });
    assert.deepEqual(behind, []);
  });

  it('begins as git lists it, whatever was merged and whatever the dates', async () => {
    const dates = [5, 1, 9, 4, 4, 2, 9, 3, 3, 8, 7, 1, 6, 6, 9, 2];
    const commits: FixtureCommit[] = dates.map((date, n) => ({
      label: `c${n}`,
      branch: `b${n % 3}`,
      date: `${1_700_000_000 + date} +0000`,
      files: { [`f${n}`]: `${n}` },
      ...(n > 0 && n < 3 && { from: 'c0' }),
      ...(n > 4 && n % 3 !== 1 && { merge: n % 2 ? [`c${n - 1}`] : [`c${n - 1}`, `c${n - 2}`] }),
    }));
    await using fixture = await createFixture(commits);
    for (const { label = '' } of commits.slice(4)) {
      const head = fixture.id(label);
      const all = (await fixture.git(['rev-list', head])).split('\n');
      for (const limit of [1, 4, 20])
        assert.deepEqual(await listCommits(fixture.repository, pool, { head }, { limit }), all.slice(0, limit), label);
      assert.deepEqual(await listCommits(fixture.repository, pool, { head }, { skip: 2, limit: 3 }), all.slice(2, 5), label);
    }
  });

  it('takes nothing but ids', async () => {
    await using fixture = await createFixture(HISTORY);
    for (const head of ['main', '--all', '-n1', '', 'HEAD\n']) {
      await assert.rejects(listCommits(fixture.repository, pool, { head }, { limit: 1 }), GitError);
      await assert.rejects(listCommits(fixture.repository, pool, { head: fixture.id('one'), exclude: [head] }, { limit: 1 }), GitError);
      assert.throws(() => mergeBase(fixture.repository, pool, head, fixture.id('one')), GitError);
    }
    await assert.rejects(countCommits(fixture.repository, pool, { head: 'f'.repeat(40) }), GitError);
  });

  it('knows how commits stand to each other', async () => {
    await using fixture = await createFixture([...HISTORY, { label: 'alone', branch: 'alone', files: { z: '1' } }]);
    const { repository } = fixture;
    const [one, two, side, merge, alone] = ['one', 'two', 'side', 'merge', 'alone'].map(fixture.id) as [
      string,
      string,
      string,
      string,
      string,
    ];
    assert.equal(await mergeBase(repository, pool, two, side), one);
    assert.equal(await mergeBase(repository, pool, two, two), two);
    assert.equal(await mergeBase(repository, pool, two, alone), undefined);
    assert.deepEqual(await aheadBehind(repository, pool, side, merge), { ahead: 3, behind: 0 });
    assert.deepEqual(await aheadBehind(repository, pool, side, two), { ahead: 1, behind: 1 });
    assert.deepEqual(await aheadBehind(repository, pool, one, one), { ahead: 0, behind: 0 });
    assert.equal(await isAncestor(repository, pool, one, merge), true);
    assert.equal(await isAncestor(repository, pool, merge, one), false);
    assert.equal(await isAncestor(repository, pool, alone, merge), false);
  });

  it('reads across two repositories', async () => {
    await using base = await createFixture(HISTORY);
    await using fork = await createFixture([...HISTORY.slice(0, 2), { label: 'fork', files: { f: '1' } }]);
    const joined = joinRepositories(fork.repository, base.repository);
    assert.equal(await mergeBase(joined, pool, base.id('four'), fork.id('fork')), base.id('two'));
    assert.deepEqual(await listCommits(joined, pool, { head: fork.id('fork'), exclude: [base.id('four')] }, { limit: 10 }), [
      fork.id('fork'),
    ]);
    await assert.rejects(mergeBase(fork.repository, pool, base.id('four'), fork.id('fork')), GitError);
    assert.equal(joinRepositories(base.repository, base.repository), base.repository);
  });
});

describe('last commits', () => {
  it('are what git log -1 says for each path', async () => {
    await using fixture = await createFixture(HISTORY);
    const { repository, git } = fixture;
    for (const commit of HISTORY.map(({ label = '' }) => fixture.id(label))) {
      for (const folder of ['', 'src']) {
        const found = await lastCommits(repository, pool, commit, folder);
        const names = (await git(['ls-tree', '--name-only', '-z', `${commit}:${folder}`])).split('\0').slice(0, -1);
        assert.deepEqual([...(found?.keys() ?? [])].sort(), names.sort());
        for (const name of names) {
          const path = folder === '' ? name : `${folder}/${name}`;
          const expected = await git(['--literal-pathspecs', 'rev-list', '-1', commit, '--', path]);
          assert.equal(found?.get(name), expected, path);
        }
      }
    }
  });

  it('are right one by one, without a request for the folder', async () => {
    const own = new GitPool();
    await using fixture = await createFixture(HISTORY);
    const head = fixture.id('four');
    const last = (path: string) => lastCommit(fixture.repository, own, head, path);
    assert.equal(await last('src/x.js'), fixture.id('side'));
    assert.equal(await last('src'), fixture.id('merge'));
    assert.equal(await last('src/*.js'), fixture.id('one'));
    assert.equal(await last(''), head);
    for (const path of ['a.txt', 'src/', '../x', 'src/x.js/y']) assert.equal(await last(path), undefined, path);
    assert.equal(await lastCommits(fixture.repository, own, head, 'b.txt'), undefined);
    assert.equal(await lastCommits(fixture.repository, own, 'f'.repeat(40), ''), undefined);
    await own.close();
  });

  it('are asked of git where they are too far back to walk', async () => {
    const commits = Array.from(
      { length: 3_300 },
      (_, i): FixtureCommit => ({
        label: `${i}`,
        files: i === 0 ? { old: 'x', older: 'x' } : i === 9 ? { old: 'y' } : { new: `${i}` },
      }),
    );
    await using fixture = await createFixture(commits);
    const found = await lastCommits(fixture.repository, pool, fixture.id('3299'), '');
    assert.deepEqual(Object.fromEntries(found ?? []), { new: fixture.id('3299'), old: fixture.id('9'), older: fixture.id('0') });
  });

  it('are right far back in a long history with merges', async () => {
    const early = ['a', 'b c', 'd\ne', 'f', 'é'].flatMap((name) => [name, `d/${name}`]);
    const commits: FixtureCommit[] = [{ label: '0', files: { old: 'x', 'd/old': 'x' } }];
    for (const [at, name] of early.entries()) commits.push({ label: `early ${at}`, files: { [name]: `${at}` } });
    for (let i = 1; i < 700; i++) {
      const files = { [`f${i % 17}`]: `${i}`, [`d/${i % 11}`]: `${i}` };
      if (i % 10 === 5) commits.push({ label: `${i}`, branch: 'side', from: `${i - 2}`, files: { [`s${i % 7}`]: `${i}` } });
      else if (i % 10 === 8) commits.push({ label: `${i}`, merge: [`${i - 3}`], files: { [`s${(i - 3) % 7}`]: `${i - 3}` } });
      else commits.push({ label: `${i}`, files });
    }
    await using fixture = await createFixture(commits);
    const head = fixture.id('699');
    for (const folder of ['', 'd']) {
      const found = await lastCommits(fixture.repository, pool, head, folder);
      assert.ok(found && found.size > 0);
      for (const [name, commit] of found) {
        const path = folder === '' ? name : `${folder}/${name}`;
        assert.equal(commit, await fixture.git(['rev-list', '-1', head, '--', path]), path);
      }
    }
  });
});
