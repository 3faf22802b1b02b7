import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import type { WholeCached } from '../upstreams/cache.ts';
import { cachedDocument } from '../upstreams/documents.ts';
import { serveUpstreamFile } from '../upstreams/files.ts';
import { findLink } from '../upstreams/links.ts';
import { nameKey } from '../upstreams/names.ts';
import { UpstreamError } from '../upstreams/request.ts';
import { serveDocument } from '../upstreams/serve-document.ts';
import { registryUrl } from './simple.ts';

/** Size limit of the list of a project in bytes. */
const MAX_LIST = 64 * 1024 * 1024;
const TASK = new URL('./upstream-task.ts', import.meta.url);
const DEADLINE_MS = 20_000;

/** Serves the list of a project of an upstream, which has to know the JSON form of such lists (PEP 691). */
export async function readUpstreamSimple(call: PackageCall, upstream: PackageUpstreamRow, type: string): Promise<HttpResponse> {
  const form = type.startsWith('text/html') ? 'html' : 'json';
  return await serveDocument(call, await projectList(call, upstream, form), { type, headers: { vary: 'Accept' } });
}

/** Serves a file of a project of an upstream, or the metadata beside it. */
export async function downloadUpstream(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  const { name = '', file = '' } = call.params;
  const key = nameKey('pypi', name);
  const locate = async () => {
    const link = await findLink(call.context, await projectList(call, upstream, 'json'), file);
    if (!link) throw new PackageError('no-file');
    return { url: link.url, expected: async () => link.digests };
  };
  return await serveUpstreamFile(call, upstream, { path: `${key}/${file}`, key, locate }, { name: file });
}

async function projectList(call: PackageCall, upstream: PackageUpstreamRow, form: 'json' | 'html'): Promise<WholeCached> {
  const { context, owner, params } = call;
  const name = nameKey('pypi', params.name ?? '');
  const baseUrl = registryUrl(context, owner);
  return await cachedDocument(call, upstream, {
    path: `${name} ${form}`,
    key: name,
    url: `${upstream.url}/${encodeURIComponent(name)}/`,
    headers: { accept: 'application/vnd.pypi.simple.v1+json' },
    maxSize: MAX_LIST,
    baseUrl,
    hasGzip: true,
    read: async (file, { url: source }) => {
      const task = { file, name, source, url: baseUrl, form };
      const read = await context.workers.run<typeof import('./upstream-task.ts')>(TASK, task, { deadlineMs: DEADLINE_MS });
      if (!read) throw new UpstreamError('its document is not the list of the project');
      return read;
    },
  });
}
