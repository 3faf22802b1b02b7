import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findRepository } from '../../src/access/find-repository.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { type CodeRepository, codeRepository } from './repository.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const [alice, bob, reader] = await Promise.all([t.user('alice'), t.user('bob', { full_name: 'Bob B' }), t.user('reader')]);

const write = (client: Client, path: string, file: string, content: string, branch = 'main') =>
  client.must('POST', `${path}/contents`, {
    branch,
    message: `Write ${file}`,
    files: [{ operation: 'upload', path: file, content: Buffer.from(content).toString('base64') }],
  });

/** A source of alice's with a fork of bob's. */
async function forked(name: string, options: Record<string, unknown> = {}) {
  const source = await codeRepository(t, alice, name, [{ label: 'one', files: { 'a.txt': '1\n', 'b.txt': 'b\n' } }], options);
  if (options.private) await alice.must('PUT', `${source.path}/collaborators/bob`, { permission: 'read' });
  const { id } = await bob.must('POST', `${source.path}/forks`, {});
  const row = await findRepository(t.context.db, id);
  assert.ok(row);
  const folder = t.context.git.locate(row).path;
  const path = `/repos/bob/${name}`;
  const merge = (body: object = { branch: 'main' }, client = bob) => client.post(`${path}/merge-upstream`, body);
  return { source, path, folder, merge };
}

