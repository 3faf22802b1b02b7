import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countStatistics } from '../../src/repositories/statistics/statistics.ts';
import { testServer } from '../support/server.ts';
import { brief, listening } from './listening.ts';

const server = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const alice = await server.user('alice');
const shy = await server.user('shy', { email: 'shy-secret@example.com', keep_email_private: true });
const boss = await server.user('boss', { is_admin: true, email: 'boss@example.com' });
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const REPO = '/repos/alice/demo';
const listen = listening(server);

describe('payloads', () => {
  it('are sent for branches and tags, and for a renamed branch as its deletion and creation', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['push', 'create', 'delete']);
    await alice.must('POST', `${REPO}/contents/a.txt`, { content: 'YQ==', message: 'Add a.txt', branch: 'main', new_branch: 'topic' });
    assert.deepEqual((await deliveries()).map(brief), ['create topic', 'push refs/heads/topic']);
    await alice.must('PATCH', `${REPO}/branches/topic`, { name: 'other' });
    assert.deepEqual((await deliveries()).map(brief), ['delete topic', 'create other']);
    await alice.must('POST', `${REPO}/contents/b.txt`, { content: 'Yg==', message: 'Add b.txt', branch: 'other' });
    const [push] = await deliveries();
    assert.deepEqual(
      push?.json.commits.map(({ added }: { added: string[] }) => added),
      [['b.txt']],
    );
    assert.equal(push?.json.head_commit.id, push?.json.after);
    const { id: repositoryId } = await alice.must('GET', REPO);
    const moved = { ref: 'refs/tags/moved', oldId: push?.json.before, newId: push?.json.after };
    await server.context.events.emit(server.context, 'refs.changed', { repositoryId, actorId: 0, updates: [moved] });
    const told = await deliveries();
    assert.deepEqual(told.map(brief).sort(), ['create moved', 'push refs/tags/moved']);
    assert.equal(told.find(({ json }) => json.before)?.json.before, '0'.repeat(40));
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('are sent to hooks of the owner for repositories that are created, forked and deleted', async () => {
    const { deliveries, id } = await listen(alice, '/user/hooks', ['repository', 'fork']);
    await alice.must('POST', '/user/repos', { name: 'brief', private: true });
    const [created] = await deliveries();
    assert.deepEqual([created?.json.action, created?.json.repository.full_name], ['created', 'alice/brief']);
    assert.equal(created?.headers['x-gitea-hook-installation-target-type'], 'user');
    assert.equal(created?.json.repository.watchers_count, 0);
    // A migrated one is watched when its payload is made.
    const { id: repositoryId } = await alice.must('GET', '/repos/alice/brief');
    const { db, events } = server.context;
    await db.updateTable('repositories').set({ original_url: 'https://example.com/x' }).where('id', '=', repositoryId).execute();
    await events.emit(server.context, 'repository.created', { repositoryId, actorId: 0 });
    assert.equal((await deliveries())[0]?.json.repository.watchers_count, 1);
    await boss.must('POST', `${REPO}/forks`, { name: 'fork' });
    const [fork] = await deliveries();
    assert.deepEqual([fork?.json.forkee.full_name, fork?.json.repository.full_name], ['alice/demo', 'boss/fork']);
    await alice.must('DELETE', '/repos/alice/brief');
    const [deleted] = await deliveries();
    assert.deepEqual([deleted?.json.action, deleted?.json.repository.full_name], ['deleted', 'alice/brief']);
    await alice.must('DELETE', `/user/hooks/${id}`);
  });

  it('of runs of workflows have the language of the repository', async () => {
    const path = '/repos/alice/coded';
    const { id: repositoryId } = await alice.must('POST', '/user/repos', { name: 'coded', auto_init: true, default_branch: 'main' });
    const workflow = 'on: workflow_dispatch\njobs:\n  one:\n    runs-on: linux\n    steps:\n      - run: echo\n';
    for (const [file, text] of [
      ['main.go', 'package main\n'],
      ['.gitea/workflows/ci.yml', workflow],
    ] as const)
      await alice.must('POST', `${path}/contents/${file}`, { content: Buffer.from(text).toString('base64') });
    await countStatistics({ repositoryId }, server.context, new AbortController());
    const { deliveries, id } = await listen(alice, `${path}/hooks`, ['workflow_run', 'workflow_job']);
    await alice.must('POST', `${path}/actions/workflows/ci.yml/dispatches`, { ref: 'main' });
    const languages = (await deliveries()).map(({ json }) => [json.repository.language, json.workflow_run?.repository.language]);
    assert.deepEqual(languages.sort(), [
      ['Go', undefined],
      ['Go', 'Go'],
    ]);
    await alice.must('DELETE', `${path}/hooks/${id}`);
  });

  it('are sent for packages, to hooks of their owner and of the repository that they are linked to', async () => {
    const ofOwner = await listen(shy, '/user/hooks', ['package']);
    await shy.must('POST', '/user/repos', { name: 'tool', private: true });
    const ofRepository = await listen(shy, '/repos/shy/tool/hooks', ['package']);
    const publish = (file: string) => shy.send('PUT', `//api/packages/shy/generic/tool/${file}`, { raw: file });
    await publish('1.0/a');
    await publish('1.0/b');
    const [created, ...more] = await ofOwner.deliveries();
    const { action, package: shown, repository, organization } = created?.json ?? {};
    assert.deepEqual(
      [action, shown.name, shown.version, shown.repository, repository, organization],
      ['created', 'tool', '1.0', null, null, null],
    );
    assert.equal(JSON.stringify(created?.json).includes('shy-secret'), false);
    assert.deepEqual([more.length, (await ofRepository.deliveries()).length], [0, 0]);
    await shy.must('POST', '/packages/shy/generic/tool/-/link/tool');
    await shy.must('DELETE', '/packages/shy/generic/tool/1.0');
    for (const { deliveries, id } of [ofOwner, ofRepository]) {
      const [deleted] = await deliveries();
      assert.deepEqual([deleted?.json.action, deleted?.json.package.repository.full_name], ['deleted', 'shy/tool']);
      await shy.delete(id === ofOwner.id ? `/user/hooks/${id}` : `/repos/shy/tool/hooks/${id}`);
    }
  });

  it('go to the hooks of an organization and of the instance, and nobody else', async () => {
    await alice.must('POST', '/orgs', { username: 'team' });
    await alice.must('POST', '/orgs/team/repos', { name: 'one', auto_init: true });
    const ofTeam = await listen(alice, '/orgs/team/hooks', ['issues']);
    const ofAlice = await listen(alice, '/user/hooks', ['issues']);
    const system = await listen(server.admin, '/admin/hooks', ['issues'], { is_system_webhook: 'true' });
    const standard = await listen(server.admin, '/admin/hooks', ['issues']);
    await alice.must('POST', '/repos/team/one/issues', { title: 'x' });
    const counts = [ofTeam, ofAlice, system, standard].map(async ({ deliveries }) => (await deliveries()).length);
    assert.deepEqual(await Promise.all(counts), [1, 0, 1, 0]);
    for (const { id } of [system, standard]) await server.admin.must('DELETE', `/admin/hooks/${id}`);
    await alice.must('DELETE', `/orgs/team/hooks/${ofTeam.id}`);
    await alice.must('DELETE', `/user/hooks/${ofAlice.id}`);
  });

  it('contain no hidden address, nor private fields of accounts', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['issues', 'status']);
    const { number } = await shy.must('POST', `${REPO}/issues`, { title: 'By the shy' });
    await shy.must('POST', `${REPO}/issues/${number}/comments`, { body: 'Hello' });
    // Administrators see every address; what they do tells others none.
    await boss.must('PATCH', `${REPO}/issues/${number}`, { title: 'By boss', state: 'closed' });
    await boss.must('POST', `${REPO}/issues/${number}/comments`, { body: 'Done' });
    // What is gone cannot be told of any more, so that is told first.
    const before = await deliveries();
    await boss.must('DELETE', `${REPO}/issues/${number}`);
    const came = [...before, ...(await deliveries())];
    assert.ok(came.length >= 5, `${came.length} came`);
    for (const { text, json } of came) {
      assert.doesNotMatch(text, /shy-secret/);
      assert.doesNotMatch(text, /"is_admin": true/);
      assert.equal(json.sender.login_name, '');
    }
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('name no private repository that a fork was made from', async () => {
    await alice.must('POST', '/user/repos', { name: 'private-source', auto_init: true, private: true });
    await alice.must('PUT', '/repos/alice/private-source/collaborators/shy', { permission: 'read' });
    const { deliveries, id } = await listen(shy, '/user/hooks', ['issues', 'repository', 'push']);
    await shy.must('POST', '/repos/alice/private-source/forks', { name: 'copy' });
    await alice.must('DELETE', '/repos/alice/private-source/collaborators/shy');
    await deliveries();
    await shy.must('POST', '/repos/shy/copy/issues', { title: 'x' });
    const came = await deliveries();
    assert.equal(came.length, 1);
    for (const { text } of came) assert.doesNotMatch(text, /private-source/);
    await shy.must('DELETE', `/user/hooks/${id}`);
  });

  it('are sent for published releases, with what they were', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['release']);
    const draft = await alice.must('POST', `${REPO}/releases`, { tag_name: 'v1', name: 'One', draft: true });
    await alice.must('PATCH', `${REPO}/releases/${draft.id}`, { name: 'First' });
    assert.deepEqual(await deliveries(), []);
    await alice.must('PATCH', `${REPO}/releases/${draft.id}`, { draft: false });
    await alice.must('PATCH', `${REPO}/releases/${draft.id}`, { body: 'Notes' });
    await alice.must('DELETE', `${REPO}/releases/${draft.id}`);
    const told = (await deliveries()).map(({ json }) => [json.action, json.release.tag_name, json.release.name, json.release.body]);
    // The one that has gone in the meantime is told of as it was.
    assert.deepEqual(told.at(-1), ['deleted', 'v1', 'First', 'Notes']);
    await alice.must('POST', `${REPO}/releases`, { tag_name: 'v2' });
    const [published] = await deliveries();
    assert.deepEqual([published?.json.action, published?.json.release.assets, published?.json.sender.login], ['published', [], 'alice']);
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('are sent for pages of the wiki', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['wiki']);
    await alice.must('POST', `${REPO}/wiki/new`, { title: 'Some page', content_base64: '', message: 'Begin' });
    await alice.must('PATCH', `${REPO}/wiki/page/Some-page`, { title: 'Other page' });
    await alice.must('DELETE', `${REPO}/wiki/page/Other-page`);
    const told = (await deliveries()).map(({ json }) => [json.action, json.page, json.comment, json.repository.permissions.admin]);
    assert.deepEqual(told, [
      ['created', 'Some-page', 'Begin', true],
      ['edited', 'Other-page', 'Update "Other-page"', true],
      ['deleted', 'Other-page', '', true],
    ]);
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('of a test are those of a push, if the hook is for pushes', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['push']);
    await alice.must('POST', `${REPO}/hooks/${id}/tests?ref=nonsense`);
    const [push] = await deliveries();
    assert.deepEqual([push?.json.ref, push?.json.total_commits, push?.json.pusher.login], ['nonsense', 1, 'alice']);
    assert.equal(push?.json.before, push?.json.after);
    const others = await listen(alice, `${REPO}/hooks`, ['issues']);
    await alice.must('POST', `${REPO}/hooks/${others.id}/tests`);
    assert.deepEqual(await others.deliveries(), []);
    assert.equal((await shy.post(`${REPO}/hooks/${id}/tests`)).status, 403);
  });
});
