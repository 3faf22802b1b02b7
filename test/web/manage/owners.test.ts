import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOOK_EVENTS } from '../../../src/webhooks/hooks/events.ts';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { receiver } from '../../webhooks/receiver.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const { admin } = t;
const alice = await t.user('alice');
await t.user('bob');
await t.user('chief');
await admin.must('PATCH', '/admin/users/chief', { login_name: 'chief', source_id: 0, admin: true });
await alice.must('POST', '/user/repos', { name: 'box', auto_init: true });
const HOSTILE = '<img src=x onerror=alert(1)>';

async function signedIn(name: string): Promise<Browser> {
  const made = new Browser(t.url);
  await made.signIn(name, PASSWORD);
  return made;
}

const browser = await signedIn('alice');
const chief = await signedIn('chief');
const send = async (page: string, fields: Record<string, string>, action = page, by = browser): Promise<PageResponse> =>
  by.submit(await by.get(page), fields, action);

describe('the settings that all owners have', () => {
  it('show what a webhook sent and got, and send it again', async () => {
    const there = await receiver(async () => ({ status: 500, headers: { 'x-answer': HOSTILE }, body: HOSTILE }));
    const config = { url: there.url, content_type: 'json', secret: 'sealed' };
    const hook = { type: 'gitea', active: true, events: ['issues'], authorization_header: 'Bearer sesame', config };
    const { id } = await alice.must('POST', '/user/hooks', hook);
    await alice.must('POST', '/repos/alice/box/issues', { title: HOSTILE });
    await t.settled();
    const own = `/user/settings/hooks/${id}`;
    const form = (await browser.get(own)).text;
    assert.match(form, /deliveries\/[^"]+"><strong>Issue opened, edited, closed or reopened</);
    const link = /href="([^"]*\/deliveries\/[^"]+)"/.exec(form)?.[1] ?? '';
    const { text } = await browser.get(link);
    assert.ok(text.includes('X-Gitea-Delivery') && text.includes('x-answer') && text.includes('Authorization: ***'));
    assert.ok(
      !text.includes(HOSTILE) && !text.includes('sesame') && !text.includes(String(there.received[0]?.headers['x-gitea-signature'])),
    );
    const replay = `${own}/replay/${link.split('/').at(-1)}`;
    const bob = await signedIn('bob');
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await bob.get('/user/settings')).text) ?? [];
    assert.equal((await bob.send('POST', replay, { fields: { _token: token } })).status, 404);
    assert.equal((await send(own, {}, replay)).location, own);
    await t.settled();
    const [first, second] = there.received;
    assert.deepEqual([second?.text, there.received.length], [first?.text, 2]);
    assert.notEqual(second?.headers['x-gitea-delivery'], first?.headers['x-gitea-delivery']);
  });

  it('name the events and services of webhooks in words', async () => {
    const { text } = await browser.get('/user/settings/hooks/new');
    const labels = [...text.matchAll(/name="events" value="(\w+)"[^>]*>\s*([^<]*)</g)].map(([, event = '', label = '']) => [
      event,
      label.trim(),
    ]);
    assert.deepEqual(
      labels.map(([event]) => event),
      HOOK_EVENTS,
    );
    for (const [event = '', label] of labels) assert.ok(label !== '' && label !== event, event);
    assert.match(text, /<option value="msteams">Microsoft Teams</);
    const headers = { 'accept-language': 'de' };
    assert.match((await browser.send('GET', '/user/settings/hooks/new', { headers })).text, /Kommentar zu einem Issue/);
  });

  it('keep pushes, whose payloads are completed when they are sent', async () => {
    const there = await receiver();
    const config = { url: there.url, content_type: 'json' };
    const { id } = await alice.must('POST', '/repos/alice/box/hooks', { type: 'gitea', active: true, events: ['push'], config });
    await alice.must('POST', '/repos/alice/box/contents/pushed.txt', { content: 'eA==', message: 'Push it' });
    await t.settled();
    const own = `/alice/box/settings/hooks/${id}`;
    const { text } = await browser.get(own);
    const uuid = /\/deliveries\/([^"]+)"/.exec(text)?.[1] ?? '';
    assert.match((await browser.get(`${own}/deliveries/${uuid}`)).text, /Push it/);
    assert.equal((await send(own, {}, `${own}/replay/${uuid}`)).location, own);
    await t.settled();
    const [first, second] = there.received;
    assert.deepEqual([there.received.length, second?.text], [2, first?.text]);
  });

  it('forget what was sent but for the newest deliveries', async () => {
    const there = await receiver();
    const config = { url: there.url, content_type: 'json' };
    const { id } = await alice.must('POST', '/repos/alice/box/hooks', { type: 'gitea', active: true, events: ['issues'], config });
    const row = { webhook_id: Number(id), event: 'issues', payload: '{}', state: 'delivered' as const, due_at: 1, created_at: 1 };
    const { db } = t.context;
    const old = Array.from({ length: 31 }, (_, index) => ({ ...row, uuid: `old-${index}`, is_kept: true, finished_at: 4_000_000_000 }));
    await db.insertInto('webhook_deliveries').values(old).execute();
    await alice.must('POST', '/repos/alice/box/issues', { title: 'new' });
    await t.settled();
    const kept = await db
      .selectFrom('webhook_deliveries')
      .select(['uuid', 'payload', 'is_kept'])
      .where('webhook_id', '=', Number(id))
      .orderBy('id')
      .execute();
    assert.deepEqual(
      kept.slice(0, 3).map(({ payload }) => payload),
      ['', '', '{}'],
    );
    assert.equal(kept.filter(({ is_kept: isKept }) => isKept).length, 30);
    const own = `/alice/box/settings/hooks/${id}`;
    const shown = await browser.get(own);
    assert.equal((await browser.submit(shown, {}, `${own}/tests`)).status, 303);
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec(shown.text) ?? [];
    const gone = await browser.send('POST', `${own}/replay/old-0`, { fields: { _token: token } });
    assert.deepEqual([gone.status, gone.text.includes('no longer stored')], [422, true]);
  });

  it('have secrets, variables and runners of an account, and those of the instance', async () => {
    const page = '/user/settings/actions';
    await send(`${page}/secrets`, { name: 'token', value: 'hidden value' }, `${page}/secrets/set`);
    await send(`${page}/variables`, { name: 'LEVEL', value: HOSTILE }, `${page}/variables/add`);
    assert.equal((await alice.must('GET', '/user/actions/variables/LEVEL')).data, HOSTILE);
    for (const list of ['secrets', 'variables']) assert.ok(!/hidden value|<img src=x/.test((await browser.get(`${page}/${list}`)).text));
    const before = await alice.must('POST', '/user/actions/runners/registration-token');
    const runners = await browser.get(`${page}/runners`);
    assert.ok(runners.text.includes(before.token));
    assert.equal((await browser.submit(runners, {}, `${page}/runners/reset_registration_token`)).status, 303);
    assert.notEqual((await alice.must('POST', '/user/actions/runners/registration-token')).token, before.token);
    const user = await alice.must('GET', '/user');
    const runner = {
      uuid: 'r',
      name: HOSTILE,
      version: '1',
      labels: '["linux"]',
      token_hash: 'x',
      owner_id: user.id,
      created_at: 1,
      updated_at: 1,
    };
    const { id } = await t.context.db.insertInto('action_runners').values(runner).returning('id').executeTakeFirstOrThrow();
    const own = `${page}/runners/${id}`;
    assert.ok(!(await browser.get(own)).text.includes(HOSTILE));
    assert.equal((await (await signedIn('bob')).get(own)).status, 404);
    await send(own, { disabled: 'true' }, `${own}/update-runner`);
    assert.equal((await alice.must('GET', `/user/actions/runners/${id}`)).disabled, true);
    assert.equal((await chief.get(`/-/admin/actions/runners/${id}`)).status, 200);
    assert.equal((await send(own, {}, `${own}/delete`)).location, `${page}/runners`);
    assert.equal((await browser.get(own)).status, 404);
  });

  it('have hooks of the instance, of both kinds', async () => {
    const page = '/-/admin/hooks/new';
    const fields = { type: 'gitea', url: 'https://example.com/x', content_type: 'json', events: 'push', active: 'on' };
    assert.equal((await browser.get(page)).status, 403);
    await send(page, { ...fields, name: 'system', is_system: 'on' }, page, chief);
    await send(page, { ...fields, name: HOSTILE }, page, chief);
    const names = async (type: string) => (await admin.must('GET', `/admin/hooks?type=${type}`)).map(({ name }: { name: string }) => name);
    assert.deepEqual([await names('system'), await names('default')], [['system'], [HOSTILE]]);
    const { text } = await chief.get('/-/admin/hooks');
    assert.ok(text.includes('All repositories') && !text.includes(HOSTILE));
  });

  it('block users, and show organizations and repositories of an account', async () => {
    const page = '/user/settings/blocked_users';
    assert.equal((await send(page, { user: 'alice' })).status, 422);
    assert.equal((await send(page, { user: 'bob' })).location, page);
    assert.equal((await alice.get('/user/blocks/bob')).status, 204);
    await alice.must('POST', '/orgs', { username: 'acme', full_name: HOSTILE });
    const organizations = await browser.get('/user/settings/organization');
    assert.ok(organizations.text.includes('/acme') && !organizations.text.includes(HOSTILE));
    const left = await browser.submit(organizations, {}, '/org/acme/members/action/leave');
    assert.deepEqual([left.status, left.text.includes('role="alert"')], [422, true]);
    assert.match((await browser.get('/user/settings/repos')).text, /alice\/box/);
  });

  it('shows administrators addresses, the configuration without secrets, and what is not adopted', async () => {
    assert.match((await chief.get('/-/admin/emails?q=alice')).text, /alice@/);
    const { text } = await chief.get('/-/admin/config');
    assert.ok(text.includes('server.rootUrl') && !text.includes(t.context.settings.server.rootUrl.replace('http', 'nothing')));
    assert.match(text, /server\.requestTimeout<\/code><\/td><td><span title="\d+ ms">\d+ (?:hour|minute)s?</);
    assert.match(text, /<span title="\d+ B">\d+ MiB</);
    const unadopted = '/-/admin/repos/unadopted';
    assert.equal((await chief.get(unadopted)).status, 200);
    const unclosed = await chief.get(`${unadopted}?q=%5B`);
    assert.equal(unclosed.status, 422);
    assert.match(unclosed.text, /unterminated character class/);
    const [, token = ''] = /name="_token" value="([^"]*)"/.exec((await chief.get('/user/settings')).text) ?? [];
    const missing = await chief.send('POST', unadopted, { fields: { _token: token, id: 'alice/missing', action: 'adopt' } });
    assert.equal(missing.status, 422);
    for (const page of ['/emails', '/config', '/repos/unadopted', '/hooks', '/actions/runners', '/actions/variables', '/audit'])
      assert.equal((await browser.get(`/-/admin${page}`)).status, 403, page);
    const [, own = ''] = /name="_token" value="([^"]*)"/.exec((await browser.get('/user/settings')).text) ?? [];
    const forms = [
      'hooks/new',
      'hooks/1',
      'hooks/1/delete',
      'actions/variables/add',
      'actions/variables/edit',
      'actions/variables/delete',
    ].concat([
      'actions/runners/reset_registration_token',
      'actions/runners/1/update-runner',
      'actions/runners/1/delete',
      'repos/unadopted',
    ]);
    for (const form of forms)
      assert.equal((await browser.send('POST', `/-/admin/${form}`, { fields: { _token: own, name: 'X', value: 'x' } })).status, 403, form);
  });
});
