import { pipeline } from 'node:stream/promises';
import type { GitProcess } from '../processes/launched-process.ts';
import { GitError, GitLimitError, killGroup, spawnGit } from '../processes/process.ts';
import { type GitRepository, joinRepositories } from '../repository.ts';
import type { Quarantine } from './quarantine.ts';

/** git's error message is cut off after so many characters. */
const MAX_STDERR = 4096;

/**
 * Copies a tree with everything in it from one repository to another of the same object format. No commit is copied.
 * @throws GitError when git fails, GitLimitError when it takes longer than `timeoutMs`
 */
export async function copyTree(from: GitRepository, to: GitRepository, tree: string, timeoutMs: number): Promise<void> {
  await sendPack(from, to, `${tree}\n`, timeoutMs);
}

/**
 * Copies a commit, with everything that it reaches and `have`, a commit of `to`, does not, into a quarantine of `to`.
 * @throws GitError when git fails, GitLimitError when it takes longer than `timeoutMs`
 */
export async function copyCommits(
  from: GitRepository,
  to: GitRepository,
  quarantine: Quarantine,
  { want, have }: { want: string; have: string },
  timeoutMs: number,
): Promise<void> {
  // The difference is computed in the joined repository, which has both.
  await sendPack(joinRepositories(from, to), { ...to, quarantine: quarantine.env }, `${want}\n^${have}\n`, timeoutMs);
}

async function sendPack(from: GitRepository, to: GitRepository, revisions: string, timeoutMs: number): Promise<void> {
  const packing = ['pack-objects', '--revs', '--stdout', '-q'];
  const indexing = ['index-pack', '--stdin'];
  const packer = spawnGit(packing, { cwd: from.path, env: from.quarantine ?? {}, memory: 'unbounded' });
  const indexer = spawnGit(indexing, { cwd: to.path, env: to.quarantine ?? {}, memory: 'unbounded' });
  let late = false;
  const end = () => {
    for (const child of [packer, indexer]) if (child.exitCode === null && child.signalCode === null) killGroup(child);
  };
  const timer = setTimeout(() => {
    late = true;
    end();
  }, timeoutMs);
  try {
    packer.stdin.on('error', () => {});
    packer.stdin.end(revisions);
    indexer.stdout.resume();
    const ends = [ended(packer, packing), ended(indexer, indexing)];
    // A process that ends early breaks the pipe; the exit codes say which one failed.
    await pipeline(packer.stdout, indexer.stdin).catch(() => {});
    await Promise.all(ends);
  } catch (error) {
    throw late ? new GitLimitError(packing, null, `no end within ${timeoutMs} ms`) : error;
  } finally {
    clearTimeout(timer);
    end();
  }
}

function ended(child: GitProcess, args: readonly string[]): Promise<void> {
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR) stderr += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new GitError(args, code, stderr))));
  });
}
