// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are expressions of workflows
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { startDue } from '../../src/actions/schedules/start-due.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { startTestRunner } from './copse-runner.ts';
import { write } from './files.ts';
import { startRealRunner } from './real-runner.ts';

/** What clients of `upload-artifact@v4` and `download-artifact@v4` send. */
const ARTIFACTS = `const { ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: token, GITHUB_RUN_ID: id } = process.env;
const call = async (method, message) => {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' };
  const body = JSON.stringify({ workflow_run_backend_id: id, ...message });
  return (await fetch(url + '/twirp/github.actions.results.api.v1.ArtifactService/' + method, { method: 'POST', headers, body })).json();
};`;
const ARTIFACT_UP = `${ARTIFACTS}
const { signedUploadUrl } = await call('CreateArtifact', { name: 'made', version: 4 });
await fetch(signedUploadUrl + '&comp=appendBlock', { method: 'PUT', body: 'from up' });
console.log(await call('FinalizeArtifact', { name: 'made', size: '7' }));`;
const ARTIFACT_DOWN = `${ARTIFACTS}
const { signedUrl } = await call('GetSignedArtifactURL', { name: 'made' });
console.log('got: ' + await (await fetch(signedUrl)).text());`;

/* What happens in repositories, from the event to the log: with the runner of Gitea, or with the built-in one if `COPSE_TEST_RUNNER` is `copse`. */

const { COPSE_TEST_RUNNER: program, COPSE_TEST_ACTIONS: actions } = process.env;
const skip = program === undefined && 'COPSE_TEST_RUNNER names no program, nor copse';
const skipActions = skip || (actions === undefined && 'COPSE_TEST_ACTIONS names no folder with copies of actions/checkout.git and others');

const prepared = skip ? undefined : await prepare();

async function prepare() {
  const t = await testServer({ actions: { defaultActionsUrl: 'self' } });
  const [alice, bob] = [await t.user('alice'), await t.user('bob')];
  if (program === 'copse') await startTestRunner(t, { name: 'copse', args: ['--labels', 'linux:host'] });
  else await startRealRunner(t, program ?? '');
  return { t, alice, bob };
}

