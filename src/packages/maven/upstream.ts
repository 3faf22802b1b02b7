import { readFile } from 'node:fs/promises';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { serveFile } from '../protocol/serve.ts';
import { cachedDocument } from '../upstreams/documents.ts';
import { cachedFile, serveUpstreamFile, type UpstreamFile } from '../upstreams/files.ts';
import { nameKey } from '../upstreams/names.ts';
import { readSmall } from '../upstreams/read-small.ts';
import { UpstreamError } from '../upstreams/request.ts';
import type { MavenPath } from './path.ts';

/** Size limit of a list of versions, and of a checksum, in bytes. */
const MAX_METADATA = 8 * 1024 * 1024;
const MAX_CHECKSUM = 1024;

/**
 * Serves a file of a repository of an upstream, or its checksum. Snapshots are not proxied, since they change.
 * @param type the media type of the file
 */
export async function downloadUpstream(
  call: PackageCall,
  upstream: PackageUpstreamRow,
  path: MavenPath,
  type: string,
): Promise<HttpResponse> {
  if (path.version.endsWith('-SNAPSHOT')) throw new PackageError('no-package');
  const whole = [...path.name.split(':', 1).join('').split('.'), path.name.slice(path.name.indexOf(':') + 1)];
  const parts = path.version === '' ? [...whole, path.file] : [...whole, path.version, path.file];
  const url = `${upstream.url}/${parts.map(encodeURIComponent).join('/')}`;
  const key = nameKey('maven', path.name);
  if (path.version === '') {
    const read = async (file: string) => {
      const content = await readFile(file);
      if (!content.toString('latin1', 0, 1000).includes('<')) throw new UpstreamError('its metadata is not XML');
      return { content };
    };
    const { blob } = await cachedDocument(call, upstream, { path: parts.join('/'), key, url, maxSize: MAX_METADATA, baseUrl: '', read });
    // Browsers save it, since they would run scripts in XML.
    return path.checksum ? checksum(blob, path.checksum) : await serveFile(call, { blob }, { type: 'text/xml', name: path.file });
  }
  const file: UpstreamFile = {
    path: parts.join('/'),
    key,
    locate: async () => ({ url, expected: () => expectedAt(call, upstream, url) }),
  };
  if (path.checksum) return checksum((await cachedFile(call, upstream, file)).blob, path.checksum);
  return await serveUpstreamFile(call, upstream, file, { type, name: path.file });
}

/** The SHA-1 of a file in the repository; undefined if there is none. */
async function expectedAt({ context }: PackageCall, upstream: PackageUpstreamRow, url: string): Promise<{ sha1?: string }> {
  const text = await readSmall(context, upstream, `${url}.sha1`, MAX_CHECKSUM);
  const sha1 = /^[0-9a-f]{40}\b/i.exec(text?.trim() ?? '')?.[0];
  return sha1 === undefined ? {} : { sha1: sha1.toLowerCase() };
}

function checksum(blob: PackageBlobRow, digest: NonNullable<MavenPath['checksum']>): HttpResponse {
  return raw(blob[digest], 'text/plain; charset=utf-8', { headers: { 'x-content-type-options': 'nosniff' } });
}
