// On SQLite alone: what the pages ask of the database, the tests of the API ask of both.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const create = (path: string, content: string | Buffer) => ({ operation: 'create', path, content: encoded(content) });
await alice.must('POST', '/repos/alice/code/contents', {
  message: 'Begin',
  files: [
    create('a.txt', 'one\r\ntwo\r\n'),
    create('docs/b.md', '# Title\n'),
    create('docs/deep/c.txt', 'c\n'),
    create('big.bin', Buffer.from([0, 1, 2])),
    create('latin.txt', Buffer.from('caf\xe9', 'latin1')),
    create('lfs.png', `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1\n`),
    create('.editorconfig', '[*.py]\nindent_style = tab\nindent_size = 8\n'),
  ],
});
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);

const base = '/alice/code';
const DIRECT = { commit_choice: 'direct', commit_summary: '', commit_message: '', new_branch_name: '' };
/** What a file of a branch holds; undefined when there is none. */
async function textOf(path: string, ref = 'main', repository = 'alice/code'): Promise<string | undefined> {
  const { status, json } = await alice.get(`/repos/${repository}/contents/${path}?ref=${ref}`);
  return status === 200 ? Buffer.from(String(json.content), 'base64').toString() : undefined;
}
/** Opens a form and sends it filled in. */
async function send(address: string, fields: Record<string, string>): Promise<PageResponse> {
  const page = await browser.get(`${base}/${address}`);
  assert.equal(page.status, 200, page.text);
  return browser.submit(page, { ...DIRECT, ...fields }, `${base}/${address}`);
}

describe('the form of a new file', () => {
  it('commits it, with its folders, and leads to it', async () => {
    const made = await send('_new/main/', {
      tree_path: 'src/new dir/x.ts',
      content: 'a\r\nb\r\n',
      commit_summary: 'Say  <b>hello</b>',
      commit_message: 'Because.\r\nYes.',
      signoff: 'on',
    });
    assert.deepEqual([made.status, made.location], [303, '/alice/code/src/branch/main/src/new%20dir/x.ts']);
    assert.equal(await textOf('src/new%20dir/x.ts'), 'a\nb\n');
    const [{ commit }] = (await alice.get('/repos/alice/code/commits?limit=1')).json;
    assert.match(commit.message, /^Say <b>hello<\/b>\n\nBecause\.\nYes\.\n\nSigned-off-by: alice </);
  });

  it('takes its name and content from the address', async () => {
    const named = await browser.get(`${base}/_new/main/docs?filename=d.py&value=x`);
    assert.equal(named.location, `${base}/_new/main/docs/d.py?value=x`);
    const { text } = await browser.get(named.location);
    assert.match(text, /name="tree_path"[^>]* value="docs\/d\.py"/);
    assert.match(text, /data-indent="tab" data-size="8"[^>]*>\nx<\/textarea>/);
    assert.match((await browser.get(`${base}/_new/main/docs`)).text, /value="docs\/"/);
  });

  it('refuses paths that no file has, and keeps what was typed', async () => {
    for (const path of ['.git/config', 'a/.GIT/x', '../../.git/hooks/x', 'x'.repeat(300), '', '/', 'docs/', 'a\tb']) {
      const { status, text } = await send('_new/main/', { tree_path: path, content: '<img src=x onerror=alert(1)>' });
      assert.deepEqual([status, /This is not a valid path/.test(text)], [422, true], path);
      assert.match(text, /&lt;img src=x onerror=alert\(1\)&gt;<\/textarea>/);
    }
    assert.match((await send('_new/main/', { tree_path: 'a.txt', content: '' })).text, /a\.txt already exists/);
    const escaped = await send('_new/main/', { tree_path: '.git/"><img src=x onerror=alert(1)>', content: '' });
    assert.ok(escaped.status === 422 && !escaped.text.includes('<img src=x'));
  });

  it('takes names that only look like something else', async () => {
    assert.equal((await send('_new/main/', { tree_path: '-x', content: 'x' })).status, 303);
    assert.equal((await send('_new/main/', { tree_path: '../up.txt', content: 'x' })).location, `${base}/src/branch/main/up.txt`);
    assert.equal(await textOf('-x'), 'x');
  });

  it('begins an empty repository', async () => {
    await alice.must('POST', '/user/repos', { name: 'empty', default_branch: 'main' });
    assert.match((await browser.get('/alice/empty')).text, /href="\/alice\/empty\/_new\/main\/"/);
    const page = await browser.get('/alice/empty/_new/main/');
    const made = await browser.submit(page, { tree_path: 'README.md', content: '# Hi' }, '/alice/empty/_new/main/');
    assert.equal(made.location, '/alice/empty/src/branch/main/README.md');
    assert.equal(await textOf('README.md', 'main', 'alice/empty'), '# Hi');
  });
});

