import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type AttributesFile, attributeLookup, MAX_ATTRIBUTES_SIZE } from '../../git/attributes.ts';
import { formatLfsPointer, parseLfsPointer } from '../../git/lfs-pointer.ts';
import type { GitRepository } from '../../git/repository.ts';
import { findEntry } from '../../git/trees.ts';

/** Stores another content instead of one at a path; `tree` is what the change begins from. */
type Convert = (path: string, content: Uint8Array, tree: string | null) => Promise<Uint8Array>;

const ATTRIBUTES = '.gitattributes';

/**
 * Stores the contents of files that `.gitattributes` has for Git LFS as large files, as git would do on the machine of its user. What is a
 * pointer already stays as it is.
 * @returns undefined where no large files are served
 */
export function largeFileConverter(context: Context, repository: Repository, folder: GitRepository): Convert | undefined {
  if (!context.settings.lfs.enabled) return undefined;
  /** By path: those of the change itself. */
  const changed = new Map<string, string>();
  return async (path, content, tree) => {
    if (path === ATTRIBUTES || path.endsWith(`/${ATTRIBUTES}`)) {
      changed.set(path, Buffer.from(content).toString('utf8'));
      return content;
    }
    const attributes = attributeLookup(await attributesAbove(context, folder, path, tree, changed))(path);
    if (attributes.get('filter') !== 'lfs' || parseLfsPointer(content)) return content;
    return Buffer.from(formatLfsPointer(await context.provided.storeLargeFile(context, repository, content)));
  };
}

/** The `.gitattributes` files of the folders that a path is in, those of the change before those that are there. */
async function attributesAbove(
  { git }: Context,
  folder: GitRepository,
  path: string,
  tree: string | null,
  changed: ReadonlyMap<string, string>,
): Promise<AttributesFile[]> {
  const parts = path.split('/').slice(0, -1);
  const files: AttributesFile[] = [];
  for (let depth = 0; depth <= parts.length; depth++) {
    const prefix = parts
      .slice(0, depth)
      .map((part) => `${part}/`)
      .join('');
    const text = changed.get(prefix + ATTRIBUTES);
    if (text !== undefined) {
      files.push([prefix, text]);
      continue;
    }
    const entry = tree === null ? undefined : await findEntry(folder, git.pool, tree, prefix + ATTRIBUTES);
    if (entry?.type !== 'blob' || entry.mode === '120000') continue;
    const info = await git.pool.info(folder, entry.oid);
    if (!info || info.size > MAX_ATTRIBUTES_SIZE) continue;
    const blob = await git.pool.read(folder, entry.oid, { maxSize: MAX_ATTRIBUTES_SIZE });
    if (blob) files.push([prefix, blob.data.toString('utf8')]);
  }
  return files;
}
