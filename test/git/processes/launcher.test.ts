import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { LaunchedProcess } from '../../../src/git/processes/launched-process.ts';
import { type GitError, isGitMissing, killGroup, runGit, spawnGit } from '../../../src/git/processes/process.ts';
import { startService } from '../../../src/git/processes/service-process.ts';
import { eventually } from '../../support/eventually.ts';

const cwd = tmpdir();

/** Runs a script through git. */
const script = (text: string) => ['-c', `alias.run=!${text}`, 'run'];

function isLaunched(): boolean {
  const child = spawnGit(['--version'], { cwd });
  child.stdin.end();
  // Its launcher may be killed by a test.
  child.on('error', () => {});
  return child instanceof LaunchedProcess;
}

const launcherRuns = () => eventually(() => isLaunched(), 'a launcher');

/** Those that this process, or another one, has started. */
function launchers(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
        return after.split(' ')[1] === String(parent) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('launcher-program');
      } catch {
        return false;
      }
    })
    .map(Number);
}

function isRunning(pid: number): boolean {
  try {
    // One that ended and that nobody has waited for yet is a zombie.
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

async function outputOf(args: readonly string[], options: Parameters<typeof runGit>[1] = {}): Promise<string> {
  return (await runGit(args, { cwd, ...options })).stdout.toString();
}

describe('git that a launcher starts', { skip: process.platform !== 'linux' }, () => {
  before(launcherRuns);

  it('gets its own input and output, however many are started at once', async () => {
    const inputs = Array.from({ length: 50 }, (_, at) => `${at}\n`.repeat(5000));
    const ids = await Promise.all(inputs.map((input) => outputOf(['hash-object', '--stdin'], { input })));
    const expected = inputs.map((input) => createHash('sha1').update(`blob ${input.length}\0${input}`).digest('hex'));
    assert.deepEqual(
      ids.map((id) => id.trim()),
      expected,
    );
  });

  it('is bounded in memory, unless the caller says otherwise, and inherits nothing else', async () => {
    assert.equal(await outputOf(script('ulimit -d')), `${2 * 1024 * 1024}\n`);
    assert.equal(await outputOf(script('ulimit -d'), { memory: 'unbounded' }), 'unlimited\n');
    const environment = await outputOf(script('env; ls -l /proc/self/fd | grep -c socket:'), { env: { COPSE_EXTRA: 'said' } });
    assert.match(environment, /^COPSE_EXTRA=said$/m);
    assert.doesNotMatch(environment, /^(NODE_|TMPDIR)/m);
    // The output of `ls` is a pipe of the shell.
    assert.match(environment, /^2\n$/m);
  });

  it('has more memory for a push', async () => {
    const service = startService({ path: cwd, objectFormat: 'sha1' }, script('ulimit -d'), { timeoutMs: 60_000, memory: 'receiving' });
    const [output] = await once(service.stdout, 'data');
    assert.equal(String(output), `${4 * 1024 * 1024}\n`);
    assert.equal((await service.ended).code, 0);
  });

  it('ends with its code, its signal, and what it said', async () => {
    await assert.rejects(
      runGit(script('echo said >&2; exit 3 #'), { cwd }),
      (error: GitError) => error.code === 3 && error.stderr === 'said\n',
    );
    const child = spawnGit(script('sleep 600'), { cwd });
    killGroup(child, 'SIGTERM');
    assert.deepEqual(await once(child as LaunchedProcess, 'close'), [null, 'SIGTERM']);
    assert.equal(child.signalCode, 'SIGTERM');
  });

  it('waits where nobody reads what it writes', async () => {
    const child = spawnGit(script('head -c 10000000 /dev/zero'), { cwd });
    child.stdin.end();
    let size = 0;
    for await (const chunk of child.stdout) size += (chunk as Buffer).length;
    assert.equal(size, 10_000_000);
  });

  it('has sockets that a shell can read from', async () => {
    const service = startService({ path: cwd, objectFormat: 'sha1' }, script('read line <&3; echo "got $line" >&4'), {
      timeoutMs: 60_000,
      channels: 2,
    });
    const [asked, told] = service.channels;
    const answer = once(told as NonNullable<typeof told>, 'data');
    setTimeout(() => asked?.write('this\n'), 200);
    assert.equal(String(await answer), 'got this\n');
    assert.equal((await service.ended).code, 0);
  });

  it('is missed as otherwise, and a missing folder or a bad argument is another error', async () => {
    const { PATH } = process.env;
    process.env.PATH = '/nonexistent';
    try {
      await assert.rejects(runGit(['--version'], { cwd }), isGitMissing);
    } finally {
      process.env.PATH = PATH;
    }
    await assert.rejects(runGit(['--version'], { cwd: '/nonexistent' }), (error) => !isGitMissing(error));
    await assert.rejects(runGit(['show', 'a\0b'], { cwd }), { code: 'ERR_INVALID_ARG_VALUE' });
    assert.ok(isLaunched());
  });
});

describe('a launcher', { skip: process.platform !== 'linux' }, () => {
  it('that dies takes along what it has started, and is replaced', async () => {
    await launcherRuns();
    const sleeping = spawnGit(script('sleep 600'), { cwd }) as LaunchedProcess;
    const starting = assert.rejects(runGit(script('sleep 600'), { cwd }));
    await eventually(() => sleeping.pid !== undefined);
    const before = launchers();
    assert.equal(before.length, 1);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const late = assert.rejects(runGit(script('sleep 600'), { cwd }));
    assert.deepEqual(await once(sleeping, 'close'), [null, 'SIGKILL']);
    await Promise.all([starting, late]);
    await eventually(() => !isRunning(sleeping.pid ?? 0));
    await launcherRuns();
    assert.equal(
      launchers().some((pid) => before.includes(pid)),
      false,
    );
  });

  it('ends with the server, however that ends, and so does what it has started', async () => {
    const program = `
      import { spawnGit } from ${JSON.stringify(new URL('../../../src/git/processes/process.ts', import.meta.url).href)};
      import { setTimeout as sleep } from 'node:timers/promises';
      for (;; await sleep(20)) {
        const child = spawnGit(['-c', 'alias.run=!sleep 600', 'run']);
        await sleep(100);
        if (child.constructor.name === 'LaunchedProcess' && child.pid) process.send(child.pid);
      }`;
    // Other tests have launchers of their own.
    const folder = mkdtempSync(join(tmpdir(), 'launchers-'));
    const execArgv = ['--input-type=module', '--eval', program];
    const server = fork('-', { execArgv, env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [git] = (await once(server, 'message')) as [number];
    const [launcher = 0] = launchers(server.pid);
    assert.notDeepEqual(readdirSync(folder), []);
    assert.ok(isRunning(git) && isRunning(launcher));
    server.kill('SIGKILL');
    await eventually(() => !isRunning(git) && !isRunning(launcher));
    assert.deepEqual(readdirSync(folder), []);
  });
});
