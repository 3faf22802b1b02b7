import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser, type PageResponse } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

// On SQLite alone: the tests of the API run the queries of commits on both databases.

const t = await testServer({ fileUploads: { maxFiles: 2, maxSize: 100, allowedTypes: ['.txt', '.md'] } });
const alice = await t.user('alice');
const encoded = (text: string) => Buffer.from(text).toString('base64');
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const base = '/alice/code';

async function textOf(path: string, ref = 'main'): Promise<string | undefined> {
  const { status, json } = await alice.get(`/repos/alice/code/contents/${path}?ref=${ref}`);
  return status === 200 ? Buffer.from(String(json.content), 'base64').toString() : undefined;
}
async function put(path: string, content: string, more: object = {}): Promise<string> {
  const { json } = await alice.get(`/repos/alice/code/contents/${path}`);
  const sha = json?.sha ? { sha: json.sha } : {};
  const { commit } = await alice.must('PUT', `/repos/alice/code/contents/${path}`, { content: encoded(content), ...sha, ...more });
  return String(commit.sha);
}

/** Sends files as a browser does. */
async function upload(files: readonly (readonly [string, string])[], fields: Record<string, string> = {}, address = '_upload/main/') {
  const { text } = await browser.get(`${base}/${address}`);
  const form = new FormData();
  const hidden = [...text.matchAll(/<input type="hidden" name="(last_commit)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]);
  const all = { ...Object.fromEntries(hidden), commit_choice: 'direct', tree_path: '', ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, String(value));
  for (const [name, content] of files) form.append('files', new Blob([content]), name);
  const response = await fetch(new URL(`${base}/${address}`, t.url), {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { origin: new URL(t.url).origin, cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') },
  });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') ?? '' };
}

describe('uploading files', () => {
  it('commits all of them into a folder', async () => {
    const files = [
      ['a.txt', 'A'],
      ['b.md', 'B'],
    ] as const;
    const { status, location } = await upload(files, { tree_path: 'up/new' });
    assert.deepEqual([status, location], [303, '/alice/code/src/branch/main/up/new']);
    assert.deepEqual([await textOf('up/new/a.txt'), await textOf('up/new/b.md')], ['A', 'B']);
    assert.equal((await upload([['a.txt', 'again']], { tree_path: '/up/new/' })).status, 303);
    assert.equal(await textOf('up/new/a.txt'), 'again');
  });

  it('keeps names within the folder, and out of .git', async () => {
    assert.equal((await upload([['../../out.txt', 'x']], { tree_path: 'up' })).status, 303);
    assert.equal(await textOf('up/out.txt'), 'x');
    assert.equal((await upload([['-x.txt', 'x']])).status, 303);
    assert.equal((await upload([['..\\..\\.git\\config.txt', 'x']])).status, 303);
    assert.equal(await textOf('config.txt'), 'x');
    for (const folder of ['.git', 'a/.git/hooks', '.GIT'])
      assert.equal((await upload([['x.txt', 'x']], { tree_path: folder })).status, 422, folder);
    assert.equal((await upload([['.git', 'x']])).status, 422);
    const { status, text } = await upload([['<img src=x onerror=alert(1)>.exe', 'x']], { tree_path: '"><img src=x onerror=alert(1)>' });
    assert.ok(status === 422 && !text.includes('<img src=x'));
  });

  it('refuses what is too large, too much or of another type', async () => {
    const one = ['x.txt', 'x'] as const;
    for (const [files, message] of [
      [[['big.txt', 'x'.repeat(101)]], /A file can have at most 100 B/],
      [[one, one, one], /At most 2 files/],
      [[['x.exe', 'x']], /forbidden file extension/],
      [[['', '']], /No file was chosen/],
      [[], /No file was chosen/],
    ] as const) {
      const { status, text } = await upload(files);
      assert.deepEqual([status, message.test(text)], [422, true], text);
    }
  });

  it('does not replace what somebody else has changed meanwhile', async () => {
    const { commit } = await alice.must('GET', '/repos/alice/code/branches/main');
    await put('up/out.txt', 'theirs');
    const { status } = await upload([['out.txt', 'mine']], { tree_path: 'up', last_commit: String(commit.id) });
    assert.deepEqual([status, await textOf('up/out.txt')], [422, 'theirs']);
    assert.equal((await upload([['y.txt', 'y']], { last_commit: String(commit.id) })).status, 303);
    assert.equal((await upload([['y.txt', 'y']], { last_commit: '-x' })).status, 422);
  });
});

async function send(address: string, fields: Record<string, string>): Promise<PageResponse> {
  const page = await browser.get(`${base}/${address}`);
  assert.equal(page.status, 200, page.text);
  return browser.submit(page, { commit_choice: 'direct', ...fields }, `${base}/${address}`);
}

describe('a patch', () => {
  const patch = 'diff --git a/p.txt b/p.txt\nnew file mode 100644\n--- /dev/null\n+++ b/p.txt\n@@ -0,0 +1 @@\n+patched\n';

  it('becomes a commit', async () => {
    const { status, location } = await send('_diffpatch/main/', { content: patch.replaceAll('\n', '\r\n'), commit_summary: 'Patch' });
    assert.deepEqual([status, location], [303, '/alice/code/src/branch/main']);
    assert.equal(await textOf('p.txt'), 'patched\n');
  });

  it('that does not fit is shown again', async () => {
    for (const content of [patch.replace('+patched', '+other'), 'no <img src=x onerror=alert(1)> patch', '']) {
      const { status, text } = await send('_diffpatch/main/', { content });
      assert.ok(status === 422 && /class="fault"/.test(text) && !text.includes('<img src=x'), content);
    }
    const outside = patch.replaceAll('p.txt', '../out.txt');
    assert.equal((await send('_diffpatch/main/', { content: outside })).status, 422);
    assert.equal((await send('_diffpatch/main/', { content: patch.replaceAll('p.txt', '.git/config') })).status, 422);
  });
});

describe('a commit', () => {
  it('is brought to another branch, under the name of its author', async () => {
    await alice.must('POST', '/repos/alice/code/branches', { new_branch_name: 'stable' });
    const author = { name: 'Ann <b>', email: 'ann@example.com' };
    const sha = await put('picked.txt', 'picked', { message: 'Pick <i>me</i>\n\nIt is good.', author });
    const page = await browser.get(`${base}/commit/${sha}`);
    assert.ok(page.text.includes(`/_cherrypick/${sha}/main/?cherry-pick-type=revert"`));
    const form = await browser.get(`${base}/_cherrypick/${sha}/stable/`);
    assert.match(form.text, /value="Pick &lt;i&gt;me&lt;\/i&gt;"/);
    assert.ok(form.text.includes(`href="${base}/_cherrypick/${sha}/main/"`));
    assert.equal((await send(`_cherrypick/${sha}/stable/`, { commit_summary: 'Picked' })).location, `${base}/src/branch/stable`);
    assert.equal(await textOf('picked.txt', 'stable'), 'picked');
    const [{ commit }] = (await alice.get('/repos/alice/code/commits?sha=stable&limit=1')).json;
    assert.deepEqual([commit.message.trim(), commit.author.email, commit.committer.name], ['Picked', 'ann@example.com', 'alice']);
    const twice = await send(`_cherrypick/${sha}/stable/`, {});
    assert.deepEqual([twice.status, /has these changes already/.test(twice.text)], [422, true]);
  });

  it('is taken back, unless that does not go together with what came after', async () => {
    const sha = await put('r.txt', 'one\n');
    const next = await put('r.txt', 'two\n');
    const last = await put('r.txt', 'three\n');
    const revert = (commit: string) => send(`_cherrypick/${commit}/main/?cherry-pick-type=revert`, {});
    const conflict = await revert(next);
    assert.deepEqual([conflict.status, /conflicts in r\.txt/.test(conflict.text)], [422, true]);
    assert.equal((await revert(last)).status, 303);
    assert.equal(await textOf('r.txt'), 'two\n');
    const [{ commit }] = (await alice.get('/repos/alice/code/commits?limit=1')).json;
    assert.match(commit.message, new RegExp(`This reverts commit ${last}\\.`));
    assert.equal(
      (await send(`_cherrypick/${next}/main/?revert=true`, { commit_choice: 'commit-to-new-branch', new_branch_name: 'undo' })).location,
      `${base}/compare/main...undo`,
    );
    assert.equal((await browser.get(`${base}/_cherrypick/${'0'.repeat(40)}/main/`)).status, 404);
    assert.equal((await browser.get(`${base}/_cherrypick/${sha}/none/`)).status, 404);
  });

  it('of a first commit goes, too, and asks for protected files', async () => {
    const { json } = await alice.get('/repos/alice/code/commits?sha=main&limit=50');
    const first = String(json.at(-1).sha);
    const rule = { rule_name: 'main', enable_push: true, protected_file_patterns: 'README.md' };
    await alice.must('POST', '/repos/alice/code/branch_protections', rule);
    const refused = await send(`_cherrypick/${first}/main/?revert=true`, {});
    assert.deepEqual([refused.status, /README\.md/.test(refused.text)], [422, true]);
    await alice.must('DELETE', '/repos/alice/code/branch_protections/main');
    assert.equal((await send(`_cherrypick/${first}/main/?revert=true`, {})).status, 303);
    assert.equal(await textOf('README.md'), undefined);
  });
});

describe('the editor', () => {
  it('is made of modules that never change at their address, and of nothing else', async () => {
    const { text, headers } = await browser.get(`${base}/_new/main/`);
    const [, nonce, map = ''] = /<script type="importmap" nonce="([^"]*)">(.*?)<\/script>/.exec(text) ?? [];
    assert.ok(headers.get('content-security-policy')?.includes(`script-src 'nonce-${nonce}'`));
    const { imports } = JSON.parse(map) as { imports: Record<string, string> };
    for (const name of ['@codemirror/view', '@codemirror/state', 'style-mod', '@lezer/common']) {
      const { status, headers } = await browser.get(imports[name] ?? '');
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/javascript; charset=utf-8'], name);
      assert.match(headers.get('cache-control') ?? '', /immutable/);
    }
    const modes = imports['@codemirror/legacy-modes/mode/'] ?? '';
    for (const mode of ['shell', 'simple-mode.js']) assert.equal((await browser.get(modes + mode)).status, 200, mode);
    const folder = (imports['@codemirror/view'] ?? '').split('@')[0] ?? '';
    for (const path of ['../shell', '..%2fpackage.json', '%2e%2e/package.json', 'none'])
      assert.equal((await browser.get(modes + path)).status, 404, path);
    for (const path of ['@codemirror/view/package.json', 'pino/pino.js', '@codemirror/view/dist/../package.json', '']) {
      assert.equal((await browser.get(folder + path)).status, 404, path);
    }
    assert.equal((await browser.get(folder.replace(/assets\/\w+/, 'assets/0123456789abcdef'))).status, 404);
    assert.ok(!(await browser.get(base)).text.includes('importmap'));
  });
});
