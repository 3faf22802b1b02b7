import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runGit } from '../../src/git/process.ts';
import { storedRef } from '../../src/git/stored-refs.ts';
import { testServer } from '../support/server.ts';
import { onServer, workTree } from '../transport/work-tree.ts';

const t = await testServer();
const alice = await t.user('alice');
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A repository of alice's that begins with a README on main. */
async function repository(name: string, fields: Record<string, unknown> = {}) {
  await alice.must('POST', '/user/repos', { name, auto_init: true, readme: 'Default', default_branch: 'main', ...fields });
  const { row, folder } = await onServer(t, 'alice', name);
  const at = (ref: string) => storedRef(folder, ref);
  const git = async (...args: string[]) => (await runGit(args, { cwd: folder.path })).stdout.toString().trim();
  return {
    path: `/repos/alice/${name}`,
    row,
    folder,
    at,
    git,
    sound: async () => assert.equal(await git('fsck', '--strict', '--no-dangling'), ''),
  };
}

async function moves() {
  return await t.context.db.selectFrom('ref_moves').selectAll().execute();
}

describe('a file that git refuses to receive', () => {
  const bad = '[submodule "a"]\n\tpath = a\n\turl = -u./payload\n';
  const message = 'disallowed submodule url: -u./payload [path: .gitmodules]';

  it('is refused with its name, in one file, in several and in a patch', async () => {
    const { path, at, sound } = await repository('harmful');
    const before = at('refs/heads/main');
    const files = [
      { operation: 'create', path: 'a.txt', content: base64('a') },
      { operation: 'create', path: '.gitmodules', content: base64(bad) },
    ];
    const content = `diff --git a/.gitmodules b/.gitmodules\nnew file mode 100644\n--- /dev/null\n+++ b/.gitmodules\n@@ -0,0 +1,3 @@\n${bad.replace(/^(?=.)/gm, '+')}`;
    for (const answer of [
      await alice.post(`${path}/contents/.gitmodules`, { content: base64(bad) }),
      await alice.post(`${path}/contents`, { files }),
      await alice.post(`${path}/contents`, { files, new_branch: 'other' }),
      await alice.post(`${path}/diffpatch`, { content }),
    ])
      assert.deepEqual([answer.status, answer.json.message], [422, message]);
    assert.equal(at('refs/heads/main'), before);
    assert.equal(at('refs/heads/other'), undefined);
    assert.deepEqual(await moves(), []);
    await sound();
  });

  it('is refused when the merge of a pull request would make it', async () => {
    const { path, at } = await repository('harmful-merge');
    const lines = Array.from({ length: 30 }, (_, i) => `# line ${i}\n`).join('');
    const { content } = await alice.must('POST', `${path}/contents/notes`, { content: base64(lines) });
    await alice.must('PUT', `${path}/contents/notes`, { content: base64(lines + bad), sha: content.sha, new_branch: 'topic' });
    await alice.must('POST', `${path}/contents`, { files: [{ operation: 'rename', path: '.gitmodules', from_path: 'notes' }] });
    const before = at('refs/heads/main');
    await alice.must('POST', `${path}/pulls`, { title: 'x', base: 'main', head: 'topic' });
    for (const style of ['merge', 'squash', 'rebase']) {
      const { status, json } = await alice.post(`${path}/pulls/1/merge`, { Do: style });
      assert.deepEqual([status, json.message], [422, message], style);
    }
    assert.equal((await alice.post(`${path}/pulls/1/update`)).json.message, message);
    assert.equal(at('refs/heads/main'), before);
    assert.deepEqual(await t.context.db.selectFrom('pull_merges').selectAll().execute(), []);
  });
});

