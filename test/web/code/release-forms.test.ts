// On SQLite alone: what the pages ask of the database, the tests of the API ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer({ releases: { allowedTypes: ['.txt'], maxSize: 100 } });
const alice = await t.user('alice');
await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const guest = new Browser(t.url);
await guest.signIn('bob', PASSWORD);
const base = '/alice/code';
const NEW = `${base}/releases/new`;
const XSS = '<img src=x onerror=alert(1)>';

/** Sends a form as a browser does, with files. */
async function send(path: string, fields: Record<string, string>, files: readonly (readonly [string, string])[] = [], who = browser) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of files) form.append('files', new Blob([content]), name);
  const response = await fetch(new URL(path, t.url), {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { origin: new URL(t.url).origin, cookie: [...who.cookies].map((pair) => pair.join('=')).join('; ') },
  });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') ?? '' };
}
const releaseOf = async (tag: string) => (await alice.get(`/repos/alice/code/releases/tags/${encodeURIComponent(tag)}`)).json;

describe('the form of a new release', () => {
  it('makes it with its tag and files', async () => {
    const fields = {
      tag_name: 'v/1',
      tag_target: 'main',
      title: `One ${XSS}`,
      content: '**Notes**\r\n',
      prerelease: 'on',
      add_tag_msg: 'on',
    };
    const made = await send(NEW, fields, [
      ['a.txt', 'A'],
      ['b.txt', 'B'],
    ]);
    assert.deepEqual([made.status, made.location], [303, `${base}/releases/tag/v/1`]);
    const release = await releaseOf('v/1');
    assert.deepEqual([release.name, release.body, release.prerelease, release.draft], [`One ${XSS}`, '**Notes**\n', true, false]);
    assert.deepEqual(
      release.assets.map(({ name }: { name: string }) => name),
      ['a.txt', 'b.txt'],
    );
    const tag = await alice.must('GET', '/repos/alice/code/tags/v%2F1');
    assert.match(String(tag.message), /^One [\s\S]*\*\*Notes\*\*/);
    const page = await browser.get(made.location);
    assert.ok(!page.text.includes(XSS) && page.text.includes(`href="${base}/releases/edit/v/1"`));
  });

  it('keeps a draft from others, and publishes it later', async () => {
    assert.equal((await send(NEW, { tag_name: 'v2', tag_target: 'main', title: 'Two', content: '', draft: '1' })).status, 303);
    assert.equal((await alice.get('/repos/alice/code/tags/v2')).status, 404);
    assert.equal((await guest.get(`${base}/releases/tag/v2`)).status, 404);
    const form = await browser.get(`${base}/releases/edit/v2`);
    assert.match(form.text, /name="tag_name" value="v2"[\s\S]*Publish release/);
    const published = await send(`${base}/releases/edit/v2`, { tag_name: 'v2.1', tag_target: 'main', title: 'Two', content: 'Out' });
    assert.equal(published.location, `${base}/releases/tag/v2.1`);
    assert.equal((await alice.get('/repos/alice/code/tags/v2.1')).status, 200);
  });

  it('makes a tag alone', async () => {
    const made = await send(NEW, { tag_name: 't/1', tag_target: 'main', tag_only: '1' });
    assert.deepEqual([made.status, made.location], [303, `${base}/src/tag/t/1`]);
    const again = await send(NEW, { tag_name: 't/1', tag_target: 'main', tag_only: '1' });
    assert.deepEqual([again.status, /A tag named t\/1 already exists/.test(again.text)], [422, true]);
    assert.match((await browser.get(`${base}/releases/new?tag=t%2F1`)).text, /name="tag_name" value="t\/1"/);
  });

  it('is shown again with what is wrong, and keeps no file then', async () => {
    for (const [fields, files] of [
      [{ tag_name: '-x' }, []],
      [{ tag_name: 'a..b' }, []],
      [{ tag_name: '' }, []],
      [{ tag_name: 'x'.repeat(300) }, []],
      [{ tag_name: 'v/1' }, []],
      [{ tag_name: 'v9', tag_target: XSS }, []],
      [{ tag_name: 'v9' }, [['a.exe', 'A']]],
      [{ tag_name: 'v9' }, [['a.txt', 'x'.repeat(102)]]],
    ] as const) {
      const typed = { tag_target: 'main', title: XSS, content: `</textarea>${XSS}`, ...fields };
      const { status, text } = await send(NEW, typed, [['kept.txt', 'K'], ...files]);
      assert.ok(
        (status === 422 || status === 413) && /role="alert"/.test(text) && !text.includes(XSS),
        `${status} ${JSON.stringify(fields)}`,
      );
    }
    assert.equal((await alice.get('/repos/alice/code/tags/v9')).status, 404);
  });

  it('shows its notes as they will look', async () => {
    const { status, text } = await send(NEW, { tag_name: 'v9', tag_target: 'main', title: 'N', content: `**bold** ${XSS}`, preview: '1' });
    assert.ok(status === 200 && text.includes('<strong>bold</strong>') && !text.includes('onerror=alert(1)>\n</div>'));
    assert.ok(!text.includes(XSS));
  });
});

