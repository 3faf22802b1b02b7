import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'other' });
await alice.must('POST', '/orgs', { username: 'acme' });

const demo = '/repos/alice/demo/labels';
const acme = '/orgs/acme/labels';
const names = (json: { name: string }[]) => json.map(({ name }) => name);

for (const [title, labels] of [
  ['a repository', demo],
  ['an organization', acme],
] as const) {
  describe(`labels of ${title}`, () => {
    it('are made, read by id or name, changed and removed', async () => {
      const made = await alice.post(labels, { name: 'area/web', color: '#ABC', description: 'In the browser', exclusive: true });
      assert.equal(made.status, 201);
      const { id, url, ...rest } = made.json;
      assert.deepEqual(rest, { name: 'area/web', exclusive: true, is_archived: false, color: 'aabbcc', description: 'In the browser' });
      assert.equal(url, `${t.url}api/v1${labels}/${id}`);
      for (const name of [id, 'area%2Fweb']) assert.deepEqual((await bob.must('GET', `${labels}/${name}`)).id, id);
      const changed = await alice.must('PATCH', `${labels}/${id}`, { name: 'web', is_archived: true });
      assert.deepEqual([changed.name, changed.color, changed.is_archived, changed.exclusive], ['web', 'aabbcc', true, true]);
      assert.equal((await alice.must('PATCH', `${labels}/${id}`, { color: '010203' })).is_archived, false);
      assert.equal((await alice.delete(`${labels}/${id}`)).status, 204);
      assert.equal((await alice.get(`${labels}/${id}`)).status, 404);
      assert.equal((await alice.delete(`${labels}/${id}`)).status, 204);
    });

    it('refuse colors that are none, and no name', async () => {
      const message = async (body: object) => (await alice.post(labels, body)).json.message;
      assert.equal(await message({ name: 'x', color: 'red' }), 'invalid color: #red');
      assert.equal(await message({ name: 'x', color: '#12345' }), 'invalid color: ##12345');
      assert.equal(await message({ name: 'x', color: 'transparent' }), 'invalid color: transparent');
      assert.equal(await message({ name: 'x', color: '😀 ünï' }), 'invalid color: 😀 ünï');
      assert.equal(await message({ name: 'x', color: 'x'.repeat(100) }), `invalid color: ${'x'.repeat(100)}`);
      assert.equal(await message({ color: '#123456' }), '[Name]: Required');
      assert.equal(await message({ name: 'x' }), '[Color]: Required');
      assert.equal(await message({ name: 'x'.repeat(601), color: '#123456' }), '[Name]: MaxSize');
      const { id } = await alice.must('POST', labels, { name: 'kept', color: '#123456' });
      assert.equal((await alice.patch(`${labels}/${id}`, { color: 'red' })).status, 422);
      assert.equal((await alice.patch(`${labels}/${id}`, { name: '' })).status, 422);
      assert.deepEqual(names(await alice.must('GET', labels)), ['kept']);
    });

    it('are listed by name or turned around, page by page', async () => {
      for (const name of ['beta', 'alpha']) await alice.must('POST', labels, { name, color: '#123456' });
      assert.deepEqual(names(await alice.must('GET', labels)), ['alpha', 'beta', 'kept']);
      assert.deepEqual(names(await alice.must('GET', `${labels}?sort=reversealphabetically&limit=2`)), ['kept', 'beta']);
      const page = await t.anonymous.get(`${labels}?limit=2&page=2`);
      assert.deepEqual([names(page.json), page.headers.get('x-total-count')], [['kept'], '3']);
    });

    it('are written by who may', async () => {
      const { id } = await alice.must('GET', `${labels}/alpha`);
      for (const [client, status] of [
        [bob, 403],
        [t.anonymous, 401],
      ] as const) {
        assert.equal((await client.post(labels, { name: 'mine', color: '#123456' })).status, status);
        assert.equal((await client.patch(`${labels}/${id}`, { name: 'mine' })).status, status);
        assert.equal((await client.delete(`${labels}/${id}`)).status, status);
      }
      assert.deepEqual(names(await alice.must('GET', labels)), ['alpha', 'beta', 'kept']);
    });
  });
}

describe('a label', () => {
  it('is found nowhere but at whom it belongs to', async () => {
    const { id } = await alice.must('POST', demo, { name: 'owned', color: '#123456' });
    for (const elsewhere of ['/repos/alice/other/labels', acme]) {
      assert.equal((await alice.get(`${elsewhere}/${id}`)).status, 404);
      assert.equal((await alice.patch(`${elsewhere}/${id}`, { name: 'stolen' })).status, 404);
      assert.equal((await alice.delete(`${elsewhere}/${id}`)).status, 204);
    }
    assert.equal((await alice.must('GET', `${demo}/${id}`)).name, 'owned');
  });

  it('is read by its name, and changed and removed by its id alone', async () => {
    await alice.must('POST', demo, { name: 'named', color: '#123456' });
    assert.equal((await alice.patch(`${demo}/named`, { color: '#654321' })).status, 404);
    assert.equal((await alice.delete(`${demo}/named`)).status, 204);
    assert.equal((await alice.must('GET', `${demo}/named`)).color, '123456');
  });

  it('is not written by a collaborator who only reads', async () => {
    await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'read' });
    const { id } = await alice.must('POST', demo, { name: 'read-only', color: '#123456' });
    assert.equal((await bob.post(demo, { name: 'mine', color: '#123456' })).status, 403);
    assert.equal((await bob.patch(`${demo}/${id}`, { name: 'mine' })).status, 403);
    assert.equal((await bob.delete(`${demo}/${id}`)).status, 403);
    await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'write' });
    assert.equal((await bob.patch(`${demo}/${id}`, { name: 'ours' })).status, 200);
  });

  it('of a hidden organization does not exist for others', async () => {
    await alice.must('POST', '/orgs', { username: 'hidden', visibility: 'private' });
    const { id } = await alice.must('POST', '/orgs/hidden/labels', { name: 'inner', color: '#123456' });
    for (const path of ['/orgs/hidden/labels', `/orgs/hidden/labels/${id}`]) {
      assert.equal((await bob.get(path)).status, 404);
      assert.equal((await t.anonymous.get(path)).status, 404);
      assert.equal((await alice.get(path)).status, 200);
    }
  });
});

describe('label templates', () => {
  it('give a new repository its labels', async () => {
    await alice.must('POST', '/user/repos', { name: 'labelled', issue_labels: 'Default' });
    const labels = await alice.must('GET', '/repos/alice/labelled/labels');
    assert.deepEqual(names(labels), ['bug', 'duplicate', 'enhancement', 'help wanted', 'invalid', 'question', 'wontfix']);
    assert.equal((await alice.post('/user/repos', { name: 'nowhere', issue_labels: 'Unheard of' })).status, 422);
    assert.equal((await alice.get('/repos/alice/nowhere')).status, 404);
  });
});
