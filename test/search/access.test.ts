import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { found, indexed, pushed, search, searchServer } from './support.ts';

const t = await searchServer();
const owner = await t.user('owner');
const stranger = await t.user('stranger');
await pushed(owner, 'secret', { 'plan.py': 'whisper = 1\n' }, { private: true });
await pushed(owner, 'public', { 'plan.go': 'package shout\n' });
await owner.must('POST', '/orgs', { username: 'firm' });
await pushed(owner, 'half', { 'half.rs': 'let murmur = 1;\n' }, { private: true });
await indexed(t);

const NOTHING = { total_count: 0, incomplete_results: false, index_pending: false, languages: [], items: [] };

describe('search in code', () => {
  it('shows nothing of a private repository to others: no result, count, language or state', async () => {
    for (const client of [stranger, t.anonymous]) {
      for (const q of ['whisper', '/whis+per/', 'language:python', 'path:plan.py', 'repo:owner/secret whisper']) {
        const response = await client.get(`/search/code?${new URLSearchParams({ q })}`);
        assert.deepEqual(response.json, NOTHING, q);
        assert.equal(response.headers.get('x-total-count'), '0');
      }
      assert.equal((await client.get('/repos/owner/secret/search/code?q=whisper')).status, 404);
    }
    await owner.must('POST', '/user/repos', { name: 'waiting', private: true, auto_init: true });
    assert.deepEqual(await search(stranger, { q: 'whisper' }), NOTHING, 'not even that something is not indexed yet');
    await indexed(t);
    assert.deepEqual(await found(owner, 'whisper'), ['owner/secret:plan.py']);
    assert.deepEqual(await found(t.admin, 'whisper'), ['owner/secret:plan.py']);
  });

  it('limits tokens to what they may reach', async () => {
    const narrow = await owner.token(['read:repository', 'public-only']);
    assert.deepEqual([await found(narrow, 'whisper'), await found(narrow, 'shout')], [[], ['owner/public:plan.go']]);
    const other = await owner.token(['read:issue']);
    assert.equal((await other.get('/search/code?q=shout')).status, 403);
    assert.equal((await other.get('/repos/owner/public/search/code?q=shout')).status, 403);
  });

  it('follows collaboration and visibility without a new index', async () => {
    await owner.must('PUT', '/repos/owner/secret/collaborators/stranger', { permission: 'read' });
    assert.deepEqual(await found(stranger, 'whisper'), ['owner/secret:plan.py']);
    await owner.must('DELETE', '/repos/owner/secret/collaborators/stranger');
    assert.deepEqual(await found(stranger, 'whisper'), []);
    await owner.must('PATCH', '/repos/owner/public', { private: true });
    assert.deepEqual([await found(stranger, 'shout'), await found(owner, 'shout')], [[], ['owner/public:plan.go']]);
    await owner.must('PATCH', '/repos/owner/public', { private: false });
    assert.deepEqual(await found(t.anonymous, 'shout'), ['owner/public:plan.go']);
  });

  it('needs the code unit of a team', async () => {
    await owner.must('POST', '/repos/owner/half/transfer', { new_owner: 'firm' });
    const team = { permission: 'read', includes_all_repositories: true };
    const issues = await owner.must('POST', '/orgs/firm/teams', { ...team, name: 'issues', units_map: { 'repo.issues': 'read' } });
    await owner.must('PUT', `/teams/${issues.id}/members/stranger`);
    assert.deepEqual(await search(stranger, { q: 'murmur' }), NOTHING);
    const code = await owner.must('POST', '/orgs/firm/teams', { ...team, name: 'code', units_map: { 'repo.code': 'read' } });
    await owner.must('PUT', `/teams/${code.id}/members/stranger`);
    assert.deepEqual(await found(stranger, 'murmur'), ['firm/half:half.rs']);
    assert.deepEqual(await found(stranger, 'murmur', { owner: 'firm' }), ['firm/half:half.rs']);
  });
});
