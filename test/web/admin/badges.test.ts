import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const { admin } = t;
await t.user('alice');
const chief = new Browser(t.url);
await chief.signIn('admin', PASSWORD);
const other = new Browser(t.url);
await other.signIn('alice', PASSWORD);
const HOSTILE = '<img src=x onerror=alert(1)>';
const ROOT = '/-/admin/badges';
const GOLD = `${ROOT}/slug/gold`;

describe('the badges of the administration', () => {
  it('are made, changed, given, taken away and deleted', async () => {
    const list = await chief.get(ROOT);
    assert.match(list.text, /There are no badges yet/);
    const refused: Record<string, string>[] = [
      { slug: 'a b' },
      { slug: 'x', image_url: 'javascript:alert(1)' },
      { slug: 'x', description: 'x'.repeat(256) },
    ];
    for (const fields of refused) assert.equal((await chief.submit(list, fields, ROOT)).status, 422);
    assert.equal((await chief.submit(list, { slug: 'gold', description: HOSTILE }, ROOT)).location, GOLD);
    const again = await chief.submit(list, { slug: 'gold', description: 'kept' }, ROOT);
    assert.equal(again.status, 422);
    assert.ok(again.text.includes('A badge named gold already exists.') && again.text.includes('value="kept"'));
    const page = await chief.get(GOLD);
    assert.ok(page.text.includes('No users have this badge.') && !page.text.includes(HOSTILE));
    assert.equal((await chief.submit(page, { description: 'Good', image_url: 'https://example.com/a.png' }, GOLD)).location, GOLD);
    assert.match((await chief.get(ROOT)).text, /Good/);
    assert.equal((await chief.submit(page, { user: 'nobody' }, `${GOLD}/users`)).status, 422);
    assert.equal((await chief.submit(page, { user: 'alice' }, `${GOLD}/users`)).status, 303);
    const [{ slug, image_url: url }] = await admin.must('GET', '/admin/users/alice/badges');
    assert.deepEqual([slug, url], ['gold', 'https://example.com/a.png']);
    assert.match((await other.get('/alice')).text, /<img src="https:\/\/example.com\/a.png" alt="Good"/);
    const held = await chief.get(GOLD);
    assert.equal((await chief.submit(held, {}, `${GOLD}/users`)).status, 303);
    assert.deepEqual(await admin.must('GET', '/admin/users/alice/badges'), []);
    assert.ok(!(await other.get('/alice')).text.includes('class="badges"'));
    assert.equal((await chief.submit(page, { confirm: 'silver' }, `${GOLD}/delete`)).status, 422);
    assert.equal((await chief.submit(page, { confirm: 'gold' }, `${GOLD}/delete`)).location, ROOT);
    assert.equal((await chief.get(GOLD)).status, 404);
    const entries = await admin.must('GET', '/admin/audit?actor=admin&limit=50');
    const actions = new Set(entries.map(({ action }: { action: string }) => action));
    for (const action of ['badge.save', 'badge.delete', 'user.badges']) assert.ok(actions.has(action), action);
  });

  it('are for site administrators alone', async () => {
    assert.equal((await chief.submit(await chief.get(ROOT), { slug: 'gold' }, ROOT)).status, 303);
    for (const path of [ROOT, GOLD, `${ROOT}/slug/none`]) {
      assert.equal((await other.get(path)).status, 403, path);
      assert.match((await new Browser(t.url).get(path)).location, /user\/login/);
    }
    const token = /name="_token" value="([^"]+)"/.exec((await other.get('/user/settings')).text)?.[1] ?? '';
    for (const path of [ROOT, GOLD, `${GOLD}/users`, `${GOLD}/delete`]) {
      const fields = { _token: token, slug: 'x', user: 'alice', confirm: 'gold' };
      assert.equal((await other.send('POST', path, { fields })).status, 403, path);
    }
    assert.deepEqual(await admin.must('GET', '/admin/users/alice/badges'), []);
  });

  it('are where Gitea has them', async () => {
    assert.equal((await chief.get(`${GOLD}/edit`)).location, GOLD);
    assert.equal((await chief.get(`${ROOT}/new`)).location, ROOT);
  });
});

describe('the ways to sign in', () => {
  it('are listed with the settings that open them, for site administrators alone', async () => {
    const { text } = await chief.get('/-/admin/auths');
    assert.ok(text.includes('<code>reverseProxy.enabled</code>') && text.includes('LDAP'));
    assert.equal((await other.get('/-/admin/auths')).status, 403);
    assert.equal((await chief.get('/-/admin/auths/new')).location, '/-/admin/auths');
  });
});