describe('changing files', () => {
  for (const format of ['sha1', 'sha256']) {
    it(`makes, changes, moves and removes them in a ${format} repository`, async () => {
      const { path, git, at, sound } = await repository(`files-${format}`, { object_format_name: format });
      const made = await alice.must('POST', `${path}/contents/a/b.txt`, { content: base64('one') });
      assert.equal(made.commit.sha, at('refs/heads/main'));
      const changed = await alice.must('PUT', `${path}/contents/a/b.txt`, { content: base64('two'), sha: made.content.sha });
      const moved = await alice.must('PUT', `${path}/contents/c.txt`, {
        content: base64('two'),
        sha: changed.content.sha,
        from_path: 'a/b.txt',
      });
      assert.equal(await git('ls-tree', '-r', '--name-only', 'main'), 'README.md\nc.txt');
      await alice.must('DELETE', `${path}/contents/c.txt`, { sha: moved.content.sha });
      assert.equal(await git('ls-tree', '-r', '--name-only', 'main'), 'README.md');
      await sound();
    });
  }

  it('of an empty repository begins the branch that is named, which becomes the default one', async () => {
    const { path, folder } = await repository('empty', { auto_init: false });
    assert.equal((await alice.delete(`${path}/contents/a.txt`, { sha: '0'.repeat(40) })).status, 404);
    const file = { content: base64('a'), sha: '0'.repeat(40), branch: 'trunk' };
    assert.equal((await alice.put(`${path}/contents/a.txt`, file)).status, 200);
    const { empty, default_branch } = await alice.must('GET', path);
    assert.deepEqual([empty, default_branch], [false, 'trunk']);
    assert.equal((await runGit(['symbolic-ref', 'HEAD'], { cwd: folder.path })).stdout.toString(), 'refs/heads/trunk\n');
  });

  it('makes a file where another one makes room for it', async () => {
    const { path, git } = await repository('room');
    await alice.must('PUT', `${path}/contents/NEW.md`, { content: base64('new'), from_path: 'README.md', message: '  ' });
    assert.equal(await git('ls-tree', '-r', '--name-only', 'main'), 'NEW.md');
    assert.equal(await git('log', '-1', '--format=%B', 'main'), '');
  });

  it('refuses a new branch that does not go with another one, as git would', async () => {
    const { path } = await repository('beside');
    await alice.must('POST', `${path}/contents/a.txt`, { content: base64('a'), new_branch: 'a/b/c' });
    const { status, json } = await alice.post(`${path}/contents/b.txt`, { content: base64('a'), new_branch: 'a/b' });
    const told = "cannot lock ref 'refs/heads/a/b': 'refs/heads/a/b/c' exists; cannot create 'refs/heads/a/b'";
    assert.deepEqual([status, json.message], [403, told]);
    assert.equal((await alice.post(`${path}/contents/b.txt`, { content: base64('a'), branch: 'HEAD' })).status, 404);
    assert.equal((await alice.post(`${path}/contents`, { files: [null] })).status, 422);
  });

  it('tells the event, and leaves no announcement behind, made or refused', async () => {
    const { path, row, at } = await repository('events');
    const seen: unknown[] = [];
    t.context.events.within('refs.changed', async ({ repositoryId, updates }) => {
      if (repositoryId === row.id) seen.push(...updates);
    });
    const before = at('refs/heads/main');
    await alice.must('POST', `${path}/contents/a.txt`, { content: base64('a') });
    assert.equal((await alice.post(`${path}/contents/a.txt`, { content: base64('b') })).status, 422);
    assert.deepEqual(seen, [{ ref: 'refs/heads/main', oldId: before, newId: at('refs/heads/main') }]);
    assert.deepEqual(await moves(), []);
  });

  it('tells where contents stop to be base64', async () => {
    const { path } = await repository('base64');
    for (const [content, byte] of [
      ['YQ', 0],
      ['YW\n', 1],
      ['YQ=', 3],
      ['YQ=x', 2],
      ['YQ==YQ==', 4],
      ['YWI=x', 4],
      ['Y===', 1],
      ['=', 0],
      ['YWJj ZGVm', 4],
    ] as const)
      assert.equal(
        (await alice.post(`${path}/contents/a`, { content })).json.message,
        `illegal base64 data at input byte ${byte}`,
        content,
      );
    for (const [name, content] of Object.entries({ a: 'YQ==\n', b: 'YQ=\r\n=', c: 'YW\nJj', d: '' }))
      assert.equal((await alice.post(`${path}//contents//${name}`, { content })).status, 201, content);
  });

  it('refuses contents that are no base64, dates that are none, and people that git cannot name', async () => {
    const { path, at } = await repository('refused');
    const before = at('refs/heads/main');
    const objects = await readdir(join((await onServer(t, 'alice', 'refused')).folder.path, 'objects'));
    for (const body of [
      { content: 'a' },
      { content: 'a=b=' },
      { content: 'ä' },
      { content: '', dates: { author: 'yesterday' } },
      { content: '', dates: { author: '0000-01-01T00:00:00Z' } },
      { content: '', author: { name: '<>' } },
      { content: '', branch: '-x' },
      { content: '', new_branch: 'a..b' },
      { content: '', message: 'with \0 in it' },
    ]) {
      const { status } = await alice.post(`${path}/contents/a.txt`, body);
      assert.ok(status === 422 || status === 404, `${JSON.stringify(body)}: ${status}`);
    }
    for (const file of ['.git/config', 'a/.GIT/x', '..', '%2e%2e%2f%2e%2e%2fetc%2fpasswd%00', 'x'.repeat(300)]) {
      const { status } = await alice.post(`${path}/contents/${file}`, { content: '' });
      assert.ok(status >= 400 && status < 500, `${file}: ${status}`);
    }
    assert.equal((await alice.post(`${path}/contents`, { files: [{ operation: 'chmod', path: 'README.md' }] })).status, 422);
    assert.equal((await alice.post(`${path}/contents`, { files: [{ operation: 'update', path: 'a', content: '*' }] })).status, 422);
    assert.equal(at('refs/heads/main'), before);
    assert.deepEqual(await readdir(join((await onServer(t, 'alice', 'refused')).folder.path, 'objects')), objects);
  });

  it('of many at once, each is there or refused', async () => {
    const { path, git, sound, at } = await repository('crowd');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => alice.post(`${path}/contents/file-${n}.txt`, { content: base64(String(n)) })),
    );
    const made = answers.filter(({ status }) => status === 201).length;
    assert.ok(
      answers.every(({ status }) => status === 201 || status === 409),
      JSON.stringify(answers.map(({ status }) => status)),
    );
    assert.equal((await git('ls-tree', '--name-only', 'main')).split('\n').length, made + 1);
    assert.equal(await git('rev-list', '--count', 'main'), String(made + 1));
    assert.ok(made >= 20);
    const sha = (await alice.must('GET', `${path}/contents/README.md`)).sha;
    const same = await Promise.all(
      Array.from({ length: 5 }, (_, n) => alice.put(`${path}/contents/README.md`, { content: base64(`${n}`), sha })),
    );
    assert.equal(same.filter(({ status }) => status === 200).length, 1);
    assert.ok(at('refs/heads/main'));
    await sound();
    assert.deepEqual(await moves(), []);
  });

  it('a patch that does not fit changes nothing', async () => {
    const { path, at } = await repository('patch');
    const before = at('refs/heads/main');
    for (const content of ['', 'no patch', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n']) {
      assert.equal((await alice.post(`${path}/diffpatch`, { content })).status, 422, content);
    }
    const out = 'diff --git a/../../x b/../../x\nnew file mode 100644\n--- /dev/null\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n';
    assert.equal((await alice.post(`${path}/diffpatch`, { content: out })).status, 422);
    assert.equal(at('refs/heads/main'), before);
    await alice.must('POST', `${path}/branches`, { new_branch_name: 'there' });
    const content = 'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n';
    assert.equal((await alice.post(`${path}/diffpatch`, { content, new_branch: 'there', force_push: true })).status, 422);
    assert.deepEqual(await moves(), []);
  });
});

