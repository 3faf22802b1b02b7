// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runGit } from '../../src/git/processes/process.ts';
import { onServer, workTree } from '../transport/work-tree.ts';
import { base64, changesServer } from './changes.ts';

const { t, alice, repository, moves } = await changesServer();

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
    for (const response of [
      await alice.post(`${path}/contents/.gitmodules`, { content: base64(bad) }),
      await alice.post(`${path}/contents`, { files }),
      await alice.post(`${path}/contents`, { files, new_branch: 'other' }),
      await alice.post(`${path}/diffpatch`, { content }),
    ])
      assert.deepEqual([response.status, response.json.message], [422, message]);
    assert.equal(at('refs/heads/main'), before);
    assert.equal(at('refs/heads/other'), undefined);
    assert.deepEqual(await moves(), []);
    await sound();
  });

  it('is refused in a patch where some file system takes its folder for .git', async () => {
    const { path, at, sound } = await repository('harmful-folder');
    const before = at('refs/heads/main');
    for (const name of ['.g\u200cit', 'deep/.GI\u200dT', 'git~1', '.git. ', '.git::$INDEX_ALLOCATION']) {
      const file = `${name}/config`;
      const content = `diff --git a/${file} b/${file}\nnew file mode 100644\n--- /dev/null\n+++ b/${file}\n@@ -0,0 +1 @@\n+x\n`;
      const { status } = await alice.post(`${path}/diffpatch`, { content });
      assert.equal(status, 422, name);
    }
    assert.equal(at('refs/heads/main'), before);
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

  it('emits the event, and leaves no announcement behind, made or refused', async () => {
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

  it('reports where contents stop being base64', async () => {
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
    // Also where nothing comes of the content.
    const removed = await alice.post(`${path}/contents`, { files: [{ operation: 'delete', path: 'README.md', content: '!' }] });
    assert.deepEqual([removed.status, removed.json.message], [422, 'illegal base64 data at input byte 0']);
    for (const [name, content] of Object.entries({ a: 'YQ==\n', b: 'YQ=\r\n=', c: 'YW\nJj', d: '' }))
      assert.equal((await alice.post(`${path}//contents//${name}`, { content })).status, 201, content);
  });

  it('is read only for who may write there', async () => {
    const { path } = await repository('unreadable');
    const bob = await t.user('bob');
    const file = { content: '!', operation: 'none', path: 'a' };
    for (const response of [
      await bob.post(`${path}/contents/a`, file),
      await bob.put(`${path}/contents/a`, file),
      await bob.post(`${path}/contents`, { files: [file] }),
    ])
      assert.deepEqual([response.status, response.json.message], [403, 'user should have a permission to write to the target branch']);
  });

  it('refuses contents that are not base64, dates that are none, and people that git cannot name', async () => {
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
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => alice.post(`${path}/contents/file-${n}.txt`, { content: base64(String(n)) })),
    );
    const made = responses.filter(({ status }) => status === 201).length;
    assert.ok(
      responses.every(({ status }) => status === 201 || status === 409),
      JSON.stringify(responses.map(({ status }) => status)),
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
