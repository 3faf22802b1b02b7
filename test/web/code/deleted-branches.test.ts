import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expireDeletedBranches, noteDeletedBranches } from '../../../src/code/branches/deleted.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';
import { cloned, onServer } from '../../transport/work-tree.ts';

const t = await testServer();
const { db } = t.context;
const alice = await t.user('alice');
const bob = await t.user('bob');
const repo = '/repos/alice/code';
const PAGE = '/alice/code/branches';
await alice.must('POST', '/user/repos', { name: 'code', auto_init: true, default_branch: 'main' });
const browser = new Browser(t.url);
await browser.signIn('alice', PASSWORD);
const stranger = new Browser(t.url);
await stranger.signIn('bob', PASSWORD);

const shown = async (who = browser) => [
  ...(await who.get(PAGE)).text.matchAll(/name="branch_id" value="(\d+)"><input[^>]* value="([^"]*)"/g),
];
const names = async () => (await shown()).map(([, , name]) => name);
const idOf = async (name: string) => (await shown()).find(([, , one]) => one === name)?.[1] ?? '';
const tipOf = async (name: string) => (await alice.get(`${repo}/branches/${name}`)).json.commit?.id;
const restore = async (id: string) => browser.submit(await browser.get(PAGE), { branch_id: id }, `${PAGE}/restore`);

async function branch(name: string): Promise<string> {
  const { commit } = await alice.must('POST', `${repo}/contents/${name}.txt`, { branch: 'main', new_branch: name, content: 'eA==' });
  return String(commit.sha);
}

describe('deleted branches', () => {
  it('are kept however they are deleted, but not when they are renamed', async () => {
    for (const name of ['api', 'page', 'pushed', 'merged', 'old']) await branch(name);
    await alice.must('DELETE', `${repo}/branches/api`);
    await browser.submit(await browser.get(PAGE), { name: 'page' }, `${PAGE}/delete`);
    const tree = await cloned(t, alice, 'alice/code');
    await tree.git('push', 'origin', '--delete', 'pushed');
    const { number } = await alice.must('POST', `${repo}/pulls`, { head: 'merged', base: 'main', title: 'Merge' });
    await t.settled();
    await alice.must('POST', `${repo}/pulls/${number}/merge`, { Do: 'merge', delete_branch_after_merge: true });
    await alice.must('PATCH', `${repo}/branches/old`, { name: 'new' });
    assert.deepEqual(await names(), ['merged', 'pushed', 'page', 'api']);
    assert.match((await browser.get(PAGE)).text, /4 deleted branches<\/h3>[\s\S]*deleted by[\s\S]*href="\/alice"/);
    assert.match((await browser.get(`${PAGE}?q=push`)).text, /1 deleted branch<\/h3>/);
  });

  it('are restored where they were, by the form and as Gitea has it', async () => {
    const tip = await branch('topic');
    await alice.must('DELETE', `${repo}/branches/topic`);
    const id = await idOf('topic');
    assert.deepEqual(await restore(id).then(({ status, location }) => [status, location]), [303, PAGE]);
    assert.deepEqual([await tipOf('topic'), await idOf('topic')], [tip, '']);
    await alice.must('DELETE', `${repo}/branches/topic`);
    const token = /name="_token" value="([^"]*)"/.exec((await browser.get(PAGE)).text)?.[1] ?? '';
    const address = `${PAGE}/restore?branch_id=${await idOf('topic')}&name=topic`;
    assert.equal((await browser.send('POST', address, { fields: { _token: token } })).status, 303);
    assert.equal(await tipOf('topic'), tip);
  });

  it('are forgotten when a branch of the name is made again', async () => {
    const id = await idOf('api');
    await branch('api');
    assert.ok(!(await names()).includes('api'));
    const refused = await restore(id);
    assert.deepEqual([refused.status, /role="alert"[^<]*>The deleted branch can no longer be restored/.test(refused.text)], [422, true]);
    for (const wrong of ['', 'x', '0', '99999999999999999999']) assert.equal((await restore(wrong)).status, 422, wrong);
  });

  it('are the business of who may write, and of their repository', async () => {
    assert.deepEqual(await shown(stranger), []);
    const id = await idOf('page');
    await bob.must('POST', '/user/repos', { name: 'own', auto_init: true, default_branch: 'main' });
    const own = await stranger.get('/bob/own/branches');
    const token = /name="_token" value="([^"]*)"/.exec(own.text)?.[1] ?? '';
    const fields = { _token: token, branch_id: id };
    assert.equal((await stranger.send('POST', `${PAGE}/restore`, { fields })).status, 403);
    assert.equal((await stranger.send('POST', '/bob/own/branches/restore', { fields })).status, 422);
    assert.equal(await tipOf('page'), undefined);
  });

  it('whose commits are gone are not shown', async () => {
    const id = await idOf('page');
    await db
      .updateTable('deleted_branches')
      .set({ commit_id: '1'.repeat(40) })
      .where('id', '=', Number(id))
      .execute();
    assert.equal(await idOf('page'), '');
    assert.match((await restore(id)).text, /The commit of the branch page no longer exists/);
  });

  it('are at most a hundred, their names escaped, and expire', async () => {
    const { row } = await onServer(t, 'alice', 'code');
    const oldId = String(await tipOf('main'));
    const count = async () => (await db.selectFrom('deleted_branches').select('id').execute()).length;
    const update = (name: string) => ({ ref: `refs/heads/${name}`, oldId, newId: '0'.repeat(40) });
    await noteDeletedBranches(t.context, row, [update('<b>'), ...Array.from({ length: 120 }, (_, index) => update(`many/${index}`))]);
    assert.deepEqual([await count(), await idOf('pushed')], [100, '']);
    await noteDeletedBranches(t.context, row, [update('<img/src=x>')]);
    const { text } = await browser.get(PAGE);
    assert.deepEqual([await count(), text.includes('<img/src=x>'), text.includes('&lt;img/src=x&gt;')], [100, false, true]);
    await t.admin.must('POST', '/admin/cron/deleted_branches_cleanup');
    await t.settled();
    assert.equal(await count(), 100, 'their time has not come');
    const { settings } = t.context;
    await expireDeletedBranches({ ...t.context, settings: { ...settings, jobs: { ...settings.jobs, deletedBranchLifetime: -10_000 } } });
    assert.equal(await count(), 0);
  });

  it('go with their repository', async () => {
    await branch('last');
    await alice.must('DELETE', `${repo}/branches/last`);
    assert.equal((await shown()).length, 1);
    await alice.must('DELETE', repo);
    await t.settled();
    assert.deepEqual(await db.selectFrom('deleted_branches').select('id').execute(), []);
  });
});