describe('changing branches', () => {
  it('keeps the count, HEAD and the rules with them', async () => {
    const { path, git } = await repository('branches');
    await alice.must('POST', `${path}/branches`, { new_branch_name: 'one' });
    await alice.must('POST', `${path}/branches`, { new_branch_name: 'two/x', old_ref_name: 'one' });
    await alice.must('DELETE', `${path}/branches/one`);
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main', enable_push: true });
    await alice.must('PATCH', `${path}/branches/main`, { name: 'trunk' });
    const { row } = await onServer(t, 'alice', 'branches');
    assert.deepEqual([row.branches_count, row.default_branch], [2, 'trunk']);
    assert.equal(await git('symbolic-ref', 'HEAD'), 'refs/heads/trunk');
    assert.equal((await alice.must('GET', `${path}/branch_protections`))[0].rule_name, 'trunk');
    assert.deepEqual(await moves(), []);
  });

  it('takes no names and revisions that mean something else to git', async () => {
    const { path, git } = await repository('names');
    for (const name of ['-x', '--force', 'HEAD', 'a..b', 'a@{1}', 'a b', '.a', 'a.lock', 'a/', '/a', 'a\nb', 'a~1', 'a:b', 'a\\b']) {
      const { status } = await alice.post(`${path}/branches`, { new_branch_name: name });
      assert.equal(status, 422, name);
      assert.equal((await alice.patch(`${path}/branches/main`, { name })).status, 422, name);
      assert.equal((await alice.post(`${path}/tags`, { tag_name: name })).status, name === 'HEAD' ? 201 : 422, name);
    }
    for (const ref of ['--all', '-n1', 'main..main', ':/x', 'main:README.md', '@{u}', 'main^{/x}', '$(touch x)']) {
      const moved = await alice.put(`${path}/branches/main`, { new_commit_id: ref });
      assert.equal(moved.status, 404, ref);
      assert.equal((await alice.post(`${path}/tags`, { tag_name: 'x', target: ref })).status, 404, ref);
      const { status } = await alice.post(`${path}/branches`, { new_branch_name: 'y', old_ref_name: ref });
      assert.ok(status === 404 || status === 422, `${ref}: ${status}`);
    }
    assert.equal(await git('for-each-ref', '--format=%(refname)', 'refs/heads'), 'refs/heads/main');
  });

  it('of many that make the same one, one wins', async () => {
    const { path } = await repository('same');
    const answers = await Promise.all(Array.from({ length: 10 }, () => alice.post(`${path}/branches`, { new_branch_name: 'new' })));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)]);
    assert.equal((await onServer(t, 'alice', 'same')).row.branches_count, 2);
  });

  it('moves none that somebody else has moved', async () => {
    const { path, at } = await repository('stale');
    const first = at('refs/heads/main');
    await alice.must('POST', `${path}/contents/a.txt`, { content: base64('a') });
    const second = at('refs/heads/main');
    assert.equal((await alice.put(`${path}/branches/main`, { new_commit_id: first, old_commit_id: first, force: true })).status, 422);
    assert.equal((await alice.put(`${path}/branches/main`, { new_commit_id: first })).status, 422);
    const none = '0'.repeat(40);
    assert.equal(
      (await alice.put(`${path}/branches/main`, { new_commit_id: first, old_commit_id: none })).json.message,
      `branch commit does not match [expected: ${none}, given: ${second}]`,
    );
    assert.equal(at('refs/heads/main'), second);
    await alice.must('PUT', `${path}/branches/main`, { new_commit_id: first, old_commit_id: second, force: true });
    assert.equal(at('refs/heads/main'), first);
  });
});

