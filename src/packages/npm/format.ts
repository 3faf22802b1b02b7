import type { Context } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { PackageEvent } from '../../events/events.ts';
import { empty } from '../../http/responses.ts';
import { wireTime } from '../../http/schema.ts';
import { trimEnd } from '../../text/trim-end.ts';
import { PackageError } from '../errors.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { FormatRoute, PackageCall, PackageFormat } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { searchPage } from '../protocol/page.ts';
import { readBody } from '../protocol/receive.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveIndex } from '../protocol/serve-index.ts';
import { deleteVersion } from '../registry/delete.ts';
import { deletePackage } from '../registry/delete-package.ts';
import { describeVersions, findPublished } from '../registry/describe.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { countVersions, searchVersions } from '../registry/search.ts';
import { throughUpstream } from '../upstreams/through.ts';
import { logIn, logOut, whoAmI } from './accounts.ts';
import { audit } from './audit.ts';
import type { NpmMetadata } from './metadata.ts';
import { buildPackument, PACKUMENT, registryUrl } from './packument.ts';
import { upload } from './publish.ts';
import { checkTag, listTags, removeTag, removeTagsOf, setTags } from './tags.ts';
import { downloadUpstream, readUpstreamPackage } from './upstream.ts';

const TYPE = 'npm';
const JSON_TYPE = 'application/json;charset=utf-8';
/** Size limit of a version in quotation marks in bytes. */
const MAX_VERSION_BYTES = 1024;
/** Length limit of a name of npm in characters. */
const MAX_NAME = 214;

/** The registry of npm: https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md */
export const npm: PackageFormat = {
  type: TYPE,
  // The slash after a scope may be escaped: then it is part of the segment.
  routes: ['@:scope/:id', ':id'].flatMap(routesOf).concat(
    { method: 'GET', path: '/npm/-/v1/search', access: 'read', handle: search },
    // What release programs call first.
    { method: 'GET', path: '/npm/-/ping', access: 'read', handle: async () => json({}) },
    { method: 'GET', path: '/npm/-/whoami', access: 'read', handle: whoAmI },
    { method: 'POST', path: '/npm/-/npm/v1/security/advisories/bulk', access: 'read', handle: audit },
    { method: 'PUT', path: '/npm/-/user/:user', access: 'none', handle: logIn },
    { method: 'DELETE', path: '/npm/-/user/token/:token', access: 'none', handle: logOut },
  ),
  index: buildPackument,
  deleting,
  refuse: (error) =>
    isOfRegistry(error) ? plainRefusal(error) : json({ error: error.message }, { status: error.status, headers: error.headers }),
};

function routesOf(name: string): FormatRoute[] {
  const path = `/npm/${name}`;
  const about = `/npm/-/package/${name}`;
  const tags = `${about}/dist-tags`;
  return [
    { method: 'GET', path, access: 'read', handle: throughUpstream(TYPE, packageOf, readPackage, remotely(readUpstreamPackage)) },
    { method: 'PUT', path, access: 'publish', handle: upload },
    { method: 'GET', path: `${path}/-/:version/:file`, access: 'read', handle: downloadThrough(download) },
    { method: 'GET', path: `${path}/-/:file`, access: 'read', handle: downloadThrough(downloadByName) },
    { method: 'DELETE', path: `${path}/-/:version/:file/-rev/:revision`, access: 'write', handle: unpublishVersion },
    // Where a scope has a registry of its own, npm adds the whole path of a tarball to that of the registry.
    { method: 'DELETE', path: `/npm/:again*/npm/${name}/-/:version/:file/-rev/:revision`, access: 'write', handle: unpublishVersion },
    // After unpublishing a version the client sends the rest of the document.
    { method: 'PUT', path: `${path}/-rev/:revision`, access: 'write', handle: async () => empty(200) },
    { method: 'DELETE', path: `${path}/-rev/:revision`, access: 'write', handle: unpublish },
    // `npm access get status` and `npm access list collaborators`: packages have the access of their owner.
    { method: 'GET', path: `${about}/visibility`, access: 'read', handle: readVisibility },
    { method: 'GET', path: `${about}/collaborators`, access: 'read', handle: readCollaborators },
    { method: 'GET', path: tags, access: 'read', handle: readTags },
    { method: 'PUT', path: `${tags}/:tag`, access: 'write', handle: addTag },
    { method: 'DELETE', path: `${tags}/:tag`, access: 'write', handle: deleteTag },
  ];
}

/** The package that may come from an upstream; undefined for a name that npm would never request there. */
function packageOf(call: PackageCall): string | undefined {
  const { name } = namedBy(call);
  return /^(@[\w.~-]+\/)?[\w.~-]+$/.test(name) && name.length <= MAX_NAME ? name : undefined;
}

function remotely(handle: typeof readUpstreamPackage) {
  return (call: PackageCall, upstream: PackageUpstreamRow) => handle(call, upstream, namedBy(call).name);
}

function downloadThrough(own: FormatRoute['handle']): FormatRoute['handle'] {
  return throughUpstream(TYPE, packageOf, own, remotely(downloadUpstream));
}

