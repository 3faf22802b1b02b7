// On SQLite alone: the scripts are files, and the tests of the API ask both databases.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer({ git: { hooksEnabled: true } });
await t.admin.must('POST', '/user/repos', { name: 'box', auto_init: true });
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'own', auto_init: true });
const PAGE = '/admin/box/settings/hooks/git';
const admin = new Browser(t.url);
await admin.signIn('admin', PASSWORD);

describe('the Git hooks of a repository', () => {
  it('are shown and changed by who may write them', async () => {
    const page = await admin.get(PAGE);
    assert.match(page.text, /<code>pre-receive<\/code>[\s\S]*<code>update<\/code>[\s\S]*<code>post-receive<\/code>/);
    assert.ok((await admin.get('/admin/box/settings')).text.includes(`href="${PAGE}"`));
    const content = '#!/bin/sh\r\nexit 0 # </textarea><b>\r\n';
    assert.deepEqual((await admin.submit(page, { name: 'update', content }, PAGE)).location, PAGE);
    const api = '/repos/admin/box/hooks/git/update';
    assert.equal((await t.admin.must('GET', api)).content, '#!/bin/sh\nexit 0 # </textarea><b>\n');
    const { text } = await admin.get(PAGE);
    assert.match(text, /<details class="box" open><summary class="hook-name"><code>update[\s\S]*&lt;\/textarea&gt;&lt;b&gt;/);
    await admin.submit(page, { name: 'update', content: ' ' }, PAGE);
    assert.equal((await t.admin.must('GET', api)).is_active, false);
    assert.equal((await admin.submit(page, { name: '../x', content: 'x' }, PAGE)).status, 422);
    assert.equal((await admin.get(`${PAGE}/update`)).location, PAGE);
  });

  it('are changed by who has just signed in, or knows the password', async () => {
    await t.context.db.updateTable('sessions').set({ created_at: 1 }).execute();
    const page = await admin.get(PAGE);
    const change = (fields: Record<string, string>) => admin.submit(page, { name: 'update', content: 'late', ...fields }, PAGE);
    const refused = await change({});
    assert.equal(refused.status, 422);
    assert.match(refused.text, /role="alert"[\s\S]*<code>update[\s\S]*>\nlate<\/textarea>/);
    const api = '/repos/admin/box/hooks/git/update';
    assert.equal((await t.admin.must('GET', api)).is_active, false);
    assert.equal((await change({ password: PASSWORD })).status, 303);
    assert.equal((await t.admin.must('GET', api)).is_active, true);
    await change({ password: PASSWORD, content: '' });
  });

  it('are not for others, be it in their own repository', async () => {
    const browser = new Browser(t.url);
    await browser.signIn('alice', PASSWORD);
    const settings = await browser.get('/alice/own/settings');
    assert.ok(!settings.text.includes('hooks/git'));
    const path = '/alice/own/settings/hooks/git';
    assert.equal((await browser.get(path)).status, 403);
    const _token = /name="_token" value="([^"]+)"/.exec(settings.text)?.[1] ?? '';
    assert.equal((await browser.send('POST', path, { fields: { name: 'update', content: 'x', _token } })).status, 403);
    assert.equal((await t.admin.must('GET', '/repos/alice/own/hooks/git/update')).is_active, false);
  });
});