describe('with a runner', { skip }, () => {
  if (!prepared) return;
  const { t, alice, bob } = prepared;
  let last = 0;

  /** A repository with these workflows. */
  async function place(workflows: Readonly<Record<string, string>>): Promise<string> {
    const name = `demo-${++last}`;
    await alice.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main', private: false });
    const files = Object.fromEntries(Object.entries(workflows).map(([file, text]) => [`.gitea/workflows/${file}.yml`, text]));
    await write(alice, `/repos/alice/${name}`, files);
    return `/repos/alice/${name}`;
  }
  const runsOf = async (path: string): Promise<Record<string, string>[]> => (await alice.must('GET', `${path}/actions/runs`)).workflow_runs;
  /** The jobs of all runs of a repository with their logs, once so many runs are over. */
  async function over(path: string, runs = 1): Promise<Record<string, string>> {
    await eventually(
      async () => (await runsOf(path)).filter(({ status }) => status === 'completed').length === runs,
      `the end of ${runs} runs`,
    );
    const { jobs } = await alice.must('GET', `${path}/actions/jobs?limit=50`);
    const texts: Record<string, string> = {};
    for (const { id, name, conclusion } of jobs) {
      const read = () => alice.get(`${path}/actions/jobs/${id}/logs`);
      if (!['cancelled', 'skipped'].includes(conclusion)) await eventually(async () => (await read()).status === 200, 'the log');
      texts[name] = `${conclusion}\n${(await read()).text}`;
    }
    return texts;
  }
  const job = (name: string, steps: string, more = '') => `  ${name}:\n    runs-on: linux\n${more}    steps:\n${steps}`;
  const run = (text: string) => `      - run: ${text}\n`;

  it('a push runs a matrix, and what needs it gets its outputs', async () => {
    const outputs = '    outputs:\n      made: "${{ steps.make.outputs.made }}"\n    strategy: { matrix: { n: [1, 2] } }\n';
    const make = '      - id: make\n        run: echo "made=by ${{ matrix.n }}" >> $GITHUB_OUTPUT\n';
    const after = job('after', run('echo "<${{ needs.build.outputs.made }}> on ${{ github.event_name }}"'), '    needs: build\n');
    const path = await place({ ci: `on: push\njobs:\n${job('build', make, outputs)}${after}` });
    const jobs = await over(path);
    assert.deepEqual(Object.keys(jobs).sort(), ['after', 'build (1)', 'build (2)']);
    assert.match(jobs.after ?? '', /^success[\s\S]*<by [12]> on push/);
  });

  it('a cancellation ends what runs', async () => {
    const path = await place({ ci: `on: push\njobs:\n${job('long', run('exec sleep 600'))}` });
    await eventually(async () => (await runsOf(path))[0]?.status === 'in_progress', 'the start');
    await alice.must('POST', `${path}/actions/runs/${(await runsOf(path))[0]?.id}/cancel`);
    assert.match((await over(path)).long ?? '', /^cancelled/);
    const busy = async () => (await alice.must('GET', `${path}/actions/runs?status=in_progress`)).total_count;
    assert.equal(await busy(), 0);
  });

  it('a dispatch has its inputs, and a schedule its time', async () => {
    const on = 'on:\n  workflow_dispatch:\n    inputs:\n      where: { default: home }\n  schedule:\n    - cron: "@every 1h"\n';
    const path = await place({ ci: `${on}jobs:\n${job('a', run('echo "at <${{ inputs.where }}> by ${{ github.event_name }}"'))}` });
    await t.settled();
    await alice.must('POST', `${path}/actions/workflows/ci.yml/dispatches`, { ref: 'main', inputs: { where: 'work' } });
    assert.match((await over(path)).a ?? '', /at <work> by workflow_dispatch/);
    await t.context.db.updateTable('action_schedule_specs').set({ next_at: 1 }).execute();
    await startDue(t.context, new AbortController().signal);
    assert.match((await over(path, 2)).a ?? '', /by (schedule|workflow_dispatch)/);
    assert.deepEqual((await runsOf(path)).map(({ event, conclusion }) => `${event} ${conclusion}`).sort(), [
      'schedule success',
      'workflow_dispatch success',
    ]);
  });

  it('a concurrency group cancels what is in progress', async () => {
    const path = await place({
      ci: `on: [workflow_dispatch]\nconcurrency: { group: g, cancel-in-progress: true }\njobs:\n${job('a', run('exec sleep ${{ github.run_number == 1 && 600 || 0 }}'))}`,
    });
    await t.settled();
    const start = () => alice.must('POST', `${path}/actions/workflows/ci.yml/dispatches`, { ref: 'main' });
    await start();
    await eventually(async () => (await runsOf(path))[0]?.status === 'in_progress', 'the start');
    await start();
    await over(path, 2);
    assert.deepEqual((await runsOf(path)).map(({ conclusion }) => conclusion).sort(), ['cancelled', 'success']);
  });

  it('a pull request from a fork waits for approval, and has no secrets', async () => {
    const path = await place({ ci: `on: pull_request\njobs:\n${job('a', run('echo "secret <${{ secrets.KEY }}>"'))}` });
    await alice.must('PUT', `${path}/actions/secrets/KEY`, { data: 'of the key' });
    const name = path.slice('/repos/alice/'.length);
    await bob.must('POST', `${path}/forks`, {});
    await write(bob, `/repos/bob/${name}`, { 'a.txt': 'a' }, { new_branch: 'mine' });
    await bob.must('POST', `${path}/pulls`, { head: 'bob:mine', base: 'main', title: 'Mine' });
    await eventually(async () => (await runsOf(path)).length === 1, 'the run');
    const [{ id } = {}] = await runsOf(path);
    assert.equal((await alice.must('GET', `${path}/actions/runs/${id}`)).status, 'waiting');
    await alice.must('POST', `${path}/actions/runs/${id}/approve`);
    assert.match((await over(path)).a ?? '', /^success[\s\S]*secret <>/);
  });

  it('a job runs another workflow', async () => {
    const called = `on: { workflow_call: { inputs: { who: { type: string } } } }\njobs:\n${job('b', run('echo "hello ${{ inputs.who }}"'))}`;
    const path = await place({ called, ci: 'on: push\njobs:\n  a:\n    uses: ./.gitea/workflows/called.yml\n    with: { who: world }\n' });
    assert.match((await over(path)).a ?? '', /^success[\s\S]*hello world/);
  });

  it('a job checks its repository out by an action of the instance', { skip: skipActions }, async () => {
    await copyActions(['checkout']);
    const path = await place({
      ci: `on: push\njobs:\n${job('a', `      - uses: actions/checkout@main\n${run('cat README.md .gitea/workflows/ci.yml')}`)}`,
    });
    assert.match((await over(path)).a ?? '', /^success[\s\S]*# demo-\d+[\s\S]*actions\/checkout@main/);
  });

  it('jobs hand files to each other', async () => {
    const step = (script: string) =>
      `      - run: node --input-type=module -e "$SCRIPT"\n        env:\n          SCRIPT: |\n${script.replace(/^/gm, ' '.repeat(12))}\n`;
    const path = await place({
      ci: `on: push\njobs:\n${job('up', step(ARTIFACT_UP))}${job('down', step(ARTIFACT_DOWN), '    needs: up\n')}`,
    });
    const jobs = await over(path);
    assert.match(jobs.down ?? '', /^success[\s\S]*got: from up/, jobs.up ?? '');
    const { artifacts } = await alice.must('GET', `${path}/actions/artifacts`);
    assert.deepEqual(
      artifacts.map(({ name }: { name: string }) => name),
      ['made'],
    );
  });

  /** Pushes copies of actions to the instance, where runners look for them. */
  async function copyActions(names: readonly string[]): Promise<void> {
    if ((await alice.send('GET', '/orgs/actions')).status === 404) await alice.must('POST', '/orgs', { username: 'actions' });
    for (const name of names) {
      const source = join(actions ?? '', `${name}.git`);
      await access(source);
      await alice.must('POST', '/orgs/actions/repos', { name, default_branch: 'main' });
      const url = new URL(`actions/${name}.git`, t.url);
      Object.assign(url, { username: alice.name, password: alice.password });
      await promisify(execFile)('git', ['--git-dir', source, 'push', '-q', url.href, 'main']);
    }
  }
});
