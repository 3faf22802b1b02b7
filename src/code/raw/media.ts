import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { MAX_LFS_POINTER_SIZE } from '../../git/lfs-pointer.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { policyFor, servableType } from '../../http/media-type.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { headOf, openRawFile, type RawFile, serveRawFile } from './raw.ts';

/** Serves the bytes of a file; `named` says its name as well, as the address of the page does. */
export async function serveMedia(
  context: Context,
  repository: Repository,
  file: RawFile,
  request: RequestParts,
  { named = false }: { named?: boolean } = {},
): Promise<HttpResponse> {
  if (file.size >= MAX_LFS_POINTER_SIZE) return serveRawFile(context, repository, file, request);
  // What could be a pointer may be replaced by what it stands for, so nobody keeps it.
  const type = servableType(await headOf(context, file));
  return raw(await openRawFile(context, file, undefined), type, {
    headers: {
      'x-gitea-object-type': file.entry.mode === '120000' ? 'symlink' : 'file',
      'cache-control': 'max-age=0, private, must-revalidate, no-transform',
      ...(named && { 'content-disposition': contentDisposition('inline', file.path) }),
      ...(type === 'image/svg+xml' && policyFor(type)),
    },
  });
}