describe('the form of a release', () => {
  it('changes it, and empties what is emptied', async () => {
    const before = await releaseOf('v/1');
    const [a, b] = before.assets;
    const fields = {
      title: '',
      content: '',
      [`attachment-edit-${a.uuid}`]: 'c.txt',
      [`attachment-del-${b.uuid}`]: 'true',
      tag_name: 'moved',
    };
    assert.equal((await send(`${base}/releases/edit/v/1`, fields, [['d.txt', 'D']])).status, 303);
    const after = await releaseOf('v/1');
    assert.deepEqual([after.tag_name, after.name, after.body, after.prerelease], ['v/1', '', '', false]);
    assert.deepEqual(
      after.assets.map(({ name }: { name: string }) => name),
      ['c.txt', 'd.txt'],
    );
    const refused = await send(`${base}/releases/edit/v/1`, { title: 'T', content: '', [`attachment-edit-${a.uuid}`]: 'c.exe' });
    assert.equal(refused.status, 422);
    assert.deepEqual([(await releaseOf('v/1')).name, (await releaseOf('v/1')).assets[0].name], ['', 'c.txt']);
  });

  it('goes with its release, tags by themselves', async () => {
    const page = await browser.get(`${base}/releases/edit/v/1`);
    const gone = await browser.submit(page, {}, `${base}/releases/delete`);
    assert.equal(gone.location, `${base}/releases`);
    assert.equal((await browser.get(`${base}/releases/edit/v/1`)).status, 404);
    const tags = await browser.get(`${base}/tags`);
    assert.ok(tags.text.includes('v/1') && tags.text.includes('releases/new?tag=v%2F1'));
    assert.equal(
      (await browser.send('POST', `${base}/tags/delete`, { fields: { name: 'v/1' }, headers: { origin: new URL(t.url).origin } })).location,
      `${base}/tags`,
    );
    assert.equal((await alice.get('/repos/alice/code/tags/v%2F1')).status, 404);
    for (const name of ['v/1', '-x', '../heads/main', '']) {
      const { status } = await browser.send('POST', `${base}/tags/delete`, {
        fields: { name },
        headers: { origin: new URL(t.url).origin },
      });
      assert.equal(status, 404, name);
    }
  });
});

describe('who may not write releases', () => {
  it('sees no form, and can send none', async () => {
    assert.equal((await guest.get(NEW)).status, 403);
    assert.equal((await send(NEW, { tag_name: 'x' }, [], guest)).status, 403);
    assert.equal((await send(`${base}/releases/edit/v2.1`, { title: 'x' }, [], guest)).status, 403);
    for (const [path, field] of [
      ['releases/delete', 'id'],
      ['tags/delete', 'name'],
    ] as const) {
      const { status } = await guest.send('POST', `${base}/${path}`, {
        fields: { [field]: 't/1' },
        headers: { origin: new URL(t.url).origin },
      });
      assert.equal(status, 403, path);
    }
    const list = (await guest.get(`${base}/releases`)).text + (await guest.get(`${base}/tags`)).text;
    assert.ok(!list.includes('releases/new') && !list.includes('releases/edit') && !list.includes('tags/delete'));
    assert.match((await new Browser(t.url).get(NEW)).location, /^\/user\/login/);
    await alice.must('POST', '/user/repos', { name: 'empty' });
    assert.equal((await browser.get('/alice/empty/releases/new')).status, 404);
  });
});
