import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageHeaders, readPage } from '../../src/http/paging.ts';
import { pathId } from '../../src/http/path-id.ts';
import { readQuery } from '../../src/http/server/query.ts';
import { boundedInteger } from '../../src/text/bounded-integer.ts';

describe('the links of a page', () => {
  it('have the query of the request, sorted and encoded as Gitea does', () => {
    const { link } = pageHeaders(2, { link: { url: 'http://a.example/api/v1/x?sha=main~1&q=a*%20b&limit=1', page: 1, limit: 1 } });
    const at = 'http://a.example/api/v1/x?limit=1&page=2&q=a%2A+b&sha=main~1';
    assert.equal(link, `<${at}>; rel="next",<${at}>; rel="last"`);
  });
});

describe('integers', () => {
  const large = '99999999999999999999';

  it('are the nearest ones that numbers represent', () => {
    const { MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;
    assert.deepEqual(['7', '+7', '-7', '-0', large, `-${large}`, '9'.repeat(500)].map(boundedInteger), [
      ...[7, 7, -7, 0],
      ...[MAX_SAFE_INTEGER, MIN_SAFE_INTEGER, MAX_SAFE_INTEGER],
    ]);
    for (const text of ['', '+', '1.5', '1e3', ' 1', 'x']) assert.deepEqual([boundedInteger(text), pathId(text)], [undefined, 0]);
  });

  it('of pages and their sizes have limits', () => {
    const parameters = { page: { type: 'integer', description: '' }, limit: { type: 'integer', description: '' } } as const;
    const read = (query: string) => readPage(readQuery(new URLSearchParams(query), parameters), { defaultSize: 30, maxSize: 50 });
    const last = 1_000_000_000;
    assert.deepEqual(read(`page=${last}0&limit=5`), { page: last, limit: 5, offset: (last - 1) * 5 });
    assert.deepEqual(read(`page=${large}&limit=5`), { page: last, limit: 5, offset: (last - 1) * 5 });
    assert.deepEqual(read(`page=${large}&limit=${large}`), { page: last, limit: 50, offset: 0 }, 'as 64 bits overflow');
    assert.deepEqual(read('page=0&limit=0'), { page: 1, limit: 30, offset: 0 });
    assert.deepEqual(read('page=3&limit=-1'), { page: 3, limit: 30, offset: 60 });
  });
});
