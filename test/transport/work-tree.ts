import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findUser } from '../../src/accounts/find.ts';
import type { GitRepository } from '../../src/git/repository.ts';
import { findRepositoryOf, type Repository } from '../../src/repositories/find.ts';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** A clone on the user's side, with the commands of everyday. */
export interface WorkTree {
  readonly folder: string;
  /** Runs git in it; answers whatever comes of it. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Runs git in it, which has to succeed; answers its output without line ends around. */
  git(...args: string[]): Promise<string>;
  /** Writes files and commits them; answers the commit's id. */
  commit(files: Readonly<Record<string, string>>, message?: string): Promise<string>;
}

/** An empty repository with a remote `origin` that is reached as this client. */
export async function workTree(
  t: TestServer,
  client: Client,
  repository: string,
  options: { objectFormat?: string } = {},
): Promise<WorkTree> {
  const folder = await mkdtemp(join(t.folder, 'work-'));
  const run = (...args: string[]) => client.git(args, folder);
  const git = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
  await git('init', '-q', `--object-format=${options.objectFormat ?? 'sha1'}`);
  await git('remote', 'add', 'origin', client.remote(repository));
  return {
    folder,
    run,
    git,
    commit: async (files, message = 'A change') => {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), content);
      }
      await git('add', '-A');
      await git('commit', '-q', '--allow-empty', '-m', message);
      return await git('rev-parse', 'HEAD');
    },
  };
}

/** The row and the folder of a repository on the server. */
export async function onServer(t: TestServer, owner: string, name: string): Promise<{ row: Repository; folder: GitRepository }> {
  const { context } = t;
  const user = await findUser(context.db, owner);
  const row = user && (await findRepositoryOf(context.db, user, name));
  if (!row) throw new Error(`no repository ${owner}/${name}`);
  return { row, folder: context.git.locate(row) };
}
