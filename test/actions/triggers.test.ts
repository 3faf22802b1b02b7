// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pushBranch } from '../pulls/pushing.ts';
import { testServer } from '../support/server.ts';
import { cloned } from '../transport/work-tree.ts';
import { JOB, runsOf, write } from './files.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
let last = 0;

async function place(files: Readonly<Record<string, string>> = {}, more: object = {}) {
  const name = `demo-${++last}`;
  await alice.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main', ...more });
  const path = `/repos/alice/${name}`;
  if (Object.keys(files).length > 0) await write(alice, path, files);
  await t.settled();
  return path;
}

const workflow = (file: string, on: string) => ({ [`.gitea/workflows/${file}.yml`]: `on:\n  ${on}\n${JOB}` });
/** What waits for workflows to be read. */
const queued = () => t.context.db.selectFrom('action_events').selectAll().execute();

describe('a push', () => {
  it('starts the workflows whose filters it fulfils', async () => {
    const path = await place();
    const tree = await cloned(t, alice, path.slice('/repos/'.length));
    const files = {
      ...workflow('any', 'push:'),
      ...workflow('main', 'push:\n    branches: [main]'),
      ...workflow('paths', "push:\n    branches: ['topic/**', '!topic/no']\n    paths: ['src/**']"),
      ...workflow('tags', "push:\n    tags: ['v*']"),
      ...workflow('pull', 'pull_request:'),
    };
    await pushBranch(tree, 'topic/one', { ...files, 'src/a.txt': 'a' });
    await t.settled();
    const at = (name: string, ref = 'refs/heads/topic/one') => `${name}.yml@${ref} push queued`;
    assert.deepEqual(await runsOf(alice, path), [at('any'), at('paths')]);
    await alice.must('POST', `${path}/tags`, { tag_name: 'v1', target: 'topic/one' });
    await t.settled();
    assert.deepEqual(await runsOf(alice, path), [at('any'), at('any', 'refs/tags/v1'), at('paths'), at('tags', 'refs/tags/v1')]);
  });

  it('starts the first workflows when all of them have too many jobs', async () => {
    const jobs = `jobs:\n  a:\n    runs-on: x\n    strategy:\n      matrix:\n        x: [${Array.from({ length: 250 }, (_, at) => at)}]\n    steps: [{ run: x }]\n`;
    const names = Array.from({ length: 12 }, (_, at) => `w${at + 10}`);
    const path = await place(Object.fromEntries(names.map((name) => [`.gitea/workflows/${name}.yml`, `on: push\n${jobs}`])));
    const { total_count } = await alice.must('GET', `${path}/actions/jobs?limit=1`);
    assert.deepEqual([(await runsOf(alice, path)).length, total_count, await queued()], [10, 2500, []]);
  });

  it('starts the first workflows when their copies of the event are too long', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `w${at + 10}`);
    const files = Object.assign({}, ...names.map((name) => workflow(name, 'push:')));
    const path = await place();
    const tree = await cloned(t, alice, path.slice('/repos/'.length));
    await pushBranch(tree, 'none', { ...files, 'a.txt': 'a' });
    await t.settled();
    const count = async () => (await alice.must('GET', `${path}/actions/runs?limit=1`)).total_count;
    const before = await count();
    const message = Array.from({ length: 8 }, () => ['-m', 'x'.repeat(120_000)]).flat();
    await tree.git('commit', '-q', '--amend', ...message);
    await tree.git('push', '-q', '-f', 'origin', 'none');
    await t.settled();
    const length = (await count()) - before;
    assert.equal(before, 40);
    // The commit is in the event twice.
    assert.ok(length > 0 && length < 40, String(length));
  });

  it('starts none with a word that skips, without files, in an archived repository, or without the unit', async () => {
    const path = await place(workflow('any', 'push:'));
    await write(alice, path, { 'a.txt': 'a' }, { message: 'Do it [skip ci]' });
    await alice.must('PATCH', path, { has_actions: false });
    await write(alice, path, { 'b.txt': 'b' });
    await t.settled();
    await alice.must('PATCH', path, { has_actions: true });
    assert.equal((await runsOf(alice, path)).length, 1);
    const none = await place({ 'c.txt': 'c' });
    await write(alice, none, { 'd.txt': 'd' });
    await t.settled();
    assert.deepEqual([await runsOf(alice, none), await queued()], [[], []]);
  });

  it('reads workflows of the first folder alone, and ignores what cannot be read', async () => {
    const path = await place({
      ...workflow('good', 'push:'),
      '.gitea/workflows/broken.yml': 'on: [push\n',
      '.gitea/workflows/sub/deep.yaml': `on: push\n${JOB}`,
      '.gitea/workflows/note.txt': `on: push\n${JOB}`,
      '.github/workflows/other.yml': `on: push\n${JOB}`,
    });
    assert.deepEqual(
      await runsOf(alice, path),
      ['good.yml', 'sub/deep.yaml'].map((name) => `${name}@refs/heads/main push queued`),
    );
    const { workflows } = await alice.must('GET', `${path}/actions/workflows`);
    assert.deepEqual(
      workflows.map(({ id, state }: Record<string, string>) => `${id} ${state}`),
      ['broken.yml active', 'good.yml active', 'sub/deep.yaml active'],
    );
  });
});

