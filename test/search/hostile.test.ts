// On SQLite alone: this is about worker threads and time.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { indexed, pushed, search, searchServer } from './support.ts';

const TIMEOUT = 700;
const t = await searchServer({ timeout: TIMEOUT });
const eve = await t.user('eve');
const As = 'a'.repeat(900_000);
await pushed(eve, 'bombs', {
  'one-line.txt': As,
  'lines.txt': 'aaaaaaaaaaaaaaaaaaaaaaaa!\n'.repeat(30_000),
  'b.txt': `${'ab'.repeat(400_000)}`,
});
await indexed(t);

describe('hostile searches', () => {
  it('end in time, and say when they have not seen everything', async () => {
    const searches = [
      '/(a+)+$/',
      '/(a|a)*b$/',
      '/(.*a){12}!/',
      '/((a{1,20}){1,20})b/',
      '/[^z]{1,900}z/',
      '/(?:x?){200}x{200}/',
      '/.*.*.*=.*/',
      '/\\b\\w+\\b\\w+x/',
      'a'.repeat(256),
      `${'a'.repeat(255)}b`,
      '"a" b',
    ];
    for (const q of searches) {
      const begin = performance.now();
      const response = await eve.get(`/search/code?${new URLSearchParams({ q })}`);
      const took = performance.now() - begin;
      assert.ok(response.status === 200 || response.status === 422, `${q}: ${response.status}`);
      // The bounds are the time of the search, that of its lines, and the grace of each task.
      assert.ok(took < 30_000, `${q} took ${took} ms`);
    }
    const { total_count, incomplete_results } = await search(eve, { q: '/(?:a?){150}z/' });
    assert.ok(total_count === 0 && typeof incomplete_results === 'boolean');
  });

  it('leave the server free for others meanwhile', async () => {
    const hostile = ['/(.*a){12}!/', '/[^z]{1,900}z/'].map((q) => eve.get(`/search/code?${new URLSearchParams({ q })}`));
    assert.equal((await eve.get('/version')).status, 200);
    for (const { status } of await Promise.all(hostile)) assert.ok(status === 200 || status === 422);
  });

  it('are counted by what they took', async () => {
    const { codeSearch } = t.context.settings;
    assert.equal(codeSearch.timeout, TIMEOUT);
    const frugal = await searchServer({ timePerCaller: 0 });
    const someone = await frugal.user('someone');
    const response = await someone.get('/search/code?q=x');
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get('retry-after')) > 0);
  });
});
