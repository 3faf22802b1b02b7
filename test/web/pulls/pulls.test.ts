// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const content = (text: string) => Buffer.from(text).toString('base64');
await prepare('forge', true);
const owner = await signedIn('alice');
const reviewer = await signedIn('bob');
const PULL = '/alice/forge/pulls/1';

async function signedIn(name: string): Promise<Browser> {
  const browser = new Browser(t.url);
  await browser.signIn(name, PASSWORD);
  return browser;
}

async function prepare(name: string, isPrivate: boolean): Promise<void> {
  await alice.must('POST', '/user/repos', { name, private: isPrivate, auto_init: true, default_branch: 'main' });
  await alice.must('POST', `/repos/alice/${name}/contents/a.ts`, { content: content('const a = 1;\nconst b = 2;\n'), message: 'Add' });
  const { sha } = await alice.must('GET', `/repos/alice/${name}/contents/a.ts`);
  const changed = { content: content('const a = 1;\nconst b = "<script>";\n'), message: 'Change <b>', sha, new_branch: 'next' };
  await alice.must('PUT', `/repos/alice/${name}/contents/a.ts`, changed);
  await alice.must('PUT', `/repos/alice/${name}/collaborators/bob`, { permission: 'write' });
}

describe('pull requests', () => {
  it('are opened, listed and shown', async () => {
    // Where git leads after a push.
    assert.equal((await owner.get('/alice/forge/pulls/new/next')).location, '/alice/forge/compare/main...next');
    const page = await owner.get('/alice/forge/pulls/new?head=next');
    assert.ok(page.text.includes('value="next"'));
    // Its only commit is what it begins with.
    assert.match(page.text, /name="title"[^>]* value="Change &lt;b&gt;"/);
    const refused = await owner.submit(page, { head: 'none', title: 'Kept', base: 'main', body: '' }, '/alice/forge/pulls/new');
    assert.deepEqual([refused.status, refused.text.includes('value="Kept"')], [422, true]);
    const made = await owner.submit(page, { head: 'next', title: 'A <i>change', base: 'main', body: '**Why**' }, '/alice/forge/pulls/new');
    assert.equal(made.location, PULL);
    assert.match((await owner.get('/alice/forge/pulls')).text, /A &lt;i&gt;change/);
    const shown = await owner.get(PULL);
    assert.match(shown.text, /<strong>Why<\/strong>/);
    assert.ok(!shown.text.includes('<i>change'));
    assert.match((await owner.get(`${PULL}/commits`)).text, /Change &lt;b&gt;/);
    const files = (await owner.get(`${PULL}/files`)).text;
    assert.ok(files.includes('a.ts') && !files.includes('"<script>"'));
    // The page of the files has counted them, so the others know.
    for (const text of [files, (await owner.get(PULL)).text]) {
      assert.match(text, /Files changed\s*<span class="count">1<\/span>/);
      assert.match(text, /title="Added">\+1<\/span> <span class="minus" title="Removed">−1</);
    }
    assert.equal((await owner.get('/alice/forge/issues/1')).location, PULL);
  });

  it('are not there for strangers', async () => {
    for (const path of ['/alice/forge/pulls', '/alice/forge/pulls/new', PULL, `${PULL}/commits`, `${PULL}/files`]) {
      assert.equal((await new Browser(t.url).get(path)).status, 404, path);
    }
  });
});

describe('reviews', () => {
  it('are written with comments on lines, and their conversations resolved', async () => {
    const at = 'new:2:a.ts';
    const page = await reviewer.get(`${PULL}/files?at=${encodeURIComponent(at)}`);
    const added = await reviewer.submit(page, { type: 'pending', body: 'Why <u>this</u>?', at }, `${PULL}/files`);
    assert.deepEqual([added.status, added.location], [303, `${PULL}/files`]);
    // Nobody else sees it before the review is submitted.
    assert.ok(!(await owner.get(`${PULL}/files`)).text.includes('Why'));
    const pending = await reviewer.get(`${PULL}/files`);
    assert.match(pending.text, /1 comment waits for your review/);
    const done = await reviewer.submit(pending, { type: 'reject', body: 'Reload' }, `${PULL}/files`);
    assert.equal(done.location, PULL);
    const shown = await owner.get(PULL);
    assert.match(shown.text, /requested changes.*Reload.*Why/s);
    const [, comment = ''] = /name="do" value="resolve"><input type="hidden" name="comment" value="(\d+)"/.exec(shown.text) ?? [];
    await owner.submit(shown, { do: 'resolve', comment }, PULL);
    assert.match((await owner.get(PULL)).text, /Resolved/);
  });

  it('are refused where they say nothing, or approve what is one’s own', async () => {
    const page = await owner.get(`${PULL}/files`);
    assert.equal((await owner.submit(page, { type: 'comment', body: '' }, `${PULL}/files`)).status, 422);
    assert.match(
      (await owner.submit(page, { type: 'approve', body: 'Fine' }, `${PULL}/files`)).text,
      /cannot approve or reject your own pull request/,
    );
    assert.equal((await new Browser(t.url).send('POST', `${PULL}/files`, { fields: { type: 'comment', body: 'x' } })).status, 403);
  });
});

describe('merging', () => {
  it('is refused for a draft, and done with the chosen style', async () => {
    await owner.submit(await owner.get(PULL), { do: 'draft' }, PULL);
    assert.match((await owner.get(PULL)).text, /This is a draft/);
    await owner.submit(await owner.get(PULL), { do: 'ready' }, PULL);
    await t.settled();
    const page = await owner.get(PULL);
    assert.match(page.text, /can be merged without conflicts/);
    const [, head = ''] = /name="head" value="([0-9a-f]+)"/.exec(page.text) ?? [];
    const stale = await owner.submit(page, { do: 'merge', style: 'squash', head: '0'.repeat(40) }, PULL);
    assert.ok(stale.status >= 400, String(stale.status));
    const merged = await owner.submit(
      page,
      { do: 'merge', style: 'squash', head, merge_title: 'Squashed', merge_body: '', delete_branch: 'on' },
      PULL,
    );
    assert.equal(merged.location, PULL, merged.text);
    assert.match((await owner.get(PULL)).text, /This pull request is merged/);
    const [last] = await alice.must('GET', '/repos/alice/forge/commits?limit=1');
    assert.match(last.commit.message, /^Squashed/);
    assert.equal((await bob.get('/repos/alice/forge/branches/next')).status, 404);
  });
});
