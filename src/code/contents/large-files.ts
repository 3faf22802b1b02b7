import { buffer } from 'node:stream/consumers';
import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { ContentConverter } from '../../git/edit/change-files.ts';
import type { GitRepository } from '../../git/repository.ts';
import { MAX_ATTRIBUTES_SIZE } from '../../git/trees/attributes.ts';
import { formatLfsPointer, parseLfsPointer } from '../../git/trees/lfs-pointer.ts';
import { unprocessable } from '../../http/errors.ts';
import { ATTRIBUTES, attributeOf, attributesAbove } from './attributes.ts';

/** Milliseconds for matching the patterns with all files of a change. */
const PATIENCE_MS = 10_000;

/**
 * Stores the contents of files that `.gitattributes` assigns to Git LFS as LFS objects, as git would do on the machine of its user. Pointers
 * stay unchanged. A file that is moved and matches another rule becomes an LFS object, or a plain file.
 * @returns undefined where LFS is disabled
 */
export function largeFileConverter(context: Context, repository: Repository, folder: GitRepository): ContentConverter | undefined {
  if (!context.settings.lfs.enabled) return undefined;
  /** The files of the change itself, by path. */
  const changed = new Map<string, string>();
  const patience = { leftMs: PATIENCE_MS };
  const isLarge = async (path: string, tree: string | null) =>
    (await attributeOf(context, await attributesAbove(context, folder, path, tree, changed), path, 'filter', patience)) === 'lfs';
  const toPointer = async (content: Uint8Array) =>
    parseLfsPointer(content)
      ? undefined
      : Buffer.from(formatLfsPointer(await context.provided.storeLargeFile(context, repository, content)));
  return {
    write: async (path, content, tree) => {
      if (path === ATTRIBUTES || path.endsWith(`/${ATTRIBUTES}`)) {
        changed.set(path, content.length > MAX_ATTRIBUTES_SIZE ? '' : Buffer.from(content).toString('utf8'));
        return content;
      }
      return ((await isLarge(path, tree)) && (await toPointer(content))) || content;
    },
    move: async ({ from, to, oid }, tree) => {
      const [was, is] = [await isLarge(from, tree), await isLarge(to, tree)];
      if (was === is) return undefined;
      const size = (await context.git.pool.info(folder, oid))?.size ?? 0;
      requireFitting(context, from, size);
      const blob = await context.git.pool.read(folder, oid, { maxSize: size });
      if (!blob) return undefined;
      return is ? await toPointer(blob.data) : await contentOf(context, repository, from, blob.data);
    },
  };
}

/** The content of a pointer; undefined if it is none, or the repository does not have the object. */
async function contentOf(context: Context, repository: Repository, path: string, pointer: Uint8Array): Promise<Uint8Array | undefined> {
  const parsed = parseLfsPointer(pointer);
  const large = parsed && (await context.provided.findLargeFile(context, repository, parsed));
  if (!large) return undefined;
  requireFitting(context, path, large.size);
  const content = await large.open(undefined);
  return Buffer.isBuffer(content) ? content : await buffer(content);
}

/** @throws HttpError 422 for a file that does not fit into memory, the same as for writing one */
function requireFitting({ settings: { limits } }: Context, path: string, size: number): void {
  if (size > limits.contentsBody)
    throw unprocessable(`the file is too large to be moved to where .gitattributes has another filter [path: ${path}]`);
}
