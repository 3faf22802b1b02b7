import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { searchEmails } from '../../src/accounts/emails/emails.ts';
import { searchUsers } from '../../src/accounts/users/search.ts';
import { listAllOrganizations } from '../../src/organizations/list.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const bob = await t.user('bob');
const hidden = await t.user('hidden', { visibility: 'private' });

type Client = typeof bob;
const total = async (client: Client, path: string) => {
  const { headers, json } = await client.get(path);
  const given = Number(headers.get('x-total-count'));
  assert.equal((json.data ?? json).length, given, path);
  return given;
};
const found = async (client: Client, q: string) => {
  const { json } = await client.get(`/users/search?q=${encodeURIComponent(q)}`);
  return json.data.map(({ login }: { login: string }) => login);
};

describe('the number of accounts', () => {
  it('is that of the accounts that the caller may find, as they come, hide and go', async () => {
    const totals = () => Promise.all([t.anonymous, bob, hidden, t.admin].map((client) => total(client, '/users/search')));
    assert.deepEqual(await totals(), [2, 2, 3, 3]);
    await t.user('comer');
    assert.deepEqual(await totals(), [3, 3, 4, 4]);
    await t.admin.must('PATCH', '/admin/users/comer', { source_id: 0, login_name: 'x', visibility: 'limited' });
    assert.deepEqual(await totals(), [2, 3, 4, 4]);
    await t.admin.must('PATCH', '/admin/users/comer', { source_id: 0, login_name: 'x', visibility: 'private' });
    assert.deepEqual(await totals(), [2, 2, 3, 4]);
    assert.equal(await total(t.admin, '/admin/users'), 4);
    assert.equal(await total(t.admin, '/admin/users?visibility=private'), 2);
    await t.admin.must('DELETE', '/admin/users/comer');
    assert.deepEqual(await totals(), [2, 2, 3, 3]);
  });

  it('depends on the visibility for organizations', async () => {
    const totals = () => Promise.all([t.anonymous, bob, t.admin].map((client) => total(client, '/orgs')));
    for (const visibility of ['public', 'limited', 'private'])
      await hidden.must('POST', '/orgs', { username: `org-${visibility}`, visibility });
    assert.deepEqual(await totals(), [1, 2, 3]);
    assert.equal(await total(t.admin, '/admin/orgs'), 3);
    await hidden.must('PATCH', '/orgs/org-private', { visibility: 'public' });
    assert.deepEqual(await totals(), [2, 3, 3]);
    await hidden.must('DELETE', '/orgs/org-private');
    assert.deepEqual(await totals(), [1, 2, 2]);
  });
});

describe('the number of addresses', () => {
  it('is that of all, as they come and go', async () => {
    const before = await total(t.admin, '/admin/emails');
    await t.user('writer');
    await bob.must('POST', '/user/emails', { emails: ['bob@second.example', 'bob@third.example'] });
    assert.equal(await total(t.admin, '/admin/emails'), before + 3);
    await bob.must('DELETE', '/user/emails', { emails: ['bob@second.example'] });
    await t.admin.must('DELETE', '/admin/users/writer');
    assert.equal(await total(t.admin, '/admin/emails'), before + 1);
  });
});

describe('a search among many', () => {
  it('follows what a user is called, and forgets who is gone', async () => {
    await t.user('carol', { full_name: 'Zoë "Quick" Ambrose' });
    for (const q of ['caro', 'CAROL', 'zoë', '"quick"', 'k" amb', 'carol@ex', 'ca', 'c_rol', 'a%e']) {
      assert.ok((await found(bob, q)).includes('carol'), q);
    }
    for (const q of ['carolx', 'ambrose\nzoë', 'zoë or quick', 'carol*', 'text:carol']) assert.deepEqual(await found(bob, q), [], q);
    await t.admin.must('PATCH', '/admin/users/carol', {
      source_id: 0,
      login_name: 'x',
      full_name: 'Plain Name',
      email: 'other@place.example',
    });
    assert.deepEqual(await found(bob, 'ambrose'), []);
    assert.deepEqual(await found(bob, 'carol@ex'), []);
    assert.deepEqual(await found(bob, 'plain n'), ['carol']);
    assert.deepEqual(await found(bob, 'place.example'), ['carol']);
    await t.admin.must('POST', '/admin/users/carol/rename', { new_username: 'dorothea' });
    assert.deepEqual(await found(bob, 'carol'), []);
    assert.deepEqual(await found(bob, 'dorothea'), ['dorothea']);
    await t.admin.must('DELETE', '/admin/users/dorothea');
    assert.deepEqual(await found(bob, 'dorothea'), []);
  });

  it('reads no page where there is none', async () => {
    let statements = 0;
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements++;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const counted = { ...t.context, db: t.context.db.withPlugin(counting) };
    const page = { page: 1, limit: 10, offset: 0 };
    assert.deepEqual(await searchUsers(counted, { keyword: 'zz' }, page), { users: [], total: 0 });
    assert.deepEqual(await listAllOrganizations(counted, page, { keyword: 'zz' }), { organizations: [], total: 0 });
    assert.equal((await searchEmails(counted, { keyword: 'zz' }, page)).total, 0);
    assert.equal(statements, 3);
    const { json, headers } = await t.anonymous.get('/users/search?page=100');
    assert.deepEqual([json.data, Number(headers.get('x-total-count'))], [[], await total(t.anonymous, '/users/search')]);
  });

  it('finds people alone', async () => {
    await hidden.must('POST', '/orgs', { username: 'bobsleigh' });
    assert.deepEqual(await found(bob, 'bob'), ['bob']);
  });
});
