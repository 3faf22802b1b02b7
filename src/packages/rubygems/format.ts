import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Context } from '../../context.ts';
import type { PackageEvent } from '../../events/events.ts';
import { readFields } from '../../http/bodies/fields.ts';
import { readForm } from '../../http/bodies/form.ts';
import { savedAs } from '../../http/content-disposition.ts';
import { empty, raw } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { currentIndexFile } from '../indexes/current.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { deleteVersion } from '../registry/delete.ts';
import { describeVersions, findPublished } from '../registry/describe.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { searchVersions } from '../registry/search.ts';
import { infoKey } from './gem-versions.ts';
import { fileNameOf, type GemMetadata, readGem } from './gemspec.ts';
import { ALL, buildGemIndex, INFO } from './indexes.ts';
import { dumpSpecification } from './marshal.ts';

const TYPE = 'rubygems';
const TEXT = 'text/plain; charset=utf-8';
/** Size limit of a form that names a gem in bytes. */
const MAX_FORM = 16 * 1024;

/** A source of gems: https://guides.rubygems.org/rubygems-org-api/, its compact index, and the older one of marshalled objects */
export const rubygems: PackageFormat = {
  type: TYPE,
  routes: [
    ...['specs.4.8.gz', 'latest_specs.4.8.gz', 'prerelease_specs.4.8.gz'].map((name) => ({
      method: 'GET' as const,
      path: `/rubygems/${name}`,
      access: 'read' as const,
      handle: async (call: PackageCall) => await serveFile(call, await findList(call, name), { isCached: true }),
    })),
    { method: 'GET', path: '/rubygems/quick/Marshal.4.8/:file', access: 'read', handle: readSpecification },
    { method: 'GET', path: '/rubygems/gems/:file', access: 'read', handle: download },
    { method: 'GET', path: '/rubygems/info/:name', access: 'read', handle: readInfo },
    {
      method: 'GET',
      path: '/rubygems/versions',
      access: 'read',
      handle: async (call) => await serveFile(call, await findList(call, 'versions'), { type: TEXT, name: null, isCached: true }),
    },
    { method: 'GET', path: '/rubygems/api/v1/gems/:name/owners.yaml', access: 'read', handle: readOwners },
    { method: 'POST', path: '/rubygems/api/v1/gems', access: 'publish', handle: upload },
    { method: 'DELETE', path: '/rubygems/api/v1/gems/yank', access: 'write', handle: yank },
  ],
  index: buildGemIndex,
  deleting,
};

async function deleting({ ownerId, packageId }: PackageEvent, context: Context): Promise<void> {
  const row = await context.db.selectFrom('packages').select('lower_name').where('id', '=', packageId).executeTakeFirst();
  if (row) await markIndexes(context, ownerId, TYPE, [ALL, infoKey(row.lower_name)]);
}

async function findList({ context, owner }: PackageCall, name: string) {
  return await currentIndexFile(context, buildGemIndex, { owner, type: TYPE }, ALL, { name });
}

async function readInfo(call: PackageCall) {
  const { context, owner, params } = call;
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: params.name ?? '' });
  if (!row) throw new PackageError('no-package', { message: '' });
  const found = await currentIndexFile(context, buildGemIndex, { owner, type: TYPE }, infoKey(row.lower_name), { name: INFO });
  return await serveFile(call, found, { type: TEXT, name: null, isCached: true });
}

/** `gem owner`: the owner of the registry, without an e-mail address, so that clients show the name. */
async function readOwners({ context, owner, params }: PackageCall) {
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name: params.name ?? '' });
  if (!row) throw new PackageError('no-package', { message: 'This rubygem could not be found.' });
  return raw(`---\n- id: ${owner.id}\n  handle: ${JSON.stringify(owner.name)}\n`, 'application/yaml; charset=utf-8');
}

async function readSpecification(call: PackageCall) {
  const { file = '' } = call.params;
  if (!file.endsWith('.gemspec.rz')) throw new PackageError('invalid', { status: 501, message: '' });
  const version = await findByFile(call, `${file.slice(0, -'.gemspec.rz'.length)}.gem`);
  const [described] = await describeVersions<GemMetadata>(call.context.db, [version]);
  if (!described) throw new PackageError('no-package', { message: '' });
  return raw(await promisify(deflate)(dumpSpecification(described)), 'application/octet-stream', {
    headers: { ...savedAs(file), 'x-content-type-options': 'nosniff' },
  });
}

async function download(call: PackageCall) {
  const { file = '' } = call.params;
  const version = await findByFile(call, file);
  return await serveFile(call, await findFile(call.context.db, version.id, { name: file }));
}

async function upload(call: PackageCall) {
  const { context, owner } = call;
  const blob = await receivePackage(call, TYPE, { shown: [] });
  const { name, version, metadata } = await readArchive(call, () => readGem(context, blob));
  const files = [{ name: fileNameOf(name, version, metadata.platform), blob, isLead: true }];
  const publication = { owner, type: TYPE, name, version, metadata, semverCompatible: true, files } as const;
  await publish(context, { ...publication, indexes: [ALL, infoKey(name)] });
  return empty(201);
}

/** Clients send the fields as a form of either kind, or in the URL. */
async function yank(call: PackageCall) {
  const { context, owner, query, request } = call;
  const isMultipart = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
  const form = isMultipart ? new Map(Object.entries(await readForm(request.raw, context, MAX_FORM))) : await readFields(request.raw);
  const field = (name: string) => [form.get(name) ?? query.get(name) ?? ''].flat()[0] ?? '';
  const name = field('gem_name');
  await deleteVersion(context, await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, field('version')));
  return empty(200);
}

/** The version that has a file; a name could be read in two ways. */
async function findByFile({ context, owner }: PackageCall, fileName: string) {
  const [found, other] = await searchVersions(context.db, { ownerId: owner.id, type: TYPE, fileName }, { limit: 2 });
  if (!found || other) throw new PackageError('no-package', { message: '' });
  return found;
}
