import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTransaction } from '../../src/context.ts';
import { testServer } from '../support/server.ts';
import { type Received, receiver } from './receiver.ts';

const server = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const alice = await server.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const REPO = '/repos/alice/demo';

async function listen(path: string, events: string[]) {
  const there = await receiver();
  const hook = { type: 'gitea', active: true, events, config: { url: there.url, content_type: 'json' } };
  const { id } = await alice.must('POST', path, hook);
  const deliveries = async (): Promise<Received[]> => {
    await server.settled();
    return there.received.splice(0);
  };
  return { id: Number(id), deliveries };
}

/** Keeps all that waits from being sent until `change` is done, as on a busy server. */
async function whileBusy(hookId: number, change: () => Promise<unknown>): Promise<void> {
  const { db, processes } = server.context;
  await db.updateTable('webhooks').set({ process_id: processes.id }).where('id', '=', hookId).execute();
  await change();
  await db.updateTable('webhooks').set({ process_id: null }).where('id', '=', hookId).execute();
}

describe('receivers', () => {
  it('get a comment as it was written, whatever becomes of it', async () => {
    const { id, deliveries } = await listen(`${REPO}/hooks`, ['issue_comment']);
    const { number } = await alice.must('POST', `${REPO}/issues`, { title: 'One' });
    await whileBusy(id, async () => {
      const comment = await alice.must('POST', `${REPO}/issues/${number}/comments`, { body: 'original' });
      await alice.must('PATCH', `${REPO}/issues/comments/${comment.id}`, { body: 'edited' });
      await alice.must('DELETE', `${REPO}/issues/comments/${comment.id}`);
    });
    assert.deepEqual(
      (await deliveries()).map(({ json }) => [json.action, json.comment.body, json.issue.comments]),
      [
        ['created', 'original', 1],
        ['edited', 'edited', 1],
        ['deleted', 'edited', 0],
      ],
    );
  });

  it('get a merged pull request with the branch that was deleted right after, and what was counted before', async () => {
    await alice.must('POST', `${REPO}/contents/a.txt`, { content: 'YQ==', message: 'Add', branch: 'main', new_branch: 'topic' });
    const { number } = await alice.must('POST', `${REPO}/pulls`, { title: 'P', head: 'topic', base: 'main' });
    await server.settled();
    const { id, deliveries } = await listen(`${REPO}/hooks`, ['pull_request_only', 'delete']);
    const { branch_count: branches } = await alice.must('GET', REPO);
    await whileBusy(id, async () => {
      await alice.must('POST', `${REPO}/pulls/${number}/merge`, { Do: 'merge', delete_branch_after_merge: true });
      await server.settled();
    });
    const [closed, deleted] = await deliveries();
    assert.equal(closed?.json.action, 'closed');
    const { head, base, changed_files: files, additions } = closed?.json.pull_request ?? {};
    assert.deepEqual([head.ref, files, additions], ['topic', 1, 1]);
    const counts = [closed?.json.repository, head.repo, base.repo].map((repository) => repository.branch_count);
    assert.deepEqual(counts, [branches, branches, branches]);
    assert.deepEqual([deleted?.json.ref, deleted?.json.repository.branch_count], ['topic', branches - 1]);
  });

  it('get a pull request that is closed because its fork is deleted with the branch and the fork as they were', async () => {
    const bob = await server.user('bob');
    await bob.must('POST', `${REPO}/forks`, {});
    await bob.must('POST', '/repos/bob/demo/contents/f.txt', { content: 'Zg==', message: 'Add f', branch: 'main', new_branch: 'fix' });
    const { number } = await bob.must('POST', `${REPO}/pulls`, { title: 'P', head: 'bob:fix', base: 'main' });
    await server.settled();
    const { deliveries } = await listen(`${REPO}/hooks`, ['pull_request_only']);
    await bob.must('DELETE', '/repos/bob/demo');
    const [closed, ...others] = await deliveries();
    assert.deepEqual([closed?.json.action, closed?.json.number, others], ['closed', number, []]);
    const { head, base, additions } = closed?.json.pull_request ?? {};
    assert.deepEqual([head.ref, head.repo?.full_name, base.repo.forks_count, additions], ['fix', 'bob/demo', 1, 1]);
    assert.deepEqual(
      [(await alice.must('GET', `${REPO}/pulls/${number}`)).state, (await alice.must('GET', REPO)).forks_count],
      ['closed', 0],
    );
  });

  it('get an annotated tag of the API by its commit', async () => {
    const { deliveries } = await listen(`${REPO}/hooks`, ['push', 'create']);
    const { sha } = (await alice.must('POST', `${REPO}/tags`, { tag_name: 'noted', message: 'Made' })).commit;
    await alice.must('POST', `${REPO}/releases`, { tag_name: 'released', tag_message: 'Made' });
    const ids = (await deliveries()).map(({ json }) => json.after ?? json.sha);
    assert.deepEqual(ids, [sha, sha, sha, sha]);
    const [shown] = await alice.must('GET', `${REPO}/git/refs/tags/noted`);
    assert.deepEqual([shown.object.type, shown.object.sha === sha], ['tag', false]);
    await alice.must('DELETE', `${REPO}/releases/tags/released`);
  });

  it('get links of statuses as they are, and those within the server in full', async () => {
    const { id } = (await alice.must('GET', `${REPO}/branches/main`)).commit;
    const { deliveries } = await listen(`${REPO}/hooks`, ['status']);
    const links = ['https://ci.example/1', 'ftp://ci.example/1', '//ci.example/1', '/alice/demo', ''];
    for (const link of links) await alice.must('POST', `${REPO}/statuses/${id}`, { state: 'success', target_url: link });
    const shown = (await deliveries()).map(({ json }) => json.target_url);
    assert.deepEqual(shown, [...links.slice(0, 3), `${server.url}alice/demo`, server.url]);
  });

  it('get pushes with their commits in the order of what happened', async () => {
    const { id, deliveries } = await listen(`${REPO}/hooks`, ['push', 'issues']);
    await whileBusy(id, async () => {
      await alice.must('POST', `${REPO}/contents/b.txt`, { content: 'Yg==', message: 'Add b', branch: 'main' });
      await alice.must('POST', `${REPO}/issues`, { title: 'Two' });
      await alice.must('POST', `${REPO}/contents/c.txt`, { content: 'Yw==', message: 'Add c', branch: 'main' });
    });
    assert.deepEqual(
      (await deliveries()).map(({ json }) =>
        json.commits?.map(({ message, added }: { message: string; added: string[] }) => [message, added]),
      ),
      [[['Add b\n', ['b.txt']]], undefined, [['Add c\n', ['c.txt']]]],
    );
  });

  it('get nothing from before their hook, and nothing that it was not for then', async () => {
    const { db } = server.context;
    await alice.must('POST', '/user/repos', { name: 'older' });
    const own = await listen('/repos/alice/older/hooks', ['repository']);
    const of = await listen('/user/hooks', ['repository']);
    const later = await listen(`${REPO}/hooks`, ['push']);
    await alice.must('POST', `${REPO}/issues`, { title: 'Three' });
    await alice.must('PATCH', `${REPO}/hooks/${later.id}`, { events: ['issues'] });
    const removed = await listen(`${REPO}/hooks`, ['issues']);
    await whileBusy(removed.id, async () => {
      await alice.must('POST', `${REPO}/issues`, { title: 'Four' });
      await alice.must('DELETE', `${REPO}/hooks/${removed.id}`);
    });
    assert.deepEqual([await own.deliveries(), await of.deliveries(), await removed.deliveries()], [[], [], []]);
    assert.deepEqual(
      (await later.deliveries()).map(({ json }) => json.issue.title),
      ['Four'],
    );
    assert.deepEqual(await db.selectFrom('event_deliveries').selectAll().where('subscriber', '=', 'webhooks').execute(), []);
  });

  it('get a deleted tag as a release without a text', async () => {
    const { deliveries } = await listen(`${REPO}/hooks`, ['release', 'push', 'delete']);
    await alice.must('POST', `${REPO}/tags`, { tag_name: 'V1', message: 'Made' });
    await alice.must('POST', `${REPO}/releases`, { tag_name: 'v2' });
    await deliveries();
    await alice.must('DELETE', `${REPO}/tags/V1`);
    const [, , released] = (await deliveries()).sort((a, b) => Number('release' in a.json) - Number('release' in b.json));
    const { id, tag_name: tag, name, body, draft, author } = released?.json.release ?? {};
    assert.deepEqual([released?.json.action, tag, name, body, draft, author.login], ['deleted', 'V1', '', '', false, 'alice']);
    assert.ok(id > 0 && (await alice.get(`${REPO}/releases/${id}`)).status === 404);
    assert.equal((await alice.must('GET', `${REPO}/releases`)).length, 1);
  });

  it('get the file that came to an issue, and the files of a comment only with a new one', async () => {
    const { deliveries } = await listen(`${REPO}/hooks`, ['issues', 'issue_comment']);
    const { number } = await alice.must('POST', `${REPO}/issues`, { title: 'Files' });
    const comment = await alice.must('POST', `${REPO}/issues/${number}/comments`, { body: 'x' });
    const attach = (path: string, name: string) => {
      const form = new FormData();
      form.append('attachment', new Blob(['text']), name);
      return alice.send('POST', `${REPO}/issues/${path}/assets`, { form });
    };
    await deliveries();
    await attach(String(number), 'a.txt');
    await attach(String(number), 'b.txt');
    await attach(`comments/${comment.id}`, 'c.txt');
    await alice.must('PATCH', `${REPO}/issues/comments/${comment.id}`, { body: 'y' });
    const names = (files?: { name: string }[]) => files?.map(({ name }) => name);
    assert.deepEqual(
      (await deliveries()).map(({ json }) => [names(json.issue.assets), names(json.comment?.assets), json.repository.permissions.push]),
      [
        [['a.txt'], undefined, false],
        [['b.txt'], undefined, false],
        [['a.txt', 'b.txt'], ['c.txt'], true],
        [['a.txt', 'b.txt'], [], true],
      ],
    );
  });

  it('get the tag of a release with the number of releases before it', async () => {
    const { id } = await alice.must('POST', `${REPO}/releases`, { tag_name: 'with-draft', draft: true });
    const { release_counter: before } = await alice.must('GET', REPO);
    const { deliveries } = await listen(`${REPO}/hooks`, ['create', 'push', 'delete', 'release']);
    const counted = async () =>
      (await deliveries()).map(({ headers, json }) => `${headers['x-gitea-event']} ${json.repository.release_counter}`).sort();
    await alice.must('PATCH', `${REPO}/releases/${id}`, { draft: false });
    assert.deepEqual(await counted(), [`create ${before}`, `push ${before}`, `release ${before + 1}`]);
  });

  it('get nothing of a change that fails', async () => {
    const { deliveries } = await listen(`${REPO}/hooks`, ['issues']);
    const { context } = server;
    const issue = await context.db.selectFrom('issues').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
    const payload = { repositoryId: issue.repository_id, issueId: issue.id, actorId: issue.author_id, mentions: [] };
    await assert.rejects(
      inTransaction(context, async (inside) => {
        await context.events.emit(inside, 'issue.opened', payload);
        throw new Error('no');
      }),
      /no/,
    );
    assert.deepEqual(await deliveries(), []);
  });
});
