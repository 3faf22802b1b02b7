import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storedRef } from '../../../src/git/refs/stored-refs.ts';
import type { Client } from '../../support/client.ts';
import { testServer } from '../../support/server.ts';
import { cloned, workTree } from '../../transport/work-tree.ts';
import { repositoryOf } from './protected.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const writer = await t.user('writer');
const other = await t.user('other');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const repository = (name: string) => repositoryOf(t, alice, name, [writer, other]);

/** What a caller may do on a branch, by every way there is; each attempt is refused or undone by the next. */
async function attempts(client: Client, name: string, branch: string, first: string) {
  const path = `/repos/alice/${name}`;
  const tree = await cloned(t, client, `alice/${name}`);
  await tree.git('checkout', '-q', '--detach', `origin/${branch}`);
  await tree.commit({ [`by-${client.name}.txt`]: 'x' });
  const patch = 'diff --git a/p.txt b/p.txt\nnew file mode 100644\nindex 0000000..587be6b\n--- /dev/null\n+++ b/p.txt\n@@ -0,0 +1 @@\n+x\n';
  const file = { content: base64('x'), branch };
  const status = async (response: Promise<{ status: number }>) => (await response).status;
  const { code } = await tree.run('push', '-q', 'origin', `HEAD:refs/heads/${branch}`);
  return {
    push: code,
    create: await status(client.post(`${path}/contents/c-${client.name}.txt`, file)),
    several: await status(client.post(`${path}/contents`, { branch, files: [{ operation: 'create', path: `s-${client.name}.txt` }] })),
    patch: await status(client.post(`${path}/diffpatch`, { branch, content: patch })),
    forced: await status(
      client.post(`${path}/contents`, { new_branch: branch, force_push: true, files: [{ operation: 'create', path: 'forced.txt' }] }),
    ),
    moved: await status(client.put(`${path}/branches/${branch}`, { new_commit_id: first, force: true })),
    renamed: await status(client.patch(`${path}/branches/${branch}`, { name: `${branch}-renamed` })),
    deleted: await status(client.delete(`${path}/branches/${branch}`)),
  };
}

describe('a branch that is closed for pushes', () => {
  it('takes none, by no way and from nobody, and stays where it is', async () => {
    const { path, first, tree, at } = await repository('closed');
    await tree.git('push', '-q', 'origin', 'main:refs/heads/closed');
    const tip = await tree.commit({ 'more.txt': 'x' });
    await tree.git('push', '-q', 'origin', 'HEAD:refs/heads/closed');
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'closed*' });
    const all = { push: 1, create: 403, several: 403, patch: 403, forced: 403, moved: 403, renamed: 403, deleted: 403 };
    for (const client of [writer, alice, t.admin]) {
      assert.deepEqual(await attempts(client, 'closed', 'closed', first), all, client.name);
      assert.equal(at('closed'), tip);
    }
  });

  it('cannot be made either', async () => {
    const { path, first, tree, at } = await repository('unborn');
    await alice.must('POST', `${path}/branch_protections`, { rule_name: 'release/*' });
    assert.notEqual((await tree.run('push', 'origin', 'main:refs/heads/release/1')).code, 0);
    const responses = await Promise.all([
      writer.post(`${path}/branches`, { new_branch_name: 'release/1' }),
      writer.post(`${path}/contents/x.txt`, { content: base64('x'), new_branch: 'release/1' }),
      writer.post(`${path}/contents`, { new_branch: 'release/1', files: [] }),
      writer.patch(`${path}/branches/main`, { name: 'release/1' }),
    ]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [403, 403, 403, 403],
    );
    await writer.must('POST', `${path}/branches`, { new_branch_name: 'free' });
    assert.equal((await writer.patch(`${path}/branches/free`, { name: 'release/1' })).status, 403);
    assert.deepEqual([at('release/1'), at('main'), at('free')], [undefined, first, first]);
  });
});

