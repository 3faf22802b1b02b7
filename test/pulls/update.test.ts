// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { commit, open } from './open.ts';

const t = await testServer();
const [alice, bob, carol] = await Promise.all([t.user('alice'), t.user('bob'), t.user('carol')]);
const demo = 'alice/demo';
const repo = `/repos/${demo}`;
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });
await carol.must('POST', `${repo}/forks`, { name: 'fork' });
await commit(carol, 'carol/fork', { branch: 'theirs', from: 'main', path: 'theirs.txt', text: 'x\n' });
const { number: fromFork } = await carol.must('POST', `${repo}/pulls`, {
  head: 'carol/fork:theirs',
  base: 'main',
  title: 'Theirs',
  allow_maintainer_edit: false,
});

const update = (who: typeof alice, number: number, style = 'merge') => who.post(`${repo}/pulls/${number}/update?style=${style}`);
const headOf = async (path: string, branch: string) => (await t.admin.must('GET', `/repos/${path}/branches/${branch}`)).commit.id;

describe('bringing a pull request up to date', () => {
  it('maintainers may only where the author lets them, and only what the author may', async () => {
    await commit(alice, demo, { path: 'one.txt', text: '1\n' });
    const before = await headOf('carol/fork', 'theirs');
    for (const style of ['merge', 'rebase']) assert.equal((await update(bob, fromFork, style)).status, 403);
    await carol.must('PATCH', `${repo}/pulls/${fromFork}`, { allow_maintainer_edit: true });
    await carol.must('POST', '/repos/carol/fork/branch_protections', { rule_name: 'theirs', enable_push: true });
    assert.equal((await update(bob, fromFork, 'rebase')).status, 403, 'the branch may not be rewritten');
    assert.equal(await headOf('carol/fork', 'theirs'), before);
    assert.equal((await update(bob, fromFork)).status, 200);
    const { json } = await carol.get('/repos/carol/fork/git/commits/theirs');
    assert.deepEqual(
      [json.parents.map(({ sha }: { sha: string }) => sha), json.commit.message, json.commit.author.name],
      [[before, await headOf(demo, 'main')], "Merge branch 'main' into theirs\n", 'bob'],
    );
    await carol.must('DELETE', '/repos/carol/fork/branch_protections/theirs');
  });

  it('who cannot merge gets nothing from the author’s leave', async () => {
    const dave = await t.user('dave');
    await commit(alice, demo, { path: 'two.txt', text: '2\n' });
    assert.equal((await update(dave, fromFork)).status, 403);
    await t.settled();
    assert.equal((await update(bob, fromFork, 'rebase')).status, 200);
  });

  it('heeds the protection of the head, and brings nothing where there is nothing', async () => {
    const number = await open(bob, demo, 'own');
    assert.equal((await update(bob, number)).status, 409);
    await commit(alice, demo, { path: 'three.txt', text: '3\n' });
    await alice.must('POST', `${repo}/branch_protections`, { rule_name: 'own', enable_push: false });
    assert.deepEqual([(await update(bob, number)).status, (await update(alice, number, 'rebase')).status], [403, 403]);
    await alice.must('PATCH', `${repo}/branch_protections/own`, { enable_push: true, protected_file_patterns: 'three.*' });
    const refused = await update(alice, number);
    assert.deepEqual([refused.status, refused.json.message], [403, 'branch own is protected from changing file three.txt']);
  });
});