it('a mirror takes no changes', async () => {
  const { path, row, at } = await repository('mirror');
  await t.context.db.updateTable('repositories').set({ is_mirror: true }).where('id', '=', row.id).execute();
  const tip = at('refs/heads/main');
  const branches = [
    await alice.post(`${path}/branches`, { new_branch_name: 'x' }),
    await alice.put(`${path}/branches/main`, { new_commit_id: tip }),
    await alice.patch(`${path}/branches/main`, { name: 'x' }),
    await alice.delete(`${path}/branches/main`),
    await alice.post(`${path}/tags`, { tag_name: 'x' }),
  ];
  assert.deepEqual(
    branches.map(({ status, json }) => `${status} ${json.message}`),
    branches.map(() => '403 Git Repository is a mirror.'),
  );
  const files = [
    await alice.post(`${path}/contents/x.txt`, { content: '' }),
    await alice.post(`${path}/contents`, { files: [] }),
    await alice.post(`${path}/diffpatch`, { content: '' }),
  ];
  assert.deepEqual(
    files.map(({ status, json }) => `${status} ${json.message}`),
    files.map(() => '423 alice/mirror is not allowed to edit'),
  );
  assert.equal(at('refs/heads/main'), tip);
});

describe('changing tags', () => {
  it('makes plain and annotated ones, which git takes for what they are', async () => {
    const { path, git, at } = await repository('tags');
    await alice.must('POST', `${path}/tags`, { tag_name: 'plain' });
    await alice.must('POST', `${path}/tags`, { tag_name: 'told', message: 'About it\n\nat length', target: 'plain' });
    assert.equal(await git('cat-file', '-t', 'refs/tags/plain'), 'commit');
    assert.equal(await git('cat-file', '-t', 'refs/tags/told'), 'tag');
    assert.equal(await git('rev-parse', 'refs/tags/told^{commit}'), at('refs/heads/main'));
    assert.equal(await git('tag', '-l', '--format=%(taggername) %(contents)', 'told'), 'alice About it\n\nat length');
    for (const taken of ['plain', 'PLAIN']) assert.equal((await alice.post(`${path}/tags`, { tag_name: taken })).status, 409, taken);
    await alice.must('POST', `${path}/tags`, { tag_name: 'blank', message: ' ' });
    assert.equal(await git('cat-file', '-t', 'refs/tags/blank'), 'tag');
    for (const [name, message] of [
      ['wide', '  a\n\n\nb  \n\n'],
      ['noted', '# not this\na\n\nb'],
    ])
      assert.equal((await alice.must('POST', `${path}/tags`, { tag_name: name, message })).message, 'a\n\nb');
  });

  it('lets who needs a tag keep it', async () => {
    const { path, row, at } = await repository('needed');
    t.context.events.within('tag.deleting', async ({ repositoryId, tag }) => {
      if (repositoryId === row.id && tag === 'kept') throw new Error('kept');
    });
    await alice.must('POST', `${path}/tags`, { tag_name: 'kept' });
    assert.equal((await alice.delete(`${path}/tags/kept`)).status, 500);
    assert.ok(at('refs/tags/kept'));
  });
});

