// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('bob');
await alice.must('POST', '/orgs', { username: 'acme' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const stranger = new Browser(t.url);
await stranger.signIn('bob', PASSWORD);
const HOSTILE = '<img>';

for (const { owner, root } of [
  { owner: 'alice', root: '/user/settings/packages' },
  { owner: 'acme', root: '/org/acme/settings/packages' },
]) {
  const add = `${root}/rules/add`;
  const rules = async () => (await alice.get(`/packages/${owner}/cleanup-rules`)).json;

  describe(`the cleanup rules of ${owner}`, () => {
    it('are made, shown and changed', async () => {
      assert.match((await browser.get(root)).text, /There are no cleanup rules/);
      const form = await browser.get(add);
      const terms = { type: 'generic', keep_count: '', remove_days: '', keep_pattern: '', remove_pattern: '' };
      for (const [wrong, message] of [
        [{}, /would remove everything/],
        [{ keep_count: 'x' }, /keep_count/],
        [{ keep_count: '99999' }, /KeepCount|keep_count/i],
        [{ remove_pattern: '(' }, /cannot be read/],
        [{ keep_count: '1', type: 'nothing' }, /Type/i],
      ] as const) {
        const refused = await browser.submit(form, { ...terms, remove_pattern: '', ...wrong }, add);
        assert.equal(refused.status, 422, JSON.stringify(wrong));
        assert.match(refused.text, message);
      }
      const again = await browser.submit(form, { ...terms, keep_count: 'x', keep_pattern: HOSTILE }, add);
      assert.ok(again.text.includes('value="&lt;img&gt;"') && !again.text.includes(HOSTILE));
      assert.deepEqual(await rules(), []);
      assert.equal((await browser.submit(form, { ...terms, keep_count: '1', enabled: 'on' }, add)).location, root);
      assert.equal((await browser.submit(form, { ...terms, keep_count: '2' }, add)).status, 422, 'one for each type');
      const [{ id, keep_count, enabled }] = await rules();
      assert.deepEqual([keep_count, enabled], [1, true]);
      const one = `${root}/rules/${id}`;
      assert.match((await browser.get(root)).text, /keeps 1 version of each package/);
      assert.equal(
        (await browser.submit(await browser.get(one), { keep_count: '', remove_days: '7', enabled: 'on', action: 'save' }, one)).location,
        root,
      );
      assert.deepEqual(
        (await rules()).map((rule: Record<string, unknown>) => [rule.keep_count, rule.remove_days, rule.enabled]),
        [[0, 7, true]],
      );
    });

    it('say what they would delete, and are deleted', async () => {
      for (const version of ['1', '2', '3'])
        await alice.send('PUT', `//api/packages/${owner}/generic/tool/${version}/file`, { raw: version });
      const [{ id }] = await rules();
      await alice.must('PATCH', `/packages/${owner}/cleanup-rules/${id}`, { keep_count: 1, remove_days: 0, enabled: false });
      const { text } = await browser.get(`${root}/rules/${id}/preview`);
      assert.match(text, /it deletes 2 versions\. The rule is off/);
      assert.match(text, new RegExp(`/${owner}/-/packages/generic/tool/1"`));
      for (const path of [`${root}/rules/${id}`, `${root}/rules/${id}/preview`])
        assert.equal((await stranger.get(path)).status, owner === 'alice' ? 404 : 403);
      const one = `${root}/rules/${id}`;
      assert.equal((await browser.submit(await browser.get(one), { action: 'remove' }, one)).location, root);
      assert.deepEqual(await rules(), []);
      assert.equal((await browser.get(one)).status, 404);
    });
  });
}
