import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { empty, type HttpResponse, raw } from '../../http/responses.ts';
import { http } from '../../node-http.ts';
import { openArchive } from '../blobs/content.ts';
import { PackageError } from '../errors.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { findPublished } from '../registry/describe.ts';
import { findVersion, listFiles } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { readPackage } from './pubspec.ts';
import { buildVersions, describe, VERSIONS } from './versions.ts';

const TYPE = 'pub';
const MEDIA_TYPE = 'application/vnd.pub.v2+json';

/** Packages of Dart: a hosted repository, version 2 (https://github.com/dart-lang/pub/blob/master/doc/repository-spec-v2.md). */
export const pub: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', path: '/pub/api/packages/versions/new', access: 'publish', handle: offerUpload },
    { method: 'POST', path: '/pub/api/packages/versions/new/upload', access: 'publish', handle: upload },
    { method: 'GET', path: '/pub/api/packages/versions/new/finalize/:name/:version', access: 'publish', handle: finish },
    { method: 'GET', path: '/pub/api/packages/:name', access: 'read', handle: listVersions },
    { method: 'GET', path: '/pub/api/packages/:name/files/:file', access: 'read', handle: download },
    { method: 'GET', path: '/pub/api/packages/:name/:version', access: 'read', handle: showVersion },
  ],
  index: buildVersions,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, TYPE, packageId),
  refuse: (error) => {
    if (isOfRegistry(error)) return plainRefusal(error);
    const { status, message, headers } = error;
    return json({ error: { code: http.STATUS_CODES[status] ?? '', message } }, { status, headers: { ...headers } });
  },
};

/** What one registry of packages is below. */
export function packagesUrl({ baseUrl }: Pick<PackageCall, 'baseUrl'>): string {
  return `${baseUrl}/api/packages`;
}

/** The first of three steps of a publication: tells the client where to send the archive. */
async function offerUpload(call: PackageCall): Promise<HttpResponse> {
  return json({ url: `${packagesUrl(call)}/versions/new/upload`, fields: {} });
}

async function upload(call: PackageCall): Promise<HttpResponse> {
  const { context, owner } = call;
  const blob = await receivePackage(call, TYPE, { field: 'file', shown: [] });
  const { name, version, metadata, readme } = await readArchive(call, async () => readPackage(context, await openArchive(context, blob)));
  await publish(context, {
    owner,
    type: TYPE,
    name,
    version,
    semverCompatible: true,
    metadata,
    // Not with the rest: lists of versions read that of all of them.
    versionProperties: readme === undefined ? {} : { 'pub.readme': readme },
    files: [{ name: `${version}.tar.gz`.toLowerCase(), blob, isLead: true }],
    indexes: [name.toLowerCase()],
  });
  const location = `${packagesUrl(call)}/versions/new/finalize/${escapeSegment(name)}/${escapeSegment(version)}`;
  return empty(204, { location });
}

/** The last step: the second one has published the package. */
async function finish(call: PackageCall): Promise<HttpResponse> {
  await find(call);
  return json({ success: { message: '' } });
}

async function listVersions(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params, baseUrl } = call;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: params.name ?? '' });
  if (!row) throw new PackageError('no-package', { message: '' });
  const named = { name: VERSIONS, compositeKey: baseUrl };
  const index = { type: TYPE, key: row.lower_name, builder: buildVersions, document: named } as const;
  return await serveIndex(call, index, { type: MEDIA_TYPE });
}

async function showVersion(call: PackageCall): Promise<HttpResponse> {
  return json(describe(call.baseUrl, call.params.name ?? '', await find(call)));
}

async function download(call: PackageCall): Promise<HttpResponse> {
  const { id } = await find(call, (call.params.file ?? '').replace(/\.tar\.gz$/, ''));
  const [found] = await listFiles(call.context.db, [id]);
  if (!found) throw new PackageError('no-file');
  return await serveFile(call, found);
}

async function find({ context, owner, params }: PackageCall, version = params.version ?? ''): Promise<PackageVersionRow> {
  return await findVersion(context.db, { ownerId: owner.id, type: TYPE, name: params.name ?? '' }, version);
}

function json(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}): HttpResponse {
  return raw(Buffer.from(`${JSON.stringify(body)}\n`), MEDIA_TYPE, options);
}
