// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { codeRepository } from './repository.ts';

const t = await testServer();
const alice = await t.user('alice', { keep_email_private: true });
const { noReplyDomain } = t.context.settings.users;
const day = (number: number) => `${1_704_067_200 + number * 86_400} +0000`;
const empty = await codeRepository(t, alice, 'empty', []);
const demo = await codeRepository(t, alice, 'demo', [
  { label: 'one', date: day(0), files: { 'a.txt': 'a\n', 'src/x.js': '1\n2\n3\n', '[a].txt': 'x\n' } },
  { label: 'two', date: day(1), author: `Me <1+someone@${noReplyDomain}>`, files: { 'a.txt': 'A\nB\n' } },
  {
    label: 'three',
    date: day(2),
    author: `Me <alice@${noReplyDomain}>`,
    files: { 'src/x.js': '1\n2\nthree\n', 'src/y.js': 'y\n', 'a.txt': null },
  },
  { label: 'side', branch: 'v1.0.x', from: 'two', date: day(3), files: { 'side.txt': '1\n' } },
  { label: 'moved', date: day(4), files: { 'src/y.js': null, 'src/z.js': 'y\n' } },
  { label: 'merge', merge: ['side'], date: day(5), files: { 'side.txt': '1\n' } },
]);
const list = `${demo.path}/commits`;
const messages = async (query: string) => {
  const response = await alice.get(`${list}${query}`);
  assert.equal(response.status, 200, response.text);
  return response.json.map(({ commit }: { commit: { message: string } }) => commit.message.trim()).join();
};

describe('the history', () => {
  it('is listed with the newest first, from any revision on', async () => {
    assert.equal(await messages(''), 'merge,moved,side,three,two,one');
    assert.equal(await messages('?sha=v1.0.x'), 'side,two,one');
    assert.equal(await messages(`?sha=${demo.id('two').slice(0, 7)}`), 'two,one');
    assert.equal(await messages('?not=v1.0.x'), 'merge,moved,three');
  });

  it('has all the paging headers that clients know', async () => {
    const { headers, json } = await alice.get(`${list}?limit=2&page=2`);
    const told = ['x-total-count', 'x-total', 'x-page', 'x-perpage', 'x-pagecount', 'x-hasmore'].map((name) => headers.get(name));
    assert.deepEqual(told, ['6', '6', '2', '2', '3', 'true']);
    assert.equal(json.length, 2);
    assert.match(headers.get('link') ?? '', /limit=2&page=3>; rel="next"/);
    assert.match(headers.get('access-control-expose-headers') ?? '', /^Link, X-Total-Count, X-Page/);
  });

  it('is narrowed by dates, which do not change the total', async () => {
    assert.equal(await messages('?since=2024-01-03T00:00:00Z'), 'merge,moved,side,three');
    assert.equal(await messages('?since=2024-01-02T01:00:00%2B02:00&until=2024-01-03T00:00:00Z'), 'three,two');
    assert.equal((await alice.get(`${list}?until=2024-01-01T00:00:00Z`)).headers.get('x-total'), '6');
    for (const query of ['since=yesterday', 'until=2024-01-03', 'since=1704067200']) {
      const response = await alice.get(`${list}?${query}`);
      const name = query.split('=')[0];
      assert.deepEqual([response.status, response.json.message], [422, `invalid '${name}' format, expected ISO 8601 (RFC3339)`]);
    }
  });

  it('of one path comes in pages of fifty and takes the path as it is', async () => {
    assert.equal(await messages('?path=src&limit=1'), 'moved,three,one');
    assert.equal(await messages('?path=/src//x.js'), 'three,one');
    assert.equal(await messages('?path=[a].txt'), 'one');
    for (const path of ['missing.txt', '*.txt', ':(top)a.txt', '.git/config']) {
      const response = await alice.get(`${list}?path=${encodeURIComponent(path)}`);
      assert.deepEqual([response.status, response.json.message], [404, 'FileCommitsCount'], path);
    }
  });

  it('refuses what is not there', async () => {
    const response = await alice.get(`${empty.path}/commits`);
    assert.deepEqual([response.status, response.json.message], [409, 'Git Repository is empty.']);
    for (const query of ['sha=missing', 'not=missing', 'sha=--all', 'not=--all', 'sha=main%0A--all', 'path=a.txt&sha=-n1']) {
      const { status, text } = await alice.get(`${list}?${query}`);
      assert.deepEqual([status, text], [404, 'null\n'], query);
    }
  });

  it('bounds the size of a page', async () => {
    const { headers } = await alice.get(`${list}?limit=100000000&page=100000000`);
    assert.equal(headers.get('x-perpage'), String(t.context.settings.api.maxPageSize));
  });
});