it('a repository is updated by branches that come, move and go, and by what is pushed, not by other names and tags', async () => {
  const { path, row, at } = await repository('updated');
  await t.settled();
  const updates = async (change: () => Promise<unknown>) => {
    await t.context.db.updateTable('repositories').set({ updated_at: 1 }).where('id', '=', row.id).execute();
    await change();
    await t.settled();
    const { updated_at } = await t.context.db
      .selectFrom('repositories')
      .select('updated_at')
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow();
    return updated_at > 1;
  };
  assert.ok(await updates(() => alice.must('POST', `${path}/branches`, { new_branch_name: 'one' })));
  assert.ok(!(await updates(() => alice.must('PATCH', `${path}/branches/one`, { name: 'two' }))));
  assert.ok(await updates(() => alice.must('DELETE', `${path}/branches/two`)));
  assert.ok(!(await updates(() => alice.must('POST', `${path}/tags`, { tag_name: 'v1' }))));
  assert.ok(!(await updates(() => alice.must('DELETE', `${path}/tags/v1`))));
  const tree = await workTree(t, alice, 'alice/updated');
  await tree.commit({ 'a.txt': 'a' });
  assert.ok(await updates(() => tree.git('push', '-q', 'origin', 'HEAD:refs/tags/v2')));
  assert.ok(at('refs/tags/v2'));
});

describe('what checks say', () => {
  it('counts the latest of each check, whatever was said before', async () => {
    const { path, at } = await repository('checks');
    const sha = at('refs/heads/main');
    for (const [context, state] of [
      ['a', 'failure'],
      ['b', 'success'],
      ['a', 'success'],
    ]) {
      await alice.must('POST', `${path}/statuses/${sha}`, { context, state });
    }
    const { state, total_count } = await alice.must('GET', `${path}/commits/main/status`);
    assert.deepEqual([state, total_count], ['success', 2]);
    assert.equal((await alice.must('GET', `${path}/statuses/${sha}`)).length, 3);
    assert.equal((await alice.must('GET', `${path}/statuses/${sha}?sort=oldest&limit=1`))[0].status, 'failure');
    // The newest are on the first page; of one second, those come first that came first.
    const shown = async (query: string) => {
      const { statuses } = await alice.must('GET', `${path}/commits/main/status?${query}`);
      return statuses.map(({ context }: { context: string }) => context);
    };
    assert.equal((await alice.get(`${path}/commits/main`)).text, '404 page not found\n');
    assert.deepEqual([await shown(''), await shown('limit=1'), await shown('limit=1&page=2')], [['b', 'a'], ['a'], ['b']]);
    await t.context.db
      .updateTable('commit_statuses')
      .set({ created_at: 1 })
      .where('sha', '=', sha ?? '')
      .execute();
    const listed = await alice.must('GET', `${path}/statuses/${sha}`);
    assert.deepEqual(
      listed.map(({ context, status }: { context: string; status: string }) => `${context} ${status}`),
      ['a failure', 'b success', 'a success'],
    );
  });

  it('is refused where it says nothing that is known, or of no commit', async () => {
    const { path, at } = await repository('unknown-checks');
    const sha = at('refs/heads/main');
    for (const state of ['', 'great', 'SUCCESS', 5]) {
      assert.equal((await alice.post(`${path}/statuses/${sha}`, { state })).status, 422, String(state));
    }
    assert.equal((await alice.post(`${path}/statuses/${sha}`, { state: 'success', context: 'x'.repeat(1001) })).status, 422);
    assert.equal((await alice.post(`${path}/statuses/${'1'.repeat(40)}`, { state: 'success' })).status, 404);
    assert.deepEqual(await alice.must('GET', `${path}/statuses/${sha}`), []);
  });
});

it('a clone sees every change at once', async () => {
  const { path } = await repository('seen');
  const tree = await workTree(t, alice, 'alice/seen');
  for (let n = 0; n < 3; n++) {
    const { commit } = await alice.must('POST', `${path}/contents/${n}.txt`, { content: base64(String(n)) });
    await tree.git('fetch', '-q', 'origin');
    assert.equal(await tree.git('rev-parse', 'origin/main'), commit.sha);
    assert.equal((await alice.must('GET', `${path}/branches/main`)).commit.id, commit.sha);
  }
});
