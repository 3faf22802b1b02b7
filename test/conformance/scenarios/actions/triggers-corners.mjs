import { runWatcher, waitForPush } from './_runner.mjs';

const JOB = 'jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo\n';
const FILTERS = {
  'b-negated-first': "push:\n    branches: ['!main', '**']",
  'b-negated-last': "push:\n    branches: ['**', '!main']",
  'b-only-negated': "push:\n    branches: ['!main']",
  'b-question': "push:\n    branches: ['mai?']",
  'b-set': "push:\n    branches: ['[l-n]ain']",
  'b-plus': "push:\n    branches: ['f+eature']",
  'b-star': "push:\n    branches: ['*']",
  'b-both': "push:\n    branches: ['**']\n    branches-ignore: ['main']",
  'b-text': 'push:\n    branches: main',
  'b-empty': 'push:\n    branches: []',
  'b-full': "push:\n    branches: ['refs/heads/main']",
  'b-case': "push:\n    branches: ['Main']",
  'i-all': "push:\n    branches-ignore: ['**']",
  'i-negated': "push:\n    branches-ignore: ['**', '!main']",
  'p-negated': "push:\n    paths: ['**', '!docs/**']",
  'p-only-negated': "push:\n    paths: ['!docs/**']",
  'p-back': "push:\n    paths: ['!docs/**', 'docs/keep.md']",
  'p-star': "push:\n    paths: ['*.txt']",
  'p-folder': "push:\n    paths: ['docs']",
  'p-slash': "push:\n    paths: ['docs/']",
  'p-deep': "push:\n    paths: ['**/deep/**']",
  'p-ext': "push:\n    paths: ['**/*.md']",
  'p-dot': "push:\n    paths: ['.config/**']",
  'pi-some': "push:\n    paths-ignore: ['docs/**', '!docs/keep.md']",
  'pi-and-paths': "push:\n    paths: ['docs/**']\n    paths-ignore: ['docs/**']",
  'pi-star': "push:\n    paths-ignore: ['*']",
  't-all': "push:\n    tags: ['**']",
  't-star': "push:\n    tags: ['*']",
  't-negated': "push:\n    tags: ['v*', '!v*-rc']",
  't-ignore-all': "push:\n    tags-ignore: ['**']",
  't-and-branches-ignore': "push:\n    tags: ['v*']\n    branches-ignore: ['side']",
  't-paths': "push:\n    tags: ['v*']\n    paths: ['nothing']",
  'i-tags-ignore': "push:\n    tags-ignore: ['v1']\n    branches: [main]",
};
const OTHERS = {
  'x-broken': 'on: push\njobs: [\n',
  'x-tab': 'on: push\n\tjobs: 1\n',
  'x-no-jobs': 'on: push\n',
  'x-null-job': 'on: push\njobs:\n  a:\n',
  'x-no-runs-on': 'on: push\njobs:\n  a:\n    steps:\n      - run: echo\n',
  'x-no-steps': 'on: push\njobs:\n  a:\n    runs-on: x\n',
  'x-missing-need': 'on: push\njobs:\n  a:\n    needs: nobody\n    runs-on: x\n    steps:\n      - run: echo\n',
  'x-cycle': 'on: push\njobs:\n  a:\n    needs: b\n    runs-on: x\n    steps:\n      - run: echo\n  b:\n    needs: a\n    runs-on: x\n    steps:\n      - run: echo\n',
  'x-self': 'on: push\njobs:\n  a:\n    needs: a\n    runs-on: x\n    steps:\n      - run: echo\n',
  'x-list-on': `on:\n  - push\n  - gremlins\n${JOB}`,
  'x-null-on': `on:\n  push:\n${JOB}`,
  'x-true-on': `true:\n  push:\n${JOB}`,
  'x-quoted-on': `"on": push\n${JOB}`,
  'x-no-on': JOB,
  'x-unknown-key': `on: push\nnonsense: 5\n${JOB}`,
  'x-two-documents': `on: push\n${JOB}---\non: push\n${JOB}`,
  'x-anchors': 'on: push\nx: &s\n  - run: echo\njobs:\n  a:\n    runs-on: x\n    steps: *s\n',
  'x-duplicate': `on: push\non: pull_request\n${JOB}`,
  'x-uses-job': 'on: push\njobs:\n  a:\n    uses: ./.gitea/workflows/x-list-on.yml\n',
  'x-unknown-filter': `on:\n  push:\n    gremlins: [a]\n${JOB}`,
  'x-upper': `on: PUSH\n${JOB}`,
  'x-types': `on:\n  push:\n    types: [opened]\n${JOB}`,
};

