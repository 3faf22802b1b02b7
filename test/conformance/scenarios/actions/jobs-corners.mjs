import { Runner, jobOf, jobStates, waitForRuns } from './_runner.mjs';

const STEP = '    steps:\n      - run: echo\n';
const job = (key, lines = [], runsOn = 'ubuntu-latest') => `  ${key}:\n    runs-on: ${runsOn}\n${lines.map((line) => `    ${line}\n`).join('')}${STEP}`;
const CONDITIONS = [
  'true', 'false', '${{ true }}', '${{ false }}', "github.event_name == 'push'", "github.event_name != 'push'", "${{ gitea.ref == 'refs/heads/main' }}",
  "contains(github.ref, 'MAIN')", "startsWith(github.ref, 'refs/heads/')", "endsWith(github.ref_name, 'in')", 'always()', 'failure()', 'success()', 'cancelled()', '!cancelled()', '!failure()',
  "vars.THERE == 'yes'", "vars.MISSING == ''", 'vars.MISSING', "github.actor == 'nobody'", "format('{0}-{1}', 'a', 'b') == 'a-b'", "join(fromJSON('[1,2]'), '-') == '1-2'", "toJSON('a') == '\"a\"'",
  '1 == 1', '1 > 2', "'a' == 'A'", "null == ''", '!false && (true || false)', "github.event.head_commit.message == 'Conditions'", "contains(github.event.head_commit.message, 'none')", "hashFiles('x') == ''", "''", '0', 'null', "github.repository_owner", 'github.event.forced', "github['ref'] == 'refs/heads/main'", "contains(fromJSON('[\"push\"]'), github.event_name)", 'env.A', "inputs.x == ''", 'github.run_attempt == 1', "github.run_number == '1'",
];
const MATRICES = {
  plain: 'matrix: { a: [1, 2], b: [x, y] }',
  exclude: 'matrix: { a: [1, 2], b: [x, y], exclude: [{ a: 1 }] }',
  'exclude-all': 'matrix: { a: [1], exclude: [{ a: 1 }] }',
  'include-only': 'matrix: { include: [{ a: 1 }, { a: 2, b: 3 }] }',
  'include-extends': 'matrix: { a: [1, 2], include: [{ a: 1, more: yes }, { a: 3 }] }',
  'include-all': 'matrix: { a: [1, 2], include: [{ color: green }] }',
  types: 'matrix: { a: [true, 1.5, "text", null] }',
  objects: 'matrix: { a: [{ x: 1, y: 2 }, { x: 3 }] }',
  empty: 'matrix: { a: [] }',
  parallel: 'matrix: { a: [1, 2] }\n      max-parallel: 1',
};

