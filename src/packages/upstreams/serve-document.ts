import type { Context } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { isWhole } from '../blobs/content.ts';
import { acceptsGzip, encodedHeaders, isLongDocument } from '../protocol/encoded.ts';
import type { PackageCall } from '../protocol/format.ts';
import { serveFile } from '../protocol/serve.ts';
import type { WholeCached } from './cache.ts';

const compressedOf = prepared((db, blobId: number) =>
  db
    .selectFrom('package_compressed_blobs')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_compressed_blobs.gzip_blob_id')
    .selectAll('package_blobs')
    .where('package_compressed_blobs.blob_id', '=', blobId),
);

/** Serves a document of an upstream: a long one compressed to clients that accept it, as registries on the Internet do. */
export async function serveDocument(
  call: PackageCall,
  { blob }: WholeCached,
  { type, headers = {} }: { type: string; headers?: Record<string, string> },
): Promise<HttpResponse> {
  const isLong = isLongDocument(blob);
  const gzip = isLong && acceptsGzip(call.request) ? await findCompressed(call.context, blob) : undefined;
  const sent = encodedHeaders(headers, { isLong, isGzip: gzip !== undefined });
  return await serveFile(call, { blob: gzip ?? blob }, { type, name: null, headers: sent });
}

/** Undefined for a document that was fetched before there were any. */
async function findCompressed(context: Context, { id }: PackageBlobRow): Promise<PackageBlobRow | undefined> {
  const [found] = await compressedOf(context.db, id);
  return found && (await isWhole(context, found)) ? found : undefined;
}
