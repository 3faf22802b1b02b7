import { readFile } from 'node:fs/promises';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { type ServeOptions, serveFile } from '../protocol/serve.ts';
import { cachedDocument } from '../upstreams/documents.ts';
import { serveUpstreamFile } from '../upstreams/files.ts';
import { nameKey } from '../upstreams/names.ts';
import { UpstreamError } from '../upstreams/request.ts';
import { decodeCase } from './module.ts';

/** Size limit of a list of versions, or of what is known of one, in bytes. */
const MAX_DOCUMENT = 4 * 1024 * 1024;
/** Versions that never change; others, such as names of branches, lead to one of these. */
const CANONICAL = /^v\d+\.\d+\.\d+(?:[-+][\w.+~-]*)?$/;

const TYPES = { zip: 'application/octet-stream', mod: 'text/plain; charset=utf-8', info: 'application/json' } as const;

/** Serves the versions of a module of an upstream, one in each line. */
export async function listUpstreamVersions(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  const read = async (file: string) => {
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.trim());
    const versions = lines.filter((line) => line !== '');
    if (versions.some((line) => !CANONICAL.test(line))) throw new UpstreamError('its list has a line that is not a version');
    return { content: Buffer.from(versions.map((version) => `${version}\n`).join('')) };
  };
  return await serveDocument(call, upstream, '@v/list', 'text/plain; charset=utf-8', read);
}

/** Serves what is known of a version of a module: the newest one where the path names none. */
export async function showUpstreamVersion(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  const { version } = call.params;
  if (version !== undefined && CANONICAL.test(decodeCase(version))) return await serveVersionFile(call, upstream, 'info');
  const read = async (file: string) => {
    const info = parseJsonObject('the information', await readFile(file, 'utf8'));
    if (typeof info.Version !== 'string') throw new UpstreamError('its information names no version');
    return { content: Buffer.from(JSON.stringify(info)) };
  };
  return await serveDocument(call, upstream, version === undefined ? '@latest' : `@v/${version}.info`, TYPES.info, read);
}

/**
 * Serves a file of a version. Only the checksum database knows its digest, and clients query that themselves; once fetched the file
 * never changes.
 * @throws PackageError 404 for a version that is none, such as the name of a branch
 */
export async function serveVersionFile(call: PackageCall, upstream: PackageUpstreamRow, kind: keyof typeof TYPES): Promise<HttpResponse> {
  const version = call.params.version ?? '';
  if (!CANONICAL.test(decodeCase(version))) throw new PackageError('no-package');
  const path = `@v/${version}.${kind}`;
  const file = { path: `${pathOf(call)}/${path}`, key: keyOf(call), locate: async () => ({ url: urlOf(call, upstream, path) }) };
  const options: ServeOptions = { type: TYPES[kind], name: kind === 'zip' ? `${decodeCase(version)}.zip` : null };
  return await serveUpstreamFile(call, upstream, file, options);
}

async function serveDocument(
  call: PackageCall,
  upstream: PackageUpstreamRow,
  path: string,
  type: string,
  read: (file: string) => Promise<{ content: Buffer }>,
): Promise<HttpResponse> {
  const document = {
    path: `${pathOf(call)}/${path}`,
    key: keyOf(call),
    url: urlOf(call, upstream, path),
    maxSize: MAX_DOCUMENT,
    baseUrl: '',
    read,
  };
  const { blob } = await cachedDocument(call, upstream, document);
  return await serveFile(call, { blob }, { type, name: null });
}

/** The path as the protocol writes it: with `!` before what is a capital. */
function pathOf({ params }: PackageCall): string {
  return params.name ?? '';
}

function keyOf(call: PackageCall): string {
  return nameKey('go', decodeCase(pathOf(call)));
}

function urlOf(call: PackageCall, upstream: PackageUpstreamRow, path: string): string {
  const escaped = (text: string) => text.split('/').map(encodeURIComponent).join('/').replaceAll('%40', '@').replaceAll('%2B', '+');
  return `${upstream.url}/${escaped(pathOf(call))}/${escaped(path)}`;
}
