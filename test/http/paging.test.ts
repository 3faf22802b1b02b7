import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageHeaders } from '../../src/http/paging.ts';

describe('the links of a page', () => {
  it('have the query of the request, sorted and encoded as Gitea does', () => {
    const { link } = pageHeaders(2, { link: { url: 'http://a.example/api/v1/x?sha=main~1&q=a*%20b&limit=1', page: 1, limit: 1 } });
    const at = 'http://a.example/api/v1/x?limit=1&page=2&q=a%2A+b&sha=main~1';
    assert.equal(link, `<${at}>; rel="next",<${at}>; rel="last"`);
  });
});
