// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
await alice.must('POST', '/repos/alice/demo/issues', { title: 'One' });
await alice.must('POST', '/repos/alice/demo/releases', { tag_name: 'v1' });
await alice.must('POST', '/repos/alice/demo/branch_protections', { rule_name: 'main' });

const milestone = await alice.must('POST', '/repos/alice/demo/milestones', { title: 'One', description: 'y'.repeat(65_535) });

describe('what lists show of many objects', () => {
  it('is limited in length', async () => {
    const long = 'x'.repeat(1025);
    const at = '/repos/alice/demo';
    const refused: readonly (readonly [method: 'POST' | 'PATCH', path: string, body: object, field: string])[] = [
      ['POST', `${at}/issues`, { title: 'Two', ref: long }, 'Ref'],
      ['PATCH', `${at}/issues/1`, { ref: long }, 'Ref'],
      ['POST', `${at}/releases`, { tag_name: 'v2', target_commitish: long }, 'Target'],
      ['PATCH', `${at}/releases/1`, { target_commitish: long }, 'Target'],
      ['POST', `${at}/branch_protections`, { rule_name: 'next', status_check_contexts: [long] }, 'StatusCheckContexts'],
      ['PATCH', `${at}/branch_protections/main`, { push_whitelist_usernames: ['alice', long] }, 'PushWhitelistUsernames'],
      ['POST', `${at}/milestones`, { title: 'Two', description: 'x'.repeat(65_536) }, 'Description'],
      ['PATCH', `${at}/milestones/${milestone.id}`, { description: 'x'.repeat(65_536) }, 'Description'],
    ];
    for (const [method, path, body, field] of refused) {
      const { status, json } = await alice.send(method, path, { json: body });
      assert.deepEqual([status, json.message], [422, `[${field}]: MaxSize`], path);
    }
    assert.equal((await alice.must('GET', `${at}/issues`)).length, 1);
    assert.equal((await alice.must('GET', `${at}/issues/1`)).ref, '');
  });

  it('is limited in number', async () => {
    const { db } = t.context;
    const { id } = await db.selectFrom('repositories').select('id').where('lower_name', '=', 'demo').executeTakeFirstOrThrow();
    const times = { created_at: 1, updated_at: 1 };
    const rows = Array.from({ length: 251 }, (_, n) => ({ ...times, repository_id: id, name: `label ${n}`, color: 'ff0000' }));
    const labels = (await db.insertInto('labels').values(rows).returning('id').execute()).map((label) => label.id);
    const issues = '/repos/alice/demo/issues';
    const refused = await alice.post(issues, { title: 'Three', labels });
    assert.deepEqual([refused.status, refused.json.message], [422, 'an issue has at most 250 labels']);
    assert.equal((await alice.must('POST', issues, { title: 'Three', labels: labels.slice(1) })).labels.length, 250);
    assert.equal((await alice.post(`${issues}/2/labels`, { labels: labels.slice(0, 1) })).status, 422);
    assert.equal((await alice.must('PUT', `${issues}/2/labels`, { labels: labels.slice(0, 1) })).length, 1);

    const file = { repository_id: id, issue_id: 1, uploader_id: 1, size: 1, name: 'a.txt', created_at: 1 };
    await db
      .insertInto('attachments')
      .values(Array.from({ length: 199 }, () => ({ ...file, uuid: randomUUID() })))
      .execute();
    const upload = async () => {
      const form = new FormData();
      form.append('attachment', new Blob(['b']), 'b.txt');
      return (await alice.send('POST', `${issues}/1/assets`, { form })).status;
    };
    assert.deepEqual([await upload(), await upload()], [201, 422]);
  });
});
