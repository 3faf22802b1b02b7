import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

// On SQLite alone: wikis are in git.

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'closed', private: true });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const stranger = new Browser(t.url);
await stranger.signIn('mallory', PASSWORD);
const WIKI = '/alice/demo/wiki';
const NEW = `${WIKI}?action=_new`;
const textOf = async (page: string) => {
  const { json, status } = await alice.get(`/repos/alice/demo/wiki/page/${page}`);
  return status === 200 ? Buffer.from(json.content_base64, 'base64').toString() : undefined;
};

it('pages are written, shown with side bar and footer, changed, renamed and deleted', async () => {
  const empty = await browser.get(WIKI);
  assert.deepEqual([empty.status, /no pages yet/.test(empty.text)], [200, true]);
  const create = async (title: string, content: string) => browser.submit(await browser.get(NEW), { title, content }, NEW);
  assert.equal((await create('Sub/Page & more?', `# Words\r\n${HOSTILE}`)).location, `${WIKI}/Sub%2FPage-%26-more%3F`);
  assert.match((await browser.get(WIKI)).text, /no page Home yet[\s\S]*Sub\/Page &amp; more\?/);
  assert.equal((await create('Home', `[other](Sub/Page) ${HOSTILE}`)).location, `${WIKI}/Home`);
  assert.match((await browser.get(NEW)).text, /name="title"[^>]* value=""/);
  assert.match((await browser.get(`${WIKI}/Other?action=_new`)).text, /name="title"[^>]* value="Other"/);
  await create('_Sidebar', `at the **side** ${HOSTILE}`);
  await create('_Footer', `at the **foot** ${HOSTILE}`);
  const shown = (await new Browser(t.url).get(WIKI)).text;
  assert.match(shown, /at the <strong>side<[\s\S]*/);
  assert.match(shown, /at the <strong>foot</);
  assert.ok(shown.includes('href="/alice/demo/wiki/Sub/Page"') && !/<img[^>]*onerror/.test(shown) && !shown.includes('_edit'));
  assert.match((await browser.get(`${WIKI}/Sub/Page-%26-more%3F`)).text, /<h2>Sub\/Page &amp; more\?</);

  const edit = `${WIKI}/Sub%2FPage-%26-more%3F?action=_edit`;
  const form = await browser.get(edit);
  assert.ok(form.text.includes('&lt;img src=x'));
  const preview = await browser.submit(form, { title: 'Kept', content: '**bold**', preview: '1' }, edit);
  assert.match(preview.text, /value="Kept"[\s\S]*<strong>bold<\/strong>/);
  const done = await browser.submit(form, { title: HOSTILE, content: 'new\r\ntext', message: HOSTILE }, edit);
  assert.equal(done.status, 303);
  assert.equal(await textOf(done.location.slice(`${WIKI}/`.length)), 'new\ntext');
  const history = (await browser.get(`${done.location}?action=_revision`)).text;
  for (const text of [history, (await browser.get(done.location)).text, (await browser.get(`${WIKI}?action=_pages`)).text]) {
    assert.ok(text.includes('&lt;img') && !/<img[^>]*onerror/.test(text));
  }

  assert.equal((await browser.submit(await browser.get(`${done.location}?action=_edit`), {}, done.location)).location, WIKI);
  assert.equal((await browser.get(done.location)).status, 404);
});

it('what cannot be saved is shown again with what was typed', async () => {
  const refused = async (title: string) => browser.submit(await browser.get(NEW), { title, content: 'typed' }, NEW);
  for (const title of ['_pages', 'Home', ' ']) {
    const { status, text } = await refused(title);
    assert.deepEqual([status, text.includes('typed</textarea>')], [422, true], title);
  }
  const edit = `${WIKI}/Home?action=_edit`;
  const form = await browser.get(edit);
  await browser.submit(form, { title: 'Home', content: 'first' }, edit);
  const late = await browser.submit(form, { title: 'Home', content: 'second' }, edit);
  assert.deepEqual([late.status, late.text.includes('second</textarea>'), await textOf('Home')], [422, true, 'first']);
  assert.equal((await browser.submit(late, { title: 'Home', content: 'second' }, edit)).status, 303);
  assert.equal(await textOf('Home'), 'second');
});

it('strangers change nothing, and see no private wiki', async () => {
  assert.equal((await stranger.get('/alice/closed/wiki')).status, 404);
  assert.equal((await stranger.get(`${WIKI}/Home?action=_edit`)).status, 403);
  assert.match((await new Browser(t.url).get(NEW)).location, /^\/user\/login/);
  const token = /name="_token" value="([^"]+)"/.exec((await stranger.get(WIKI)).text)?.[1] ?? '';
  for (const fields of [{ do: 'delete' }, { title: 'Home', content: 'x' }] as Record<string, string>[]) {
    assert.equal((await stranger.send('POST', `${WIKI}/Home`, { fields: { ...fields, _token: token } })).status, 403);
    assert.equal((await browser.send('POST', `${WIKI}/Home`, { fields })).status, 403);
  }
  assert.equal(await textOf('Home'), 'second');
});

it('revisions are shown, compared and restored, by those alone who may', async () => {
  const write = (content: string, method: 'POST' | 'PATCH') =>
    alice.must(method, `/repos/alice/demo/wiki/${method === 'POST' ? 'new' : 'page/Told'}`, {
      title: 'Told',
      content_base64: Buffer.from(content).toString('base64'),
      message: `Say ${HOSTILE}`,
    });
  await write(`first ${HOSTILE}\n`, 'POST');
  await write('second\n', 'PATCH');
  const list = await browser.get(`${WIKI}/Told?action=_revision`);
  const [oldest = ''] = [...list.text.matchAll(/&amp;at=([0-9a-f]{40})/g)].map(([, oid]) => oid).toReversed();
  const shown = await browser.get(`${WIKI}/Told?action=_revision&at=${oldest}`);
  assert.ok(/as it was[\s\S]*first/.test(shown.text) && !/<img[^>]*onerror/.test(shown.text));
  const changed = (await browser.get(`${WIKI}/commit/${oldest}`)).text;
  assert.match(changed, /Say &lt;img[\s\S]*<tr class="added">[\s\S]*first &lt;img/);
  assert.match(changed, /href="\/alice\/demo\/wiki\/Told"/);
  const fields = { do: 'restore', commit: oldest };
  const token = /name="_token" value="([^"]+)"/.exec((await stranger.get(WIKI)).text)?.[1] ?? '';
  assert.equal((await stranger.send('POST', `${WIKI}/Told`, { fields: { ...fields, _token: token } })).status, 403);
  assert.equal((await browser.submit(list, fields, `${WIKI}/Told`)).location, `${WIKI}/Told`);
  assert.equal(await textOf('Told'), `first ${HOSTILE}\n`);
  for (const oid of ['0'.repeat(40), 'main', '--all']) {
    assert.equal((await browser.get(`${WIKI}/commit/${oid}`)).status, 404, oid);
    assert.equal((await browser.get(`${WIKI}/Told?action=_revision&at=${oid}`)).status, 404, oid);
  }
});
