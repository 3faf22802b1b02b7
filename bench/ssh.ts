import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { apiOf } from './call-api.ts';
import { processorTimeOf } from './processor-time.ts';

/**
 * `node bench/ssh.ts PID URL NAME:PASSWORD [MEGABYTES] [CONNECTIONS]`: what a clone over HTTP and over SSH costs the server's process itself,
 * and with all that it has started (Linux: /proc), how long so many `git ls-remote` over SSH at once take, and reads over HTTP meanwhile. PID is
 * the server's, NAME an administrator of it. The server needs room for them: COPSE_SSH_CONNECTIONS_PER_ADDRESS and the like. The repository
 * `bench-ssh` is made and removed.
 */
const [pid = '', url = '', login = '', megabytes = '320', connections = '200'] = process.argv.slice(2);
if (!/^\d+$/.test(pid) || !URL.canParse(url) || !login.includes(':')) {
  throw new Error('usage: node bench/ssh.ts PID URL NAME:PASSWORD [MEGABYTES] [CONNECTIONS]');
}
const run = promisify(execFile);
const [owner = '', password = ''] = login.split(':');
const call = apiOf(url, `Basic ${btoa(login)}`);
const folder = mkdtempSync(join(tmpdir(), 'copse-bench-ssh-'));
const key = join(folder, 'key');
const SSH = `ssh -i ${key} -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR`;
const env = { ...process.env, GIT_SSH_COMMAND: SSH, GIT_TERMINAL_PROMPT: '0' };

/** Milliseconds of processor time of the process without its children (proc_pid_stat(5), in hundredths of a second). */
function cpu(): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The same with all that it has started. */
const all = () => processorTimeOf([pid]);

function memory(): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

/** Pushes one commit with files that do not compress. */
function fill(remote: string): void {
  const tree = join(folder, 'tree');
  const git = (...args: string[]) => execFileSync('git', ['-C', tree, ...args], { env, stdio: 'pipe' });
  execFileSync('git', ['init', '-q', '-b', 'main', tree]);
  for (let file = 0; file < Number(megabytes) / 8; file++) writeFileSync(join(tree, `file-${file}`), randomBytes(8 * 2 ** 20));
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-qm', 'fill');
  git('-c', 'http.postBuffer=1048576', 'push', '-q', remote, 'main');
  rmSync(tree, { recursive: true });
}

/** Waits until the work after the push, such as language statistics, is done. */
async function quiet(): Promise<void> {
  for (let last = -1, now = all(); now - last > 20; last = now, now = all()) await sleep(3000);
}

async function clone(name: string, remote: string): Promise<void> {
  const target = join(folder, 'clone.git');
  await quiet();
  const costs: number[] = [];
  const totals: number[] = [];
  const started = Date.now();
  for (let round = 0; round < 2; round++) {
    const [before, allBefore] = [cpu(), all()];
    await run('git', ['clone', '-q', '--bare', remote, target], { env });
    costs.push(cpu() - before);
    totals.push(all() - allBefore);
    rmSync(target, { recursive: true });
  }
  const took = ((Date.now() - started) / costs.length / 1000).toFixed(1);
  console.log(
    `clone of ${megabytes} MB over ${name}: ${costs.join(', ')} ms of the server's process, ${totals.join(', ')} ms in all, ${took} s each; peak memory ${memory()} MB`,
  );
}

async function many(remote: string): Promise<void> {
  const reader = new Worker(new URL('./read-times.ts', import.meta.url), { workerData: new URL('api/v1/version', url).href });
  const before = cpu();
  const started = Date.now();
  const done = await Promise.all(
    Array.from({ length: Number(connections) }, () =>
      run('git', ['ls-remote', remote], { env }).then(
        ({ stdout }) => stdout.includes('refs/heads/main'),
        (error: { stderr?: string }) => void console.log(error.stderr?.trim()),
      ),
    ),
  );
  const served = done.filter(Boolean).length;
  reader.postMessage('end');
  const [times = []] = (await once(reader, 'message')) as [number[]?];
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
  console.log(
    `${connections} connections at once: ${served} served in ${Date.now() - started} ms, ${cpu() - before} ms of the server's process; reads meanwhile ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`,
  );
}

try {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const { id } = await call<{ id: number }>('POST', '/user/keys', {
    title: `bench ${Date.now()}`,
    key: readFileSync(`${key}.pub`, 'utf8'),
  });
  await call('DELETE', `/repos/${owner}/bench-ssh`, undefined, [404]);
  const made = await call<{ ssh_url: string; clone_url: string }>('POST', '/user/repos', { name: 'bench-ssh', private: true });
  const http = made.clone_url.replace('://', `://${owner}:${encodeURIComponent(password)}@`);
  fill(http);
  await clone('HTTP', http);
  await clone('SSH', made.ssh_url);
  await many(made.ssh_url);
  await call('DELETE', `/repos/${owner}/bench-ssh`);
  await call('DELETE', `/user/keys/${id}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
