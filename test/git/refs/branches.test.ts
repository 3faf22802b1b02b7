import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { listBranchTips } from '../../../src/git/refs/branches.ts';
import { listTagRefs } from '../../../src/git/refs/tags.ts';
import { createFixture } from '../fixture.ts';

/** Counts the commits that were read. */
class CountingPool extends GitPool {
  reads = 0;
  override parsed: GitPool['parsed'] = (...given) => {
    this.reads++;
    return super.parsed(...given);
  };
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

const labels = Array.from({ length: 30 }, (_, n) => `c${n}`);
const historyOf = async () => {
  const fixture = await createFixture(labels.map((label) => ({ label, files: { a: label } })));
  for (const label of labels) await fixture.git(['branch', `b/${label}`, fixture.id(label)]);
  for (const label of labels) await fixture.git(['tag', `t-${label}`, fixture.id(label)]);
  await fixture.git(['branch', 'a', fixture.id('c29')]);
  await fixture.git(['pack-refs', '--all']);
  return fixture;
};

describe('branches', () => {
  it('are put in order by commits that are read once, also when one has moved', async () => {
    await using fixture = await historyOf();
    const { repository, git } = fixture;
    await using pool = new CountingPool();
    const names = async () => (await listBranchTips(repository, pool)).map(({ name }) => name);
    const expected = async () =>
      (await git(['for-each-ref', '--sort=refname', '--sort=-committerdate', '--format=%(refname:lstrip=2)', 'refs/heads/'])).split('\n');
    assert.deepEqual(await names(), await expected());
    const first = pool.reads;
    assert.deepEqual(await names(), await expected());
    assert.equal(pool.reads, first);
    await git(['commit-tree', '-m', 'new', `${fixture.id('c1')}^{tree}`]).then((id) => git(['update-ref', 'refs/heads/b/c3', id]));
    assert.deepEqual(await names(), await expected());
    assert.equal(pool.reads, first + 1);
  });
});

describe('names of tags', () => {
  it('are put in order once for the same refs', async () => {
    await using fixture = await historyOf();
    await using pool = new CountingPool();
    const list = () => listTagRefs(fixture.repository, pool, { offset: 1, limit: 2 });
    const { refs, total } = await list();
    assert.deepEqual([refs.map(({ name }) => name), total], [['refs/tags/t-c28', 'refs/tags/t-c27'], 30]);
    const { reads } = pool;
    assert.deepEqual(await list(), { refs, total });
    assert.equal(pool.reads, reads);
  });
});
