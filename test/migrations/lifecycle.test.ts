import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { now } from '../../src/clock.ts';
import { endLostMigrations, expireMigrations } from '../../src/migrations/cleanup.ts';
import { unfinishedRepositories } from '../../src/repositories/doctor/states.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { giteaStub, pageOfIssues, respond, stubIssue } from './gitea-stub.ts';
import { held } from './stub.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] } });
const [bob, eve] = await Promise.all(['bob', 'eve'].map((name) => t.user(name)));
assert.ok(bob && eve);
const stub = await giteaStub();
const migrate = (repo_name: string, fields: Record<string, unknown> = {}) =>
  bob.post('/repos/migrate', {
    repo_name,
    clone_addr: `${stub.url}/o/r.git`,
    service: 'gitea',
    issues: true,
    auth_token: 'T0ken',
    ...fields,
  });
const latest = async () => (await bob.must('GET', '/user/migrations'))[0];
const comments = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, body: `Comment ${index}`, user: { id: 8, login: 'ed' } }));
for (let id = 1; id <= 3; id++) respond(stub, `issues/comments/${id}/reactions`, null);
for (let number = 1; number <= 60; number++) respond(stub, `issues/${number}/reactions`, null);

describe('a migration', () => {
  it('shows how far it is, and can be cancelled and begun again', async () => {
    const waiting = held([stubIssue(1)]);
    respond(stub, 'issues', waiting.response);
    const response = migrate('cancelled');
    await waiting.arrived;
    const running = await latest();
    assert.deepEqual([running.status, running.step, running.repo_name, running.owner], ['running', 'issues', 'cancelled', 'bob']);
    assert.equal(running.clone_addr, `${stub.url}/o/r.git`);
    assert.equal((await bob.get('/repos/bob/cancelled')).status, 404);
    assert.deepEqual(await Array.fromAsync(unfinishedRepositories(t.context)), []);
    assert.equal((await migrate('cancelled')).status, 409);
    assert.equal((await eve.get(`/user/migrations/${running.id}`)).status, 404);
    assert.equal((await eve.delete(`/user/migrations/${running.id}`)).status, 404);
    assert.equal((await bob.post(`/user/migrations/${running.id}/retry`)).status, 409);
    assert.equal((await bob.delete(`/user/migrations/${running.id}`)).status, 204);
    const { status, json } = await response;
    assert.deepEqual([status, json.message], [422, 'The migration was cancelled.']);
    assert.equal((await bob.delete(`/user/migrations/${running.id}`)).status, 409);
    await t.settled();
    assert.deepEqual(await t.context.db.selectFrom('repositories').select('id').execute(), []);
    respond(stub, 'issues', [stubIssue(1)]);
    const again = await bob.post(`/user/migrations/${running.id}/retry`);
    assert.deepEqual([again.status, again.json.repo_name], [202, 'cancelled']);
    await t.settled();
    assert.equal((await latest()).status, 'finished');
    assert.equal((await bob.must('GET', '/repos/bob/cancelled/issues')).length, 1);
  });

  it('continues where it was when its process is dead', async () => {
    stub.requests.length = 0;
    const first = Array.from({ length: 50 }, (_, index) => stubIssue(index + 1, { comments: index === 0 ? 3 : 0 }));
    respond(stub, pageOfIssues(1), first);
    respond(stub, pageOfIssues(2), [stubIssue(51), stubIssue(52, { comments: 2 })]);
    respond(stub, 'issues/1/comments', comments(3));
    const waiting = held(comments(2));
    respond(stub, 'issues/52/comments', waiting.response);
    const response = migrate('resumed');
    await waiting.arrived;
    assert.deepEqual([(await latest()).done, (await latest()).step], [50, 'issues']);
    // Nobody finds what is written already.
    for (const client of [bob, t.admin]) {
      const found = await client.must('GET', '/repos/issues/search?state=all');
      assert.deepEqual(
        found.filter(({ repository }: { repository: { name: string } }) => repository.name === 'resumed'),
        [],
      );
    }
    respond(stub, 'issues/52/comments', comments(2));
    // As another process does that finds this one gone.
    await t.context.db.updateTable('jobs').set({ process_id: null }).where('type', '=', 'repository.migrate').execute();
    t.context.wakeUps.wake('jobs');
    assert.equal((await response).status, 201);
    const asked = (path: string) => stub.requests.filter((request) => request.path.endsWith(path)).length;
    assert.deepEqual([asked(pageOfIssues(1)), asked(pageOfIssues(2))], [1, 2]);
    const repository = await bob.must('GET', '/repos/bob/resumed');
    assert.equal(repository.open_issues_count, 52);
    const counts = await Promise.all([1, 51, 52].map((number) => bob.must('GET', `/repos/bob/resumed/issues/${number}`)));
    assert.deepEqual(
      counts.map(({ comments }) => comments),
      [3, 0, 2],
    );
    assert.equal((await bob.must('GET', '/repos/bob/resumed/issues/52/comments')).length, 2);
    const { number } = await bob.must('POST', '/repos/bob/resumed/issues', { title: 'The next' });
    assert.equal(number, 53);
  });

  it('keeps its credentials encrypted, and none once it has succeeded', async () => {
    respond(stub, 'issues', { message: 'not a list' });
    stub.responses.delete(`/api/v1/repos/o/r/${pageOfIssues(1)}`);
    assert.equal((await migrate('secret')).status, 422);
    const rows = await t.context.db.selectFrom('repository_migrations').selectAll().orderBy('id', 'desc').execute();
    assert.ok(!JSON.stringify(rows).includes('T0ken'));
    assert.deepEqual(
      rows.map(({ state, options }) => [state, options !== null]),
      [
        ['failed', true],
        ['finished', false],
        ['finished', false],
        ['cancelled', true],
      ],
    );
    assert.ok(stub.requests.every(({ authorization }) => authorization === 'token T0ken'));
  });

  it('fails when its job is missing, and is deleted after some time', async () => {
    const { db } = t.context;
    const waiting = held([]);
    respond(stub, 'issues', waiting.response);
    const response = migrate('lost');
    await waiting.arrived;
    const { id, job_id: jobId } = await db.selectFrom('repository_migrations').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
    await db
      .deleteFrom('jobs')
      .where('id', '=', jobId ?? 0)
      .execute();
    await endLostMigrations(t.context);
    assert.match((await response).json.message, /interrupted too often/);
    const ended = (days: number) =>
      db
        .updateTable('repository_migrations')
        .set({ ended_at: now() - days * 86_400 })
        .where('id', '=', id)
        .execute();
    await ended(8);
    await expireMigrations(t.context);
    assert.equal((await bob.post(`/user/migrations/${id}/retry`)).status, 409);
    await ended(31);
    await expireMigrations(t.context);
    assert.equal((await bob.get(`/user/migrations/${id}`)).status, 404);
    waiting.release();
    await t.settled();
  });

  it('waits while others of the same user are running, of which there may be so many', async () => {
    const waiting = held([]);
    respond(stub, 'issues', waiting.response);
    const responses = ['a', 'b', 'c', 'd'].map((name) => migrate(`busy-${name}`));
    try {
      await eventually(async () => {
        const steps = (await bob.must('GET', '/user/migrations?limit=4')).map(({ step }: { step: string }) => step).sort();
        return steps.join(' ') === 'git issues issues issues';
      }, 'three that run, and one that waits');
    } finally {
      waiting.release();
    }
    respond(stub, 'issues', []);
    assert.deepEqual(
      (await Promise.all(responses)).map(({ status }) => status),
      [201, 201, 201, 201],
    );
  });

  it('ends with the account that started it', async () => {
    const waiting = held([]);
    respond(stub, 'issues', waiting.response);
    const response = eve.post('/repos/migrate', { repo_name: 'x', clone_addr: `${stub.url}/o/r.git`, service: 'gitea', issues: true });
    await waiting.arrived;
    await t.admin.must('DELETE', '/admin/users/eve?purge=true');
    assert.ok((await response).status >= 400);
    await t.settled();
    const left = await t.context.db.selectFrom('repositories').select('name').where('name', '=', 'x').execute();
    assert.deepEqual(left, []);
  });
});
