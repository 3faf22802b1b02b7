import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CacheBudget } from '../../src/caches/budget.ts';
import { GitCache } from '../../src/git/objects/cache.ts';
import { RecentTexts } from '../../src/markup/recent-texts.ts';

const repository = { path: '/repository', objectFormat: 'sha1' } as const;
const LIMIT = 100_000;

describe('the budget of caches', () => {
  it('keeps caches within it together, and takes from the largest', () => {
    const budget = new CacheBudget(LIMIT);
    const [large, small] = [new GitCache(LIMIT, budget), new GitCache(LIMIT, budget)];
    for (let at = 0; at < 10; at++) small.set(repository, `blob ${at}`, at, 1000);
    for (let at = 0; at < 1000; at++) {
      large.set(repository, `blob ${at}`, at, 5000);
      assert.ok(budget.bytes <= LIMIT, `${budget.bytes} bytes`);
    }
    assert.ok(large.bytes > LIMIT / 4);
    assert.equal(large.get(repository, 'blob 999'), 999);
    assert.equal(small.get(repository, 'blob 0'), 0);
  });

  it('counts rendered texts, and evicts them', () => {
    const budget = new CacheBudget(LIMIT);
    const texts = new RecentTexts<string>((made) => made.length);
    budget.add(texts);
    for (let at = 0; at < 200; at++) texts.set(`text ${at}`, 'x'.repeat(1000));
    assert.ok(budget.bytes > LIMIT);
    new GitCache(LIMIT, budget).set(repository, 'blob', 1, 1000);
    assert.ok(budget.bytes <= LIMIT);
  });

  it('ends where a cache lets go of nothing', () => {
    const budget = new CacheBudget(10);
    budget.add({ bytes: 20, evict: () => {} });
    budget.settle();
    assert.equal(budget.bytes, 20);
  });
});
