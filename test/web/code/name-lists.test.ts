import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { testServer } from '../../support/server.ts';

const t = await testServer();

describe('lists of names', () => {
  it('have all branches with the default one first, and the tags', async () => {
    await t.admin.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
    await t.admin.must('POST', '/repos/admin/demo/branches', { new_branch_name: 'another' });
    await t.admin.must('POST', '/repos/admin/demo/tags', { tag_name: 'v1' });
    const browser = new Browser(t.url);
    const listed = async (kind: string) => {
      const response = await browser.send('GET', `/admin/demo/${kind}/list`);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
      return JSON.parse(response.text);
    };
    assert.deepEqual(await listed('branches'), { results: ['main', 'another'] });
    assert.deepEqual(await listed('tags'), { results: ['v1'] });
  });

  it('are searched on the page of tags', async () => {
    for (const name of ['v2-beta', 'other']) await t.admin.must('POST', '/repos/admin/demo/tags', { tag_name: name });
    const browser = new Browser(t.url);
    const shown = async (query: string) => {
      const { text } = await browser.get(`/admin/demo/tags${query}`);
      return [...text.matchAll(/href="\/admin\/demo\/src\/tag\/([^"]+)"/g)].map(([, name]) => name).sort();
    };
    assert.deepEqual(await shown(''), ['other', 'v1', 'v2-beta']);
    assert.deepEqual(await shown('?q=V'), ['v1', 'v2-beta']);
    assert.deepEqual(await shown('?q=BETA'), ['v2-beta']);
    assert.match((await browser.get('/admin/demo/tags?q=%3Cb%3E')).text, /value="&lt;b&gt;"[\s\S]*No tags match/);
  });

  it('are empty in an empty repository, and hidden with a private one', async () => {
    await t.admin.must('POST', '/user/repos', { name: 'empty' });
    await t.admin.must('POST', '/user/repos', { name: 'closed', auto_init: true, private: true });
    const browser = new Browser(t.url);
    for (const kind of ['branches', 'tags']) {
      const response = await browser.send('GET', `/admin/empty/${kind}/list`);
      assert.deepEqual(JSON.parse(response.text), { results: [] });
      assert.equal((await browser.send('GET', `/admin/closed/${kind}/list`)).status, 404);
    }
  });
});
