import { readFile } from 'node:fs/promises';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { HttpResponse } from '../../http/responses.ts';
import { readBlob } from '../blobs/content.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { serveFile } from '../protocol/serve.ts';
import { textsOf } from '../protocol/values.ts';
import type { WholeCached } from '../upstreams/cache.ts';
import { cachedDocument } from '../upstreams/documents.ts';
import { serveUpstreamFile } from '../upstreams/files.ts';
import { UpstreamError } from '../upstreams/request.ts';
import { digestOf, serveOptions } from './contents.ts';
import { type ContainerCode, ContainerError, json } from './errors.ts';
import { MAX_MANIFEST, readManifest } from './manifest.ts';
import { isTag, readDigest } from './names.ts';
import { upstreamAuthorization } from './upstream-tokens.ts';

const TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
/** Size limit of a list of tags in bytes. */
const MAX_TAGS = 4 * 1024 * 1024;

/** Serves a manifest of an upstream, by its tag or digest. */
export async function getUpstreamManifest(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  return await answering('MANIFEST_UNKNOWN', async () => {
    const { image = '', reference = '' } = call.params;
    const digest = readDigest(reference);
    // A digest has a colon, which tags have not.
    if (!digest && !isTag(reference)) throw new ContainerError('MANIFEST_UNKNOWN');
    const { blob, row } = await cachedDocument(call, upstream, {
      path: `${image} manifest ${reference}`,
      key: image,
      url: `${upstream.url}/v2/${image}/manifests/${reference}`,
      headers: { accept: TYPES.join(', ') },
      authorization: () => upstreamAuthorization(call.context, upstream, image),
      maxSize: MAX_MANIFEST,
      baseUrl: '',
      isImmutable: digest !== undefined,
      read: async (file, { headers }) => {
        const content = await readFile(file);
        if (digest && digestOf(content, digest.algorithm) !== reference) throw new UpstreamError('its manifest has another digest');
        return { content, mediaType: mediaTypeOf(content, headers['content-type']) };
      },
    });
    return await serveFile(call, { blob }, serveOptions(digest ? reference : `sha256:${blob.sha256}`, row.media_type));
  });
}

/** Serves a content of an image of an upstream. */
export async function getUpstreamBlob(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  return await answering('BLOB_UNKNOWN', async () => {
    const { image = '', digest = '' } = call.params;
    const wanted = readDigest(digest);
    if (!wanted) throw new ContainerError('BLOB_UNKNOWN');
    const locate = async () => ({
      url: `${upstream.url}/v2/${image}/blobs/${digest}`,
      authorization: () => upstreamAuthorization(call.context, upstream, image),
      expected: async () => ({ [wanted.algorithm]: wanted.hex }),
    });
    return await serveUpstreamFile(call, upstream, { path: `${image} blob ${digest}`, key: image, locate }, serveOptions(digest));
  });
}

/** Serves a part of the list of an image's tags, with a link to the next one. */
export async function listUpstreamTags(call: PackageCall, upstream: PackageUpstreamRow): Promise<HttpResponse> {
  return await answering('NAME_UNKNOWN', async () => {
    const { context, owner, params, query } = call;
    const { image = '' } = params;
    const wanted = new URLSearchParams();
    if (/^\d{1,5}$/.test(query.get('n') ?? '')) wanted.set('n', query.get('n') ?? '');
    if (isTag(query.get('last') ?? '')) wanted.set('last', query.get('last') ?? '');
    const { blob }: WholeCached = await cachedDocument(call, upstream, {
      path: `${image} tags ${wanted}`,
      key: image,
      url: `${upstream.url}/v2/${image}/tags/list${wanted.size > 0 ? `?${wanted}` : ''}`,
      authorization: () => upstreamAuthorization(context, upstream, image),
      maxSize: MAX_TAGS,
      baseUrl: '',
      read: async (file, { headers }) => {
        const tags = textsOf(parseJsonObject('the list', await readFile(file, 'utf8')).tags).filter(isTag);
        const hasNext = /;\s*rel="?next"?/i.test(String(headers.link ?? ''));
        return { content: Buffer.from(JSON.stringify({ tags, hasNext })) };
      },
    });
    const list = parseJsonObject('the list', (await readBlob(context, blob, MAX_TAGS)).toString('utf8'));
    const tags = textsOf(list.tags);
    wanted.set('last', tags.at(-1) ?? '');
    const hasNext = list.hasNext === true && tags.length > 0;
    const link = `</v2/${owner.lower_name}/${image}/tags/list?${wanted}>; rel="next"`;
    return json({ name: `${owner.lower_name}/${image}`, tags }, hasNext ? { headers: { link } } : {});
  });
}

function mediaTypeOf(content: Buffer, type: unknown): string {
  try {
    return readManifest(content, typeof type === 'string' ? type : '').mediaType;
  } catch (error) {
    throw new UpstreamError('its manifest is invalid', { cause: error });
  }
}

/** A missing content has its own error code here. */
async function answering(code: ContainerCode, respond: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await respond();
  } catch (error) {
    const isUnknown = error instanceof PackageError && (error.problem === 'no-package' || error.problem === 'no-file');
    throw isUnknown ? new ContainerError(code) : error;
  }
}
