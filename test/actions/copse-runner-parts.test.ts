import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseUse } from '../../src/runner/actions/uses.ts';
import { readContainer } from '../../src/runner/containers/definition.ts';
import { containerExecutor } from '../../src/runner/containers/executor.ts';
import { Expressions } from '../../src/runner/expressions.ts';
import { makeJobFolders, removeJobFolders } from '../../src/runner/job/folders.ts';
import { hashFiles } from '../../src/runner/job/hash-files.ts';
import { JobLog } from '../../src/runner/job/log.ts';
import { runProcess } from '../../src/runner/job/process.ts';
import { parseLabels, placeOf } from '../../src/runner/labels.ts';
import { CommandFiles, parsePairs } from '../../src/runner/steps/command-files.ts';
import { CommandReader, parseCommand } from '../../src/runner/steps/commands.ts';
import { commandOf, shellOf } from '../../src/runner/steps/shells.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-runner-'));
after(() => rm(folder, { recursive: true, force: true }));
const signal = new AbortController().signal;

describe('labels, actions and shells', () => {
  it('are read, and refused with their reason', () => {
    const labels = parseLabels('linux, ubuntu-latest:docker://node:24');
    assert.deepEqual(placeOf(labels, ['none', 'ubuntu-latest']), { kind: 'container', image: 'node:24' });
    assert.throws(() => placeOf(labels, ['other']), /none of the labels other/);
    for (const text of ['', 'a b', 'a:docker://-x', 'a:docker://x y']) assert.throws(() => parseLabels(text), text);
    const url = 'https://github.com';
    assert.deepEqual(parseUse('a/b/c/d@v1', url), { url: `${url}/a/b`, repository: 'a/b', path: 'c/d', ref: 'v1' });
    assert.equal(parseUse('http://h:3/a/b@x/y', url).url, 'http://h:3/a/b');
    for (const uses of ['a/b', 'a@v1', 'a/b@', 'a/b@--x', 'a/b@a..b', '../b@v1', 'a/../../b@v1', 'https://u:p@h/a/b@v1', 'ext::sh/x@v1'])
      assert.throws(() => parseUse(uses, url), uses);
    assert.deepEqual(commandOf(shellOf('pwsh').template, '/x.ps1'), ['pwsh', '-command', ". '/x.ps1'"]);
    assert.deepEqual(commandOf('perl -w {0}', '/x'), ['perl', '-w', '/x']);
    assert.throws(() => shellOf('zzz'), /there is no shell "zzz"/);
  });
});

describe('commands of steps', () => {
  it('are read in time linear to their length', () => {
    assert.deepEqual(parseCommand('::error file=a%2Cb,title=x%3Ay::one%0Atwo %2525'), {
      name: 'error',
      properties: { file: 'a,b', title: 'x:y' },
      message: 'one\ntwo %25',
    });
    for (const line of ['plain', '::', ':: x::', '::a b', 'x ::debug::y']) assert.equal(parseCommand(line), undefined, line);
    assert.equal(parseCommand(`::a${' '.repeat(500_000)}:`), undefined);
  });

  it('keep outputs, stop for a while, and are refused where they change the environment', () => {
    const log: string[] = [];
    const reader = new CommandReader({ log: (line) => log.push(line), mask: () => {}, isDebugging: true });
    for (const line of ['::set-output name=a::1', '::debug::x', '::stop-commands::t', '::set-output name=b::2', '::t::', '::add-path::/x'])
      reader.take(line);
    assert.deepEqual([[...reader.outputs], reader.problem?.includes('add-path')], [[['a', '1']], true]);
    assert.ok(log.includes('::debug::x') && log.includes('::set-output name=b::2'));
  });

  it('come by files too, which are not followed elsewhere', async () => {
    assert.deepEqual(parsePairs('a=1\r\nb<<E\nx=y\n\nz\nE\nc=\n', 'GITHUB_ENV'), { a: '1', b: 'x=y\n\nz', c: '' });
    for (const text of ['novalue', 'a<<E\nx', '=x']) assert.throws(() => parsePairs(text, 'GITHUB_ENV'), /GITHUB_ENV/, text);
    const secret = join(folder, 'secret');
    await writeFile(secret, 'stolen=yes');
    const files = await CommandFiles.make(folder);
    const { GITHUB_OUTPUT = '' } = files.variables;
    await rm(GITHUB_OUTPUT);
    await symlink(secret, GITHUB_OUTPUT);
    assert.deepEqual((await files.read()).outputs, {});
  });
});

