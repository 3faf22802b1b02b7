import { buffer } from 'node:stream/consumers';
import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { type LfsPointer, MAX_LFS_POINTER_SIZE, parseLfsPointer } from '../../git/trees/lfs-pointer.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { policyFor, preciseType, SNIFFED_BYTES, servableType } from '../../http/media-type.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import type { LargeFile } from '../provided.ts';
import { headOf, openRawFile, type RawFile, serveRawFile } from './raw.ts';

/** Serves the bytes of a file; `named` sends its name as well, as the page's URL does, where a file that is not a pointer is cached. */
export async function serveMedia(
  context: Context,
  repository: Repository,
  file: RawFile,
  request: RequestParts,
  { named = false }: { named?: boolean } = {},
): Promise<HttpResponse> {
  if (file.size >= MAX_LFS_POINTER_SIZE) return serveRawFile(context, repository, file, request);
  const pointer = await pointerOf(context, file);
  const large = pointer && (await largeFileOf(context, repository, pointer));
  if (large) return serveLargeFile(file.path, large, request);
  if (named && !pointer) return serveRawFile(context, repository, file, request);
  // What could be a pointer may be replaced by its object, so nobody may cache it.
  const type = (named ? servableType : preciseType)(await headOf(context, file));
  return raw(await openRawFile(context, file, undefined), type, {
    headers: {
      'x-gitea-object-type': file.entry.mode === '120000' ? 'symlink' : 'file',
      'cache-control': 'max-age=0, private, must-revalidate, no-transform',
      ...(named && { 'content-disposition': contentDisposition('inline', file.path) }),
      ...(type === 'image/svg+xml' && policyFor(type)),
    },
  });
}

/** Serves the bytes of a blob by its id: these never change, so they may be cached. */
export async function serveBlobMedia(
  context: Context,
  repository: Repository,
  file: RawFile,
  request: RequestParts,
): Promise<HttpResponse> {
  const large = await largeFileBehind(context, repository, file);
  return large ? serveLargeFile(file.path, large, request) : serveRawFile(context, repository, file, request);
}

/** The media type of a file in {@link serveMedia}. */
export async function mediaType(context: Context, repository: Repository, file: RawFile): Promise<string> {
  const large = await largeFileBehind(context, repository, file);
  return servableType(large ? await headOfLarge(large) : await headOf(context, file));
}

async function headOfLarge({ size, open }: LargeFile): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0);
  const head = await open({ start: 0, end: Math.min(size, SNIFFED_BYTES) - 1 });
  return Buffer.isBuffer(head) ? head : buffer(head);
}

/** An LFS object, and its id. */
type Identified = LargeFile & { readonly oid: string };

/** The LFS object of a file, if it is a pointer and the repository has the object. */
async function largeFileBehind(context: Context, repository: Repository, file: RawFile): Promise<Identified | undefined> {
  const pointer = file.size < MAX_LFS_POINTER_SIZE ? await pointerOf(context, file) : undefined;
  return pointer && (await largeFileOf(context, repository, pointer));
}

async function pointerOf({ git }: Pick<Context, 'git'>, { folder, entry }: RawFile): Promise<LfsPointer | undefined> {
  if (entry.mode === '120000') return undefined;
  const blob = await git.pool.read(folder, entry.oid, { maxSize: MAX_LFS_POINTER_SIZE });
  return blob && parseLfsPointer(blob.data);
}

async function largeFileOf(context: Context, repository: Repository, pointer: LfsPointer): Promise<Identified | undefined> {
  const large = await context.provided.findLargeFile(context, repository, pointer);
  return large && { ...large, oid: pointer.oid };
}

async function serveLargeFile(path: string, large: Identified, request: RequestParts): Promise<HttpResponse> {
  const { size, oid, open } = large;
  const type = servableType(await headOfLarge(large));
  return serveBytes(request, {
    size,
    type,
    etag: oid,
    headers: {
      'x-gitea-object-type': 'file',
      'content-disposition': contentDisposition('inline', path),
      'access-control-expose-headers': 'Content-Disposition',
      ...policyFor(type),
      'cache-control': 'max-age=0, private, must-revalidate, no-transform',
    },
    beyond: 'invalid start range',
    open: async (range) => open(range),
  });
}
