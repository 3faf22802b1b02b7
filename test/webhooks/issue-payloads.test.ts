// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { brief, listening } from './listening.ts';

const server = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const alice = await server.user('alice');
const shy = await server.user('shy', { email: 'shy-secret@example.com', keep_email_private: true });
await server.user('boss', { is_admin: true, email: 'boss@example.com' });
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const REPO = '/repos/alice/demo';
const listen = listening(server);

describe('payloads of issues and pull requests', () => {
  it('describe an issue and its changes', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['issues']);
    const { number } = await alice.must('POST', `${REPO}/issues`, { title: 'One', assignees: ['alice'] });
    assert.deepEqual((await deliveries()).map(brief).sort(), ['issue_assign assigned', 'issues opened']);
    await alice.must('PATCH', `${REPO}/issues/${number}`, { title: 'Two', body: 'Text' });
    const changes = (await deliveries()).map(({ json }) => json.changes);
    assert.deepEqual(changes, [
      { title: { from: 'One' }, added_labels: null, removed_labels: null },
      { body: { from: '' }, added_labels: null, removed_labels: null },
    ]);
    await alice.must('POST', `${REPO}/issues/${number}/comments`, { body: 'So' });
    const [comment] = await deliveries();
    assert.deepEqual([comment?.json.comment.body, comment?.json.is_pull, comment?.json.issue.comments], ['So', false, 1]);
    await alice.must('DELETE', `${REPO}/issues/${number}`);
    const [deleted] = await deliveries();
    assert.deepEqual([deleted?.json.action, deleted?.json.issue.title, deleted?.json.number], ['deleted', 'Two', number]);
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('show an issue as it was when it was opened, and before its text was changed with its title', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['issues_only']);
    const milestone = await alice.must('POST', `${REPO}/milestones`, { title: 'first' });
    const { number } = await alice.must('POST', `${REPO}/issues`, { title: 'One', closed: true, milestone: milestone.id });
    const told = (await deliveries()).map(({ json }) => [
      json.action,
      json.issue.state,
      json.issue.milestone.open_issues,
      json.issue.closed_at === null,
    ]);
    assert.deepEqual(told, [
      ['opened', 'open', 0, true],
      ['closed', 'closed', 0, false],
    ]);
    const labels = await listen(alice, `${REPO}/hooks`, ['issue_label', 'pull_request_label', 'pull_request_review_request']);
    const label = await alice.must('POST', `${REPO}/labels`, { name: 'early', color: '#ff0000' });
    const { open_issues_count: open } = await alice.must('GET', REPO);
    await alice.must('POST', `${REPO}/issues`, { title: 'Labelled', labels: [label.id] });
    const [early] = await labels.deliveries();
    assert.deepEqual([early?.json.issue.labels.length, early?.json.repository.open_issues_count], [1, open]);
    await alice.must('POST', `${REPO}/contents/early.txt`, { content: 'ZQ==', message: 'Add', branch: 'main', new_branch: 'early' });
    const { open_pr_counter: pulls } = await alice.must('GET', REPO);
    await alice.must('POST', `${REPO}/pulls`, { title: 'P', head: 'early', base: 'main', labels: [label.id], reviewers: ['boss'] });
    const counts = (await labels.deliveries()).map(({ json }) => [
      json.repository.open_pr_counter,
      json.pull_request.base.repo.open_pr_counter,
    ]);
    assert.deepEqual(counts, [
      [pulls, pulls],
      [pulls, pulls],
    ]);
    // A draft counts in the repository, but not yet on its sides.
    await alice.must('POST', `${REPO}/branches`, { new_branch_name: 'draft', old_ref_name: 'early' });
    await alice.must('POST', `${REPO}/pulls`, { title: 'WIP: P', head: 'draft', base: 'main', labels: [label.id], reviewers: ['boss'] });
    const draftCounts = (await labels.deliveries()).map(({ json }) => [
      json.repository.open_pr_counter,
      json.pull_request.base.repo.open_pr_counter,
      json.pull_request.head.repo.open_pr_counter,
    ]);
    assert.deepEqual(draftCounts, [
      [pulls + 2, pulls + 1, pulls + 1],
      [pulls + 2, pulls + 1, pulls + 1],
    ]);
    await alice.must('DELETE', `${REPO}/hooks/${labels.id}`);
    await deliveries();
    await alice.must('PATCH', `${REPO}/issues/${number}`, { title: 'Two', body: 'Text' });
    assert.deepEqual(
      (await deliveries()).map(({ json }) => [json.issue.title, json.issue.body]),
      [
        ['Two', ''],
        ['Two', 'Text'],
      ],
    );
    // Of several changes by one request, each is told as the others were then.
    await alice.must('PATCH', `${REPO}/issues/${number}`, { body: 'More', state: 'open', ref: 'main', due_date: '2030-01-01T00:00:00Z' });
    assert.deepEqual(
      (await deliveries()).map(({ json: { action, issue } }) => [action, issue.body, issue.state, issue.ref, issue.due_date !== null]),
      [
        ['edited', 'More', 'closed', '', false],
        ['reopened', 'More', 'open', 'main', true],
      ],
    );
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('come in the order that clients know while a pull request is opened or edited', async () => {
    const kinds = ['', '_assign', '_label', '_milestone'].map((kind) => `pull_request${kind}`);
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, [...kinds, 'pull_request_review_request']);
    const label = await alice.must('POST', `${REPO}/labels`, { name: 'ordered', color: '#ff0000' });
    const milestone = await alice.must('POST', `${REPO}/milestones`, { title: 'ordered' });
    await alice.must('POST', `${REPO}/contents/ordered.txt`, { content: 'ZQ==', message: 'Add', branch: 'main', new_branch: 'ordered' });
    const attributes = { labels: [label.id], milestone: milestone.id, assignees: ['alice'], reviewers: ['boss'] };
    const { number } = await alice.must('POST', `${REPO}/pulls`, { title: 'P', head: 'ordered', base: 'main', ...attributes });
    const opened = ['review_requested', 'opened', 'label_updated', 'milestoned', 'assigned'];
    assert.deepEqual(
      (await deliveries()).map(({ json }) => json.action),
      opened,
    );
    await alice.must('PATCH', `${REPO}/pulls/${number}`, { title: 'Q', labels: [], state: 'closed' });
    const edits = (await deliveries()).map(({ json: { action, pull_request: pull } }) => [action, pull.labels.length]);
    assert.deepEqual(edits, [
      ['edited', 1],
      ['closed', 0],
    ]);
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('of a merge come before its push, each with the counts of its moment', async () => {
    await alice.must('POST', '/user/repos', { name: 'merging', auto_init: true, default_branch: 'main' });
    const repo = '/repos/alice/merging';
    const { id: milestone } = await alice.must('POST', `${repo}/milestones`, { title: 'first' });
    for (const title of ['One', 'Two']) await alice.must('POST', `${repo}/issues`, { title, milestone });
    await alice.must('POST', `${repo}/contents/a.txt`, { content: 'YQ==', message: 'Add', branch: 'main', new_branch: 'topic' });
    const pull = { title: 'P', head: 'topic', base: 'main', body: 'Closes #1, closes #2', milestone };
    await alice.must('POST', `${repo}/pulls`, pull);
    const { deliveries } = await listen(alice, `${repo}/hooks`, ['push', 'issues_only', 'pull_request_only']);
    await alice.must('POST', `${repo}/pulls/3/merge`, { Do: 'merge' });
    const told = (await deliveries()).map(({ json: { ref, issue, pull_request: merged, repository } }) => {
      const { number, milestone: counted } = issue ?? merged ?? {};
      return [ref ?? number, counted?.open_issues, counted?.closed_issues, repository.open_issues_count];
    });
    assert.deepEqual(told, [
      [3, 2, 1, 2],
      [1, 1, 2, 2],
      [2, 0, 3, 1],
      ['refs/heads/main', undefined, undefined, 0],
    ]);
  });

  it('show labels in the order of their creation while it is opened, by name later', async () => {
    const { deliveries } = await listen(alice, `${REPO}/hooks`, ['issues', 'pull_request', 'pull_request_review_request', 'issue_label']);
    const make = async (name: string) => (await alice.must('POST', `${REPO}/labels`, { name, color: '#ff0000' })).id;
    const [last, first] = [await make('z-made-first'), await make('a-made-later')];
    const names = (labels: { name: string }[]) => labels.map(({ name }) => name[0]).join('');
    const issue = await alice.must('POST', `${REPO}/issues`, { title: 'I', labels: [first, last] });
    await alice.must('POST', `${REPO}/contents/order.txt`, { content: '', new_branch: 'order' });
    const wanted = { title: 'P', head: 'order', base: 'main', labels: [first, last], reviewers: ['boss'] };
    const pull = await alice.must('POST', `${REPO}/pulls`, wanted);
    assert.deepEqual([names(issue.labels), names(pull.labels)], ['az', 'za']);
    const shown = async () => (await deliveries()).map(({ json }) => names((json.issue ?? json.pull_request).labels));
    assert.deepEqual(new Set(await shown()), new Set(['za']));
    await alice.must('PATCH', `${REPO}/pulls/${pull.number}`, { title: 'Q' });
    assert.deepEqual(new Set(await shown()), new Set(['az']));
    assert.equal(names((await alice.must('GET', `${REPO}/pulls/${pull.number}`)).labels), 'az');
  });

  it('are sent for requested labels, whether they change anything or not', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['issue_label', 'issue_assign']);
    const label = await alice.must('POST', `${REPO}/labels`, { name: 'bug', color: '#ff0000' });
    const { number } = await alice.must('POST', `${REPO}/issues`, { title: 'Labelled' });
    for (const method of ['POST', 'PUT']) await alice.must(method, `${REPO}/issues/${number}/labels`, { labels: [label.id] });
    for (const path of [`labels/${label.id}`, `labels/${label.id}`, 'labels'])
      await alice.must('DELETE', `${REPO}/issues/${number}/${path}`);
    const updated = 'issue_label label_updated';
    assert.deepEqual((await deliveries()).map(brief), [updated, updated, updated, updated, 'issue_label label_cleared']);
    await alice.must('POST', `${REPO}/issues/${number}/labels`, { labels: [label.id] });
    await alice.must('DELETE', `${REPO}/issues/${number}/labels`);
    const [, cleared] = await deliveries();
    assert.deepEqual([cleared?.json.action, cleared?.json.issue.labels.length], ['label_cleared', 1]);
    // Each assignment is told as it was, also where one request makes several.
    await alice.must('PATCH', `${REPO}/issues/${number}`, { assignees: ['alice', 'boss'] });
    await alice.must('PATCH', `${REPO}/issues/${number}`, { assignees: [] });
    const assigned = (await deliveries()).map(({ json }) => [json.action, json.issue.assignee?.login, json.issue.assignees?.length]);
    assert.deepEqual(assigned, [
      ['assigned', 'alice', 1],
      ['assigned', 'alice', 2],
      ['unassigned', 'boss', 1],
      ['unassigned', undefined, undefined],
    ]);
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });

  it('show a deleted pull request in full, and a deleted comment without its files', async () => {
    const { deliveries, id } = await listen(alice, `${REPO}/hooks`, ['pull_request_only', 'pull_request_comment']);
    await alice.must('POST', `${REPO}/contents/p.txt`, { content: 'cA==', message: 'Add', branch: 'main', new_branch: 'to-pull' });
    const { number } = await alice.must('POST', `${REPO}/pulls`, { title: 'Pull', head: 'to-pull', base: 'main' });
    const comment = await shy.must('POST', `${REPO}/issues/${number}/comments`, { body: 'With a file' });
    const form = new FormData();
    form.set('attachment', new Blob(['data']), 'a.txt');
    assert.equal((await alice.send('POST', `${REPO}/issues/comments/${comment.id}/assets`, { form })).status, 201);
    await alice.must('DELETE', `${REPO}/issues/comments/${comment.id}`);
    assert.deepEqual((await deliveries()).at(-1)?.json.comment.assets, []);
    await alice.must('DELETE', `${REPO}/issues/${number}`);
    const [deleted] = await deliveries();
    const { head, base, user, mergeable } = deleted?.json.pull_request ?? {};
    assert.deepEqual([head?.ref, base?.ref, user?.login, typeof mergeable], ['to-pull', 'main', 'alice', 'boolean']);
    assert.deepEqual([deleted?.json.review, deleted?.json.requested_reviewer], [null, null]);
    await alice.must('DELETE', `${REPO}/hooks/${id}`);
  });
});
