// On SQLite alone: what a migration writes is asked of both by gitea.test.ts and services.test.ts.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { giteaStub, pageOfIssues, respond, stubIssue } from './gitea-stub.ts';
import { assetAt, migrating, releaseWith } from './refusals.ts';
import type { Json } from './snapshot.ts';
import { sendJson } from './stub.ts';

const outgoing = { allowedHosts: ['loopback'] };
const t = await testServer({ outgoing, migrations: { maxAttempts: 2, retryBackoff: 0, maxIssues: 120, maxAssetSize: 1000 } });
/** It waits for no response for long. Under load all of them may take long, so it is asked for nothing else. */
const impatient = await testServer({ outgoing: { ...outgoing, timeout: 3000 }, migrations: { maxAttempts: 1, timeout: 3000 } });
const stub = await giteaStub();
const bob = await t.user('bob');
const { migrate, refused } = migrating(t, bob, stub);
for (let number = 1; number <= 200; number++) respond(stub, `issues/${number}/reactions`, []);

describe('a source without an end, or without sense', () => {
  it('is refused for lists without an end', async () => {
    const page = (first: number) => Array.from({ length: 50 }, (_, index) => stubIssue(first + index));
    await refused('issues', page(1), /names pages of issues without an end/);
    assert.equal(stub.requests.filter(({ path }) => path.includes('/issues?')).length, 2);
    let first = 1;
    const endless = (_: unknown, response: Json) => {
      sendJson(response, page(first));
      first += 50;
    };
    await refused('issues', endless, /more than 120 issues/);
    respond(stub, pageOfIssues(1), [stubIssue(1)]);
    respond(
      stub,
      'issues/1/reactions',
      Array.from({ length: 50 }, () => ({ user: { id: 7, login: 'dora' }, content: '+1' })),
    );
    await refused('labels', [], /names pages of a list without an end/);
    respond(stub, 'issues/1/reactions', []);
    stub.responses.delete(`/api/v1/repos/o/r/${pageOfIssues(1)}`);
  });

  it('is refused for huge responses', async () => {
    await refused(
      'labels',
      (_: unknown, response: Json) => response.writeHead(200, { 'content-length': 17 * 1024 * 1024 }).write('["'),
      /more than 16777216 bytes/,
    );
  });

  it('is refused for slow responses', async () => {
    const { refused } = migrating(impatient, await impatient.user('bob'), stub);
    const drip = (_: unknown, response: Json) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    };
    await refused('labels', drip, /took too long/);
    stub.responses.set('/drip', drip);
    await refused('releases', releaseWith(assetAt(`${stub.url}/drip`)), /the file a\.bin could not be fetched/);
  });

  it('is refused for redirects without an end', async () => {
    const loop = (request: Json, response: Json) => response.writeHead(302, { location: request.url }).end();
    await refused('labels', loop, /more than \d+ redirects/);
    stub.responses.set('/loop', loop);
    await refused('releases', releaseWith(assetAt(`${stub.url}/loop`)), /more than \d+ redirects/);
  });

  it('is refused for fields of wrong types wherever they are', async () => {
    const user = { id: 7, login: 'dora' };
    const pull = stubIssue(1, { head: {}, base: {} });
    respond(stub, pageOfIssues(1), [stubIssue(1, { comments: 1 })]);
    const wrong: [string, Json][] = [
      ['topics', { topics: 'many' }],
      ['topics', [[]]],
      ['milestones', [{ title: 'One', due_on: 5 }]],
      ['milestones', [null]],
      ['labels', { 0: {} }],
      ['releases', [{ id: 1, tag_name: ['v1'] }]],
      ['releases', [{ id: 1, tag_name: 'v1', assets: {} }]],
      ['releases', releaseWith({ ...assetAt('not a URL'), download_count: -1 })],
      ['releases', releaseWith(assetAt('not a URL'))],
      ['issues/1/comments', [{ id: 'one', body: 'x', user }]],
      ['issues/1/comments', [{ id: 1, body: { x: 1 }, user }]],
      ['issues/1/comments', 'text'],
      ['pulls', [{ ...pull, number: 2 ** 60 }]],
      ['pulls', [{ ...pull, head: 'main' }]],
      ['pulls', [{ ...pull, merged: 'yes' }]],
    ];
    respond(stub, 'issues/1/comments', []);
    for (const [list, json] of wrong) await refused(list, json, /^Migration failed: (?!.*error of this server)/);
    stub.responses.delete(`/api/v1/repos/o/r/${pageOfIssues(1)}`);
  });

  it('repeats ids of comments, of which each is one', async () => {
    respond(stub, pageOfIssues(1), [stubIssue(1, { comments: 3 })]);
    const user = { id: 7, login: 'dora' };
    respond(
      stub,
      'issues/1/comments',
      [5, 5, 6].map((id) => ({ id, body: `Comment ${id}`, user })),
    );
    for (const id of [5, 6]) respond(stub, `issues/comments/${id}/reactions`, []);
    const { status, json } = await migrate('repeated');
    assert.equal(status, 201, json.message);
    const bodies = (await bob.must('GET', '/repos/bob/repeated/issues/1/comments')).map(({ body }: Json) => body);
    assert.deepEqual(bodies, ['Comment 5', 'Comment 6']);
    assert.equal((await bob.must('GET', '/repos/bob/repeated/issues/1')).comments, 2);
    stub.responses.delete(`/api/v1/repos/o/r/${pageOfIssues(1)}`);
  });
});