describe('the form of a file', () => {
  it('changes and moves it, and keeps its line ends', async () => {
    const moved = await send('_edit/main/a.txt', { tree_path: 'b/a.txt', content: 'one\r\nthree\r\n' });
    assert.equal(moved.location, `${base}/src/branch/main/b/a.txt`);
    assert.equal(await textOf('b/a.txt'), 'one\r\nthree\r\n');
    assert.equal(await textOf('a.txt'), undefined);
    assert.match((await send('_edit/main/b/a.txt', { tree_path: 'b/a.txt', content: 'one\nthree\n' })).text, /Nothing was changed/);
  });

  it('shows what it would change, as it will look', async () => {
    const { status, text } = await send('_edit/main/docs/b.md', { tree_path: 'docs/b.md', content: '# <i>New</i>\n', preview: '1' });
    assert.equal(status, 200);
    assert.match(text, /<h1[^>]*>.*New/s);
    assert.match(text, /<tr class="removed">.*Title/);
    assert.match(text, /&lt;i&gt;New&lt;\/i&gt;\n<\/textarea>/);
    assert.equal(await textOf('docs/b.md'), '# Title\n');
  });

  it('loses no change that somebody else has made meanwhile', async () => {
    const page = await browser.get(`${base}/_edit/main/docs/b.md`);
    const { sha } = (await alice.get('/repos/alice/code/contents/docs/b.md')).json;
    await alice.must('PUT', '/repos/alice/code/contents/docs/b.md', { sha, content: encoded('# Other\n') });
    const mine = { ...DIRECT, tree_path: 'docs/b.md', content: '# Mine\n' };
    const again = await browser.submit(page, mine, `${base}/_edit/main/docs/b.md`);
    assert.equal(again.status, 422);
    assert.match(again.text, /has changed since you started editing/);
    assert.match(again.text, /compare\/[0-9a-f]{40}\.\.\.main/);
    assert.match(again.text, /# Mine\n<\/textarea>/);
    assert.equal(await textOf('docs/b.md'), '# Other\n');
    assert.equal((await browser.submit(again, mine, `${base}/_edit/main/docs/b.md`)).status, 303);
    assert.equal(await textOf('docs/b.md'), '# Mine\n');
  });

  it('says that the file is gone', async () => {
    await send('_new/main/', { tree_path: 'gone.txt', content: 'x' });
    const page = await browser.get(`${base}/_edit/main/gone.txt`);
    await send('_delete/main/gone.txt', {});
    const { status, text } = await browser.submit(
      page,
      { ...DIRECT, tree_path: 'gone.txt', content: 'typed' },
      `${base}/_edit/main/gone.txt`,
    );
    assert.equal(status, 422);
    assert.match(text, /no longer exists[\s\S]*typed<\/textarea>/);
  });

  it('only moves what is not a text', async () => {
    for (const [path, reason] of [
      ['big.bin', 'is binary'],
      ['latin.txt', 'Windows-1252'],
      ['lfs.png', 'Git LFS'],
    ] as const) {
      const { text } = await browser.get(`${base}/_edit/main/${path}`);
      assert.ok(text.includes(reason) && !text.includes('name="content"'), path);
    }
    assert.equal((await send('_edit/main/big.bin', { tree_path: 'bin/big.bin', content: 'text' })).status, 303);
    assert.equal(await textOf('bin/big.bin'), '\0\x01\x02');
    for (const path of ['docs', 'none.txt', '']) assert.equal((await browser.get(`${base}/_edit/main/${path}`)).status, 404, path);
  });

  it('commits to a new branch, and leads to where a pull request is opened', async () => {
    const fields = { tree_path: 'docs/b.md', content: '# Branch\n', commit_choice: 'commit-to-new-branch', new_branch_name: 'topic/1' };
    assert.equal((await send('_edit/main/docs/b.md', fields)).location, `${base}/compare/main...topic/1`);
    assert.equal(await textOf('docs/b.md', 'topic/1'), '# Branch\n');
    for (const [name, message] of [
      ['topic/1', /A branch named topic\/1 already exists/],
      ['-x', /This is not a valid branch name/],
      ['a..b', /This is not a valid branch name/],
      ['', /This is not a valid branch name/],
    ] as const) {
      const { status, text } = await send('_edit/main/docs/b.md', { ...fields, new_branch_name: name });
      assert.deepEqual([status, message.test(text)], [422, true], name);
    }
  });

  it('takes one of the addresses of its author', async () => {
    const foreign = await send('_new/main/', { tree_path: 'mail.txt', content: '', commit_email: 'bob@example.com' });
    assert.match(foreign.text, /not one of your e-mail addresses/);
    const hidden = /<option value="([^"]*noreply[^"]*)"/.exec((await browser.get(`${base}/_new/main/`)).text)?.[1] ?? '';
    assert.equal((await send('_new/main/', { tree_path: 'mail.txt', content: '', commit_email: hidden })).status, 303);
    const [{ commit }] = (await alice.get('/repos/alice/code/commits?limit=1')).json;
    assert.deepEqual([commit.author.email, commit.committer.email], [hidden, hidden]);
  });

  it('goes back where it was opened, and nowhere else', async () => {
    for (const [wished, to] of [
      ['/alice/code/pulls?x=1', '/alice/code/pulls?x=1'],
      ['//evil.example/x', '/'],
    ] as const) {
      const address = `_edit/main/docs/b.md?return_uri=${encodeURIComponent(wished)}`;
      const { location } = await send(address, { tree_path: 'docs/b.md', content: `# ${wished}\n` });
      assert.equal(location, to);
    }
  });
});

describe('the form that deletes', () => {
  it('removes a file, or a folder with what is in it, if nobody has changed it', async () => {
    const stale = await browser.get(`${base}/_delete/main/docs`);
    assert.match(stale.text, /docs\/deep\/c\.txt/);
    await send('_new/main/', { tree_path: 'docs/deep/new.txt', content: 'x' });
    const refused = await browser.submit(stale, DIRECT, `${base}/_delete/main/docs`);
    assert.deepEqual([refused.status, /nothing was deleted/.test(refused.text)], [422, true]);
    assert.equal((await send('_delete/main/docs/deep/c.txt', {})).location, `${base}/src/branch/main/docs/deep`);
    assert.equal((await send('_delete/main/docs', {})).location, `${base}/src/branch/main`);
    assert.equal(await textOf('docs/deep/new.txt'), undefined);
    for (const path of ['docs', '']) assert.equal((await browser.get(`${base}/_delete/main/${path}`)).status, 404, path);
  });
});
