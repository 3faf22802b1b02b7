import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const zoe = await t.user('zoe', { full_name: 'Änne Öztürk-Σίσυφος' });
await zoe.must('POST', '/orgs', { username: 'union', full_name: 'Übersee ЮНИОН' });
await zoe.must('POST', '/orgs/union/teams', { name: 'crew', description: 'Über alles', permission: 'read', units: ['repo.code'] });
await zoe.must('POST', '/user/repos', { name: 'reise', description: 'Ein ÄRGERNIS, 100% _echt_' });
await zoe.must('POST', '/repos/zoe/reise/milestones', { title: 'Frühling' });
await zoe.must('POST', '/repos/zoe/reise/issues', { title: 'Wohin', milestone: 1 });
await zoe.must('POST', '/repos/zoe/reise/issues', { title: 'Ohne' });

/** How many objects a search answers. */
async function count(path: string, keyword: string): Promise<number> {
  const json = await t.admin.must('GET', `${path}${encodeURIComponent(keyword)}`);
  return (json.data ?? json).length;
}

describe('searches ignore case in every script', () => {
  const searches: readonly (readonly [path: string, keywords: readonly string[]])[] = [
    ['/users/search?q=', ['Änne', 'änne', 'ÄNNE', 'ÖZ', 'özt', 'türk', 'TÜRK', 'σίσυφ', 'ö%k']],
    ['/admin/emails/search?q=', ['änne', 'ÖZTÜRK']],
    ['/orgs/union/teams/search?q=', ['über', 'ÜBER ALLES']],
    ['/repos/search?includeDesc=true&q=', ['Ärgernis', 'ärgernis', 'är']],
    ['/repos/zoe/reise/milestones?name=', ['frühling', 'FRÜH']],
    ['/repos/zoe/reise/issues?milestones=', ['Frühling']],
    ['/repos/issues/search?milestones=', ['Frühling']],
  ];
  for (const [path, keywords] of searches) {
    it(path, async () => {
      for (const keyword of keywords) assert.equal(await count(path, keyword), 1, keyword);
    });
  }

  it('does not take one letter for another', async () => {
    for (const keyword of ['anne', 'üztürk', 'öztürkx']) assert.equal(await count('/users/search?q=', keyword), 0, keyword);
    assert.equal(await count('/repos/search?includeDesc=true&q=', 'ürgernis'), 0);
    assert.equal(await count('/repos/zoe/reise/milestones?name=', 'fr%hling'), 0);
  });
});
