import type { Context } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import { storeXz, xzSize } from '../archives/xz.ts';
import { invalid, PackageError } from '../errors.ts';
import { buildIndexes, findIndexFile, findIndexFileByDigest } from '../indexes/build.ts';
import { requireFewLists } from '../indexes/few-lists.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { serveOpenPgpKey } from '../protocol/serve-key.ts';
import { deleteFile } from '../registry/delete.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { ARCHITECTURE, buildIndex, CONTROL, DISTRIBUTION, listNames, placeOf } from './indexes.ts';
import { readControl } from './read.ts';

const TYPE = 'debian';
const XZ = { size: xzSize, write: storeXz };
const DIGESTS = { md5: 'md5', md5sum: 'md5', sha1: 'sha1', sha256: 'sha256', sha512: 'sha512' } as const;

/** `GET /repository.key`: the public key of the releases. */
export async function serveKey(call: PackageCall) {
  return await serveOpenPgpKey(call, TYPE, 'repository.key');
}

/** `GET /dists/DISTRIBUTION/…`: a release, or a list of packages. */
export async function serveIndex(call: PackageCall) {
  const { context, owner, params } = call;
  const { distribution = '', file = '' } = params;
  await buildCurrent(call);
  // Releases do not list this one: clients would prefer it to the smaller one. It is generated on request.
  const isXz = file === 'Packages.xz';
  const named = { name: isXz ? 'Packages' : file, compositeKey: listOf(params) };
  const found = await findIndexFile(context.db, owner.id, TYPE, distribution, named);
  return await serveFile(call, found, isXz ? { name: file, etag: `${found.blob.sha256}.xz`, container: XZ } : { isCached: true });
}

/** The same by a digest, so that a client never gets a list that does not match the release. */
export async function serveIndexByHash(call: PackageCall) {
  const { context, owner, params } = call;
  const { distribution = '', algorithm = '', hash = '' } = params;
  const digest = Object.entries(DIGESTS).find(([name]) => name === algorithm.toLowerCase())?.[1];
  if (!digest) throw new PackageError('missing', { message: '' });
  await buildCurrent(call);
  const found = await findIndexFileByDigest(context.db, owner.id, TYPE, distribution, { [digest]: hash.toLowerCase() });
  if (!found) throw new PackageError('missing', { message: '' });
  return await serveFile(call, found);
}

/** `PUT /pool/DISTRIBUTION/COMPONENT/upload` */
export async function upload(call: PackageCall) {
  const { context, owner, params } = call;
  const distribution = (params.distribution ?? '').trim();
  const component = (params.component ?? '').trim();
  if (!isWord(distribution) || !isWord(component)) throw invalid('invalid distribution or component');
  const blob = await receivePackage(call, TYPE);
  const { name, version, architecture, control, metadata } = await readArchive(call, () => readControl(context, blob));
  const properties = {
    [DISTRIBUTION]: distribution,
    'debian.component': component,
    [ARCHITECTURE]: architecture,
    [CONTROL]: control,
  };
  const file = { ...fileOf({ name, version, architecture, distribution, component }), blob, isLead: true, properties };
  const index = { ownerId: owner.id, type: TYPE, key: distribution } as const;
  await requireFewLists(context, index, `${component}|${architecture}`, () => listNames(context.db, owner.id, distribution));
  await publish(context, { owner, type: TYPE, name, version, metadata, existing: 'append', files: [file], indexes: [distribution] });
  return empty(201);
}

/** `GET /pool/DISTRIBUTION/COMPONENT/NAME_VERSION_ARCHITECTURE.deb` */
export async function download(call: PackageCall) {
  const { found } = await findPackageFile(call);
  return await serveFile(call, found, { type: 'application/vnd.debian.binary-package' });
}

/** `DELETE /pool/DISTRIBUTION/COMPONENT/NAME/VERSION/ARCHITECTURE` */
export async function remove(call: PackageCall) {
  const { version, found } = await findPackageFile(call);
  await deleteFile(call.context, version, found.file, { indexes: [call.params.distribution ?? ''] });
  return empty(204);
}

async function findPackageFile({ context, owner, params }: PackageCall) {
  const version = await findVersion(context.db, { ownerId: owner.id, type: TYPE, name: params.name ?? '' }, params.version ?? '');
  return { version, found: await findFile(context.db, version.id, fileOf(params)) };
}

function fileOf({ name, version, architecture, distribution = '', component = '' }: Readonly<Record<string, string>>) {
  return { name: `${name}_${version}_${architecture}.deb`, compositeKey: placeOf(distribution, component) };
}

function listOf({ component, architecture = '' }: Readonly<Record<string, string>>): string {
  return component === undefined ? '' : `${component}|${architecture.replace(/^binary-/, '')}`;
}

async function buildCurrent({ context, owner, params }: { context: Context } & Pick<PackageCall, 'owner' | 'params'>): Promise<void> {
  await buildIndexes(context, buildIndex, { owner, type: TYPE }, [params.distribution ?? '']);
}

/** Whether it is valid in a release file. */
function isWord(name: string): boolean {
  return /^[a-z0-9][\w.+~-]*$/i.test(name);
}
