import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onServer, workTree } from '../transport/work-tree.ts';
import { base64, changesServer } from './changes.ts';

const { t, alice, repository, moves } = await changesServer();

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
      for (const name of ['x', 'no name'])
        assert.equal((await alice.post(`${path}/tags`, { tag_name: name, target: ref })).status, 404, ref);
      const { status } = await alice.post(`${path}/branches`, { new_branch_name: 'y', old_ref_name: ref });
      assert.ok(status === 404 || status === 422, `${ref}: ${status}`);
    }
    assert.equal(await git('for-each-ref', '--format=%(refname)', 'refs/heads'), 'refs/heads/main');
  });

  it('of many that make the same one, one wins', async () => {
    const { path } = await repository('same');
    const responses = await Promise.all(Array.from({ length: 10 }, () => alice.post(`${path}/branches`, { new_branch_name: 'new' })));
    const statuses = responses.map(({ status }) => status).sort();
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

it('a mirror takes no changes of branches and files', async () => {
  const { path, row, at } = await repository('mirror');
  await t.context.db.updateTable('repositories').set({ is_mirror: true }).where('id', '=', row.id).execute();
  const tip = at('refs/heads/main');
  const branches = [
    await alice.post(`${path}/branches`, { new_branch_name: 'x' }),
    await alice.put(`${path}/branches/main`, { new_commit_id: tip }),
    await alice.patch(`${path}/branches/main`, { name: 'x' }),
    await alice.delete(`${path}/branches/main`),
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

it('a mirror takes tags and releases of its own', async () => {
  const { path, row, at } = await repository('tagged-mirror');
  await t.context.db.updateTable('repositories').set({ is_mirror: true }).where('id', '=', row.id).execute();
  const tip = at('refs/heads/main');
  await alice.must('POST', `${path}/tags`, { tag_name: 'x' });
  await alice.must('POST', `${path}/releases`, { tag_name: 'y' });
  assert.deepEqual([at('refs/tags/x'), at('refs/tags/y')], [tip, tip]);
  assert.equal((await alice.delete(`${path}/tags/x`)).status, 204);
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
