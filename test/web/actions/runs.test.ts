import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { write } from '../../actions/files.ts';
import { SimulatedRunner, startRun, workflow } from '../../actions/simulated-runner.ts';
import { Browser } from '../../support/browser.ts';
import { PASSWORD, testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await t.user('mallory');
const HOSTILE = '<img src=x onerror=alert(1)>';
const { id: repositoryId } = await alice.must('POST', '/user/repos', { name: 'forge', private: true, auto_init: true });
const API = '/repos/alice/forge';
await write(alice, API, {
  '.gitea/workflows/hand.yml':
    'name: By hand\non:\n  workflow_dispatch:\n    inputs:\n      word:\n        default: hello\n        required: true\n      loud: { type: boolean, default: true }\n      level: { type: choice, options: [info, warn], default: warn }\n      times: { type: number, description: How often }\njobs:\n  a:\n    runs-on: nowhere\n    steps:\n      - run: echo\n',
});
const runner = await SimulatedRunner.at(t, alice, API);
const run = await startRun(
  t,
  repositoryId,
  workflow(['one'], '  two:\n    needs: one\n    runs-on: linux\n    steps:\n      - run: echo\n'),
);
const { id: taskId } = await runner.fetch();
const LINES = ['::group::Set up <b>', 'inside', '::endgroup::', '\u001b[31mred\u001b[0m', `##[error]${HOSTILE}`];
await runner.log(taskId, 0, LINES, true);
const times = { startedAt: '2024-01-02T03:04:05Z', stoppedAt: '2024-01-02T03:05:05Z' };
await runner.report(taskId, {
  result: 'RESULT_FAILURE',
  ...times,
  steps: [
    { id: '0', result: 'RESULT_SUCCESS', logIndex: '0', logLength: '2', ...times },
    { id: '1', result: 'RESULT_FAILURE', logIndex: '2', logLength: '3', ...times },
  ],
});
const { jobs } = await alice.must('GET', `${API}/actions/runs/${run.id}/jobs`);
const BASE = '/alice/forge/actions';
const RUN = `${BASE}/runs/${run.id}`;
const JOB = `${RUN}/jobs/${jobs[0].id}`;
const owner = new Browser(t.url);
await owner.signIn('alice', PASSWORD);
const stranger = new Browser(t.url);
await stranger.signIn('mallory', PASSWORD);

describe('the runs of a repository', () => {
  it('are listed and filtered', async () => {
    const list = await owner.get(BASE);
    assert.match(list.text, new RegExp(`href="${RUN}">A run</a>`));
    for (const query of ['status=failure', 'workflow=ci.yml', 'branch=main', 'actor=alice', 'status=nonsense'])
      assert.match((await owner.get(`${BASE}?${query}`)).text, /A run<\/a>/, query);
    const { id } = await t.admin.must('GET', '/users/alice');
    for (const query of ['actor=0&status=0', 'status=2', `actor=${id}`])
      assert.match((await owner.get(`${BASE}?${query}`)).text, /A run<\/a>/, query);
    for (const query of ['status=1', 'status=5', 'actor=999999'])
      assert.match((await owner.get(`${BASE}?${query}`)).text, /No run matches/, query);
    for (const query of ['status=success', 'workflow=other.yml', 'branch=other', 'actor=mallory'])
      assert.match((await owner.get(`${BASE}?${query}`)).text, /No run matches/, query);
  });

  it('lead to the branch, the tag or the pull request that they are for', async () => {
    for (const ref of ['refs/tags/v1', 'refs/pull/7/head']) await startRun(t, repositoryId, workflow(['for-ref']), { ref });
    const { text } = await owner.get(BASE);
    assert.match(text, /href="\/alice\/forge\/src\/tag\/v1"><svg[\s\S]{0,300}?v1<\/a>/);
    assert.match(text, /href="\/alice\/forge\/pulls\/7"><svg[\s\S]{0,300}?#7<\/a>/);
    assert.match((await owner.get(RUN)).text, /class="badge" href="\/alice\/forge\/src\/branch\/main"/);
  });

  it('are started by hand with their inputs', async () => {
    const page = await owner.get(`${BASE}?workflow=hand.yml`);
    assert.match(page.text, /name="input.word" type="text" value="hello"/);
    assert.match(page.text, /<input type="checkbox" name="input.loud" value="on" checked> loud/);
    assert.match(page.text, /<option value="warn" selected>/);
    assert.match(page.text, /<label for="f-input.times">How often<\/label>/);
    const given = { ref: 'refs/heads/main', 'input.word': 'typed', 'input.level': 'info', 'input.times': '3' };
    for (const wrong of [{ ref: 'no-such' }, { 'input.word': '' }, { 'input.level': 'loudest' }, { 'input.times': 'often' }]) {
      const refused = await owner.submit(page, { ...given, ...wrong }, BASE);
      assert.equal(refused.status, 422, JSON.stringify(wrong));
      if (!('input.word' in wrong) && !('ref' in wrong)) assert.match(refused.text, /value="typed"/);
    }
    const done = await owner.submit(page, given, BASE);
    assert.match(done.location, /^\/alice\/forge\/actions\/runs\/\d+$/);
    const waiting = await owner.get(done.location);
    const [row] = await t.context.db.selectFrom('action_runs').select('event_payload').orderBy('id', 'desc').limit(1).execute();
    const inputs = { word: 'typed', loud: 'false', level: 'info', times: '3' };
    assert.deepEqual(JSON.parse(row?.event_payload ?? '').inputs, inputs, 'a box that is not ticked says false');
    assert.equal((await owner.submit(waiting, { do: 'cancel' }, done.location)).status, 303);
    const api = `${API}${done.location.slice('/alice/forge'.length)}`;
    assert.equal((await alice.must('GET', api)).conclusion, 'cancelled');
    const { jobs } = await alice.must('GET', `${api}/jobs`);
    assert.match((await owner.get(`${done.location}/jobs/${jobs[0].id}`)).text, /This job ended before a runner picked it up/);
    assert.equal((await owner.submit(await owner.get(done.location), {}, `${done.location}/delete`)).location, BASE);
    assert.equal((await alice.get(api)).status, 404);
  });

  it('are started with the inputs of another branch', async () => {
    const folder = '.gitea/workflows/hand.yml';
    const { sha } = await alice.must('GET', `${API}/contents/${folder}`);
    const text =
      'on:\n  workflow_dispatch:\n    inputs:\n      other: {}\njobs:\n  a:\n    runs-on: nowhere\n    steps:\n      - run: echo\n';
    const content = Buffer.from(text).toString('base64');
    await alice.must('PUT', `${API}/contents/${folder}`, { sha, content, message: 'x', new_branch: 'side' });
    const page = await owner.get(`${BASE}?workflow=hand.yml&ref=refs/heads/side`);
    assert.match(page.text, /name="input.other"/);
    assert.match(page.text, /<option value="refs\/heads\/side" selected>side/);
    assert.match((await owner.get(`${BASE}?workflow=hand.yml&ref=nowhere`)).text, /cannot be started manually there/);
  });

  it('are not started while the workflow is disabled', async () => {
    const hand = `${BASE}?workflow=hand.yml`;
    const page = await owner.get(hand);
    assert.equal((await owner.submit(page, {}, `${BASE}/disable?workflow=hand.yml`)).location, hand);
    assert.equal((await alice.must('GET', `${API}/actions/workflows/hand.yml`)).state, 'disabled_manually');
    assert.match((await owner.get(hand)).text, /nothing starts it/);
    const _token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    for (const path of [`${BASE}/disable?workflow=none.yml`, `${RUN}/artifacts/none/delete`])
      assert.equal((await owner.send('POST', path, { fields: { _token } })).status, 404);
    assert.equal((await owner.submit(await owner.get(hand), {}, `${BASE}/enable?workflow=hand.yml`)).location, hand);
    assert.equal((await alice.must('GET', `${API}/actions/workflows/hand.yml`)).state, 'active');
  });

  it('say what failed, and show the logs of steps', async () => {
    const page = await owner.get(RUN);
    assert.match(page.text, /What failed/);
    assert.match(page.text, /failed at “Last”/);
    assert.match(page.text, /<span class="term-fg31">red<\/span>/);
    assert.ok(page.text.indexOf('>one</a>') < page.text.indexOf('>two</a>'));
    const job = await owner.get(JOB);
    assert.match(job.text, /class="log-line error" id="jobstep-1-3"/);
    assert.ok(!job.text.includes(HOSTILE) && !page.text.includes(HOSTILE));
    const first = await owner.get(`${JOB}?step=0`);
    assert.match(first.text, /<details class="log-group" data-unfinished><summary id="jobstep-0-1">Set up &lt;b&gt;<\/summary>/);
    assert.match((await owner.get(`${JOB}/logs`)).text, /inside/);
    assert.equal((await owner.get(`${BASE}/runs/${run.id + 1000}/jobs/${jobs[0].id}`)).status, 404);
  });

  it('list their artifacts, which are deleted', async () => {
    const row = { run_id: run.id, repository_id: repositoryId, owner_id: run.owner_id, runner_id: runner.id, commit_sha: run.commit_sha };
    const file = { name: 'a b', path: 'a.zip', encoding: 'application/zip', status: 'confirmed', created_at: 1, updated_at: 1 } as const;
    await t.context.db
      .insertInto('action_artifacts')
      .values({ ...row, ...file, expires_at: null })
      .execute();
    const page = await owner.get(RUN);
    assert.match(page.text, new RegExp(`href="${RUN}/artifacts/a%20b"`));
    assert.equal((await owner.submit(page, {}, `${RUN}/artifacts/a%20b/delete`)).location, RUN);
    assert.equal((await alice.must('GET', `${API}/actions/runs/${run.id}/artifacts`)).total_count, 0);
  });

  it('are run again', async () => {
    const done = await owner.submit(await owner.get(RUN), { do: 'rerun-failed' }, RUN);
    assert.equal(done.location, RUN);
    assert.equal((await alice.must('GET', `${API}/actions/runs/${run.id}`)).status, 'queued');
    const refused = await owner.submit(await owner.get(RUN), { do: 'rerun' }, RUN);
    assert.equal(refused.status, 422);
  });

  it('are nothing for strangers', async () => {
    for (const path of [BASE, RUN, JOB, `${JOB}/logs`]) assert.equal((await stranger.get(path)).status, 404, path);
    assert.equal((await owner.send('POST', RUN, { fields: { do: 'cancel' }, headers: { origin: 'https://evil.example' } })).status, 403);
  });
});

describe('the runs of a public repository', () => {
  it('are shown without the logs to who is not signed in', async () => {
    await alice.must('PATCH', API, { private: false });
    const anonymous = new Browser(t.url);
    const list = await anonymous.get(BASE);
    assert.equal(list.status, 200);
    assert.ok(list.text.includes(`href="${RUN}"`), list.text);
    const hand = await anonymous.get(`${BASE}?workflow=hand.yml`);
    assert.equal(hand.status, 200);
    assert.doesNotMatch(hand.text, /<form method="post"/, 'nothing to start or disable');
    assert.equal((await anonymous.get(RUN)).status, 200);
    const job = await anonymous.get(JOB);
    assert.equal(job.status, 200);
    assert.ok(!job.text.includes('inside'));
    assert.match((await anonymous.get(`${JOB}/logs`)).location, /user\/login/);
    const token = /name="_token" value="([^"]+)"/.exec((await stranger.get(`${BASE}?workflow=hand.yml`)).text)?.[1] ?? '';
    assert.equal((await stranger.send('POST', RUN, { fields: { do: 'rerun', _token: token } })).status, 403);
  });
});
