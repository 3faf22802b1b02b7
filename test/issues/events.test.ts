// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventType } from '../../src/events/events.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo' });
const repo = '/repos/alice/demo';
await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });
const bug = await alice.must('POST', `${repo}/labels`, { name: 'bug', color: '#ee0701' });

const TYPES: EventType[] = [
  'issue.opened',
  'issue.edited',
  'issue.ref-changed',
  'issue.closed',
  'issue.reopened',
  'issue.deleted',
  'issue.labels-changed',
  'issue.milestone-changed',
  'issue.assigned',
  'issue.unassigned',
  'issue.deadline-changed',
  'comment.created',
  'comment.edited',
  'comment.deleted',
  'milestone.created',
  'milestone.edited',
  'milestone.deleted',
];
// biome-ignore lint/suspicious/noExplicitAny: payloads of all kinds
let seen: [EventType, any][] = [];
let refuse: EventType | undefined;
for (const type of TYPES) {
  t.context.events.within(type, async (payload, context) => {
    assert.ok(context.afterCommit, `${type} is part of a transaction`);
    if (refuse === type) throw new Error('refused by the test');
    seen.push([type, payload]);
  });
}

async function events(change: () => Promise<unknown>): Promise<EventType[]> {
  seen = [];
  await change();
  return seen.map(([type]) => type);
}

describe('every write', () => {
  it('emits what happened, once', async () => {
    const at = `${repo}/issues/1`;
    let commentId = 0;
    const milestone = { id: 0 };
    const steps: [() => Promise<unknown>, EventType[]][] = [
      [async () => Object.assign(milestone, await alice.must('POST', `${repo}/milestones`, { title: 'v1' })), ['milestone.created']],
      [
        () =>
          alice.must('POST', `${repo}/issues`, {
            title: 'One',
            body: '@bob',
            labels: [bug.id],
            milestone: milestone.id,
            assignees: ['bob'],
            closed: true,
          }),
        ['issue.opened', 'issue.milestone-changed', 'issue.labels-changed', 'issue.assigned', 'issue.closed'],
      ],
      [() => alice.must('PATCH', at, { title: 'Two', body: 'Three' }), ['issue.edited']],
      [() => alice.must('PATCH', at, { title: 'Two' }), []],
      [
        () => alice.must('PATCH', at, { ref: 'main', state: 'open', assignees: [], milestone: 0 }),
        ['issue.ref-changed', 'issue.unassigned', 'issue.milestone-changed', 'issue.reopened'],
      ],
      [() => alice.must('PATCH', at, { due_date: '2030-01-01T00:00:00Z' }), ['issue.deadline-changed']],
      [() => alice.must('DELETE', `${at}/labels`), ['issue.labels-changed']],
      // Clients know that asking is enough.
      [() => alice.must('DELETE', `${at}/labels`), ['issue.labels-changed']],
      [async () => (commentId = (await bob.must('POST', `${at}/comments`, { body: '@alice' })).id), ['comment.created']],
      [() => bob.must('PATCH', `${repo}/issues/comments/${commentId}`, { body: 'Four' }), ['comment.edited']],
      [() => bob.must('PATCH', `${repo}/issues/comments/${commentId}`, { body: 'Four' }), []],
      [() => bob.must('DELETE', `${repo}/issues/comments/${commentId}`), ['comment.deleted']],
      [() => alice.must('PATCH', `${repo}/milestones/v1`, { state: 'closed' }), ['milestone.edited']],
      [() => alice.must('DELETE', `${repo}/milestones/v1`), ['milestone.deleted']],
      [() => alice.must('DELETE', at), ['issue.deleted']],
    ];
    for (const [change, expected] of steps) assert.deepEqual(await events(change), expected);
    const [[, deleted] = []] = seen;
    assert.deepEqual([deleted.number, deleted.isPull], [1, false]);
  });

  it('says who did it, and who was mentioned', async () => {
    await events(() => bob.must('POST', `${repo}/issues`, { title: 'One', body: '@alice @bob @nobody' }));
    const [[, payload] = []] = seen;
    const [aliceId, bobId] = [(await alice.must('GET', '/user')).id, (await bob.must('GET', '/user')).id];
    assert.deepEqual([payload.actorId, payload.mentions], [bobId, [aliceId]]);
  });

  it('is undone together with its event', async () => {
    refuse = 'issue.closed';
    const response = await alice.post(`${repo}/issues`, { title: 'Never', closed: true });
    refuse = undefined;
    assert.equal(response.status, 500);
    assert.deepEqual(await alice.must('GET', `${repo}/issues?q=never&state=all`), []);
    assert.equal((await alice.must('POST', `${repo}/issues`, { title: 'Next' })).number, 3);
  });
});