describe('a commit', () => {
  it('is found by id, abbreviation, branch and tag', async () => {
    for (const name of [demo.id('side'), demo.id('side').slice(0, 8), 'v1.0.x', 'refs%2Fheads%2Fv1.0.x']) {
      assert.equal((await alice.get(`${demo.path}/git/commits/${name}`)).json.sha, demo.id('side'), name);
    }
  });

  it('has the changes since its first parent, a renamed file as two', async () => {
    const changed = async (label: string) => {
      const { json } = await alice.get(`${demo.path}/git/commits/${demo.id(label)}`);
      return [json.files.map((file: { filename: string; status: string }) => `${file.status} ${file.filename}`).sort(), json.stats];
    };
    assert.deepEqual(await changed('three'), [
      ['added src/y.js', 'modified src/x.js', 'removed a.txt'],
      { total: 5, additions: 2, deletions: 3 },
    ]);
    assert.deepEqual(await changed('moved'), [['added src/z.js', 'removed src/y.js'], { total: 0, additions: 0, deletions: 0 }]);
    assert.deepEqual(await changed('merge'), [['added side.txt'], { total: 1, additions: 1, deletions: 0 }]);
  });

  it('leaves out what is not wanted', async () => {
    const { json } = await alice.get(`${demo.path}/git/commits/main?stat=false&files=0&verification=f`);
    assert.deepEqual([json.stats, json.files, json.commit.verification], [null, null, null]);
    const { json: whole } = await alice.get(`${demo.path}/git/commits/main?stat=&files=true`);
    assert.ok(whole.stats && whole.files);
  });

  it('names the accounts behind hidden e-mail addresses, and shows no hidden one', async () => {
    const { json: byName } = await t.anonymous.get(`${demo.path}/git/commits/${demo.id('three')}`);
    assert.equal(byName.author.login, 'alice');
    assert.ok(!JSON.stringify(byName.author).includes('alice@example.com'));
    const { json: byId } = await t.anonymous.get(`${demo.path}/git/commits/${demo.id('two')}`);
    assert.equal(byId.author.id, 1, 'the id counts, not the name');
    const { json: nobody } = await t.anonymous.get(`${demo.path}/git/commits/${demo.id('one')}`);
    assert.equal(nobody.author, null);
  });

  it('shows a signature as it is, not as verified', async () => {
    const signature = '-----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----';
    const tree = await demo.git(['rev-parse', 'main^{tree}']);
    const content = `tree ${tree}\nauthor A <a@example.com> 1700000000 +0000\ncommitter A <a@example.com> 1700000000 +0000\ngpgsig ${signature}\n\nsigned\n`;
    const oid = await demo.git(['hash-object', '-t', 'commit', '-w', '--stdin'], { input: content });
    const { json } = await alice.get(`${demo.path}/git/commits/${oid}`);
    const { verified, reason, signature: told, signer, payload } = json.commit.verification;
    assert.deepEqual([verified, reason, signer], [false, 'gpg.error.extract_sign', null]);
    assert.match(told, /^-----BEGIN PGP SIGNATURE-----\n/);
    assert.ok(payload.startsWith(`tree ${tree}\n`) && !payload.includes('gpgsig'));
  });

  it('refuses what can be no revision and what is not there', async () => {
    for (const [name, status, message] of [
      ['bad..ref', 422, 'no valid ref or sha: bad..ref'],
      ['main~1', 422, 'no valid ref or sha: main~1'],
      ['missing', 404, "commit doesn't exist: missing"],
      ['--all', 404, "commit doesn't exist: --all"],
      ['1'.repeat(64), 404, `commit doesn't exist: ${'1'.repeat(64)}`],
    ] as const) {
      const response = await alice.get(`${demo.path}/git/commits/${encodeURIComponent(name)}`);
      assert.deepEqual([response.status, response.json.message], [status, message]);
    }
  });
});