async function readPackage(call: PackageCall) {
  const { context, owner } = call;
  const { lower_name } = await findNamed(call);
  const named = { name: PACKUMENT, compositeKey: registryUrl(context, owner) };
  const index = { type: TYPE, key: lower_name, builder: buildPackument, document: named } as const;
  return await serveIndex(call, index, { type: JSON_TYPE });
}

async function download(call: PackageCall) {
  const { version = '', file = '' } = call.params;
  const found = await findVersion(call.context.db, namedBy(call), version);
  return await serveFile(call, await findFile(call.context.db, found.id, { name: file }));
}

async function downloadByName(call: PackageCall) {
  const { context, owner, params } = call;
  const search = { ownerId: owner.id, type: TYPE, name: namedBy(call).name, fileName: params.file ?? '' } as const;
  const [found, other] = await searchVersions(context.db, search, { limit: 2 });
  if (!found || other) throw missing();
  return await serveFile(call, await findFile(context.db, found.id, { name: params.file ?? '' }));
}

async function unpublishVersion(call: PackageCall) {
  const { again } = call.params;
  if (again !== undefined && !`/${again}`.toLowerCase().endsWith(`/api/packages/${call.owner.name.toLowerCase()}`)) throw missing();
  const version = await findVersion(call.context.db, namedBy(call), call.params.version ?? '');
  await deleteVersion(call.context, version);
  return empty(200);
}

async function unpublish(call: PackageCall) {
  await deletePackage(call.context, await findNamed(call));
  return empty(200);
}

async function readVisibility(call: PackageCall) {
  const { context, owner } = call;
  await findNamed(call);
  return json({ public: owner.visibility === 'public' && !context.settings.access.requireSignInView });
}

async function readCollaborators(call: PackageCall) {
  await findNamed(call);
  return json({ [call.owner.name]: 'write' });
}

async function readTags(call: PackageCall) {
  const row = await findPublished(call.context.db, namedBy(call));
  return json(row ? Object.fromEntries(await listTags(call.context.db, row.id)) : {});
}

async function addTag(call: PackageCall) {
  const { context, owner, params } = call;
  const wanted = trimEnd((await readBody(call, MAX_VERSION_BYTES)).toString('utf8').replace(/^"+/, ''), '"');
  const version = await findVersion(context.db, namedBy(call), wanted);
  const { tag = '' } = params;
  checkTag(tag);
  await setTags(context, version.package_id, version.version, [tag]);
  await markIndexes(context, owner.id, TYPE, [namedBy(call).name.toLowerCase()]);
  return empty(200);
}

async function deleteTag(call: PackageCall) {
  const { context, owner, params } = call;
  const { tag = '' } = params;
  checkTag(tag);
  const row = await findPublished(context.db, namedBy(call));
  if (row) {
    await removeTag(context.db, row.id, tag);
    await markIndexes(context, owner.id, TYPE, [row.lower_name]);
  }
  return empty(200);
}

async function search({ context, owner, query }: PackageCall) {
  const { db } = context;
  const wanted = { ownerId: owner.id, type: TYPE, nameContains: query.get('text')?.trim(), latest: true } as const;
  const versions = await searchVersions(db, wanted, searchPage(context, query.get('from'), query.get('size')));
  const objects = (await describeVersions<NpmMetadata>(db, versions)).map(({ package: { name }, version, metadata }) => ({
    package: {
      scope: name.startsWith('@') ? name.slice(0, name.indexOf('/')) : 'unscoped',
      name,
      version: version.version,
      date: wireTime(version.created_at),
      description: metadata.description ?? '',
      author: { name: metadata.author ?? '' },
      publisher: { name: owner.name, username: owner.name },
      maintainers: [],
      keywords: metadata.keywords,
      links: { npm: registryUrl(context, owner), homepage: metadata.homepage },
    },
  }));
  return json({ objects, total: await countVersions(context, wanted) });
}

/** However a version is deleted, its tags are deleted too, and the document does not show it any more. */
async function deleting({ ownerId, packageId, versionId }: PackageEvent, context: Context): Promise<void> {
  const { db } = context;
  const row = await db.selectFrom('packages').select('lower_name').where('id', '=', packageId).executeTakeFirst();
  const version = await db.selectFrom('package_versions').select('version').where('id', '=', versionId).executeTakeFirst();
  if (version) await removeTagsOf(db, packageId, version.version);
  if (row) await markIndexes(context, ownerId, TYPE, [row.lower_name]);
}

function namedBy({ owner, params: { scope, id = '' } }: PackageCall) {
  return { ownerId: owner.id, type: TYPE, name: scope === undefined ? id : `@${scope}/${id}` } as const;
}

/** @throws PackageError 404 also for a package that has no version left */
async function findNamed(call: PackageCall) {
  const row = await findPublished(call.context.db, namedBy(call));
  if (!row) throw missing();
  return row;
}

function missing(): PackageError {
  return new PackageError('no-package', { message: '' });
}