export default async function (t) {
  const owner = await t.user('owner');
  const name = `${owner.name}/demo`;
  const repo = `/repos/${name}`;
  await owner.repo('demo');
  await owner.must('POST', `${repo}/actions/variables/THERE`, { value: 'yes' });
  const jobsOf = async (run) => (await owner.must('GET', `${repo}/actions/runs/${run}/jobs?limit=100`)).jobs;
  let runs = 0;
  const pushed = async (message, text) => {
    await owner.push(name, { files: { '.gitea/workflows/ci.yml': text }, message });
    return (await waitForRuns(t, owner, name, ++runs))[0];
  };
  // Conditions are quoted, as each is a text.
  const conditions = CONDITIONS.map((text, i) => job(`c${String(i).padStart(2, '0')}`, [`if: ${JSON.stringify(text)}`, `name: ${JSON.stringify(text.replaceAll('${{', '<').replaceAll('}}', '>'))}`])).join('');
  const first = await pushed('Conditions', `name: Conditions\nrun-name: "\${{ github.event.head_commit.message }} by \${{ gitea.event_name }}"\non: push\nenv:\n  A: b\njobs:\n${conditions}`);
  await t.eventually(() => jobStates(t, owner, name, first.id), () => true);
  t.record('conditions', { title: first.display_title, jobs: (await jobsOf(first.id)).map((one) => `${one.name} ${one.status} ${one.conclusion ?? ''}`).sort() });

  const matrices = await pushed('Matrices', `on: push\njobs:\n${Object.entries(MATRICES).map(([key, text]) => job(key, ['strategy:', `  ${text}`])).join('')}`);
  t.record('matrices', (await jobsOf(matrices.id)).map((one) => `${one.name} ${one.status}`).sort());
  const named = await pushed('Names', `on: push\njobs:\n${[
    job('a', ['name: "${{ matrix.v }} of ${{ github.ref_name }}"', 'strategy: { matrix: { v: [1, 2] } }'], '"${{ matrix.v }}"'),
    job('b', ['name: ""']), job('c', ["name: '${{ github.event_name }} ${{ vars.THERE }} ${{ secrets.X }}'"]), job('d', [], '[self-hosted, linux]'), job('e', [], "${{ fromJSON('[\"x\", \"y\"]') }}"), job('f', [], '{ group: g, labels: [l1, l2] }'),
  ].join('')}`);
  t.record('names', (await jobsOf(named.id)).map((one) => `${one.name}: ${one.labels} ${one.status}`).sort());
  await owner.must('PUT', `${repo}/actions/workflows/ci.yml/disable`);

  // Chains: what each job does once its needs are over
  await owner.repo('chain');
  const chain = `${owner.name}/chain`;
  const runner = await Runner.at(t, owner, `/repos/${chain}`, { name: 'one' });
  await owner.push(chain, { message: 'Chain', files: { '.gitea/workflows/chain.yml': `name: Chain\non: push\njobs:\n${[
    job('good', ['outputs: { version: "${{ steps.x.outputs.v }}", empty: "" }']), job('bad'), job('never', ["if: 'false'"]),
    job('after-good', ['needs: good']), job('after-bad', ['needs: bad']), job('after-never', ['needs: never']), job('after-both', ['needs: [good, bad]']),
    job('always-bad', ['needs: bad', 'if: always()']), job('failure-bad', ['needs: bad', 'if: failure()']), job('failure-good', ['needs: good', 'if: failure()']), job('not-cancelled', ['needs: [bad, never]', "if: '!cancelled()'"]),
    job('true-bad', ['needs: bad', "if: 'true'"]), job('always-never', ['needs: never', 'if: always()']), job('result', ['needs: [good, bad]', `if: "always() && needs.good.result == 'success' && needs.bad.result == 'failure'"`]),
    job('output', ['needs: good', `if: "needs.good.outputs.version == '2'"`]), job('no-output', ['needs: good', `if: "needs.good.outputs.version == '3'"`]), job('far', ['needs: after-never']), job('far-always', ['needs: after-bad', "if: ${{ always() && needs.after-bad.result == 'skipped' }}"]),
    job('matrix', ['needs: good', 'name: m ${{ matrix.v }} ${{ needs.good.outputs.version }}', 'strategy: { matrix: { v: [1, 2] } }']), job('mixed', ['needs: matrix', 'continue-on-error: true']), job('after-mixed', ['needs: mixed']),
  ].join('')}` } });
  const [run] = await waitForRuns(t, owner, chain, 1);
  t.record('chain at first', await jobStates(t, owner, chain, run.id));
  const given = [];
  for (let count = 0; count < 30; count++) {
    const task = await runner.next(given.length < 2 ? 30_000 : 3_000);
    if (!task) break;
    const { name: label } = jobOf(task);
    given.push(`${label} ${JSON.stringify(Object.fromEntries(Object.entries(task.needs ?? {}).sort()))}`);
    await runner.finish(task, ['bad', 'mixed'].includes(task.context.job) ? 'failure' : 'success', label === 'good' ? { outputs: { version: '2' } } : {});
  }
  t.record('given', given.sort());
  t.record('chain at last', await jobStates(t, owner, chain, run.id));
  const { json } = await owner.send('GET', `/repos/${chain}/commits/main/status?limit=50`);
  t.record('statuses', { state: json.state, total: json.total_count, each: json.statuses.map((status) => `${status.context}: ${status.status} ${status.description.replace(/\d+s/, '{s}')}`).sort() });
  t.record('badge', await Promise.all(['', '?branch=main', '?branch=none', '?event=push', '?event=schedule', '?style=flat-square', '?style=plastic'].map(async (query) => {
    const answer = await t.anonymous.send('GET', `//${chain}/actions/workflows/chain.yml/badge.svg${query}`);
    return [query, answer.status, answer.headers.get('content-type'), /aria-label="([^"]*)"/.exec(answer.text)?.[1]];
  })));
  for (const file of ['none.yml', 'chain']) {
    const answer = await t.anonymous.send('GET', `//${chain}/actions/workflows/${file}/badge.svg`);
    t.record(`badge of ${file}`, [answer.status, /aria-label="([^"]*)"/.exec(answer.text)?.[1]]);
  }
}