describe('an event of an issue', () => {
  it('starts workflows of the default branch, with the payload of that moment', async () => {
    const path = await place(workflow('labels', 'issues:\n    types: [opened, labeled]'));
    const label = await alice.must('POST', `${path}/labels`, { name: 'bug', color: '#ff0000' });
    await alice.must('POST', `${path}/issues`, { title: 'First' });
    await alice.must('PATCH', `${path}/issues/1`, { title: 'Later' });
    await alice.must('POST', `${path}/issues/1/labels`, { labels: [label.id] });
    await t.settled();
    const rows = await t.context.db.selectFrom('action_runs').select(['event', 'event_payload']).orderBy('id', 'desc').limit(2).execute();
    const [labeled, opened] = rows.map(({ event, event_payload }) => ({ event, payload: JSON.parse(event_payload) }));
    assert.equal(opened?.payload.issue.title, 'First');
    assert.deepEqual([labeled?.event, labeled?.payload.changes.added_labels[0].name], ['issue_label', 'bug']);
  });

  it('starts those for the name that it has in payloads', async () => {
    const names = ['issue_label', 'issue_assign', 'issues', 'wiki', 'package', 'pull_request_label'];
    const path = await place(Object.assign({}, ...names.map((name) => workflow(name, `${name}:`))));
    const label = await alice.must('POST', `${path}/labels`, { name: 'bug', color: '#ff0000' });
    await alice.must('POST', `${path}/issues`, { title: 'One', assignees: ['alice'] });
    await alice.must('POST', `${path}/issues/1/labels`, { labels: [label.id] });
    await alice.must('POST', `${path}/wiki/new`, { title: 'Home', content_base64: Buffer.from('x').toString('base64') });
    const file = () => alice.send('PUT', `//api/packages/alice/generic/tool/${++last}/file`, { raw: 'x' });
    await file();
    await alice.must('POST', `/packages/alice/generic/tool/-/link/${path.split('/').at(-1)}`);
    await file();
    await t.settled();
    const started = (await runsOf(alice, path)).map((run) => run.replace('.yml@refs/heads/main', '').replace(' queued', ''));
    const expected = ['issue_assign issue_assign', 'issue_label issue_label', ...Array.from({ length: 3 }, () => 'issues issues')];
    assert.deepEqual(started.sort(), [...expected, 'package package', 'wiki wiki'].sort());
  });

  it('that cannot be handled holds up the others for some time only', async () => {
    const path = await place(workflow('any', 'issues:'));
    const { id } = await alice.must('GET', path);
    const broken = { repository_id: id, event: 'issues', actor_id: 1, payload: 'no JSON', completion: 'null' };
    await t.context.db
      .insertInto('action_events')
      .values({ ...broken, created_at: 1 })
      .execute();
    await t.context.schedule.run(t.context, 'start_schedule_tasks');
    await alice.must('POST', `${path}/issues`, { title: 'After it' });
    await t.settled();
    assert.deepEqual([await runsOf(alice, path), await queued()], [['any.yml@refs/heads/main issues queued'], []]);
  });

  it('is not even queued where the default branch is known to have none', async () => {
    const path = await place({ 'a.txt': 'a' });
    await alice.must('POST', `${path}/issues`, { title: 'Quiet' });
    assert.deepEqual(await queued(), []);
    await write(alice, path, workflow('any', 'issues:'));
    await alice.must('POST', `${path}/issues`, { title: 'Right after the push' });
    await t.settled();
    assert.deepEqual(await runsOf(alice, path), ['any.yml@refs/heads/main issues queued']);
  });
});

describe('a run', () => {
  it('starts others that follow it, and these no more than five times', async () => {
    const path = await place({
      ...workflow('first', 'workflow_dispatch:'),
      ...workflow('echo', 'workflow_run:\n    types: [requested]'),
    });
    await alice.must('POST', `${path}/actions/workflows/first.yml/dispatches`, { ref: 'main' });
    await t.settled();
    const runs = await runsOf(alice, path);
    assert.deepEqual([runs.filter((run) => run.startsWith('first')).length, runs.filter((run) => run.startsWith('echo')).length], [1, 5]);
  });

  it('that a disabled workflow would be is not started', async () => {
    const path = await place(workflow('any', 'push:'));
    assert.equal((await alice.send('PUT', `${path}/actions/workflows/any.yml/disable`)).status, 204);
    await write(alice, path, { 'a.txt': 'a' });
    await t.settled();
    assert.equal((await runsOf(alice, path)).length, 1);
    const refused = await alice.send('POST', `${path}/actions/workflows/any.yml/dispatches`, { json: { ref: 'main' } });
    assert.deepEqual([refused.status, refused.json.message], [403, 'workflow is disabled']);
    assert.equal((await bob.send('PUT', `${path}/actions/workflows/any.yml/enable`)).status, 403);
  });
});
