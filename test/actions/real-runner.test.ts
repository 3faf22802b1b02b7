import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jobsOfRun } from '../../src/actions/jobs/find.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { startRealRunner } from './real-runner.ts';
import { startRun } from './simulated-runner.ts';

/** The runner of Gitea (`gitea-runner`, before `act_runner`), which runs jobs on this machine here. */
const { COPSE_TEST_RUNNER: program } = process.env;

const WORKFLOW = `on: push
jobs:
  first:
    runs-on: linux
    outputs:
      grade: \${{ steps.graded.outputs.grade }}
    steps:
      - run: echo "the password is \${{ secrets.PASSWORD }} in \${{ vars.PLACE }}"
      - id: graded
        run: echo "grade=A" >> "$GITHUB_OUTPUT"
  second:
    needs: first
    runs-on: linux
    steps:
      - run: echo "the grade is $GRADE of run $GITHUB_RUN_NUMBER"
        env:
          GRADE: \${{ needs.first.outputs.grade }}
      - run: exit 3
`;

it('the runner of Gitea runs jobs from the first line to the last', {
  skip: program === undefined && 'COPSE_TEST_RUNNER names no program',
}, async () => {
  const t = await testServer();
  const alice = await t.user('alice');
  const { id } = await alice.must('POST', '/user/repos', { name: 'demo', private: true, auto_init: true });
  await alice.must('PUT', '/repos/alice/demo/actions/secrets/PASSWORD', { data: 'correct horse' });
  await alice.must('POST', '/repos/alice/demo/actions/variables/PLACE', { value: 'the log' });
  await startRealRunner(t, program ?? '');
  const run = await startRun(t, id, WORKFLOW);
  const states = async () => (await jobsOfRun(t.context.db, run.id)).map(({ name, status }) => `${name} ${status}`).join(', ');
  await eventually(async () => (await states()) === 'first success, second failure', 'the end of both jobs');
  const [first, second] = await jobsOfRun(t.context.db, run.id);
  const log = async (jobId = 0) => (await alice.get(`/repos/alice/demo/actions/jobs/${jobId}/logs`)).text;
  await eventually(async () => /the grade is A of run 1/.test(await log(second?.id)), 'the log');
  assert.match(await log(first?.id), /the password is \*\*\* in the log/);
  assert.doesNotMatch(await log(first?.id), /correct horse/);
  const steps = await t.context.db
    .selectFrom('action_task_steps')
    .select(['name', 'status'])
    .where('task_id', '=', second?.task_id ?? 0)
    .orderBy('number')
    .execute();
  assert.deepEqual(
    steps.map(({ name, status }) => `${name}: ${status}`),
    ['Run echo "the grade is $GRADE of run $GITHUB_RUN_NUMBER": success', 'Run exit 3: failure'],
  );
  const { runners } = await t.admin.must('GET', '/admin/actions/runners');
  assert.deepEqual([runners[0].name, runners[0].status, runners[0].labels[0].name], ['real', 'online', 'linux']);
});