describe('diffs and patches', () => {
  it('are served as text', async () => {
    const diff = await alice.get(`${demo.path}/git/commits/${demo.id('side')}.diff`);
    assert.deepEqual([diff.status, diff.headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
    assert.match(diff.text, /^diff --git a\/side.txt b\/side.txt\nnew file mode 100644\n/);
    const patch = await alice.get(`${demo.path}/git/commits/${demo.id('two')}.patch`);
    assert.match(patch.text, /^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001\n/);
    assert.ok(!patch.text.includes('\n-- \n'), 'git’s version is not told');
    const page = await t.anonymous.get(`/${demo.path.replace('/repos', '')}/commit/${demo.id('two')}.patch`);
    assert.deepEqual([page.status, page.text], [200, patch.text]);
  });

  it('are not there for what is not a commit', async () => {
    assert.equal((await alice.get(`${demo.path}/git/commits/missing.diff`)).status, 404);
    // A dot ends the name there, and pages are those of commits alone.
    assert.equal((await alice.get(`${demo.path}/git/commits/v1.0.x.diff`)).json.message, "commit doesn't exist: v1.0.x.diff");
    for (const path of ['demo/commit/missing', 'absent/commit/missing', 'demo/commit/main', 'demo/commit/v1.0.x']) {
      const { status, text } = await alice.get(`//alice/${path}.diff`);
      assert.deepEqual([status, text], [404, 'Not found.\n']);
    }
    const { status, text } = await alice.get('//alice/demo/archive/main.rar');
    assert.deepEqual([status, text], [400, 'unknown format: main.rar\n']);
    assert.equal((await alice.get(`${demo.path}/git/commits/main.zip`)).status, 404);
    assert.equal((await alice.get(`${demo.path}/git/commits/a..b.diff`)).status, 422);
  });
});

describe('notes', () => {
  it('have the commit that wrote them', async () => {
    await demo.git(['notes', 'add', '-m', 'A note', demo.id('two')]);
    const { json } = await alice.get(`${demo.path}/git/notes/${demo.id('two')}?files=false`);
    assert.equal(json.message, 'A note\n');
    assert.deepEqual([json.commit.sha, json.commit.files], [await demo.git(['rev-parse', 'refs/notes/commits']), null]);
    assert.equal(json.commit.stats.additions, 1);
  });

  it('are refused where there are none', async () => {
    const response = await alice.get(`${demo.path}/git/notes/${demo.id('one')}`);
    assert.deepEqual([response.status, response.json.message], [404, `commit doesn't exist: ${demo.id('one')}`]);
    const shouted = await alice.get(`${demo.path}/git/notes/${demo.id('one').toUpperCase()}`);
    assert.deepEqual([shouted.status, shouted.json.message], [404, `commit doesn't exist: ${demo.id('one').toUpperCase()}`]);
    const missing = await alice.get(`${demo.path}/git/notes/missing`);
    assert.deepEqual(missing.json.errors, ['object does not exist [id: missing, rel_path: ]']);
    assert.equal((await alice.get(`${demo.path}/git/notes/bad..ref`)).status, 422);
  });
});