describe('a branch that is open for some', () => {
  it('takes theirs by every way, and no force', async () => {
    const { path, first, tree } = await repository('some');
    await tree.commit({ 'more.txt': 'x' });
    await tree.git('push', '-q', 'origin', 'HEAD:refs/heads/some');
    await alice.must('POST', `${path}/branch_protections`, {
      rule_name: 'some',
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['writer'],
    });
    const closed = { push: 1, create: 403, several: 403, patch: 403, forced: 403, moved: 403, renamed: 403, deleted: 403 };
    assert.deepEqual(await attempts(other, 'some', 'some', first), closed);
    const open = { push: 0, create: 201, several: 201, patch: 201, forced: 403, moved: 403, renamed: 403, deleted: 403 };
    assert.deepEqual(await attempts(writer, 'some', 'some', first), open);
  });

  it('forgets who is on the list but may not write any more', async () => {
    const { path, tree } = await repository('former');
    await tree.git('push', '-q', 'origin', 'main:refs/heads/some');
    const rule = { rule_name: 'some', enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['writer'] };
    await alice.must('POST', `${path}/branch_protections`, rule);
    await alice.must('PUT', `${path}/collaborators/writer`, { permission: 'read' });
    assert.equal((await writer.post(`${path}/contents/x.txt`, { content: base64('x'), branch: 'some' })).status, 403);
    const listed = async () => (await alice.must('GET', `${path}/branch_protections/some`)).push_whitelist_usernames;
    assert.deepEqual(await listed(), []);
    const clone = await workTree(t, writer, 'alice/former');
    await clone.commit({ 'x.txt': 'x' });
    assert.match((await clone.run('push', '-f', 'origin', 'HEAD:refs/heads/some')).stderr, /User permission denied for writing/);
    await alice.must('PUT', `${path}/collaborators/writer`, { permission: 'write' });
    assert.deepEqual(await listed(), ['writer']);
  });

  it('lists people, never the organization that owns the repository', async () => {
    await alice.must('POST', '/orgs', { username: 'owners' });
    await alice.must('POST', '/orgs/owners/repos', { name: 'theirs', auto_init: true });
    const lists = { push_whitelist_usernames: ['owners', 'alice'], approvals_whitelist_username: ['owners', 'alice'] };
    const made = await alice.must('POST', '/repos/owners/theirs/branch_protections', { rule_name: 'main', ...lists });
    assert.deepEqual([made.push_whitelist_usernames, made.approvals_whitelist_username], [['alice'], ['alice']]);
  });

  it('names members of the teams that read pull requests', async () => {
    const path = '/repos/owners/theirs';
    const team = await alice.must('POST', '/orgs/owners/teams', { name: 'pushers', permission: 'write', units: ['repo.code'] });
    await alice.must('PUT', `/teams/${team.id}/repos/owners/theirs`);
    await alice.must('PUT', `/teams/${team.id}/members/writer`);
    await alice.must('PATCH', `${path}/branch_protections/main`, { push_whitelist_usernames: ['alice', 'writer'] });
    const listed = async () => (await alice.must('GET', `${path}/branch_protections/main`)).push_whitelist_usernames;
    assert.deepEqual(await listed(), ['alice']);
    await alice.must('PATCH', `/teams/${team.id}`, { units_map: { 'repo.code': 'write', 'repo.pulls': 'read' } });
    assert.deepEqual(await listed(), ['alice', 'writer']);
  });
});

it('tags that a rule protects are made, moved and removed only by those on its list', async () => {
  const { path, tree, folder, first } = await repository('tags');
  await alice.must('POST', `${path}/tag_protections`, { name_pattern: '/^v\\d/', whitelist_usernames: ['writer'] });
  const clone = async (client: Client) => {
    const own = await workTree(t, client, 'alice/tags');
    await own.git('fetch', '-q', 'origin');
    return own;
  };
  const [own, theirs] = [await clone(writer), await clone(other)];
  await own.git('push', '-q', 'origin', `${first}:refs/tags/v1`);
  for (const ref of [`${first}:refs/tags/v2`, ':refs/tags/v1']) {
    assert.match((await theirs.run('push', 'origin', ref)).stderr, /Tag v[12] is protected/);
    assert.equal((await tree.run('push', 'origin', ref)).code, 1);
  }
  await theirs.git('push', '-q', 'origin', `${first}:refs/tags/free`);
  assert.equal((await other.post(`${path}/tags`, { tag_name: 'v2' })).status, 422);
  assert.equal((await other.delete(`${path}/tags/v1`)).status, 422);
  await writer.must('POST', `${path}/tags`, { tag_name: 'v2', message: 'Two' });
  await writer.must('DELETE', `${path}/tags/v1`);
  assert.deepEqual(
    ['v1', 'v2', 'free'].map((tag) => storedRef(folder, `refs/tags/${tag}`) !== undefined),
    [false, true, true],
  );
});

describe('the rules themselves', () => {
  it('refuse what cannot be read, and leave everything as it was', async () => {
    const { path } = await repository('rules');
    const pattern = { name_pattern: '/(/', whitelist_usernames: ['writer'] };
    assert.equal((await alice.post(`${path}/tag_protections`, pattern)).status, 422);
    assert.equal((await alice.post(`${path}/branch_protections`, { rule_name: 'x'.repeat(1001) })).status, 422);
    const names = Array.from({ length: 1001 }, () => 'writer');
    assert.equal((await alice.post(`${path}/branch_protections`, { rule_name: 'x', push_whitelist_usernames: names })).status, 422);
    assert.deepEqual(await alice.must('GET', `${path}/branch_protections`), []);
    assert.deepEqual(await alice.must('GET', `${path}/tag_protections`), []);
  });

  it('of another repository are not found by their id', async () => {
    const [one, two] = [await repository('one'), await repository('two')];
    const { id } = await alice.must('POST', `${one.path}/tag_protections`, { name_pattern: 'v*', whitelist_usernames: ['writer'] });
    await alice.must('POST', `${one.path}/branch_protections`, { rule_name: 'main' });
    const rule = await t.context.db
      .selectFrom('branch_protections')
      .select('id')
      .where('repository_id', '=', one.row.id)
      .executeTakeFirstOrThrow();
    for (const response of [
      await alice.get(`${two.path}/tag_protections/${id}`),
      await alice.patch(`${two.path}/tag_protections/${id}`, { name_pattern: 'x' }),
      await alice.delete(`${two.path}/tag_protections/${id}`),
    ]) {
      assert.equal(response.status, 404);
    }
    await alice.must('PATCH', `${one.path}/branch_protections/main`, { priority: 5 });
    await alice.must('POST', `${two.path}/branch_protections/priority`, { ids: [rule.id] });
    assert.equal((await alice.must('GET', `${one.path}/branch_protections/main`)).priority, 5);
    await alice.must('POST', `${one.path}/branch_protections/priority`, { ids: [rule.id] });
    assert.equal((await alice.must('GET', `${one.path}/branch_protections/main`)).priority, 1);
  });
});
