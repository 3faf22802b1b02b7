import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '../../job/job.ts';
import { authorization } from '../git.ts';
import type { CheckoutGit } from './git.ts';

/**
 * Lets Git of later steps sign in. The token stands in a file of its own, which the configuration of the repository includes and which
 * is gone after the steps, so that neither archives of the workspace nor lists of processes show it.
 */
export async function persistCredentials(job: Job, git: CheckoutGit, folder: string, token: string): Promise<void> {
  if (token === '') return;
  const file = join(job.folders.temp, `credentials-${randomUUID()}.config`);
  const { origin } = new URL(git.serverUrl);
  await writeFile(file, `[http "${origin}/"]\n\textraHeader = ${authorization(token)}\n`, { mode: 0o600 });
  await git.run(['config', '--local', '--replace-all', 'include.path', file]);
  const run = async () => {
    await rm(file, { force: true });
  };
  job.posts.push({ name: `Post checkout of ${folder}`, run });
}
