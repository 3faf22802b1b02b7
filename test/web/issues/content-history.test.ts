import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
const AT = '/repos/alice/forge';
const body = 'Some words that stay\n\n- [ ] a task\n\nsecret password';
await bob.must('POST', `${AT}/issues`, { title: `Title ${HOSTILE}`, body });
const comment: number = (await bob.must('POST', `${AT}/issues/1/comments`, { body: 'as it was' })).id;
await alice.must('PATCH', `${AT}/issues/comments/${comment}`, { body: `as it ${HOSTILE} is` });
const PATH = '/alice/forge/issues/1';
const HISTORY = `${PATH}/content-history`;

const browsers = new Map<string, Browser>();
async function as(name: string): Promise<Browser> {
  const browser = browsers.get(name) ?? new Browser(t.url);
  if (!browsers.has(name) && name !== '') await browser.signIn(name, PASSWORD);
  browsers.set(name, browser);
  return browser;
}
const read = async (name: string, path: string) => (await as(name)).get(path);
/** Sends the form of a version, also where the page has none. */
const remove = async (name: string, id: string) => {
  const token = /name="_token" value="([^"]+)"/.exec((await read(name, '/user/settings')).text)?.[1] ?? '';
  return (await as(name)).send('POST', `${HISTORY}/soft-delete`, { fields: { _token: token, history_id: id } });
};
/** The versions that a page links to. */
const linked = (text: string) => [
  ...new Set([...text.matchAll(/content-history\/detail\?[^"]*history_id=(\d+)"/g)].map(([, id = '']) => id)),
];
let ids: string[] = [];

describe('the history of texts', () => {
  it('begins with the first edit, be it the tick of a task', async () => {
    const page = await read('bob', PATH);
    assert.equal(page.text.match(/class="menu left quiet edited"/g)?.length, 1);
    const position = Buffer.from(body).indexOf('[ ]');
    await (await as('bob')).submit(page, { do: 'task', comment: '0', position: String(position) }, PATH);
    await bob.must('PATCH', `${AT}/issues/1`, { body: 'Some words that stay\r\n\r\n- [x] a task' });
    const { text } = await read('', PATH);
    assert.equal(text.match(/class="menu left quiet edited"/g)?.length, 2);
    ids = linked((await read('', `${HISTORY}/list?comment_id=0`)).text);
    assert.equal(ids.length, 3);
    assert.ok(ids.every((id) => text.includes(`history_id=${id}"`)));
  });

  it('shows what changed, by lines and words', async () => {
    const { status, text } = await read('', `${HISTORY}/detail?comment_id=0&history_id=${ids[1]}`);
    assert.equal(status, 200);
    assert.match(text, /class="removed">.*\[<span class="w"> <\/span>\] a task/);
    assert.match(text, /class="added">.*\[<span class="w">x<\/span>\] a task/);
    assert.match(text, /class="context">.*Some words that stay/);
    const last = await read('', `${HISTORY}/detail?history_id=${ids[0]}`);
    // The ends of lines are other ones, which nobody sees.
    assert.deepEqual(last.text.match(/<tr class="(added|removed)">/g)?.length, 2);
    assert.match(last.text, /class="removed">.*secret password/);
    const first = await read('', `${HISTORY}/detail?history_id=${ids[2]}`);
    assert.match(first.text, /<pre class="version-text"[^>]*>Some words/);
  });

  it('escapes what people wrote, and lists the edited texts', async () => {
    const { text: overview } = await read('', `${HISTORY}/overview`);
    assert.match(overview, /Comment by bob.*2 versions/);
    const list = await read('', `${HISTORY}/list?comment_id=${comment}`);
    assert.match(list.text, /alice<\/a> <a [^>]*>edited this/);
    const [id] = linked(list.text);
    const detail = await read('', `${HISTORY}/detail?history_id=${id}`);
    assert.ok(detail.text.includes('onerror=alert(1)'));
    for (const { text } of [list, detail]) assert.doesNotMatch(text, /<img[^>]*onerror/);
  });

  it('belongs to its issue, and to who may see that', async () => {
    const { number } = await alice.must('POST', `${AT}/issues`, { title: 'Another' });
    const other = `/alice/forge/issues/${number}/content-history`;
    for (const path of [`${other}/detail?history_id=${ids[0]}`, `${other}/list?comment_id=${comment}`, `${HISTORY}/detail?history_id=x`])
      assert.equal((await read('', path)).status, 404, path);
    assert.match((await read('', `${other}/list?comment_id=0`)).text, /no earlier versions/);
    assert.equal((await read('', HISTORY.replace('issues', 'pulls').concat('/overview'))).status, 404);
    await alice.must('PATCH', AT, { private: true });
    for (const path of ['overview', 'list?comment_id=0', `detail?history_id=${ids[0]}`])
      assert.equal((await read('mallory', `${HISTORY}/${path}`)).status, 404, path);
    assert.equal((await remove('mallory', ids[0] ?? '')).status, 404);
    await alice.must('PATCH', AT, { private: false });
  });

  it('is deleted by who may write here, and by the authors of the text and of the version', async () => {
    const [last = '', middle = '', first = ''] = ids;
    assert.equal((await remove('mallory', first)).status, 403);
    assert.doesNotMatch((await read('mallory', `${HISTORY}/detail?history_id=${first}`)).text, /soft-delete/);
    const [edited = ''] = linked((await read('', `${HISTORY}/list?comment_id=${comment}`)).text);
    const page = await read('bob', `${HISTORY}/detail?history_id=${middle}`);
    const done = await (await as('bob')).submit(page, {}, `${HISTORY}/soft-delete`);
    assert.deepEqual([done.status, done.location], [303, `${HISTORY}/list?comment_id=0`]);
    for (const [name, id] of [
      ['alice', first],
      ['bob', edited],
    ] as const) {
      assert.match((await read(name, `${HISTORY}/detail?history_id=${id}`)).text, /soft-delete/);
      assert.equal((await remove(name, id)).status, 303);
    }
    const { text } = await read('', `${HISTORY}/list?comment_id=0`);
    assert.deepEqual([linked(text), text.match(/\(deleted version\)/g)?.length], [[last], 2]);
    const gone = await read('alice', `${HISTORY}/detail?history_id=${first}`);
    assert.match(gone.text, /was deleted/);
    assert.doesNotMatch(gone.text, /Some words|soft-delete/);
    // All before it is deleted, so there is nothing to compare it with.
    assert.match((await read('', `${HISTORY}/detail?history_id=${last}`)).text, /<pre class="version-text"/);
    const rows = await t.context.db.selectFrom('content_versions').select('body').where('is_deleted', '=', true).execute();
    assert.deepEqual(new Set(rows.map((row) => row.body)), new Set(['']));
  });

  it('stays as it is in an archived repository', async () => {
    await alice.must('PATCH', AT, { archived: true });
    assert.equal((await remove('alice', ids[0] ?? '')).status, 423);
    assert.doesNotMatch((await read('alice', `${HISTORY}/detail?history_id=${ids[0]}`)).text, /soft-delete/);
  });
});
