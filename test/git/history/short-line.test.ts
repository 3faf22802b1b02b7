import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { aheadBehind, isAncestor, listCommits, mergeBase } from '../../../src/git/history/log.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { createFixture } from '../fixture.ts';
import { HISTORY } from '../small-history.ts';

const pool = new GitPool();
after(() => pool.close());

describe('short lines of commits', () => {
  it('begins with the few commits that git names first, merges among them or not, without git in a line', async () => {
    await using fixture = await createFixture(HISTORY);
    const { repository, id, git } = fixture;
    const own = new GitPool();
    for (const label of ['one', 'side', 'three', 'merge', 'four']) {
      const all = (await git(['rev-list', id(label)])).split('\n');
      for (const [skip, limit] of [
        [0, 1],
        [0, 3],
        [1, 2],
        [0, 10],
        [5, 5],
      ] as const) {
        const found = await listCommits(repository, own, { head: id(label) }, { skip, limit });
        assert.deepEqual(found, all.slice(skip, skip + limit), `${label} ${skip} ${limit}`);
      }
    }
    own.cache.forgetAll();
    const { PATH } = process.env;
    process.env.PATH = '/nonexistent';
    try {
      assert.equal((await listCommits(repository, own, { head: id('side') }, { limit: 10 })).length, 2);
    } finally {
      process.env.PATH = PATH;
      await own.close();
    }
  });

  it('says of each two commits what git says', async () => {
    await using fixture = await createFixture([...HISTORY, { label: 'back', merge: ['side'], files: { 'c.txt': '5' } }]);
    const { repository, id, git } = fixture;
    const ids = ['one', 'two', 'side', 'three', 'merge', 'four', 'back'].map(id);
    for (const a of ids)
      for (const b of ids) {
        const between = (await git(['rev-list', a, `^${b}`])).split('\n').filter(Boolean);
        const base = await git(['merge-base', a, b]);
        const other = (await git(['rev-list', b, `^${a}`])).split('\n').filter(Boolean);
        assert.deepEqual(await listCommits(repository, pool, { head: a, exclude: [b] }, { limit: 50 }), between);
        assert.equal(await mergeBase(repository, pool, a, b), base);
        assert.deepEqual(await aheadBehind(repository, pool, a, b), { ahead: other.length, behind: between.length });
        assert.equal(await isAncestor(repository, pool, a, b), base === a);
      }
  });

  it('lists a merge into a line, and knows neighbours, without git', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'side', branch: 'side', from: 'one', files: { b: '1' } },
      { label: 'merge', branch: 'main', merge: ['side'], files: { b: '1' } },
    ]);
    const { repository, id } = fixture;
    const [one, side, merge] = [id('one'), id('side'), id('merge')];
    const { PATH } = process.env;
    process.env.PATH = '/nonexistent';
    try {
      assert.deepEqual(await listCommits(repository, pool, { head: merge, exclude: [one] }, { limit: 9 }), [merge, side]);
      assert.equal(await mergeBase(repository, pool, one, side), one);
      assert.deepEqual(await aheadBehind(repository, pool, one, side), { ahead: 1, behind: 0 });
      assert.deepEqual(await aheadBehind(repository, pool, side, one), { ahead: 0, behind: 1 });
      assert.equal(await isAncestor(repository, pool, one, side), true);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('knows where two short lines meet, and what a merge of one brought, without git', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'left', files: { a: '2' } },
      { label: 'right', branch: 'side', from: 'one', files: { b: '1' } },
      { label: 'further', branch: 'side', files: { b: '2' } },
      { label: 'merge', branch: 'main', merge: ['further'], files: { b: '2' } },
    ]);
    const { repository, id } = fixture;
    const [one, left, right, further, merge] = ['one', 'left', 'right', 'further', 'merge'].map(id) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const { PATH } = process.env;
    process.env.PATH = '/nonexistent';
    try {
      assert.equal(await mergeBase(repository, pool, left, further), one);
      assert.deepEqual(await aheadBehind(repository, pool, left, further), { ahead: 2, behind: 1 });
      assert.equal(await isAncestor(repository, pool, left, further), false);
      assert.deepEqual(await listCommits(repository, pool, { head: further, exclude: [left] }, { limit: 9 }), [further, right]);
      assert.deepEqual(await listCommits(repository, pool, { head: merge, exclude: [left] }, { limit: 9 }), [merge, further, right]);
    } finally {
      process.env.PATH = PATH;
    }
  });
});
