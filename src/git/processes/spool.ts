import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type GitRepository, whileWriting } from '../repository.ts';
import { failureOf, type GitLimits, GitOutputLimitError, killGroup, spawnGit } from './process.ts';

/** How often git's output is measured, in milliseconds. */
const LOOK_MS = 100;
const MAX_STDERR = 4096;

/**
 * git's output as a stream that begins when git has ended. git writes it into an unlinked file, so it is deleted with this process. An
 * archive arrives in thousands of small pieces: receiving one costs half as much as creating it.
 * @throws GitError, GitLimitError, GitOutputLimitError
 */
export async function spoolGit(
  repository: GitRepository,
  args: readonly string[],
  { timeoutMs, maxOutput, env }: Required<GitLimits> & { env?: Readonly<Record<string, string>> },
): Promise<Readable> {
  const file = await whileWriting(repository, () => openUnnamed(repository));
  try {
    await writeTo(file, repository, args, { timeoutMs, maxOutput, env: { ...repository.quarantine, ...env } });
    return file.createReadStream({ start: 0 });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openUnnamed(repository: GitRepository): Promise<FileHandle> {
  // The name that remains if the process is killed right here; see leftovers.ts.
  const path = join(repository.path, 'objects', `tmp_spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

function writeTo(
  file: FileHandle,
  repository: GitRepository,
  args: readonly string[],
  { timeoutMs, maxOutput, env }: Required<GitLimits> & { env: Readonly<Record<string, string>> },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawnGit(args, { cwd: repository.path, env, output: file.fd });
    let stderr = '';
    let limit = '';
    const stop = (why: string) => {
      limit ||= why;
      killGroup(child);
    };
    const isTooLarge = async () => (await file.stat()).size > maxOutput;
    const timer = setTimeout(() => stop(`no end within ${timeoutMs} ms`), timeoutMs);
    const look = setInterval(() => void isTooLarge().then((is) => is && stop('too much output'), reject), LOOK_MS);
    child.stdin.on('error', () => {});
    child.stdin.end();
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < MAX_STDERR) stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', async (code) => {
      clearTimeout(timer);
      clearInterval(look);
      try {
        if (await isTooLarge()) reject(new GitOutputLimitError(args, code, `more than ${maxOutput} bytes of output`));
        else if (code === 0 && !limit) resolve();
        else reject(failureOf(args, code, stderr, limit));
      } catch (error) {
        reject(error);
      }
    });
  });
}