async function git(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await bob.git(['-C', folder, ...args], t.folder);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

const tipOf = (source: CodeRepository, branch = 'main') => source.git(['rev-parse', `refs/heads/${branch}`]);

/** Names of packs and quarantines: what a refused merge must not add to. */
async function packs(folder: string) {
  return [
    ...(await readdir(join(folder, 'objects/pack'))),
    ...(await readdir(join(folder, 'objects'))).filter((name) => name.length > 2),
  ].sort();
}

describe('bringing a fork up to date', () => {
  for (const format of ['sha1', 'sha256']) {
    it(`moves its branch forward, or merges (${format})`, async () => {
      const { source, folder, path, merge } = await forked(`demo-${format}`, { object_format_name: format });
      assert.deepEqual((await merge()).json, { merge_type: 'up-to-date' });
      await write(alice, source.path, 'a.txt', '2\n');
      assert.deepEqual((await merge({ branch: 'main', ff_only: true })).json, { merge_type: 'fast-forward' });
      assert.equal(await git(folder, 'rev-parse', 'main'), await tipOf(source));
      await write(bob, path, 'own.txt', 'own\n');
      assert.deepEqual((await merge()).json, { merge_type: 'up-to-date' });
      await write(alice, source.path, 'b.txt', 'b2\n');
      const strict = await merge({ branch: 'main', ff_only: true });
      assert.deepEqual([strict.status, strict.json.message], [400, 'fast-forward merge not possible: branch has diverged']);
      const before = await git(folder, 'rev-parse', 'main');
      assert.deepEqual((await merge()).json, { merge_type: 'merge' });
      assert.equal(
        await git(folder, 'log', '-1', '--format=%P %an %cn %s', 'main'),
        `${before} ${await tipOf(source)} Bob B Bob B merge upstream`,
      );
      assert.equal(await git(folder, 'ls-tree', '--name-only', 'main'), 'a.txt\nb.txt\nown.txt');
      await git(folder, 'fsck', '--strict');
      assert.ok(!(await readdir(join(folder, 'objects/info'))).includes('alternates'));
    });
  }

  it('takes the branch of the same name, else the default branch', async () => {
    const { source, folder, path, merge } = await forked('named');
    await bob.must('POST', `${path}/branches`, { new_branch_name: 'topic' });
    await bob.must('POST', `${path}/branches`, { new_branch_name: 'own' });
    await alice.must('POST', `${source.path}/branches`, { new_branch_name: 'topic' });
    await write(alice, source.path, 't.txt', 't\n', 'topic');
    await write(alice, source.path, 'm.txt', 'm\n');
    assert.equal((await merge({ branch: 'topic' })).json.merge_type, 'fast-forward');
    assert.equal(await git(folder, 'rev-parse', 'topic'), await tipOf(source, 'topic'));
    assert.equal((await merge({ branch: 'own' })).json.merge_type, 'fast-forward');
    assert.equal(await git(folder, 'rev-parse', 'own'), await tipOf(source));
  });

  it('makes one merge of several at once', async () => {
    const { source, folder, path, merge } = await forked('raced');
    await write(alice, source.path, 'a.txt', '2\n');
    await write(bob, path, 'own.txt', 'own\n');
    const all = await Promise.all([merge(), merge(), merge()]);
    assert.deepEqual(all.map(({ json }) => json.merge_type).sort(), ['merge', 'up-to-date', 'up-to-date']);
    assert.equal(await git(folder, 'rev-list', '--count', '--merges', 'main'), '1');
  });

  it('is emitted like a push', async () => {
    const told: unknown[] = [];
    t.server.services.events.on('refs.changed', 'test', async ({ payload }) => void told.push(payload.updates));
    const { source, merge } = await forked('told');
    const oldId = await tipOf(source);
    await write(alice, source.path, 'a.txt', '2\n');
    await merge();
    await t.settled();
    const update = { ref: 'refs/heads/main', oldId, newId: await tipOf(source) };
    assert.deepEqual(told, [[update], [update]]);
  });
});

describe('what a fork cannot take over', () => {
  it('are changes in conflict; nothing of them stays', async () => {
    const { source, folder, path, merge } = await forked('conflict');
    await write(alice, source.path, 'b.txt', 'theirs\n');
    await write(bob, path, 'b.txt', 'ours\n');
    const before = [await git(folder, 'rev-parse', 'main'), await packs(folder)];
    const { status, json } = await merge();
    assert.equal(status, 409);
    assert.match(json.message, /conflicts in b\.txt/);
    assert.deepEqual([await git(folder, 'rev-parse', 'main'), await packs(folder)], before);
    assert.deepEqual(await t.context.db.selectFrom('ref_moves').select('id').execute(), []);
  });

  it('are changes that a protection keeps out', async () => {
    const { source, folder, path, merge } = await forked('protected');
    await bob.must('POST', `${path}/branch_protections`, { rule_name: 'main', enable_push: true, protected_file_patterns: 'secret/**' });
    await write(alice, source.path, 'secret/x', 'x');
    const before = [await git(folder, 'rev-parse', 'main'), await packs(folder)];
    const file = await merge();
    assert.equal(file.status, 403);
    assert.match(file.json.message, /protected from changing file secret\/x/);
    await bob.must('PATCH', `${path}/branch_protections/main`, { enable_push: false, protected_file_patterns: '' });
    assert.equal((await merge()).status, 403);
    assert.deepEqual([await git(folder, 'rev-parse', 'main'), await packs(folder)], before);
    await bob.must('DELETE', `${path}/branch_protections/main`);
    assert.equal((await merge()).status, 200);
  });

  it('are branches that are not there, and anything where there is no source', async () => {
    const { source, path, merge } = await forked('refused');
    for (const branch of ['missing', '', '-x', 'a..b', 'main\n', '../x']) {
      const { status, json } = await merge({ branch });
      assert.deepEqual([status, json.message.includes('branch does not exist')], [404, true], branch);
    }
    const none = await alice.post(`${source.path}/merge-upstream`, { branch: 'main' });
    assert.deepEqual([none.status, none.json.message], [400, 'repo is not a fork']);
    const empty = await codeRepository(t, alice, 'void', []);
    await bob.must('POST', `${empty.path}/forks`, {});
    assert.equal((await bob.post('/repos/bob/void/merge-upstream', { branch: 'main' })).status, 404);
    await bob.must('PUT', `${path}/collaborators/reader`, { permission: 'read' });
    assert.equal((await merge({ branch: 'main' }, reader)).status, 403);
    assert.equal((await merge({ branch: 'main' }, t.anonymous)).status, 401);
    await bob.must('PATCH', path, { archived: true });
    assert.equal((await merge()).status, 423);
    await bob.must('PATCH', path, { archived: false });
    await alice.must('DELETE', source.path);
    assert.equal((await merge()).status, 400);
  });

  it('are commits of a source whose code the caller cannot read', async () => {
    const { source, folder, merge } = await forked('closed', { private: true });
    await write(alice, source.path, 'a.txt', 'secret\n');
    await alice.must('DELETE', `${source.path}/collaborators/bob`);
    const before = [await git(folder, 'rev-parse', 'main'), await packs(folder)];
    assert.equal((await merge()).status, 403);
    assert.deepEqual([await git(folder, 'rev-parse', 'main'), await packs(folder)], before);
    await alice.must('PUT', `${source.path}/collaborators/bob`, { permission: 'read' });
    assert.equal((await merge()).json.merge_type, 'fast-forward');
  });

  it('are commits of a private source, for a token for public things', async () => {
    const { source, merge } = await forked('half-open');
    const narrow = await bob.token(['public-only', 'write:repository']);
    assert.equal((await merge({ branch: 'main' }, narrow)).status, 200);
    await t.context.db.updateTable('repositories').set({ is_private: true }).where('id', '=', source.row.id).execute();
    await alice.must('PUT', `${source.path}/collaborators/bob`, { permission: 'read' });
    assert.equal((await merge()).status, 200);
    assert.equal((await merge({ branch: 'main' }, narrow)).status, 403);
  });
});
