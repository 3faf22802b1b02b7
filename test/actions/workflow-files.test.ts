// On SQLite alone: no database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTime } from '../../src/actions/schedules/times.ts';
import { isIgnored, isIncluded } from '../../src/actions/triggers/patterns.ts';
import { run } from '../../src/actions/workflows/file/workflow-task.ts';
import { processorTime } from '../support/processor-time.ts';

const CONTEXTS = { github: { actor: 'alice', run_id: '7' }, vars: { PLACE: 'here' }, inputs: {} };
const JOB = 'jobs:\n  a:\n    runs-on: x\n';
// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever its shape
const expand = (text: string): any => run({ kind: 'expand', text, contexts: CONTEXTS });
const problemOf = (text: string): string | undefined => {
  const [result] = run({ kind: 'read', texts: [text] }) as { problem?: string }[];
  return result?.problem;
};

describe('a workflow file', () => {
  it('that is wrong is refused with the place', () => {
    const wrong: [string, RegExp][] = [
      [JOB, /no `on`/],
      ['on: push\n', /no jobs/],
      [`on: push\non: push\n${JOB}`, /line 2, column 1: the key "on" is there twice/],
      [`on: push\n${JOB}    steps: [1]\n`, /line 5, column 13: a step has to be a mapping/],
      ['on: push\njobs:\n  a:\n', /line 3, .*the job a has to be a mapping/],
      [`on: { push: { branches: { a: b } } }\n${JOB}`, /line 1, .*branches of push/],
      ['on: [push\n', /line \d+, column \d+: /],
      ['- a\n', /has to be a mapping/],
    ];
    for (const [text, problem] of wrong) assert.match(problemOf(text) ?? '', problem);
    assert.equal(problemOf(`on: push\npermissions: { code: write }\nunknown: 1\n${JOB}`), undefined);
  });

  it('is the first document of its file', () => {
    assert.equal(problemOf(`on: push\n${JOB}---\non: [\n`), undefined);
    assert.equal(expand(`on: push\n${JOB}---\non: pull_request\n`).value.jobs.length, 1);
  });

  it('is read in time that grows with the number of its jobs, of which each is written with nothing of the others', async () => {
    const jobs = Array.from({ length: 1000 }, (_, i) => `  j${i}:\n    runs-on: x\n    steps:\n      - run: echo ${i}\n`).join('');
    const time = await processorTime(() => {
      const { value } = expand(`env: { A: b }\non: push\njobs:\n${jobs}`);
      assert.equal(value.jobs.length, 1000);
      const [first] = value.jobs;
      const job = 'jobs:\n  j0:\n    name: j0\n    runs-on: x\n    steps:\n      - run: echo 0\n';
      assert.equal(first.payload, `on: push\nenv:\n  A: b\n${job}`);
    });
    assert.ok(time < 1500, `${time} ms`);
  });

  it('that is a bomb is refused in bounded time', () => {
    const aliases = [
      'a0: &a0 [x, x, x, x, x, x, x, x, x]',
      ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`),
    ];
    const axes = Array.from({ length: 9 }, (_, i) => `        k${i}: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n`).join('');
    const loop = '&l [*l]';
    const bombs: [string, RegExp][] = [
      [`on: push\n${aliases.join('\n')}\n${JOB}`, /too many parts/],
      [`on: push\n${JOB}    strategy:\n      matrix:\n${axes}`, /more than 256 combinations/],
      [`on: push\nx: ${'['.repeat(5000)}${']'.repeat(5000)}\n${JOB}`, /too deeply/],
      [`on: push\nx: ${loop}\n${JOB}`, /too deeply|too many parts/],
      [`on: push\njobs:\n${Array.from({ length: 1001 }, (_, i) => `  j${i}: {}\n`).join('')}`, /more than 1000 jobs/],
    ];
    for (const [text, problem] of bombs) assert.match(problemOf(text) ?? 'no problem', problem);
  });

  it('has its expressions evaluated where the server knows what they say', () => {
    const text = `on: push\nrun-name: "\${{ github.actor }} in \${{ vars.PLACE }}"\nconcurrency: g-\${{ github.run_id }}\n${JOB}    name: "\${{ matrix.n }}!"\n    strategy: { matrix: { n: "\${{ fromJSON('[1, 2]') }}" } }\n`;
    const { value } = expand(text);
    assert.deepEqual([value.runName, value.concurrency], ['alice in here', { group: 'g-7', cancel: false }]);
    assert.deepEqual(
      value.jobs.map(({ name }: { name: string }) => name),
      ['1!', '2!'],
    );
    const lists = expand(`on: push\nrun-name: "\${{ fromJSON('[1]') }}"\nconcurrency: "\${{ fromJSON('{}') }}"\n${JOB}`);
    assert.deepEqual([lists.value.runName, lists.value.concurrency], ['Array', { group: 'Object', cancel: false }]);
    assert.match(expand(`on: push\nconcurrency: "\${{ nothing( }}"\n${JOB}`).problem, /the expression/);
    assert.match(expand(`on: push\nconcurrency: "\${{ ${'('.repeat(200)}1${')'.repeat(200)} }}"\n${JOB}`).problem, /depth/);
  });

  it('brings no NUL into the database, which PostgreSQL refuses', () => {
    assert.match(problemOf(`on: push\nname: "a\\0b"\n${JOB}`) ?? '', /a text has a NUL/);
    const made = `on: push\nrun-name: a\${{ fromJSON('"\\u0000"') }}b\n${JOB}    strategy: { matrix: { n: ["\${{ fromJSON('[[\\"\\\\u0000c\\"]]') }}"] } }\n`;
    const { value } = expand(made);
    assert.deepEqual([value.runName, value.jobs[0].name.includes('\0')], ['ab', false]);
  });

  it('declares what the token of its jobs may do', () => {
    const permissionsOf = (text: string) => expand(`on: push\n${text}${JOB}`).value.jobs[0].permissions;
    assert.equal(permissionsOf(''), null);
    assert.equal(permissionsOf('permissions: read-all\n').wiki, 'read');
    const { code, releases, pulls, issues } = permissionsOf('permissions: { contents: read, releases: write, pull-requests: write }\n');
    assert.deepEqual({ code, releases, pulls, issues }, { code: 'read', releases: 'write', pulls: 'write', issues: 'none' });
  });
});

describe('the patterns of filters', () => {
  it('match as those of GitHub do', () => {
    const cases: [string, string, boolean][] = [
      ['main', 'main', true],
      ['feature/*', 'feature/a/b', false],
      ['feature/**', 'feature/a/b', true],
      ['**/README.md', 'README.md', true],
      ['**.js', 'src/a.js', true],
      ['v[12].[0-9]+', 'v1.10', true],
      ['*.jsx?', 'a.js', true],
      ['\\*', '*', true],
      ['a.c', 'abc', false],
    ];
    for (const [pattern, text, expected] of cases) assert.equal(isIncluded([pattern], [text]), expected, `${pattern} ${text}`);
    assert.equal(isIncluded(['release/**', '!release/old*'], ['release/old-1']), false);
    assert.equal(isIncluded(['['], ['a']), undefined);
    assert.equal(isIgnored(['docs/**', '*.md'], ['docs/a', 'b.md']), true);
    assert.equal(isIgnored(['docs/**'], ['docs/a', 'src/b']), false);
    assert.equal(isIncluded(['*a'.repeat(400)], ['a'.repeat(5000)]), true);
  });
});

describe('the times of schedules', () => {
  it('are cron expressions in UTC or another zone, nicknames, and spans', () => {
    const at = (text: string) => Date.parse(text) / 1000;
    const now = at('2024-01-02T03:04:05Z');
    assert.equal(nextTime('30 5 * * 1', now), at('2024-01-08T05:30:00Z'));
    assert.equal(nextTime('CRON_TZ=America/New_York 0 6 * * *', now), at('2024-01-02T11:00:00Z'));
    assert.equal(nextTime('@daily', now), at('2024-01-03T00:00:00Z'));
    assert.equal(nextTime('@every 90m', now), now + 5400);
    for (const wrong of ['', 'often', '* * * *', '* * * * * *', '@every x', '61 * * * *', '0 0 31 2 *'])
      assert.equal(nextTime(wrong, now), null);
  });
});
