import { readFile } from 'node:fs/promises';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { trimEnd } from '../../text/trim-end.ts';
import { readBlob } from '../blobs/content.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { textOf } from '../protocol/values.ts';
import type { WholeCached } from '../upstreams/cache.ts';
import { cachedDocument } from '../upstreams/documents.ts';
import { serveUpstreamFile } from '../upstreams/files.ts';
import { findLink } from '../upstreams/links.ts';
import { nameKey, REGISTRY_ITSELF } from '../upstreams/names.ts';
import { UpstreamError } from '../upstreams/request.ts';
import { serveDocument } from '../upstreams/serve-document.ts';
import { prefixOf } from './upstream-task.ts';

/** Size limit of the file of a crate, and of the configuration of an index, in bytes. */
const MAX_INDEX = 32 * 1024 * 1024;
const MAX_CONFIG = 16 * 1024;
const TASK = new URL('./upstream-task.ts', import.meta.url);
const DEADLINE_MS = 20_000;

/** Serves the file of a crate in the index of an upstream, a sparse one. Dependencies in it are crates of the same registry. */
export async function readUpstreamIndex(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  return await serveDocument(call, await crateIndex(call, upstream), { type: 'text/plain; charset=utf-8' });
}

/** Serves a crate of an upstream. */
export async function downloadUpstream(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  const { version = '' } = call.params;
  const name = crateOf(call);
  const file = `${name}-${version}.crate`;
  const locate = async () => {
    const link = await findLink(call.context, await crateIndex(call, upstream), file);
    if (!link) throw new PackageError('no-file');
    return { url: link.url, expected: async () => link.digests };
  };
  return await serveUpstreamFile(call, upstream, { path: `${name}/${file}`, key: nameKey('cargo', name), locate }, { name: file });
}

async function crateIndex(call: PackageCall, upstream: PackageUpstreamRow): Promise<WholeCached> {
  const { context } = call;
  const name = crateOf(call);
  const download = await downloadTemplate(call, upstream);
  return await cachedDocument(call, upstream, {
    path: `${name} index`,
    key: nameKey('cargo', name),
    url: `${upstream.url}/${prefixOf(name)}/${name}`,
    maxSize: MAX_INDEX,
    // Where the files are follows from it.
    baseUrl: download,
    hasGzip: true,
    read: async (file) => {
      const task = { file, name, download };
      return await context.workers.run<typeof import('./upstream-task.ts')>(TASK, task, { deadlineMs: DEADLINE_MS });
    },
  });
}

async function downloadTemplate(call: PackageCall, upstream: PackageUpstreamRow): Promise<string> {
  const { blob } = await cachedDocument(call, upstream, {
    path: 'config.json',
    key: REGISTRY_ITSELF,
    url: `${upstream.url}/config.json`,
    maxSize: MAX_CONFIG,
    baseUrl: '',
    read: async (file) => {
      const { dl } = parseJsonObject('config.json', await readFile(file, 'utf8'));
      const content = trimEnd(textOf(dl), '/');
      if (!/^https?:\/\//i.test(content) || content.length > 1000) throw new UpstreamError('its config.json has no dl');
      return { content: Buffer.from(content) };
    },
  });
  return (await readBlob(call.context, blob, MAX_CONFIG)).toString('utf8');
}

/** The name as indexes have it in their paths. */
function crateOf({ params }: PackageCall): string {
  return (params.package ?? '').toLowerCase();
}
