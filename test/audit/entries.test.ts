import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteEntriesBefore } from '../../src/audit/entries.ts';
import { now } from '../../src/clock.ts';
import { Browser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { PASSWORD, testServer } from '../support/server.ts';

const t = await testServer({ log: { requestIdHeader: 'X-Request-Id' } });
const alice = await t.user('alice');
await t.user('bob');

interface Entry {
  action: string;
  failed: boolean;
  count: number;
  actor: { login: string } | null;
  method: string;
  credential: string;
  sudo: { login: string } | null;
  address: string;
  user_agent: string;
  request_id: string;
  object: { type: string; id: number | null; name: string };
  details: Record<string, unknown>;
}

const entries = async (query: string, client = t.admin) => (await client.must('GET', `/admin/audit?${query}`)) as Entry[];
const only = async (query: string) => {
  const found = await entries(query);
  assert.equal(found.length, 1, JSON.stringify(found));
  return found[0] as Entry;
};

describe('the audit log', () => {
  it('has who did what, by which means, from where, without secrets', async () => {
    const { sha1 } = (await alice.must('POST', '/users/alice/tokens', { name: 'ci', scopes: ['all'] })) as { sha1: string };
    const made = await only('action=token.create');
    assert.deepEqual(
      [made.actor?.login, made.method, made.object.name, made.details, made.user_agent],
      ['alice', 'password', 'alice', { username: 'alice', name: 'ci', scopes: ['all'] }, 'node'],
    );
    assert.match(made.address, /127\.0\.0\.1|::1/);
    const token = new Client(() => t.url, { authorization: `token ${sha1}` });
    await token.send('POST', '/user/repos', { json: { name: 'code' }, headers: { 'x-request-id': 'request-4711' } });
    const { id } = (await token.must('GET', '/repos/alice/code')) as { id: number };
    const created = await only('request_id=request-4711');
    assert.deepEqual(
      [created.action, created.method, created.credential, created.object],
      ['repository.create', 'token', 'ci', { type: 'repository', id, name: 'alice/code' }],
    );
    const hook = { type: 'gitea', config: { url: 'https://example.com/hush', content_type: 'json', secret: 'hush' }, events: ['push'] };
    await alice.must('POST', '/repos/alice/code/hooks', hook);
    await alice.must('PUT', '/repos/alice/code/actions/secrets/KEY', { data: 'hush' });
    await alice.must('PUT', '/repos/alice/code/collaborators/bob', { permission: 'read' });
    await alice.must('PATCH', '/repos/alice/code', { private: true, description: 'hush' });
    const about = await entries('object=repository:alice/code');
    assert.deepEqual(
      about.map(({ action }) => action),
      ['repository.visibility', 'collaborator.add', 'secret.set', 'webhook.create', 'repository.create'],
    );
    assert.ok(!JSON.stringify(about).includes('hush'));
    assert.deepEqual(about[1]?.details, { collaborator: 'bob', permission: 'read' });
    assert.deepEqual((await entries(`object=repository:${id}`)).length, 5);
  });

  it('names the administrator behind sudo', async () => {
    await t.admin.must('POST', '/user/repos?sudo=bob', { name: 'made' });
    const entry = await only('actor=bob&action=repository.create');
    assert.deepEqual([entry.sudo?.login, entry.object.name], ['admin', 'bob/made']);
  });

  it('has nothing of what was refused', async () => {
    const before = (await t.admin.get('/admin/audit')).headers.get('x-total-count');
    assert.equal((await alice.send('PUT', '/repos/alice/code/collaborators/nobody', { json: {} })).status, 422);
    assert.equal((await alice.send('POST', '/user/repos', { json: { name: 'code' } })).status, 409);
    assert.equal((await alice.send('DELETE', '/admin/users/bob')).status, 403);
    assert.equal((await t.admin.get('/admin/audit')).headers.get('x-total-count'), before);
  });

  it('has the forms of pages, and one entry for many failed sign-ins', async () => {
    const browser = new Browser(t.url);
    await browser.signIn('alice', PASSWORD);
    assert.deepEqual((await only('action=sign-in')).object.name, 'alice');
    for (let round = 0; round < 3; round++) await new Browser(t.url).signIn('bob', 'Wrong-password-1');
    await new Browser(t.url).signIn('typed-into-the-wrong-field', 'Wrong-password-1');
    const failed = await entries('action=sign-in.failed');
    assert.ok(failed.length >= 1 && failed.length <= 2, 'at most two, should a minute have ended meanwhile');
    assert.deepEqual([failed.at(-1)?.actor, failed.at(-1)?.object.name], [null, 'bob']);
    assert.ok(!JSON.stringify(failed).includes('typed-into'));
  });

  it('is for administrators, and of an organization for its owners, without addresses', async () => {
    await alice.must('POST', '/orgs', { username: 'acme' });
    const { id } = (await alice.must('POST', '/orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] })) as {
      id: number;
    };
    await alice.must('PUT', `/teams/${id}/members/bob`);
    await alice.must('POST', '/orgs/acme/repos', { name: 'shop' });
    const list = (await alice.must('GET', '/orgs/acme/audit')) as Entry[];
    assert.deepEqual(
      list.map(({ action, object }) => `${action} ${object.name}`),
      ['repository.create acme/shop', 'team.member.add acme/crew', 'team.create acme', 'organization.create acme'],
    );
    assert.ok(list.every(({ address, user_agent }) => address === '' && user_agent === ''));
    assert.equal((await alice.get('/admin/audit')).status, 403);
    assert.equal((await t.anonymous.get('/admin/audit')).status, 401);
    const bob = new Client(() => t.url, { name: 'bob', password: PASSWORD });
    assert.equal((await bob.get('/orgs/acme/audit')).status, 403);
  });

  it('refuses filters that make no sense', async () => {
    for (const query of ['action=nothing', 'object=thing:1', 'since=yesterday']) {
      assert.equal((await t.admin.get(`/admin/audit?${query}`)).status, 422, query);
    }
    assert.deepEqual(await entries('until=2000-01-01T00:00:00Z'), []);
  });

  it('records what goes with an account, and outlives it', async () => {
    await t.admin.must('DELETE', '/admin/users/bob?purge=true');
    assert.equal((await only('action=user.delete')).object.name, 'bob');
    assert.equal((await only('action=repository.delete')).object.name, 'bob/made');
    assert.equal((await entries('actor=bob')).length, 1);
  });

  it('is kept for a time', async () => {
    const { db } = t.context;
    await db.updateTable('audit_entries').set({ created_at: 1 }).where('action', '=', 'token.create').execute();
    await deleteEntriesBefore(db, now() - 60, AbortSignal.timeout(10_000));
    assert.deepEqual(await entries('action=token.create'), []);
    assert.ok((await entries('action=user.delete')).length === 1);
  });

  it('has what forms of contents remove and let in, and not the rest of what they do', async () => {
    const browser = new Browser(t.url);
    await browser.signIn('alice', PASSWORD);
    await alice.must('POST', '/user/repos', { name: 'forms', auto_init: true });
    const { number } = (await alice.must('POST', '/repos/alice/forms/issues', { title: 'An issue' })) as { number: number };
    const page = await browser.get(`/alice/forms/issues/${number}`);
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec(page.text) ?? [];
    const send = (path: string, fields: Record<string, string>) => browser.send('POST', path, { fields: { _token: token, ...fields } });
    const issue = `/alice/forms/issues/${number}`;
    assert.equal((await send(issue, { do: 'comment', text: 'Hello' })).status, 303);
    assert.equal((await send(issue, { do: 'delete', confirm: 'no' })).status, 422);
    const about = () => entries('object=repository:alice/forms');
    assert.deepEqual(
      (await about()).map(({ action }) => action),
      ['repository.create'],
    );
    assert.equal((await send(issue, { do: 'delete', confirm: String(number) })).status, 303);
    const [deleted] = await about();
    assert.deepEqual([deleted?.action, deleted?.actor?.login, deleted?.method], ['issue.delete', 'alice', 'session']);
    await alice.send('PUT', '//api/packages/alice/generic/tool/1.0/a.bin', { raw: 'a' });
    const settings = '/alice/-/packages/generic/tool/1.0/settings';
    assert.equal((await send(settings, { do: 'link', repository: 'forms' })).status, 303);
    assert.equal((await send(settings, { do: 'unlink' })).status, 303);
    for (const action of ['package.link', 'package.unlink']) assert.equal((await only(`action=${action}`)).actor?.login, 'alice');
    assert.equal((await send(settings, { do: 'delete', confirm: 'tool' })).status, 303);
    await only('action=package.delete');
  });
});
