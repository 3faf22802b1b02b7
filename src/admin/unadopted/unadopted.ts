import { existsSync } from 'node:fs';
import { cp, lstat, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findUser } from '../../access/find-user.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { RepositoryUpdate } from '../../database/tables/repositories.ts';
import { listRefs } from '../../git/refs/refs.ts';
import { setHead } from '../../git/refs/update-refs.ts';
import type { GitRepository, ObjectFormat } from '../../git/repository.ts';
import { HttpError, notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { createRepository } from '../../repositories/create.ts';
import { checkRepositoryName } from '../../repositories/names.ts';
import { folderSize } from '../../repositories/size.ts';
import { globMatcher, InvalidPatternError, type Matcher } from '../../text/pattern.ts';

/**
 * Unadopted repositories: bare repositories that an operator has laid into the folder of all repositories as
 * `<owner>/<name>.git`, in lower case. The server's own repositories are beside them, named by id.
 */

/** So many are counted at most. */
const MAX_COUNTED = 100_000;
const NAMES_IN_ONE_QUERY = 200;

/**
 * `owner/name` of the unadopted repositories whose owner has an account, in the order of their names.
 * @param pattern a glob for the owner, or for owner and name with a slash between
 */
export async function listUnadopted(context: Context, pattern: string, page: Page): Promise<{ names: string[]; total: number }> {
  const [ofOwner = '*', ofName = '*'] = pattern === '' ? [] : pattern.split(/\/(.*)/s);
  const [matchesOwner, matchesName] = [matcher(ofOwner), matcher(ofName)];
  const names: string[] = [];
  for (const folder of await foldersIn(context.git.root)) {
    if (names.length >= MAX_COUNTED) break;
    if (!matchesOwner(folder)) continue;
    const owner = await findUser(context.db, folder);
    if (!owner || owner.lower_name !== folder) continue;
    const laid = (await foldersIn(join(context.git.root, folder)))
      .map((file) => repositoryNameOf(folder, file))
      .filter((name) => name !== undefined && matchesName(name)) as string[];
    names.push(...(await withoutRepository(context, owner, laid)).map((name) => `${folder}/${name}`));
  }
  return { names: names.slice(page.offset, page.offset + page.limit), total: names.length };
}

function matcher(glob: string): Matcher {
  try {
    return globMatcher(glob, '');
  } catch (error) {
    if (error instanceof InvalidPatternError) throw unprocessable(`[Pattern]: ${error.message}`);
    throw error;
  }
}

async function withoutRepository({ db }: Context, owner: User, names: string[]): Promise<string[]> {
  const free: string[] = [];
  for (let at = 0; at < names.length; at += NAMES_IN_ONE_QUERY) {
    const some = names.slice(at, at + NAMES_IN_ONE_QUERY);
    const rows = await db
      .selectFrom('repositories')
      .select('lower_name')
      .where('owner_id', '=', owner.id)
      .where('lower_name', 'in', some)
      .execute();
    const taken = new Set(rows.map(({ lower_name }) => lower_name));
    free.push(...some.filter((name) => !taken.has(name)));
  }
  return free;
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The repository name of a folder; undefined if it cannot be adopted, and for the server's own (git/services.ts). */
function repositoryNameOf(ownerFolder: string, file: string): string | undefined {
  const name = file.endsWith('.git') ? file.slice(0, -4) : '';
  const id = /^(\d{1,15})(?:\.wiki)?$/.exec(name)?.[1];
  const isOwn = id !== undefined && (Number(id) % 256).toString(16).padStart(2, '0') === ownerFolder;
  if (name === '' || isOwn || name !== name.toLowerCase() || name.endsWith('.wiki')) return undefined;
  try {
    checkRepositoryName(name);
    return name;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** @throws HttpError 404 if there is no such folder, or it is a repository already */
async function findUnadopted(context: Context, ownerName: string, name: string): Promise<{ owner: User; path: string }> {
  const owner = await findUser(context.db, ownerName);
  const file = `${name.toLowerCase()}.git`;
  if (!owner || repositoryNameOf(owner.lower_name, file) === undefined) throw notFound();
  if ((await withoutRepository(context, owner, [name.toLowerCase()])).length === 0) throw notFound();
  const path = join(context.git.root, owner.lower_name, file);
  const isFolder = await lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder || !existsSync(join(path, 'HEAD')) || !existsSync(join(path, 'objects'))) throw notFound();
  return { owner, path };
}

/**
 * Creates a private repository from the folder with these names: objects and refs are copied to where the server stores its
 * own, and the folder is removed at the end. Its hooks and its configuration are not copied.
 * @throws HttpError 404; 422 for a repository that borrows its objects or stores its refs in another format
 */
export async function adopt(context: Context, ownerName: string, name: string): Promise<void> {
  const { owner, path } = await findUnadopted(context, ownerName, name);
  if (existsSync(join(path, 'objects/info/alternates')))
    throw unprocessable('the repository borrows objects of another one: repack it first');
  if (existsSync(join(path, 'reftable'))) throw unprocessable('the repository keeps its refs as reftable: migrate it to files first');
  const objectFormat: ObjectFormat = /^\s*objectformat\s*=\s*sha256\s*$/im.test(await textOf(join(path, 'config'))) ? 'sha256' : 'sha1';
  const head = /^ref: refs\/heads\/(.+)$/m.exec(await textOf(join(path, 'HEAD')))?.[1] ?? '';
  await createRepository(context, owner, {
    name,
    isPrivate: true,
    objectFormat,
    fill: (_, folder) => takeOver(context, path, folder, head),
  });
  await remove(path);
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** Only plain files come along: a link could lead anywhere. */
async function takeOver(context: Context, path: string, folder: GitRepository, head: string): Promise<RepositoryUpdate> {
  const filter = async (source: string) => {
    const stats = await lstat(source);
    return stats.isFile() || stats.isDirectory();
  };
  for (const part of ['objects', 'refs', 'packed-refs']) {
    if (existsSync(join(path, part))) await cp(join(path, part), join(folder.path, part), { recursive: true, filter });
  }
  const branches = (await listRefs(folder, context.git.pool, 'refs/heads/')).map(({ name }) => name.slice('refs/heads/'.length));
  const usual = [head, context.settings.repository.defaultBranch, 'master', 'main'];
  const defaultBranch = usual.find((name) => branches.includes(name)) ?? branches[0] ?? context.settings.repository.defaultBranch;
  await setHead(folder, `refs/heads/${defaultBranch}`);
  return {
    default_branch: defaultBranch,
    branches_count: branches.length,
    is_empty: branches.length === 0,
    size: await folderSize(folder.path),
  };
}

/**
 * Removes the folder with these names.
 * @throws HttpError 404
 */
export async function deleteUnadopted(context: Context, ownerName: string, name: string): Promise<void> {
  const { path } = await findUnadopted(context, ownerName, name);
  await remove(path);
}

/** It is renamed first, so that nobody adopts half of it; the owner's folder is removed with the last one. */
async function remove(path: string): Promise<void> {
  const removing = join(dirname(path), `.${basename(path)}.removed`);
  await rm(removing, { recursive: true, force: true });
  await rename(path, removing);
  await rm(removing, { recursive: true, force: true });
  await rmdir(dirname(path)).catch(() => {});
}
