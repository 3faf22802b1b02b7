import { waitForRuns } from './_runner.mjs';

const JOB = 'jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo\n';
const INPUTS = `on:
  workflow_dispatch:
    inputs:
      must: { required: true, type: string }
      pick: { type: choice, options: [a, b] }
      flag: { type: boolean }
      number: { type: number }
      env: { type: environment }
`;

export default async function (t) {
  const owner = await t.user('owner');
  const [reader, writer, stranger] = [await t.user('reader'), await t.user('writer'), await t.user('stranger')];
  await owner.repo('demo');
  await owner.repo('empty', { auto_init: false });
  await owner.repo('both');
  await owner.repo('github');
  await owner.repo('hidden', { private: true });
  const name = `${owner.name}/demo`;
  const repo = `/repos/${name}`;
  for (const [user, permission] of [[reader, 'read'], [writer, 'write']]) await owner.must('PUT', `${repo}/collaborators/${user.name}`, { permission });
  const list = (path) => owner.get(`${path}/actions/workflows`, { body: (json) => ({ total: json.total_count, workflows: json.workflows.map((one) => [one.id, one.name, one.path, one.state]) }) });

  await owner.get(`/repos/${owner.name}/empty/actions/runs`);
  // Which folder counts
  await owner.push(`${owner.name}/github`, { files: { '.github/workflows/a.yml': `name: A\non: push\n${JOB}`, '.github/workflows/B.YML': `on: push\n${JOB}`, '.github/workflows/c.yaml': '', '.github/workflows/.yml': `on: push\n${JOB}` } });
  await list(`/repos/${owner.name}/github`);
  await owner.get(`/repos/${owner.name}/github/actions/workflows/a.yml`);
  await owner.get(`/repos/${owner.name}/github/actions/workflows/c.yaml`);
  await owner.put(`/repos/${owner.name}/github/actions/workflows/a.yml/disable`);
  await list(`/repos/${owner.name}/github`);
  await owner.push(`${owner.name}/both`, { files: { '.github/workflows/a.yml': `name: A\non: push\n${JOB}`, '.gitea/workflows/notes.txt': 'nothing' } });
  await list(`/repos/${owner.name}/both`);
  await owner.push(`${owner.name}/both`, { files: { '.gitea/workflows/a.yml': `name: Ours\non: workflow_dispatch\n${JOB}` } });
  await list(`/repos/${owner.name}/both`);

  await owner.push(name, { files: {
    '.gitea/workflows/inputs.yml': INPUTS + JOB,
    '.gitea/workflows/list.yml': `on: [workflow_dispatch]\n${JOB}`,
    '.gitea/workflows/word.yml': `on: workflow_dispatch\n${JOB}`,
    '.gitea/workflows/null.yml': `on:\n  workflow_dispatch: null\n${JOB}`,
    '.gitea/workflows/push.yml': `on:\n  push:\n    branches: [never]\n${JOB}`,
    '.gitea/workflows/no-jobs.yml': 'on: workflow_dispatch\n',
    '.gitea/workflows/empty-jobs.yml': 'on: workflow_dispatch\njobs: {}\n',
    '.gitea/workflows/no-runs-on.yml': 'on: workflow_dispatch\njobs:\n  a:\n    steps:\n      - run: echo\n',
    '.gitea/workflows/no-steps.yml': 'on: workflow_dispatch\njobs:\n  a:\n    runs-on: x\n',
    '.gitea/workflows/no-on.yml': JOB,
    '.gitea/workflows/empty.yml': '',
    '.gitea/workflows/text.yml': 'just text\n',
    '.gitea/workflows/broken.yml': 'on: [\n',
    '.gitea/workflows/cycle.yml': 'on: workflow_dispatch\njobs:\n  a:\n    needs: b\n    runs-on: x\n    steps:\n      - run: echo\n  b:\n    needs: a\n    runs-on: x\n    steps:\n      - run: echo\n',
    '.gitea/workflows/missing-need.yml': 'on: workflow_dispatch\njobs:\n  a:\n    needs: nobody\n    runs-on: x\n    steps:\n      - run: echo\n',
    '.gitea/workflows/with space.yml': `name: 'With: space'\non: workflow_dispatch\n${JOB}`,
    '.gitea/workflows/\u00fcml.yml': `name: "\u00dcml"\non: workflow_dispatch\n${JOB}`,
  }, tag: 'v1' });
  await list(repo);
  for (const file of ['inputs.yml', 'no-jobs.yml', 'no-on.yml', 'empty.yml', 'text.yml', 'broken.yml', 'cycle.yml', 'with%20space.yml', '%C3%BCml.yml', 'inputs', 'INPUTS.yml', '0', '1']) await owner.get(`${repo}/actions/workflows/${file}`);
  let runs = 0;
  const dispatch = async (file, body, actor = owner, query = '') => {
    const answer = await actor.post(`${repo}/actions/workflows/${file}/dispatches${query}`, body, { body: (json) => Object.keys(json) });
    if (answer.status < 300) {
      const [run] = await waitForRuns(t, owner, name, ++runs);
      t.record(`run of ${file}`, { event: run.event, title: run.display_title, path: run.path, branch: run.head_branch, status: run.status, attempt: run.run_attempt, number: run.run_number, actor: run.trigger_actor?.login });
    }
  };
  for (const file of ['list.yml', 'word.yml', 'null.yml', 'push.yml', 'with%20space.yml', '%C3%BCml.yml', 'none.yml', 'Word.yml']) await dispatch(file, { ref: 'main' });
  for (const inputs of [{}, null, { must: '' }, { must: 'x', pick: 'c' }, { must: 'x', flag: 'maybe' }, { must: 'x', number: 'NaN' }, { must: null }, { must: 5 }, { must: ['a'] }, [], 'text', { must: 'x', env: 'prod', more: 'y' }]) await dispatch('inputs.yml', { ref: 'main', inputs });
  for (const ref of ['main', 'refs/heads/main', 'refs/tags/v1', 'v1', 'none', 'refs/heads/none', 'heads/main', 'refs/pull/1/head', 'HEAD', ' main', 'main ', '../main', '-x', 'a..b', 5, null, '']) await dispatch('word.yml', { ref });
  await dispatch('word.yml', undefined);
  await dispatch('word.yml', []);
  await dispatch('word.yml', { ref: 'main', return_run_details: true });
  for (const query of ['true', 'false', '1', '0', 'yes', '']) await dispatch('word.yml', { ref: 'main' }, owner, `?return_run_details=${query}`);
  for (const user of [reader, stranger, t.anonymous, writer, t.admin]) {
    await dispatch('word.yml', { ref: 'main' }, user);
    await user.put(`${repo}/actions/workflows/word.yml/disable`);
    await dispatch('word.yml', { ref: 'main' }, user);
    await user.put(`${repo}/actions/workflows/word.yml/enable`);
    await user.get(`/repos/${owner.name}/hidden/actions/workflows/word.yml`);
    await user.post(`/repos/${owner.name}/hidden/actions/workflows/word.yml/dispatches`, { ref: 'main' });
  }
  for (const file of ['broken.yml', 'text.yml', 'notes.md', 'with%20space.yml']) {
    await owner.put(`${repo}/actions/workflows/${file}/disable`);
    await owner.get(`${repo}/actions/workflows/${file}`, { body: (json) => [json.name, json.state] });
    await owner.put(`${repo}/actions/workflows/${file}/enable`);
  }
  for (const scopes of [['read:repository'], ['write:repository'], ['write:user'], ['public-only', 'write:repository']]) {
    const token = await owner.token(scopes);
    await token.get(`${repo}/actions/workflows/word.yml`, { body: (json) => json.name });
    await dispatch('word.yml', { ref: 'main' }, token);
    await token.put(`${repo}/actions/workflows/word.yml/enable`);
  }
  await owner.must('PATCH', repo, { has_actions: false });
  await dispatch('word.yml', { ref: 'main' });
  await owner.put(`${repo}/actions/workflows/word.yml/disable`);
  await owner.must('PATCH', repo, { has_actions: true, archived: true });
  await dispatch('inputs.yml', { ref: 'main' });
  await owner.put(`${repo}/actions/workflows/word.yml/disable`);
  await owner.get(`${repo}/actions/workflows/word.yml`, { body: (json) => json.state });
}
