// On SQLite alone: the runner knows nothing of the database, and tasks.test.ts has its protocol on both.
import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { startTestRunner, WorkflowRepository } from './copse-runner.ts';

const t = await testServer({ actions: { defaultActionsUrl: 'self' } });
const alice = await t.user('alice');
const runner = await startTestRunner(t, { name: 'host' });
const demo = await WorkflowRepository.make(t, alice, 'alice', 'demo');
await alice.must('PUT', '/repos/alice/demo/actions/secrets/PASSWORD', { data: 'correct horse\nbattery staple' });
await alice.must('POST', '/repos/alice/demo/actions/variables/PLACE', { value: 'the log' });
process.env.COPSE_SECRET_OF_THE_TEST = 'not for steps';

const job = (name: string, rest: string) => `  ${name}:\n    runs-on: linux\n${rest.replaceAll(/^/gm, '    ')}\n`;

describe('copse runner', { concurrency: true }, () => {
  it('runs a matrix, hands on outputs, and hides secrets, also their lines and their base64', async () => {
    const build = `strategy: { matrix: { n: [1, 2] } }
outputs: { grade: '\${{ steps.graded.outputs.grade }}', leak: '\${{ secrets.PASSWORD }}' }
steps:
  - run: echo "\${{ secrets.PASSWORD }} in \${{ vars.PLACE }}"; printf '%s' "$P" | base64
    env: { P: '\${{ secrets.PASSWORD }}' }
  - id: graded
    run: echo "grade=A\${{ matrix.n }}" >> "$GITHUB_OUTPUT"`;
    const use = `needs: build
steps:
  - run: echo "the grade is $GRADE, leaked <$LEAK> of run $GITHUB_RUN_NUMBER"
    env: { GRADE: '\${{ needs.build.outputs.grade }}', LEAK: '\${{ needs.build.outputs.leak }}' }`;
    const jobs = await demo.run(`jobs:\n${job('build', build)}${job('use', use)}`);
    assert.deepEqual(
      Object.entries(jobs).map(([name, { state }]) => `${name} ${state}`),
      ['build (1) success', 'build (2) success', 'use success'],
    );
    const { log } = jobs['build (1)'] ?? assert.fail();
    assert.match(log, /^\*\*\*$/m);
    assert.match(log, /\*\*\* in the log/);
    assert.doesNotMatch(log, /correct|battery|Y29ycmVjdCBob3Jz/);
    assert.match(jobs.use?.log ?? '', /the grade is A[12], leaked <> of run \d+/);
  });

  it('stops at a failing step, but for those that run always or may fail, and after the time of a step', async () => {
    const steps = `steps:
  - name: fails but may
    continue-on-error: true
    id: may
    run: exit 4
  - name: too long
    timeout-minutes: 0.001
    continue-on-error: \${{ true }}
    run: sleep 60
  - name: fails
    run: "echo before; false; echo after"
  - name: left out
    run: echo left out
  - name: at last
    if: failure() && steps.may.outcome == 'failure' && steps.may.conclusion == 'success'
    shell: python
    run: print("at", "last")
  - name: expression
    if: \${{ always() && contains('abc', 'b') }}
    shell: sh
    working-directory: /
    run: pwd; test -z "$BASH_VERSION"`;
    const { a } = await demo.run(`jobs:\n${job('a', steps)}`);
    const states = [
      'fails but may: success',
      'too long: success',
      'fails: failure',
      'left out: skipped',
      'at last: success',
      'expression: success',
    ];
    assert.deepEqual([a?.state, ...(a?.steps ?? [])], ['failure', ...states]);
    assert.match(a?.log ?? '', /^before\n::error::Run|^before\n::error::fails: exit code 1$/m);
    assert.match(a?.log ?? '', /^at last$/m);
    assert.doesNotMatch(a?.log ?? '', /^after$/m);
  });

  it('gives steps their environment, files and commands, and nothing of its own', async () => {
    const steps = `env: { LEVEL: job, JOB: job }
steps:
  - run: |
      echo "levels $LEVEL $JOB $TOP"
      echo "FROM_FILE<<END
      two
      lines
      END" >> "$GITHUB_ENV"
      echo "$PWD/bin" >> "$GITHUB_PATH"; mkdir bin; printf '#!/bin/sh\\necho tool runs' > bin/tool; chmod +x bin/tool
      echo "# Heading" >> "$GITHUB_STEP_SUMMARY"
      echo "::add-mask::hidden-word"; echo "a hidden-word"
      echo "::error file=a.ts,line=3::broken"; echo "::debug::unseen"
      echo "::stop-commands::xyz"; echo "::add-mask::plain-word"; echo "::xyz::"; echo "a plain-word"
      printf '%s' "$COPSE_SECRET_OF_THE_TEST" | wc -c; test "$CI$GITHUB_ACTIONS" = truetrue
      stat -c 'mode %a' "$RUNNER_TEMP/.."; echo "in $RUNNER_TEMP"
    env: { LEVEL: step }
  - run: tool; echo "$FROM_FILE"; echo "hash \${{ hashFiles('bin/**') != '' }} \${{ hashFiles('none') == '' }} \${{ env.FROM_FILE == env.NONE }}"
  - run: 'echo "::set-env name=X::y"'`;
    const { a } = await demo.run(`env: { LEVEL: top, TOP: top }\njobs:\n${job('a', steps)}`);
    const log = a?.log ?? '';
    for (const line of [
      'levels step job top',
      'tool runs',
      'two',
      'lines',
      '# Heading',
      'a ***',
      '::error file=a.ts,line=3::broken',
      'a plain-word',
    ])
      assert.ok(log.split('\n').includes(line), `${line} in ${log}`);
    assert.match(log, /^0\nmode 700$/m);
    assert.match(log, /^hash true true false$/m);
    assert.doesNotMatch(log, /unseen\n(?!.*echo)/);
    assert.deepEqual([a?.state, a?.steps.at(-1)], ['failure', `Run echo "::set-env name=X::y": failure`]);
    const [, temp = ''] = /^in (.*)$/m.exec(log) ?? [];
    assert.ok(temp.startsWith(join(runner.folder, 'jobs')));
    await eventually(async () => !(await stat(join(temp, '..')).catch(() => undefined)), 'the end of the folder of the job');
  });

  it('cancels a job: its processes end, and what runs always still runs', async () => {
    const steps = `steps:
  - run: (setsid sleep 3456 & ); echo started; sleep 3456
  - if: cancelled()
    run: echo cleaned
  - run: echo never`;
    const run = await demo.start(`jobs:\n${job('a', steps)}`);
    await demo.line(run, 'a', /^started$/m);
    await alice.send('POST', `${demo.path}/actions/runs/${run}/cancel`);
    const { a } = await demo.end(run);
    assert.equal(a?.state, 'cancelled');
    await demo.line(run, 'a', /^cleaned$/m);
    assert.doesNotMatch(a?.log ?? '', /^never$/m);
    await eventually(async () => !(await commandLines()).some((line) => line.includes('sleep\x003456')), 'the end of all processes');
  });

  it('gets the inputs of a workflow that is started by hand, with their types', async () => {
    const on = 'on:\n  workflow_dispatch:\n    inputs:\n      where: { default: home }\n      dry: { type: boolean, default: true }';
    const steps = `if: inputs.dry\nsteps:\n  - run: echo "to \${{ inputs.where }} \${{ toJSON(inputs.dry) }}"`;
    const jobs = `jobs:\n${job('a', steps)}${job('b', `if: "!inputs.dry"\nsteps:\n  - run: echo no`)}`;
    const { a, b } = await demo.run(jobs, { on, inputs: { where: 'work' } });
    assert.match(a?.log ?? '', /^to work true$/m);
    assert.deepEqual([a?.state, b?.state, b?.steps], ['success', 'skipped', ['Run echo no: skipped']]);
  });

  it('refuses containers on the host, and what leads out of the workspace', async () => {
    const container = job('container', 'container: node:24\nsteps:\n  - run: echo');
    const services = job('services', 'services: { db: { image: postgres } }\nsteps:\n  - run: echo');
    const image = job('image', 'steps:\n  - uses: docker://alpine');
    const outside = job('outside', 'steps:\n  - uses: ./../../x');
    const jobs = await demo.run(`jobs:\n${container}${services}${image}${outside}`);
    assert.deepEqual(
      Object.values(jobs).map(({ state }) => state),
      ['failure', 'failure', 'failure', 'failure'],
    );
    assert.match(jobs.container?.log ?? '', /::error::`container` needs containers, and this job runs on the host/);
    assert.match(jobs.services?.log ?? '', /::error::`services` needs containers/);
    assert.match(jobs.image?.log ?? '', /::error::actions in containers do not run on the host/);
    assert.match(jobs.outside?.log ?? '', /::error::uses: \.\/\.\.\/\.\.\/x leads out of the workspace/);
  });
});

async function commandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
}
