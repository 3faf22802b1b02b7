import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterwards } from '../support/afterwards.ts';
import type { TestServer } from '../support/server.ts';

/**
 * Registers the runner of Gitea (`gitea-runner`, before `act_runner`) with the whole instance, and starts it; it is ended after the tests
 * of the file. It runs jobs on this machine, in a folder of its own.
 */
export async function startRealRunner(t: TestServer, program: string): Promise<void> {
  const { token } = await t.admin.must('POST', '/admin/actions/runners/registration-token');
  const cwd = join(t.folder, 'runner');
  await mkdir(cwd);
  const config = `host:\n  workdir_parent: ${join(cwd, 'work')}\ncache:\n  enabled: false\nrunner:\n  capacity: 2\n  fetch_interval: 1s\n  fetch_interval_max: 1s\n`;
  await writeFile(join(cwd, 'config.yaml'), config);
  const env = { PATH: process.env.PATH, HOME: cwd };
  const register = ['register', '--no-interactive', '--instance', t.url, '--token', token, '--name', 'real', '--labels', 'linux:host'];
  await promisify(execFile)(program, ['-c', 'config.yaml', ...register], { cwd, env });
  const daemon = spawn(program, ['-c', 'config.yaml', 'daemon'], { cwd, env, stdio: 'ignore' });
  const ended = once(daemon, 'close');
  afterwards(async () => {
    daemon.kill('SIGKILL');
    await ended;
  });
}
