import { callerKey } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { serveBytes } from '../../http/serve-bytes.ts';
import { releaseWith } from '../../http/server/permits.ts';
import { ETAG, type IndexBuilder } from '../indexes/build.ts';
import { type DocumentPlan, openPlan, PartRemovedError } from '../indexes/composed.ts';
import { currentIndexFile } from '../indexes/current.ts';
import { planDocument } from '../indexes/plans.ts';
import type { FileName } from '../registry/find.ts';
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
 * @throws PackageError 404; BusyError
 */
export async function serveIndex(call: PackageCall, served: ServedIndex, { type, headers = {} }: ServedAs): Promise<HttpResponse> {
  const { context, owner } = call;
  const { builder, key, document } = served;
  const of = { owner, type: served.type };
  const plan = await planDocument(context, builder, of, key, document);
  if (plan) {
    try {
      return await servePlan(call, plan, { type, headers });
    } catch (error) {
      if (!(error instanceof PartRemovedError)) throw error;
    }
  }
  const found = await currentIndexFile(context, builder, of, key, document);
  const [etag] = await etagOf(context.db, found.file.id);
  return await serveFile(call, found, { type, name: null, headers, ...(etag && { etag: etag.value }) });
}

async function servePlan({ context, request }: PackageCall, plan: DocumentPlan, { type, headers = {} }: ServedAs): Promise<HttpResponse> {
  const release = await context.semaphores.downloads.acquire(callerKey(context), { signal: request.signal });
  try {
    const response = await serveBytes(request, {
      size: plan.size,
      type,
      etag: plan.etag,
      headers: { 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes', ...headers },
      // A replica may not have the newest part yet.
      open: (range) => openPlan(context.database.db, plan, range),
    });
    releaseWith(response, request, release);
    return response;
  } catch (error) {
    release();
    throw error;
  }
}