export default async function (t) {
  const owner = await t.user('owner');
  const name = `${owner.name}/demo`;
  await owner.repo('demo');
  await owner.repo('odd');
  const files = Object.fromEntries(Object.entries(FILTERS).map(([file, text]) => [`.gitea/workflows/${file}.yml`, `on:\n  ${text}\n${JOB}`]));
  files['.gitea/workflows/zz.yml'] = `on: [push]\n${JOB}`;
  const started = runWatcher(t, owner, name);
  const push = async (label, options) => {
    const { code } = await owner.push(name, { message: label, ...options });
    t.record(label, { code, runs: await started() });
  };
  await push('workflows', { files });
  await push('a document', { files: { 'docs/a.md': '1' } });
  await push('the kept one', { files: { 'docs/keep.md': '1' } });
  await push('both', { files: { 'docs/keep.md': '2', 'docs/a.md': '2' } });
  await push('a text', { files: { 'a.txt': '1' } });
  await push('deep', { files: { 'x/deep/y/a.txt': '1', '.config/a': '1' } });
  await push('a removed one', { files: { 'docs/a.md': null } });
  await push('feature', { branch: 'ffeature', from: 'main', files: { 'b.txt': '1' } });
  await push('a slash', { branch: 'a/b', from: 'main', files: { 'b.txt': '1' } });
  await push('side', { branch: 'side', from: 'main' });
  for (const tag of ['v1', 'v1-rc', 'a/v1', 'other']) {
    const folder = await owner.clone(name);
    await owner.git(['tag', tag], folder);
    t.record(`tag ${tag}`, { code: (await owner.git(['push', '-q', 'origin', `refs/tags/${tag}`], folder)).code, runs: await started() });
  }
  // Words that skip
  for (const message of ['a [skip ci]', 'b [ci skip]', 'c [no ci]', 'd [skip actions]', 'e [actions skip]', 'f [SKIP CI]', 'g\n\nbody [skip ci]', 'h ***NO_CI***', 'i skip-checks: true', 'j\n\nskip-checks: true', 'k [skip  ci]', 'l [skip-ci]', '[skip ci] m']) {
    const { sha } = await owner.push(name, { files: { 'skip.txt': message }, message });
    await waitForPush(t, owner, name, sha);
  }
  t.record('words that skip', { runs: await started(5) });
  await push('after them', { files: { 'c.txt': '1' } });

  // Files that are odd
  const odd = `${owner.name}/odd`;
  const oddities = Object.fromEntries(Object.entries(OTHERS).map(([file, text]) => [`.gitea/workflows/${file}.yml`, text]));
  const seen = runWatcher(t, owner, odd);
  await owner.push(odd, { files: { ...oddities, '.gitea/workflows/zz.yml': `on: push\n${JOB}` }, message: 'Odd ones' });
  t.record('odd ones', await seen());
  const { json } = await owner.send('GET', `/repos/${odd}/actions/runs?limit=50`);
  t.record('how they are', json.workflow_runs.map((run) => `${run.path} ${run.status} ${run.conclusion ?? ''}`).sort());
  const jobs = await owner.send('GET', `/repos/${odd}/actions/jobs?limit=50`);
  t.record('their jobs', jobs.json.jobs.map((job) => `${job.name} ${job.status} ${job.conclusion ?? ''} ${job.labels}`).sort());
}
