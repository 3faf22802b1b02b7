import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const server = await testServer();
const alice = await server.user('alice');
const bob = await server.user('bob');
const off = await testServer({ webhooks: { enabled: false } });
const carol = await off.user('carol');
await carol.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'demo' });
await bob.must('POST', '/user/repos', { name: 'own' });
await alice.must('POST', '/orgs', { username: 'team' });
const config = { url: 'https://example.com/hook', content_type: 'json' };
const PLACES = ['/repos/alice/demo/hooks', '/user/hooks', '/orgs/team/hooks'];

describe('webhooks', () => {
  it('are created, listed, changed and removed alike in each of their scopes', async () => {
    for (const [path, client] of [...PLACES.map((path) => [path, alice] as const), ['/admin/hooks', server.admin] as const]) {
      const isSystem = path.startsWith('/admin') ? { is_system_webhook: 'true' } : {};
      const made = await client.must('POST', path, { type: 'gitea', config: { ...config, ...isSystem }, events: ['fork'], name: ' One ' });
      assert.equal(made.name, 'One');
      assert.deepEqual(made.events, ['fork']);
      assert.equal(made.active, false);
      const { json: list, headers } = await client.get(path);
      assert.deepEqual([list.length, list[0].id, headers.get('x-total-count')], [1, made.id, '1']);
      const changed = await client.must('PATCH', `${path}/${made.id}`, { active: true, branch_filter: 'main' });
      assert.deepEqual([changed.active, changed.branch_filter, changed.events, changed.name], [true, 'main', ['push'], 'One']);
      assert.equal((await client.delete(`${path}/${made.id}`)).status, 204);
      assert.equal((await client.get(`${path}/${made.id}`)).status, 404);
    }
  });

  it('are found only in the scope that they belong to', async () => {
    const made = await Promise.all(PLACES.map((path) => alice.must('POST', path, { type: 'gitea', config })));
    const instance = await server.admin.must('POST', '/admin/hooks', { type: 'gitea', config });
    const strange: [string, typeof alice][] = [
      ['/repos/bob/own/hooks', bob],
      ['/user/hooks', bob],
      ['/admin/hooks', server.admin],
    ];
    for (const [path, client] of strange) {
      for (const { id } of made) {
        for (const method of ['GET', 'PATCH', 'DELETE']) {
          const json = method === 'PATCH' ? { active: true } : undefined;
          assert.equal((await client.send(method, `${path}/${id}`, { json })).status, 404, `${method} ${path}`);
        }
      }
    }
    for (const path of PLACES) assert.equal((await alice.get(`${path}/${instance.id}`)).status, 404);
    for (const [index, path] of PLACES.entries()) assert.equal((await alice.delete(`${path}/${made[index].id}`)).status, 204);
    await server.admin.must('DELETE', `/admin/hooks/${instance.id}`);
  });

  it('never show their secret, and keep it and the authorization encrypted', async () => {
    const options = { type: 'gitea', config: { ...config, secret: 'deep-secret' }, authorization_header: 'Bearer shown-to-owners' };
    const made = await alice.post('/user/hooks', options);
    assert.equal(made.json.authorization_header, 'Bearer shown-to-owners');
    const changed = await alice.patch(`/user/hooks/${made.json.id}`, { config: { secret: 'other-secret' } });
    for (const { text } of [made, changed, await alice.get('/user/hooks')]) assert.doesNotMatch(text, /deep-secret|other-secret/);
    assert.equal(changed.json.authorization_header, '');
    const rows = await server.context.db.selectFrom('webhooks').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(rows), /deep-secret|other-secret|shown-to-owners/);
    await alice.must('DELETE', `/user/hooks/${made.json.id}`);
  });

  it('refuse what makes no sense, and change nothing then', async () => {
    const refused: [number, object][] = [
      [422, { type: 'gitea', config: { ...config, url: 'http://' } }],
      [422, { type: 'gitea', config: { ...config, url: 'http://a b/' } }],
      [422, { type: 'gitea', config: { ...config, url: 'javascript:alert(1)' } }],
      [422, { type: 'gitea', config: { ...config, url: 'http://example.com/%zz' } }],
      [422, { type: 'gitea', config: { ...config, url: null } }],
      [422, { type: 'gitea', config: { ...config, url: `https://example.com/${'x'.repeat(5000)}` } }],
      [422, { type: 'gitea', config, authorization_header: 'a\r\nx-evil: 1' }],
      [422, { type: 'gitea', config, branch_filter: '{a' }],
      [422, { type: 'constructor', config }],
      [400, { type: 'slack', config: { ...config, channel: 'no channel' } }],
    ];
    for (const [status, options] of refused) {
      assert.equal((await alice.post('/user/hooks', options)).status, status, JSON.stringify(options).slice(0, 100));
    }
    const { id } = await alice.must('POST', '/user/hooks', { type: 'gitea', config });
    for (const change of [{ config: { url: 'no' } }, { branch_filter: '[' }, { authorization_header: 'a\nb' }]) {
      assert.equal((await alice.patch(`/user/hooks/${id}`, { ...change, active: true })).status, 422);
    }
    assert.equal((await alice.get(`/user/hooks/${id}`)).json.active, false);
    const unreadable = await alice.patch(`/user/hooks/${id}`, { branch_filter: '[z-a]' });
    assert.match(unreadable.json.message, /^\[BranchFilter\]: failed to compile regexp: error parsing regexp: /);
    const spaced = await alice.must('PATCH', `/user/hooks/${id}`, { config: { url: 'https://example.com/a b?c=%' } });
    assert.equal(spaced.config.url, 'https://example.com/a b?c=%');
  });

  it('of Slack take a null for nothing said', async () => {
    const made = await alice.must('POST', '/user/hooks', { type: 'slack', config: { ...config, channel: '#general', username: 'bot' } });
    const changed = await alice.must('PATCH', `/user/hooks/${made.id}`, { config: { channel: null } });
    assert.deepEqual([changed.config.channel, changed.config.username], ['', '']);
    await alice.must('DELETE', `/user/hooks/${made.id}`);
  });

  it('of the instance are copied to new repositories with all that they have, those of everything are not', async () => {
    const standard = {
      type: 'gitea',
      config: { ...config, secret: 'copied' },
      events: ['fork'],
      authorization_header: 'Bearer x',
      active: true,
    };
    const { id } = await server.admin.must('POST', '/admin/hooks', standard);
    const system = { type: 'gitea', config: { ...config, is_system_webhook: 'true' } };
    const { id: systemId } = await server.admin.must('POST', '/admin/hooks', system);
    await bob.must('POST', '/user/repos', { name: 'fresh' });
    const [copy, ...others] = (await bob.get('/repos/bob/fresh/hooks')).json;
    assert.equal(others.length, 0);
    assert.deepEqual([copy.events, copy.active, copy.authorization_header], [['fork'], true, 'Bearer x']);
    await server.admin.must('DELETE', `/admin/hooks/${id}`);
    await server.admin.must('DELETE', `/admin/hooks/${systemId}`);
    assert.equal((await bob.get('/repos/bob/fresh/hooks')).json.length, 1);
  });

  it('whose secrets no longer can be read are shown all the same, and keep no repository from being made', async () => {
    const options = { type: 'gitea', config: { ...config, secret: 'lost' }, authorization_header: 'Bearer lost', active: true };
    const { id } = await server.admin.must('POST', '/admin/hooks', options);
    const lost = server.context.secrets.encrypt('lost', 'another use');
    const columns = { sealed_secret: lost, sealed_authorization: lost };
    await server.context.db.updateTable('webhooks').set(columns).where('id', '=', id).execute();
    assert.equal((await server.admin.get(`/admin/hooks/${id}`)).json.authorization_header, '');
    await bob.must('POST', '/user/repos', { name: 'unharmed' });
    await server.admin.must('DELETE', `/admin/hooks/${id}`);
  });

  it('of a template come along when they are asked for', async () => {
    await alice.must('POST', '/user/repos', { name: 'template', auto_init: true });
    await alice.must('PATCH', '/repos/alice/template', { template: true });
    await alice.must('POST', '/repos/alice/template/hooks', { type: 'slack', config: { ...config, channel: '#news' }, events: ['fork'] });
    await alice.must('POST', '/repos/alice/template/generate', { owner: 'alice', name: 'with', webhooks: true });
    await alice.must('POST', '/repos/alice/template/generate', { owner: 'alice', name: 'without', git_content: true });
    const [hook] = (await alice.get('/repos/alice/with/hooks')).json;
    assert.equal(hook.config.channel, '#news');
    assert.deepEqual((await alice.get('/repos/alice/without/hooks')).json, []);
    await bob.must('POST', '/repos/alice/template/generate', { owner: 'bob', name: 'curious', webhooks: true });
    assert.deepEqual(await bob.must('GET', '/repos/bob/curious/hooks'), [], 'who does not administer the template gets none');
  });

  it('of a user are out of reach for tokens that are limited to public things', async () => {
    const token = await alice.must('POST', '/users/alice/tokens', { name: 'public', scopes: ['public-only', 'write:user'] });
    const { status } = await server.anonymous.get('/user/hooks', { headers: { authorization: `token ${token.sha1}` } });
    assert.equal(status, 403);
  });
});

describe('webhooks that the administrator has switched off', () => {
  it('are out of reach', async () => {
    for (const path of ['/repos/carol/demo/hooks', '/user/hooks']) {
      const { status, json } = await carol.get(path);
      assert.deepEqual([status, json.message], [403, 'webhooks disabled by administrator']);
    }
  });
});
