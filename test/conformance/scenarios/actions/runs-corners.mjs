import { Runner, jobStates, waitForRuns, waitForStatus } from './_runner.mjs';

const CI = `name: CI
on: [push, workflow_dispatch]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: make
  after:
    needs: build
    runs-on: ubuntu-latest
    steps:
      - run: make after
`;

export default async function (t) {
  const owner = await t.user('owner');
  const [reader, writer, stranger] = [await t.user('reader'), await t.user('writer'), await t.user('stranger')];
  await owner.repo('demo');
  await owner.repo('other');
  const name = `${owner.name}/demo`;
  const repo = `/repos/${name}`;
  for (const [user, permission] of [[reader, 'read'], [writer, 'write']]) await owner.must('PUT', `${repo}/collaborators/${user.name}`, { permission });
  const runner = await Runner.at(t, owner, repo, { name: 'one' });
  const jobsOf = async (run) => (await owner.must('GET', `${repo}/actions/runs/${run}/jobs`)).jobs;
  /** Everything that can be asked of a run and its jobs in the state it is in. */
  const state = async (label, run) => {
    const brief = await owner.send('GET', `${repo}/actions/runs/${run}`);
    t.record(`${label}: run`, [brief.json?.status, brief.json?.conclusion, brief.json?.run_attempt, typeof brief.json?.started_at, typeof brief.json?.completed_at]);
    t.record(`${label}: jobs`, (await jobsOf(run)).map((job) => [job.name, job.status, job.conclusion ?? null, job.run_attempt ?? null, (job.steps ?? []).map((step) => [step.name, step.status, step.conclusion ?? null]), job.runner_name ?? null]));
    const [build, after] = await jobsOf(run);
    await owner.get(`${repo}/actions/jobs/${build.id}/logs`, { body: 'size' });
    await owner.get(`${repo}/actions/jobs/${after.id}/logs`, { body: 'size' });
  };
  const refused = async (run) => {
    const [build] = await jobsOf(run);
    await owner.post(`${repo}/actions/runs/${run}/rerun`);
    await owner.post(`${repo}/actions/runs/${run}/rerun-failed-jobs`);
    await owner.post(`${repo}/actions/runs/${run}/jobs/${build.id}/rerun`);
    await owner.delete(`${repo}/actions/runs/${run}`);
  };
  await owner.push(name, { files: { '.gitea/workflows/ci.yml': CI }, message: 'Add CI' });
  const [{ id: first }] = await waitForRuns(t, owner, name, 1);
  await state('waiting', first);
  await refused(first);
  let task = await runner.next();
  await state('taken', first);
  await runner.running(task, [{ id: '0', startedAt: '2024-01-02T03:04:05Z', logIndex: '0', logLength: '1' }]);
  await runner.log(task, ['one', 'two'], { last: false });
  await state('running', first);
  await refused(first);
  await runner.finish(task, 'failure');
  await waitForStatus(t, owner, name, first, 'completed');
  await jobStates(t, owner, name, first, (states) => states.after === 'completed/skipped');
  await state('failed', first);
  // Over: it can be run again
  for (const user of [reader, stranger, t.anonymous]) {
    await user.post(`${repo}/actions/runs/${first}/rerun`);
    await user.post(`${repo}/actions/runs/${first}/rerun-failed-jobs`);
    await user.delete(`${repo}/actions/runs/${first}`);
    await user.get(`${repo}/actions/runs/${first}`, { body: (json) => json.status });
    await user.get(`${repo}/actions/runs/${first}/jobs`, { body: (json) => json.total_count });
    await user.get(`${repo}/actions/runs?limit=1`, { body: (json) => json.total_count });
  }
  const [build, after] = await jobsOf(first);
  await owner.post(`${repo}/actions/runs/${first}/jobs/999999999/rerun`);
  await owner.post(`${repo}/actions/runs/${first}/jobs/none/rerun`);
  await owner.post(`${repo}/actions/runs/999999999/rerun`);
  await owner.post(`${repo}/actions/runs/none/rerun`);
  await owner.post(`${repo}/actions/runs/999999999/rerun-failed-jobs`);
  await owner.post(`/repos/${owner.name}/other/actions/runs/${first}/rerun`);
  await owner.post(`/repos/${owner.name}/other/actions/runs/${first}/jobs/${build.id}/rerun`);
  await owner.delete(`/repos/${owner.name}/other/actions/runs/${first}`);
  await owner.delete(`${repo}/actions/runs/none`);
  await owner.delete(`${repo}/actions/runs/999999999`);
  await owner.get(`${repo}/actions/runs/${first}/attempts/1`);
  await owner.get(`${repo}/actions/runs/${first}/attempts/1/jobs`);
  await owner.get(`${repo}/actions/runs/${first}/logs`);
  await owner.must('PUT', `${repo}/actions/workflows/ci.yml/disable`);
  await owner.post(`${repo}/actions/runs/${first}/rerun`);
  await owner.must('PUT', `${repo}/actions/workflows/ci.yml/enable`);
  await writer.post(`${repo}/actions/runs/${first}/rerun-failed-jobs`, undefined, { body: (json) => json && Object.keys(json) });
  await state('again', first);
  task = await runner.next();
  await runner.finish(task);
  task = await runner.next();
  await runner.finish(task, 'cancelled');
  await waitForStatus(t, owner, name, first, 'completed');
  await state('cancelled', first);
  await writer.post(`${repo}/actions/runs/${first}/jobs/${after.id}/rerun`, undefined, { body: (json) => [json.name, json.status, json.run_attempt] });
  await state('one again', first);
  await runner.finish(await runner.next());
  await waitForStatus(t, owner, name, first, 'completed');
  await state('succeeded', first);
  await owner.post(`${repo}/actions/runs/${first}/rerun-failed-jobs`, undefined, { body: (json) => json && Object.keys(json) });
  await state('nothing failed', first);
  await owner.post(`${repo}/actions/runs/${first}/rerun`, undefined, { body: (json) => [json.status, json.conclusion, json.run_attempt, json.display_title] });
  await runner.finish(await runner.next(), 'skipped');
  await jobStates(t, owner, name, first, (states) => states.after === 'completed/skipped');
  await state('skipped', first);

  await writer.push(name, { branch: 'topic', from: 'main', files: { 'a.txt': 'a' }, message: 'Work' });
  await waitForRuns(t, owner, name, 2);
  await owner.must('POST', `${repo}/actions/workflows/ci.yml/dispatches`, { ref: 'main' });
  await waitForRuns(t, owner, name, 3);
  const at = (path, key) => async (query) => {
    const answer = await owner.send('GET', `${path}?${query}`);
    t.record(`GET ${path}?${query}`, { status: answer.status, total: answer.json?.total_count, count: answer.headers.get('x-total-count'), message: answer.json?.message, items: answer.json?.[key]?.map((one) => `${one.run_number ?? one.name} ${one.event ?? ''} ${one.head_branch} ${one.status} ${one.conclusion ?? ''}`) });
  };
  for (const [path, key] of [[repo, 'workflow_runs'], ['/user', 'workflow_runs']]) {
    const list = at(`${path}/actions/runs`, key);
    for (const query of ['status=', 'status=SUCCESS', 'status=running', 'status=blocked', 'status=requested', 'status=action_required', 'status=stale', 'status=unknown', 'status=queued&status=pending', 'status=completed&status=nonsense', 'event=', 'event=PUSH', 'event=nonsense', 'branch=', 'branch=none', 'branch=refs/heads/main', 'branch=topic&event=push', 'actor=', `actor=${owner.name}&event=push`, 'head_sha=', 'head_sha=0000000000000000000000000000000000000000', 'head_sha=abc', 'page=0', 'page=-1', 'page=9', 'limit=0', 'limit=-1', 'limit=1000', 'limit=x', 'page=x', 'limit=1&page=3', 'created=2020-01-01', 'workflow_id=none.yml', 'exclude_pull_requests=true']) await list(query);
  }
  for (const path of [`${repo}/actions/jobs`, '/user/actions/jobs', `${repo}/actions/runs/${first}/jobs`]) {
    const label = path.replace(String(first), '{id}');
    for (const query of ['', 'status=', 'status=queued', 'status=waiting', 'status=blocked', 'status=pending', 'status=in_progress', 'status=completed', 'status=success', 'status=skipped', 'status=failure&status=skipped', 'status=SUCCESS', 'status=x', 'limit=1', 'limit=1&page=2', 'limit=0', 'page=9', 'page=0']) await owner.get(`${path}?${query}`, { label: `${label}?${query}`, body: (json) => ({ total: json.total_count, jobs: json.jobs?.map((one) => `${one.name} ${one.head_branch} ${one.status} ${one.conclusion ?? ''}`) }) });
  }
  for (const query of ['', 'limit=1', 'page=2&limit=1', 'page=0', 'status=success']) await owner.get(`${repo}/actions/tasks?${query}`, { body: (json) => ({ total: json.total_count, tasks: json.workflow_runs.map((one) => `${one.name} ${one.run_number} ${one.event} ${one.head_branch} ${one.status} ${one.workflow_id} ${one.display_title}`) }) });

  await owner.must('PATCH', repo, { archived: true });
  await owner.post(`${repo}/actions/runs/${first}/rerun`, undefined, { body: (json) => json?.message });
  await owner.delete(`${repo}/actions/runs/${first}`);
  await owner.must('PATCH', repo, { archived: false, has_actions: false });
  await owner.get(`${repo}/actions/runs/${first}`, { body: (json) => json?.message ?? json?.status });
  await owner.post(`${repo}/actions/runs/${first}/rerun`, undefined, { body: (json) => json?.message });
  await owner.get(`${repo}/actions/jobs/${build.id}`, { body: (json) => json?.message ?? json?.status });
}
