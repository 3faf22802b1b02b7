import type { Actor } from '../../conformance/harness/actor.ts';

const SERVICE = '//api/actions/runner.v1.RunnerService/';
const ARTIFACTS = '//twirp/github.actions.results.api.v1.ArtifactService/';
const TIME = '2024-01-02T03:04:05Z';
const WORKFLOW = `name: Checks
on: [push, workflow_dispatch]
concurrency: checks-\${{ github.ref }}
jobs:
  first:
    runs-on: linux
    permissions: { contents: read }
    outputs: { answer: '\${{ steps.one.outputs.answer }}' }
    steps:
      - id: one
        run: echo one
  second:
    needs: first
    if: always()
    runs-on: [linux, gpu]
    steps:
      - run: echo two
`;
const NIGHTLY = 'on:\n  schedule:\n    - cron: "30 3 * * *"\njobs:\n  job:\n    runs-on: linux\n    steps:\n      - run: echo night\n';

/** Runs a workflow: its first job to its end, with a log, an output and an artifact; the second waits. Prints the credentials of a runner. */
export async function fillAutomation(alice: Actor): Promise<void> {
  await alice.repo('automated');
  const repo = '/repos/Alice/automated/actions';
  const { token } = await alice.must('POST', `${repo}/runners/registration-token`);
  const call = (method: string, json: object, headers = {}) =>
    alice.session.anonymous.must('POST', SERVICE + method, undefined, { json, headers });
  const { runner } = await call('Register', { name: 'builder', token, version: 'v0.2.11', labels: ['linux'] });
  console.log(JSON.stringify({ uuid: runner.uuid, runnerToken: runner.token, registration: token }));
  await alice.push('Alice/automated', { files: { '.gitea/workflows/checks.yml': WORKFLOW, '.gitea/workflows/nightly.yml': NIGHTLY } });
  const headers = { 'x-runner-uuid': runner.uuid, 'x-runner-token': runner.token };
  let task: { id: string; context: Record<string, string> } | undefined;
  for (let left = 100; !task && left > 0; left--) {
    task = (await call('FetchTask', { tasksVersion: '0' }, headers)).task;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (!task) throw new Error('no job waits');
  const rows = ['Begins', 'one', 'Ends'].map((content) => ({ time: TIME, content }));
  await call('UpdateLog', { taskId: task.id, index: '0', rows, noMore: true }, headers);
  await storeArtifact(alice, task);
  const times = { startedAt: TIME, stoppedAt: '2024-01-02T03:04:15Z' };
  const steps = [{ id: '0', result: 'RESULT_SUCCESS', ...times, logIndex: '1', logLength: '1' }];
  const state = { id: task.id, result: 'RESULT_SUCCESS', ...times, steps };
  await call('UpdateTask', { state, outputs: { answer: '42' } }, headers);
  await alice.must('PUT', `${repo}/workflows/nightly.yml/disable`);
}

async function storeArtifact(alice: Actor, { context }: { context: Record<string, string> }): Promise<void> {
  const headers = { authorization: `Bearer ${context.gitea_runtime_token}` };
  const run = { workflowRunBackendId: context.run_id, workflowJobRunBackendId: '1', name: 'report' };
  const { signedUploadUrl } = await alice.must('POST', `${ARTIFACTS}CreateArtifact`, undefined, { json: { ...run, version: 4 }, headers });
  await alice.send('PUT', `${signedUploadUrl}&comp=block`, { raw: 'a report\n', type: 'application/octet-stream' });
  await alice.must('POST', `${ARTIFACTS}FinalizeArtifact`, undefined, { json: { ...run, size: '9' }, headers });
}