describe('expressions of a job', () => {
  const expressions = (status: 'success' | 'failure' | 'skipped', contexts: Record<string, unknown> = {}) =>
    new Expressions({ contexts: () => contexts, status: () => status, hashFiles: async (patterns) => `#${patterns.join('+')}` });

  it('know how things went, and hash files', async () => {
    for (const [status, condition, holds] of [
      ['success', undefined, true],
      ['failure', undefined, false],
      ['failure', "'x' == 'x'", false],
      ['failure', "contains('failure()', 'x') || true", false],
      ['failure', 'FAILURE()', true],
      ['skipped', '!success() && !failure() && always()', true],
      ['success', false, false],
      ['success', `github.event_name == 'push' && \${{ true }}`, true],
    ] as const)
      assert.equal(await expressions(status, { github: { event_name: 'push' } }).condition(condition), holds, String(condition));
    assert.equal(await expressions('success').text(`a \${{ hashFiles('x', 'y') }} \${{ hashFiles('z') }}`), 'a #x+y #z');
    await assert.rejects(expressions('success').text(`\${{ nothing( }}`), /the expression/);
  });

  it('hash the files of the workspace alone', async () => {
    const workspace = join(folder, 'workspace');
    await mkdir(join(workspace, 'sub'), { recursive: true });
    await writeFile(join(workspace, 'sub/a.lock'), 'a');
    await symlink('/etc/passwd', join(workspace, 'out.lock'));
    const one = await hashFiles(workspace, ['**/*.lock']);
    assert.match(one, /^[0-9a-f]{64}$/);
    assert.equal(await hashFiles(workspace, ['sub']), one);
    assert.equal(await hashFiles(workspace, ['**/*.lock', '!sub/**']), '');
    assert.equal(await hashFiles(workspace, ['../secret']), '');
  });
});

describe('programs of steps', () => {
  it('have lines of bounded length, and are killed when they go on', async () => {
    const lines: string[] = [];
    const run = (script: string, stop: AbortSignal) =>
      runProcess(
        {
          argv: ['sh', '-c', script],
          cwd: folder,
          env: { PATH: process.env.PATH ?? '' },
          signal: stop,
          onLine: (line) => lines.push(line),
        },
        10,
      );
    assert.equal(await run("head -c 200000 /dev/zero | tr '\\0' x; echo; printf 'last\\r\\nrest'; exit 3", signal), 3);
    assert.deepEqual(
      lines.splice(0).map(({ length }) => length),
      [65_536, 65_536, 65_536, 3392, 4, 4],
    );
    const stop = new AbortController();
    const ended = run("trap '' INT; echo ready; while :; do sleep 1; done", stop.signal);
    while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    assert.equal(await ended, 137);
  });

  it('print into a log that hides secrets', async () => {
    const log = new JobLog();
    log.mask('top secret');
    log.add('a top secret\nnext');
    const { rows } = await log.next();
    assert.deepEqual([rows.map(({ content }) => content), log.hasSecret(btoa('my top secret'))], [['a ***', 'next'], true]);
  });
});

describe('containers of a job', () => {
  it('get nothing of the machine', () => {
    assert.equal(readContainer('node:24', 'container').image, 'node:24');
    assert.deepEqual(readContainer({ image: 'x', options: '--health-cmd "a b" --cpus 1' }, 'c').options, [
      '--health-cmd',
      'a b',
      '--cpus',
      '1',
    ]);
    for (const [source, problem] of [
      ['-x', /is not the name of an image/],
      [{ image: 'x', options: '--privileged' }, /--privileged is not possible/],
      [{ image: 'x', options: '-v=/:/host' }, /-v is not possible/],
      [{ image: 'x', volumes: ['/:/host'] }, /only volumes with a name/],
      [{ image: 'x', ports: ['80 -v'] }, /ports/],
    ] as const)
      assert.throws(() => readContainer(source, 'c'), problem);
  });

  it('are made, used and removed by the program of the operator, with the environment in no argument', async () => {
    const log = join(folder, 'engine.log');
    const engine = join(folder, 'engine');
    // It runs what `exec` names on this machine, and only writes down all else.
    await writeFile(engine, ENGINE.replace('LOG', log), { mode: 0o755 });
    const folders = await makeJobFolders(join(folder, 'jobs'), '7-0', 'a/b');
    const definition = { container: 'node:24', services: { db: { image: 'postgres', ports: ['5432'] } } };
    const executor = await containerExecutor({ engine: { program: engine }, image: 'x', definition, folders, signal: () => signal });
    const lines: string[] = [];
    const env = { PATH: process.env.PATH ?? '', TOKEN: "it's\nsecret" };
    const common = { cwd: folders.workspace, env, signal, onLine: (line: string) => lines.push(line) };
    assert.equal(await executor.run({ ...common, argv: ['sh', '-c', 'echo "$TOKEN"; exit 4'] }), 4);
    const script = join(folders.temp, 'x.cjs');
    await writeFile(script, "console.log(process.env['WITH-DASH'])");
    assert.equal(await executor.run({ ...common, env: { ...env, 'WITH-DASH': 'dash' }, argv: [executor.node, script] }), 0);
    assert.deepEqual(lines, ["it's", 'secret', 'dash']);
    assert.equal(await executor.runImage({ ...common, image: 'alpine', entrypoint: '', args: ['x'] }), 0);
    await executor.close();
    const calls = await readFile(log, 'utf8');
    assert.doesNotMatch(calls, /secret/);
    for (const call of [
      /^network create copse-7-0-/m,
      /^run --detach .*--network-alias db --publish=5432 postgres$/m,
      /^run --rm .* alpine x$/m,
      /^rm --force --volumes c1$/m,
      /^network rm/m,
    ])
      assert.match(calls, call);
    assert.deepEqual(Object.keys(executor.facts), ['container', 'services']);
    await removeJobFolders(folders);
    assert.deepEqual(await readdir(join(folder, 'jobs')), []);
  });
});

const ENGINE = `#!/bin/sh
echo "$@" >> LOG
case $1 in
  exec) shift; while :; do case $1 in --workdir|--user) shift 2;; *) break;; esac; done; shift; exec "$@";;
  inspect) echo none;;
  ps) echo c1;;
esac
`;
