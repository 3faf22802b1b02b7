import { parseDocument } from 'yaml';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/commits.ts';
import { readRef } from '../../git/refs.ts';
import type { GitRepository } from '../../git/repository.ts';
import { findEntry, readTree, type TreeEntry } from '../../git/trees.ts';
import type { Repository } from '../find.ts';

/** A longer file is no template (lesson 25). */
export const MAX_FILE_BYTES = 256 * 1024;

/** Brackets within brackets that no honest file has: reading them takes long. */
const TOO_DEEP = /(?:[[{]\s*){20}/;

/** A file cannot be used; the message is for its author. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** The default branch's tree, to look files up in; undefined in an empty repository. */
export async function defaultTree({ git }: Context, repository: Repository): Promise<{ folder: GitRepository; tree: string } | undefined> {
  const folder = git.locate(repository);
  const branch = await readRef(folder, git.pool, `refs/heads/${repository.default_branch}`);
  const commit = branch && (await readCommit(folder, git.pool, branch.oid));
  return commit && { folder, tree: commit.tree };
}

/** The files directly in a folder of the tree. */
export async function filesIn({ git }: Context, folder: GitRepository, tree: string, path: string): Promise<readonly TreeEntry[]> {
  const entry = await findEntry(folder, git.pool, tree, path);
  if (entry?.type !== 'tree') return [];
  const entries = await readTree(folder, git.pool, entry.oid);
  return (entries ?? []).filter(({ type, mode }) => type === 'blob' && mode !== '120000');
}

/**
 * The text of a file.
 * @throws TemplateError when it is too long
 */
export async function textOf({ git }: Context, folder: GitRepository, { oid }: Pick<TreeEntry, 'oid'>): Promise<string> {
  const info = await git.pool.info(folder, oid);
  if (!info || info.size > MAX_FILE_BYTES) throw new TemplateError('the file is too long');
  const blob = await git.pool.read(folder, oid, { maxSize: MAX_FILE_BYTES });
  return blob ? blob.data.toString('utf8') : '';
}

/**
 * The mapping that a YAML text is, with its keys sorted; empty for an empty text. Aliases are refused: a small file could
 * stand for a huge one.
 * @throws TemplateError when it is none
 */
export function parseYaml(text: string): Record<string, unknown> {
  if (TOO_DEEP.test(text)) throw new TemplateError('yaml: nested too deeply');
  let value: unknown;
  try {
    const document = parseDocument(text);
    const [problem] = document.errors;
    if (problem) throw problem;
    value = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw new TemplateError(`yaml: ${(error as Error).message.split('\n')[0]}`);
  }
  if (value === null || value === undefined) return {};
  if (!isMapping(value)) throw new TemplateError('yaml: not a mapping');
  return value;
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
