import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { repositoryOf } from './protected.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const writer = await t.user('writer');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const repository = (name: string) => repositoryOf(t, alice, name, [writer]);

describe('files that a rule protects', () => {
  it('cannot be changed, made, removed or moved away, by no way', async () => {
    const { path, tree, at } = await repository('files');
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main', enable_push: true, protected_file_patterns: 'config/**' });
    const tip = at('main');
    const sha = (await alice.must('GET', `${path}/contents/config/app.yml`)).sha;
    const refused = [
      await alice.post(`${path}/contents/config/new.yml`, { content: '' }),
      await alice.put(`${path}/contents/config/app.yml`, { content: '', sha }),
      await alice.delete(`${path}/contents/config/app.yml`, { sha }),
      await alice.put(`${path}/contents/elsewhere.yml`, { content: '', sha, from_path: 'config/app.yml' }),
      await alice.post(`${path}/contents`, { files: [{ operation: 'rename', path: 'moved.yml', from_path: 'config/app.yml' }] }),
      await alice.post(`${path}/contents/x/../config/new.yml`, { content: '' }),
      await alice.post(`${path}/diffpatch`, {
        content: 'diff --git a/config/app.yml b/config/app.yml\n--- a/config/app.yml\n+++ b/config/app.yml\n@@ -1 +1 @@\n-a: 1\n+a: 2\n',
      }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      refused.map(() => 403),
    );
    await tree.git('mv', 'config/app.yml', 'moved.yml');
    await tree.commit({});
    assert.match((await tree.run('push', 'origin', 'main')).stderr, /branch main is protected from changing file config\/app\.yml/);
    assert.equal(at('main'), tip);
    await tree.git('reset', '-q', '--hard', 'origin/main');
    await tree.commit({ 'free.txt': 'x' });
    await tree.git('push', '-q', 'origin', 'main');
  });

  it('of a new branch are looked at in every commit that it brings', async () => {
    const { path, tree } = await repository('new-branch');
    const rule = { rule_name: 'next', enable_push: true, protected_file_patterns: 'config/**' };
    await alice.must('POST', `${path}/branch_protections`, rule);
    await tree.commit({ 'config/app.yml': 'a: 2\n' });
    await tree.commit({ 'free.txt': 'x' });
    assert.match((await tree.run('push', 'origin', 'HEAD:refs/heads/next')).stderr, /protected from changing file/);
  });

  it('and signatures are required whatever other branch has the commits already, by every way', async () => {
    for (const [name, more] of [
      ['guarded-new', { protected_file_patterns: 'config/**' }],
      ['signed-new', { require_signed_commits: true }],
    ] as const) {
      const { path, tree, at } = await repository(name);
      await alice.must('POST', `${path}/branch_protections`, { rule_name: 'release/*', enable_push: true, ...more });
      await tree.commit({ 'config/app.yml': 'a: 2\n' });
      await tree.git('push', '-q', 'origin', 'HEAD:refs/heads/tmp');
      assert.equal((await tree.run('push', '-q', 'origin', 'HEAD:refs/heads/release/1')).code, 1, name);
      const made = await alice.post(`${path}/branches`, { new_branch_name: 'release/2', old_branch_name: 'tmp' });
      const renamed = await alice.patch(`${path}/branches/tmp`, { name: 'release/3' });
      const file = { branch: 'tmp', new_branch: 'release/4', content: '' };
      const committed = await alice.post(`${path}/contents/free.txt`, file);
      assert.deepEqual([made.status, renamed.status, committed.status], [403, 403, 403], name);
      for (const number of [1, 2, 3, 4]) assert.equal(at(`release/${number}`), undefined);
      // What the default branch has may have such a name, and go on from there.
      await alice.must('POST', `${path}/branches`, { new_branch_name: 'release/5' });
      await alice.must('POST', `${path}/branches`, { new_branch_name: 'release/6', old_branch_name: 'release/5' });
      await alice.must('POST', `${path}/branches`, { new_branch_name: 'plain' });
      assert.equal((await alice.patch(`${path}/branches/plain`, { name: 'release/7' })).status, 204);
    }
  });

  it('that a rule leaves open can be changed by who may not push', async () => {
    const { path, tree } = await repository('open-files');
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main', unprotected_file_patterns: 'docs/**' });
    await writer.must('POST', `${path}/contents/docs/b.md`, { content: base64('b') });
    assert.equal((await writer.post(`${path}/contents/b.md`, { content: base64('b') })).status, 403);
    const both = [
      { operation: 'create', path: 'docs/c.md' },
      { operation: 'create', path: 'c.md' },
    ];
    assert.equal((await writer.post(`${path}/contents`, { files: both })).status, 403);
    await tree.git('pull', '-q', 'origin', 'main');
    await tree.commit({ 'docs/d.md': 'd' });
    await tree.git('push', '-q', 'origin', 'main');
    await tree.commit({ 'docs/d.md': 'e', 'd.md': 'e' });
    assert.equal((await tree.run('push', 'origin', 'main')).code, 1);
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'docs/*', unprotected_file_patterns: 'docs/**' });
    await writer.must('POST', `${path}/branches`, { new_branch_name: 'docs/none' });
    assert.equal((await writer.post(`${path}/contents/e.md`, { content: base64('e'), new_branch: 'docs/some' })).status, 403);
  });
});

it('commits without a signature are refused where signatures are needed, by every way', async () => {
  const { path, tree, at, first } = await repository('signed');
  await alice.must('POST', `${path}/branch_protections`, { rule_name: 'main', enable_push: true, require_signed_commits: true });
  assert.equal((await alice.post(`${path}/contents/x.txt`, { content: '' })).status, 403);
  await tree.commit({ 'x.txt': 'x' });
  assert.match((await tree.run('push', 'origin', 'main')).stderr, /branch main is protected from unverified commit [0-9a-f]{40}/);
  assert.equal(at('main'), first);
});
