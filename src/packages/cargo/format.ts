import { callerKey, inTransaction } from '../../context.ts';
import { PackageError } from '../errors.ts';
import { markIndexes } from '../indexes/mark.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import type { FormatRoute, PackageCall, PackageFormat } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { countedPage } from '../protocol/page.ts';
import { bodyOrStream, recheckWrite } from '../protocol/receive.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { describeVersions, findPublished } from '../registry/describe.ts';
import { findFile, findPackage, findVersion } from '../registry/find.ts';
import { maxFileSize } from '../registry/limits.ts';
import { setProperties } from '../registry/properties.ts';
import { publish } from '../registry/publish.ts';
import { reviseVersion } from '../registry/revise.ts';
import { countVersions, searchVersions } from '../registry/search.ts';
import { type RemoteHandler, throughUpstream } from '../upstreams/through.ts';
import { type CargoMetadata, isCrateName, readMetadata } from './metadata.ts';
import { readPublication } from './publication.ts';
import { buildIndexFile, INDEX_FILE, YANKED } from './sparse-index.ts';
import { downloadUpstream, readUpstreamIndex } from './upstream.ts';

const TYPE = 'cargo';
const CRATES = '/cargo/api/v1/crates';

/** A registry of crates: https://doc.rust-lang.org/cargo/reference/registry-web-api.html and its sparse index */
export const cargo: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', path: '/cargo/config.json', access: 'read', handle: readConfig },
    { method: 'GET', path: CRATES, access: 'read', handle: search },
    { method: 'PUT', path: `${CRATES}/new`, access: 'publish', handle: upload },
    { method: 'GET', path: `${CRATES}/:package/owners`, access: 'read', handle: readOwners },
    { method: 'GET', path: `${CRATES}/:package/:version/download`, access: 'read', handle: through(download, downloadUpstream) },
    { method: 'DELETE', path: `${CRATES}/:package/:version/yank`, access: 'write', handle: (call) => setYanked(call, true) },
    { method: 'PUT', path: `${CRATES}/:package/:version/unyank`, access: 'write', handle: (call) => setYanked(call, false) },
    // Of the directories of the index only the name of the crate is of interest.
    { method: 'GET', path: '/cargo/1/:package', access: 'read', handle: through(readIndex, readUpstreamIndex) },
    { method: 'GET', path: '/cargo/2/:package', access: 'read', handle: through(readIndex, readUpstreamIndex) },
    { method: 'GET', path: '/cargo/:first/:second/:package', access: 'read', handle: through(readIndex, readUpstreamIndex) },
  ],
  index: buildIndexFile,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, TYPE, packageId),
  refuse: (error) =>
    isOfRegistry(error)
      ? plainRefusal(error)
      : json({ ok: false, errors: [{ detail: error.message }] }, { status: error.status, headers: error.headers }),
};

function through(own: FormatRoute['handle'], remote: RemoteHandler): FormatRoute['handle'] {
  return throughUpstream(TYPE, ({ params: { package: name = '' } }) => (isCrateName(name) ? name : undefined), own, remote);
}

async function readConfig({ context, owner, baseUrl }: PackageCall) {
  const isPrivate = context.settings.access.requireSignInView || owner.visibility !== 'public';
  return json({ dl: `${baseUrl}/api/v1/crates`, api: baseUrl, 'auth-required': isPrivate });
}

async function readIndex(call: PackageCall) {
  const { context } = call;
  const { lower_name } = await findPackage(context.db, namedBy(call));
  if (!(await findPublished(context.db, namedBy(call)))) throw new PackageError('no-package', { message: '' });
  const index = { type: TYPE, key: lower_name, builder: buildIndexFile, document: { name: INDEX_FILE } } as const;
  return await serveIndex(call, index, { type: 'text/plain; charset=utf-8' });
}

async function search({ context, owner, query }: PackageCall) {
  const { db } = context;
  const wanted = { ownerId: owner.id, type: TYPE, nameContains: query.get('q')?.trim(), latest: true } as const;
  const page = countedPage(context, query.get('page'), query.get('per_page'));
  const versions = await describeVersions<CargoMetadata>(db, await searchVersions(db, wanted, page));
  const crates = versions.map(({ package: { name }, version, metadata }) => ({
    name,
    max_version: version.version,
    description: metadata.description ?? '',
  }));
  return json({ crates, meta: { total: await countVersions(context, wanted) } });
}

async function readOwners({ owner }: PackageCall) {
  return json({ users: [{ id: owner.id, login: owner.name, name: owner.full_name || owner.name }] });
}

async function download(call: PackageCall) {
  const { db } = call.context;
  const { package: name = '', version = '' } = call.params;
  const found = await findVersion(db, namedBy(call), version);
  return await serveFile(call, await findFile(db, found.id, { name: `${name}-${version}.crate` }));
}

async function upload(call: PackageCall) {
  const { context, owner } = call;
  const maxSize = maxFileSize(context, TYPE);
  const { document, crate } = await context.semaphores.uploads.run(
    callerKey(context),
    async () => readPublication(await bodyOrStream(call), (content) => call.contents.store(context, content, { maxSize, shown: [] })),
    { signal: call.request.signal },
  );
  await recheckWrite(call);
  const { name, version, metadata } = readMetadata(document);
  const files = [{ name: `${name}-${version}.crate`.toLowerCase(), blob: crate, isLead: true }];
  const versionProperties = { [YANKED]: 'false' };
  const publication = { owner, type: TYPE, name, version, metadata, semverCompatible: true, versionProperties, files } as const;
  await publish(context, { ...publication, indexes: [name.toLowerCase()] });
  return json({ ok: true });
}

async function setYanked(call: PackageCall, isYanked: boolean) {
  const { context, owner, params } = call;
  const version = await findVersion(context.db, namedBy(call), params.version ?? '');
  await inTransaction(context, async (context) => {
    await setProperties(context.db, 'version', version.id, { [YANKED]: String(isYanked) });
    await reviseVersion(context.db, version.id);
    await markIndexes(context, owner.id, TYPE, [namedBy(call).name.toLowerCase()]);
  });
  return json({ ok: true });
}

function namedBy({ owner, params }: PackageCall) {
  return { ownerId: owner.id, type: TYPE, name: params.package ?? '' } as const;
}
