import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { findCached, type WholeCached } from '../upstreams/cache.ts';
import { cachedDocument, type UpstreamDocument } from '../upstreams/documents.ts';
import { serveUpstreamFile } from '../upstreams/files.ts';
import { findLink } from '../upstreams/links.ts';
import { nameKey } from '../upstreams/names.ts';
import { UpstreamError } from '../upstreams/request.ts';
import { serveDocument } from '../upstreams/serve-document.ts';
import { registryUrl } from './packument.ts';

/** The packument in its two forms: abbreviated for installing, and full. */
const FORMS = {
  short: 'application/vnd.npm.install-v1+json',
  full: 'application/json',
} as const;
type Form = keyof typeof FORMS;

/** Bytes of a packument; those of a few packages with thousands of versions have tens of megabytes. */
const MAX_PACKUMENT = 64 * 1024 * 1024;
const TASK = new URL('./upstream-task.ts', import.meta.url);
const DEADLINE_MS = 20_000;

/** Serves the document of a package of an upstream. */
export async function readUpstreamPackage(call: PackageCall, upstream: PackageUpstreamRow, name: string): Promise<HttpResponse> {
  const form = call.request.headers.accept?.includes(FORMS.short) ? 'short' : 'full';
  const cached = await packument(call, upstream, name, form);
  return await serveDocument(call, cached, { type: cached.row.media_type, headers: { vary: 'Accept' } });
}

/** Serves a tarball of a package of an upstream. */
export async function downloadUpstream(call: PackageCall, upstream: PackageUpstreamRow, name: string): Promise<HttpResponse> {
  const { file = '' } = call.params;
  const locate = async () => {
    // Prefers the one that the client has seen, which is cached.
    const known = await findCached(call.context, upstream, `${name} full`);
    for (const form of known ? (['full', 'short'] as const) : (['short', 'full'] as const)) {
      const link = await findLink(call.context, await packument(call, upstream, name, form), file);
      if (link) return { url: link.url, expected: async () => link.digests };
    }
    throw new PackageError('no-file');
  };
  return await serveUpstreamFile(call, upstream, { path: `${name}/-/${file}`, key: nameKey('npm', name), locate }, { name: file });
}

async function packument(call: PackageCall, upstream: PackageUpstreamRow, name: string, form: Form): Promise<WholeCached> {
  const { context, owner } = call;
  const url = registryUrl(context, owner);
  const document: UpstreamDocument = {
    path: `${name} ${form}`,
    key: nameKey('npm', name),
    url: `${upstream.url}/${encodeURIComponent(name).replace(/^%40/, '@')}`,
    headers: { accept: form === 'short' ? `${FORMS.short}, ${FORMS.full};q=0.8` : FORMS.full },
    maxSize: MAX_PACKUMENT,
    baseUrl: url,
    hasGzip: true,
    read: async (file, { headers }) => {
      const task = { file, name, url };
      const read = await context.workers.run<typeof import('./upstream-task.ts')>(TASK, task, { deadlineMs: DEADLINE_MS });
      if (!read) throw new UpstreamError('its document is not the one of the package');
      const isShort = headers['content-type']?.includes(FORMS.short);
      return { ...read, mediaType: isShort ? FORMS.short : FORMS.full };
    },
  };
  return await cachedDocument(call, upstream, document);
}
