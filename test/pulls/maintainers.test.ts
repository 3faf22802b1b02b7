// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { cloned } from '../transport/work-tree.ts';
import { pushBranch, pushed } from './pushing.ts';

const t = await testServer();
const [alice, carol, dave] = [await t.user('alice'), await t.user('carol'), await t.user('dave')];

describe('maintainers', () => {
  it('may push to the branch of the pull request while its author lets them, and to no other', async () => {
    const { path } = await pushed(t, alice, 'maintained');
    await carol.must('POST', `${path}/forks`, {});
    const own = await cloned(t, carol, 'carol/maintained');
    await pushBranch(own, 'fix', { fix: '1' });
    await pushBranch(own, 'other', { other: '1' });
    await carol.must('POST', `${path}/pulls`, { head: 'carol:fix', base: 'main', title: 'Fix', allow_maintainer_edit: true });
    const push = async (who: typeof alice, ...refs: string[]) => {
      const tree = await cloned(t, who, 'carol/maintained');
      await tree.git('checkout', '-q', '-B', 'work', 'origin/fix');
      await tree.commit({ [`by-${who.name}`]: 'x' });
      return (await tree.run('push', '-q', 'origin', ...refs)).code === 0;
    };
    assert.equal(await push(alice, 'work:fix'), true);
    assert.equal(await push(dave, 'work:fix'), false);
    for (const refs of [['work:main'], ['work:other'], ['work:new'], ['work:refs/tags/v1'], [':fix'], ['work:fix', 'work:other']]) {
      assert.equal(await push(alice, ...refs), false, refs.join(' '));
    }
    const shown = async (who: typeof alice) =>
      (await who.must('GET', '/repos/carol/maintained/branches')) as { name: string; user_can_push: boolean }[];
    const open = (list: Awaited<ReturnType<typeof shown>>) => list.filter((branch) => branch.user_can_push).map(({ name }) => name);
    assert.deepEqual([open(await shown(alice)), open(await shown(dave))], [['fix'], []]);
    // Nor through the API.
    const file = { content: 'eA==', message: 'x' };
    assert.equal((await alice.post('/repos/carol/maintained/contents/a', { ...file, branch: 'fix' })).status, 201);
    assert.equal((await alice.post('/repos/carol/maintained/contents/b', { ...file, branch: 'other' })).status, 403);
    // Only who may write to the fork gives leave, and only while they may.
    assert.equal((await alice.patch(`${path}/pulls/1`, { allow_maintainer_edit: true })).status, 403);
    await carol.must('PATCH', `${path}/pulls/1`, { allow_maintainer_edit: false });
    assert.equal(await push(alice, 'work:fix'), false);
    await carol.must('PATCH', `${path}/pulls/1`, { allow_maintainer_edit: true });
    await carol.must('PATCH', `${path}/pulls/1`, { state: 'closed' });
    assert.equal(await push(alice, 'work:fix'), false);
  });

  it('get no right from who opened a pull request from a branch of somebody else', async () => {
    const { path } = await pushed(t, alice, 'borrowed');
    await carol.must('POST', `${path}/forks`, {});
    const own = await cloned(t, carol, 'carol/borrowed');
    await pushBranch(own, 'fix', { fix: '1' });
    await alice.must('PUT', `${path}/collaborators/dave`, { permission: 'write' });
    await dave.must('POST', `${path}/pulls`, { head: 'carol:fix', base: 'main', title: 'Not mine', allow_maintainer_edit: true });
    const tree = await cloned(t, dave, 'carol/borrowed');
    await tree.git('checkout', '-q', '-B', 'fix', 'origin/fix');
    await tree.commit({ x: 'x' });
    assert.notEqual((await tree.run('push', '-q', 'origin', 'fix')).code, 0);
  });
});
