// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { findRepository } from '../../../src/access/find-repository.ts';
import { recordIssue } from '../../../src/activity/record.ts';
import type { Events, EventType } from '../../../src/events/events.ts';
import type { Handler, Job } from '../../../src/feature.ts';
import { features } from '../../../src/features.ts';
import type { JobRun } from '../../../src/jobs/job-work.ts';
import type { JobType } from '../../../src/jobs/jobs.ts';
import { commit, open } from '../../pulls/open.ts';
import { beforeTransaction } from '../../support/before-transaction.ts';
import { recordedLog } from '../../support/recorded-log.ts';
import { testServer } from '../../support/server.ts';
import { eventLogs, REPOSITORY } from '../logs.ts';
import { eventsAbout, type Ids, jobsAbout } from './payloads.ts';

const t = await testServer();
const run: JobRun = { id: 1, attempt: 1, signal: new AbortController().signal, progress: () => {} };

/** Every handler and every job of the server with what it is about; returns those that fail. */
async function failures(ids: Ids): Promise<string[]> {
  const failed: string[] = [];
  const attempt = async (name: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) => failed.push(`${name}: ${error}`));
  };
  const events: Events = eventsAbout(ids);
  const jobs: Partial<Record<JobType, unknown>> = jobsAbout(ids);
  for (const { on = {}, jobs: own = {} } of features) {
    for (const [subscriber, handlers] of Object.entries(on)) {
      for (const [name, handle] of Object.entries(handlers)) {
        const type = name as EventType;
        const event = { id: 1_000_000, type, payload: events[type], createdAt: 0 };
        await attempt(`${subscriber} on ${type}`, () => (handle as Handler<EventType>)(event, t.context));
      }
    }
    for (const [type, job] of Object.entries(own)) {
      if (type in jobs) await attempt(type, () => (job as Job<JobType>).run(jobs[type as JobType] as never, t.context, run));
    }
  }
  return failed;
}

const nothing: Ids = {
  repository: 9_000_001,
  issue: 9_000_002,
  comment: 9_000_003,
  review: 9_000_004,
  release: 9_000_005,
  actor: 9_000_006,
  other: 9_000_007,
  oldCommit: '1'.repeat(40),
  newCommit: '2'.repeat(40),
};

const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const path = '/repos/alice/demo';
const oldCommit = await commit(alice, 'alice/demo', { path: 'a.txt', text: 'a' });
const number = await open(alice, 'alice/demo', 'topic');
const { id: comment } = await alice.must('POST', `${path}/issues/${number}/comments`, { body: 'Hello @admin' });
const { id: review } = await t.admin.must('POST', `${path}/pulls/${number}/reviews`, { event: 'COMMENT', body: 'Well' });
const { id: release } = await alice.must('POST', `${path}/releases`, { tag_name: 'v1', target_commitish: 'main' });
const newCommit = await commit(alice, 'alice/demo', { path: 'a.txt', text: 'b' });
const { id: repository } = await alice.must('GET', path);
const { id: issue } = await alice.must('GET', `${path}/issues/${number}`);
const { id: actor } = await alice.must('GET', '/user');
const commits = { oldCommit, newCommit };
const all: Ids = { repository, issue, comment, review, release, actor, other: nothing.other, ...commits };
await t.settled();
// What handlers enqueue from here on stays where it is.
await t.server.services.jobs.stop();

describe('every event handler and every job', () => {
  it('handles what is there', async () => {
    assert.deepEqual(await failures(all), []);
  });

  it('accepts that nothing of it is there any more', async () => {
    assert.deepEqual(await failures(nothing), []);
  });

  it('accepts that the repository alone is there', async () => {
    assert.deepEqual(await failures({ ...nothing, repository, actor }), []);
    assert.deepEqual(await failures({ ...nothing, repository, actor, ...commits }), []);
  });

  it('accepts that the commits were removed, which nothing led to any more', async () => {
    const { oldCommit, newCommit } = nothing;
    assert.deepEqual(await failures({ ...all, oldCommit }), []);
    assert.deepEqual(await failures({ ...all, newCommit }), []);
    assert.deepEqual(await failures({ ...all, oldCommit, newCommit }), []);
  });

  it('accepts that the actor was deleted', async () => {
    assert.deepEqual(await failures({ ...all, actor: nothing.actor }), []);
  });

  it('accepts that the issue is deleted after it was found: it is run again at once, and nothing is logged', async () => {
    const { id: issue } = await alice.must('POST', `${path}/issues`, { title: 'Short' });
    await t.server.services.events.settled();
    const deletion = beforeTransaction(t.context, () => t.context.db.deleteFrom('issues').where('id', '=', issue).execute());
    let runs = 0;
    const { log, lines } = recordedLog();
    const events = eventLogs(t).logWith(async ({ id, createdAt }) => {
      runs++;
      const payload = eventsAbout({ ...all, issue })['issue.opened'];
      await recordIssue({ id, type: 'issue.opened', payload, createdAt }, deletion);
    });
    events.start({ ...t.context, log });
    await events.emit(t.context, 'star.added', { repositoryId: REPOSITORY, actorId: actor });
    await events.settled();
    assert.deepEqual([runs, lines], [2, []]);
  });

  it('accepts that the repository is being deleted and its folder is missing', async () => {
    const row = await findRepository(t.context.db, repository);
    await alice.must('DELETE', path);
    if (row) await rm(t.context.git.locate(row).path, { recursive: true });
    assert.deepEqual(await failures(all), []);
  });
});
