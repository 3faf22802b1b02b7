import { empty } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { countedPage, integerOf } from '../protocol/page.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { describeVersions, findPublished } from '../registry/describe.ts';
import { waitingDownloads } from '../registry/downloads.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { countVersions, searchVersions } from '../registry/search.ts';
import { buildDocuments, DOCUMENT, documentFor, registryUrl, TYPE_PROPERTY } from './documents.ts';
import { type ComposerMetadata, readPackage } from './manifest.ts';

const TYPE = 'composer';

/** A repository of Composer: https://getcomposer.org/doc/05-repositories.md#composer, with the searches of https://packagist.org/apidoc */
export const composer: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', path: '/composer/packages.json', access: 'read', handle: readService },
    { method: 'GET', path: '/composer/search.json', access: 'read', handle: search },
    { method: 'GET', path: '/composer/list.json', access: 'read', handle: list },
    // Versions of branches are in the same document as all others.
    { method: 'GET', path: '/composer/p2/:vendor/:project~dev.json', access: 'read', handle: readPackageDocument },
    { method: 'GET', path: '/composer/p2/:vendor/:project.json', access: 'read', handle: readPackageDocument },
    { method: 'GET', path: '/composer/files/:package/:version/:file', access: 'read', handle: download },
    { method: 'PUT', path: '/composer', access: 'publish', handle: upload },
  ],
  index: buildDocuments,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, TYPE, packageId),
  refuse: (error) => {
    const { status, message, headers } = error;
    return isOfRegistry(error) ? plainRefusal(error) : json({ errors: [{ status, message }] }, { status, headers });
  },
};

async function readService({ context, owner }: PackageCall) {
  const url = registryUrl(context, owner);
  return json({ search: `${url}/search.json?q=%query%&type=%type%`, 'metadata-url': `${url}/p2/%package%.json`, list: `${url}/list.json` });
}

async function search({ context, owner, query }: PackageCall) {
  const { db } = context;
  const [text, type] = ['q', 'type'].map((name) => (query.get(name) ?? '').trim());
  const perPage = integerOf(query.get('per_page'));
  const { page, limit, offset } = countedPage(context, query.get('page'), query.get('per_page'));
  const properties = type ? { [TYPE_PROPERTY]: type } : undefined;
  const wanted = { ownerId: owner.id, type: TYPE, nameContains: text, latest: true, properties } as const;
  const versions = await searchVersions(db, wanted, { limit, offset });
  const results = (await describeVersions<ComposerMetadata>(db, versions)).map(({ package: { name }, version, metadata }) => ({
    name,
    description: metadata.description ?? '',
    downloads: version.download_count + waitingDownloads(context, version.id),
  }));
  const next = new URLSearchParams({
    page: String(page + 1),
    ...(perPage && { per_page: String(perPage) }),
    q: text ?? '',
    type: type ?? '',
  });
  const total = await countVersions(context, wanted);
  return json({ total, results, ...(versions.length === limit && { next: `${registryUrl(context, owner)}/search.json?${next}` }) });
}

async function list({ context: { db }, owner }: PackageCall) {
  const rows = await db
    .selectFrom('packages')
    .select('name')
    .where('owner_id', '=', owner.id)
    .where('type', '=', TYPE)
    .where('is_internal', '=', false)
    .where((where) => where.exists(where.selectFrom('package_versions').select('id').whereRef('package_id', '=', 'packages.id')))
    .orderBy('lower_name')
    .execute();
  return json({ packageNames: rows.map(({ name }) => name) });
}

async function readPackageDocument(call: PackageCall) {
  const { context, owner, params } = call;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: `${params.vendor}/${params.project}` });
  if (!row) throw new PackageError('no-package');
  const named = { name: DOCUMENT, compositeKey: await documentFor(context, owner, row) };
  const index = { type: TYPE, key: row.lower_name, builder: buildDocuments, document: named } as const;
  return await serveIndex(call, index, { type: 'application/json;charset=utf-8' });
}

async function download(call: PackageCall) {
  const { context, owner, params } = call;
  const { package: name = '', version = '', file = '' } = params;
  const found = await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, version);
  return await serveFile(call, await findFile(context.db, found.id, { name: file }));
}

async function upload(call: PackageCall) {
  const { context, owner, query } = call;
  const blob = await receivePackage(call, TYPE, { raw: true, shown: ['sha1'] });
  const { name, version, type, file, metadata } = await readArchive(call, () =>
    readPackage(context, blob, (query.get('version') ?? '').trim()),
  );
  const files = [{ name: file, blob, isLead: true }];
  const versionProperties = { [TYPE_PROPERTY]: type };
  const publication = { owner, type: TYPE, name, version, metadata, semverCompatible: true, versionProperties, files } as const;
  await publish(context, { ...publication, indexes: [name] });
  return empty(201);
}
