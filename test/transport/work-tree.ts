import { appendFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findRepositoryOf, type Repository } from '../../src/access/find-repository.ts';
import { findUser } from '../../src/access/find-user.ts';
import { runGit } from '../../src/git/processes/process.ts';
import type { GitRepository } from '../../src/git/repository.ts';
import type { Client } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';

/** A clone on the user's side, with the commands of everyday. */
export interface WorkTree {
  readonly folder: string;
  /** Runs git in it; returns whatever comes of it. */
  run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Runs git in it, which has to succeed; returns its output without line ends around. */
  git(...args: string[]): Promise<string>;
  /** Writes files and commits them; returns the commit's id. */
  commit(files: Readonly<Record<string, string>>, message?: string): Promise<string>;
  /** Puts one commit on a commit for each of these branches; returns their ids. */
  commits(onto: string, branches: readonly string[]): Promise<string[]>;
}

/** An empty repository with a remote `origin` that is reached as this client. */
export async function workTree(
  t: TestServer,
  client: Client,
  repository: string,
  options: { objectFormat?: string } = {},
): Promise<WorkTree> {
  const tree = treeOf(client, await mkdtemp(join(t.folder, 'work-')));
  await tree.git('init', '-q', `--object-format=${options.objectFormat ?? 'sha1'}`);
  const remote = `[remote "origin"]\n\turl = "${client.remote(repository)}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`;
  await appendFile(join(tree.folder, '.git', 'config'), remote);
  return tree;
}

/** A clone of what is in a repository already, as from the server, with the branch `main`. */
export async function cloned(t: TestServer, client: Client, repository: string): Promise<WorkTree> {
  const [owner = '', name = ''] = repository.split('/');
  const { folder: source } = await onServer(t, owner, name);
  const tree = treeOf(client, await mkdtemp(join(t.folder, 'work-')));
  await tree.git('clone', '-q', '--branch', 'main', source.path, '.');
  const file = join(tree.folder, '.git', 'config');
  await writeFile(file, (await readFile(file, 'utf8')).replace(`url = ${source.path}`, `url = "${client.remote(repository)}"`));
  return tree;
}

function treeOf(client: Client, folder: string): WorkTree {
  const run = (...args: string[]) => client.git(args, folder);
  const git = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.trim();
  };
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
      return await head(folder);
    },
    commits: async (onto, branches) => {
      const commands = branches.map(
        (branch) =>
          `commit refs/heads/${branch}\ncommitter Tester <tester@example.com> 1700000000 +0000\ndata ${branch.length}\n${branch}\nfrom ${onto}\n`,
      );
      await runGit(['fast-import', '--quiet'], { cwd: folder, input: commands.join('\n') });
      return Promise.all(branches.map(async (branch) => (await readFile(join(folder, '.git', 'refs', 'heads', branch), 'utf8')).trim()));
    },
  };
}

/** What a branch that has just been committed to is at. */
async function head(folder: string): Promise<string> {
  const text = (await readFile(join(folder, '.git', 'HEAD'), 'utf8')).trim();
  const ref = text.startsWith('ref: ') ? text.slice('ref: '.length) : undefined;
  return ref === undefined ? text : (await readFile(join(folder, '.git', ref), 'utf8')).trim();
}

/** The row and the folder of a repository on the server. */
export async function onServer(t: TestServer, owner: string, name: string): Promise<{ row: Repository; folder: GitRepository }> {
  const { context } = t;
  const user = await findUser(context.db, owner);
  const row = user && (await findRepositoryOf(context.db, user, name));
  if (!row) throw new Error(`no repository ${owner}/${name}`);
  return { row, folder: context.git.locate(row) };
}
