import { PackageError } from '../errors.ts';
import { buildIndexes, findIndexFile } from '../indexes/build.ts';
import type { PackageCall } from '../protocol/format.ts';
import { serveFile } from '../protocol/serve.ts';
import { withBlobs } from '../registry/find.ts';
import { searchFiles } from '../registry/search.ts';
import { binariesOf, buildIndex, indexKey, SOURCES } from './indexes.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = { '': 'text/plain;charset=utf-8', '.gz': 'application/x-gzip' };

/** `GET …/PACKAGES` and `…/PACKAGES.gz`. */
export async function servePackages(call: PackageCall) {
  const { context, owner, params } = call;
  const mediaType = MEDIA_TYPES[params.format ?? ''];
  if (mediaType === undefined) throw nothing();
  const key = indexKey(compositeKeyOf(call));
  await buildIndexes(context, buildIndex, { owner, type: 'cran' }, [key]);
  const found = await findIndexFile(context.db, owner.id, 'cran', key, { name: `PACKAGES${params.format}` }).catch((error: unknown) => {
    throw error instanceof PackageError ? nothing() : error;
  });
  return await serveFile(call, found, { type: mediaType, name: null, isCached: true });
}

/** `GET …/NAME_VERSION.tar.gz` and the like. */
export async function download(call: PackageCall) {
  const { context, owner, params } = call;
  const wanted = { ownerId: owner.id, type: 'cran', name: params.file ?? '', compositeKey: compositeKeyOf(call) } as const;
  const [found] = await withBlobs(context.db, await searchFiles(context.db, wanted, { limit: 1 }));
  if (!found) throw new PackageError('no-file');
  return await serveFile(call, found);
}

/** The 404 of an index. */
function nothing(): PackageError {
  return new PackageError('missing', { message: '' });
}

function compositeKeyOf({ params: { platform, version } }: PackageCall): string {
  return platform === undefined ? SOURCES : binariesOf(platform, version ?? '');
}
