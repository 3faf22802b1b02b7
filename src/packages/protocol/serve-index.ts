import { callerKey } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { releaseWith } from '../../http/server/permits.ts';
import { PackageError } from '../errors.ts';
import { ETAG, type IndexBuilder } from '../indexes/build.ts';
import { type DocumentPlan, gzipName, openPlan, PartRemovedError } from '../indexes/composed.ts';
import { currentIndexFile } from '../indexes/current.ts';
import { wholeDocument } from '../indexes/document-bytes.ts';
import { markIndexes } from '../indexes/mark.ts';
import { planDocument } from '../indexes/plans.ts';
import { type FileName, type FoundFile, findFile } from '../registry/find.ts';
import { acceptsGzip, encodedHeaders, isLongDocument } from './encoded.ts';
import type { PackageCall } from './format.ts';
import { serveFile } from './serve.ts';

/** A document of an index. */
export interface ServedIndex {
  readonly type: PackageType;
  readonly key: string;
  readonly builder: IndexBuilder;
  /** With what the document depends on beside the packages, such as the URLs in it, as the composite key. */
  readonly document: FileName;
}

/** How it is served. */
export interface ServedAs {
  readonly type: string;
  readonly headers?: Record<string, string>;
}

const etagOf = prepared((db, fileId: number) =>
  db.selectFrom('package_properties').select('value').where('file_id', '=', fileId).where('name', '=', ETAG),
);

/**
 * Serves a document of an index as it is now: from its blocks when it was marked since its file was put together, which a job does then.
 * A long one is compressed for clients that accept it, unless they request a range.
 * @throws PackageError 404; BusyError
 */
export async function serveIndex(call: PackageCall, served: ServedIndex, as: ServedAs): Promise<HttpResponse> {
  const { context, owner, request } = call;
  const { builder, key, document } = served;
  const of = { owner, type: served.type };
  const isGzipAccepted = acceptsGzip(request);
  const plan = await planDocument(context, builder, of, key, { ...document, acceptsGzip: isGzipAccepted });
  if (plan) {
    try {
      return await servePlan(call, plan, as);
    } catch (error) {
      if (!(error instanceof PartRemovedError)) throw error;
    }
  }
  const found = await currentIndexFile(context, builder, of, key, document);
  const isLong = isLongDocument(found.blob);
  const compressed = isLong && isGzipAccepted ? await findCompressed(call, served, found) : undefined;
  const file = compressed ?? found;
  const [etag] = await etagOf(context.db, file.file.id);
  const headers = encodedHeaders(as.headers ?? {}, { isLong, isGzip: compressed !== undefined });
  return await serveFile(call, file, { type: as.type, name: null, isCached: true, headers, ...(etag && { etag: etag.value }) });
}

async function servePlan({ context, request }: PackageCall, plan: DocumentPlan, as: ServedAs): Promise<HttpResponse> {
  const isGzip = plan.form === 'gzip';
  const headers = encodedHeaders(as.headers ?? {}, { isLong: isGzip || isLongDocument(plan), isGzip });
  const release = await context.semaphores.downloads.acquire(callerKey(context), { signal: request.signal });
  try {
    const response = await serveBytes(request, {
      size: plan.size,
      type: as.type,
      etag: plan.etag,
      headers: { 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes', ...headers },
      open: async (range) => (range ? undefined : await wholeDocument(context, plan)) ?? (await openPlan(context.database.db, plan, range)),
    });
    releaseWith(response, request, release);
    return response;
  } catch (error) {
    release();
    throw error;
  }
}

/** The compressed form of a document's file; undefined for one from before there were any, which a job puts together again. */
async function findCompressed({ context, owner }: PackageCall, { type, key, document }: ServedIndex, { file }: FoundFile) {
  try {
    return await findFile(context.db, file.version_id, { ...document, name: gzipName(document.name) });
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    await markIndexes(context, owner.id, type, [key]);
  }
}
